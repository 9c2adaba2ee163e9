// SPDX-License-Identifier: Apache-2.0
// didOpen, didChange, didSave, didClose: the store changes, then the scheduler hears of it. Io thread.
#include "protocol/lsp/codec.h"
#include "server/handlers/settings_sync.h"
#include "server/session/session.h"
#include "server/settings/project_settings.h"

#include <nlohmann/json.hpp>

namespace placid::server {

namespace {

/// The client's text and ours have parted. Diagnostics of a guessed text would be wrong, so there are none until the
/// client sends the text again: on save (asked for in the capabilities), by a full change, or by opening it anew.
void askForText(Session &session, const Document &document) {
  session.forget(document);
  session.notify("placid/resync", {{"uri", document.uri}});
  session.showMessage(lsp::MessageType::Warning, "placid lost track of " + document.text->path +
                                                     ": an edit lies outside the text. Save the file to go on.");
}

} // namespace

void handleDidOpen(Session &session, const lsp::DidOpenParams &params) {
  Document *before = session.documents().find(params.uri);
  if (before && before->uri != params.uri) {
    session.publishAlone({before->uri, std::nullopt, {}}); // opened again under another spelling
  }
  Document &document = session.openDocument(params);
  session.opened(document);
  if (!syncSettings(session, document)) {
    showSettingsOf(session, document);
    session.schedule(document);
  }
}

void handleDidChange(Session &session, const lsp::DidChangeParams &params) {
  const Document *before = session.documents().find(params.uri);
  if (!before) {
    return;
  }
  Document old = *before;
  Document *document = session.documents().change(params);
  session.edited(*document);
  if (document->text && syncSettings(session, *document)) {
    return;
  }
  if (document->text) {
    session.schedule(*document);
  } else if (old.text) {
    askForText(session, old);
  }
}

void handleDidSave(Session &session, const lsp::DidSaveParams &params) {
  Document *document = session.documents().find(params.uri);
  if (document && syncSettings(session, *document)) {
    settingsChanged(session, *document);
    return;
  }
  if (!document || !params.text || (document->text && document->text->text == *params.text)) {
    return;
  }
  session.schedule(*session.documents().replace(params.uri, *params.text));
}

// For tools that must not act on a list that is about to change.
void handleSettled(Session &session, const lsp::SettledParams &params, Reply reply) {
  session.whenSettled(params, std::move(reply));
}

void handleDidClose(Session &session, const lsp::DidCloseParams &params) {
  if (std::optional<Document> document = session.documents().close(params.uri)) {
    session.forget(*document);
    if (document->text && isSettingsFile(document->text->path)) {
      settingsChanged(session, *document);
    }
  }
}

} // namespace placid::server
