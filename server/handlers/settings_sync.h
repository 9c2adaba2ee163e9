// SPDX-License-Identifier: Apache-2.0
// What a session does about settings files: shows their faults in the file itself, and checks anew what they decide.
// Apart from text_sync.cpp, which knows documents of every kind. Io thread.
#pragma once

#include "server/session/session.h"

namespace placid::server {

/// True when the document is a settings file: it is then checked as one and is no source.
bool syncSettings(Session &session, const Document &document);

/// A settings file was saved or closed: every open source may mean something else.
void settingsChanged(Session &session, const Document &document);

/// Shows the faults of the saved settings file that decides for the file at `path`, which was opened, saved or closed,
/// or is that file. What is shown of others, and is not true any more, goes.
void showSettingsOf(Session &session, const std::string &path);

} // namespace placid::server
