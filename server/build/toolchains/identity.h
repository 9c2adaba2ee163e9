// SPDX-License-Identifier: Apache-2.0
// What a tool is, as a digest of the content of everything that it may read when it runs: never its version text, which
// stays the same when a library or a header under it is patched. Files that have not changed are not read again.
// Blocking; any thread.
#pragma once

#include "server/build/store/store.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::server {

struct Identity {
  Digest digest;     ///< Empty hex when it cannot be told.
  std::string error; ///< Why.
};

/// A program with the libraries that it loads. A script stands for the installation around it: every file below its
/// folder (the folder above, when that is called bin) and its interpreter.
Identity programIdentity(const std::string &path, Store &store);

/// Every file below `folder`, also behind links to folders: names and content, not where the folder is.
Identity folderIdentity(const std::string &folder, Store &store);

/// The installation that `path` belongs to: every file below its real folder, or the folder above when that is called
/// bin. For a driver that calls other programs around it.
Identity installationIdentity(const std::string &path, Store &store);

/// What the words of a command line name by absolute path ("-I/a", "-include /b", "@/c", and what such a file names in
/// turn): the content of files and of folders. No digest when they name nothing that is there.
Identity flagIdentity(const std::vector<std::string> &words, Store &store);

/// One identity of several.
Identity combined(const Identity &first, const Identity &second);

} // namespace placid::server
