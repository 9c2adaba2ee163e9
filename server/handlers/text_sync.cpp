// SPDX-License-Identifier: Apache-2.0
// didOpen, didChange, didSave, didClose: the store changes, then the scheduler hears of it. Io thread.
#include "server/handlers/text_sync.h"

#include "protocol/lsp/codec.h"
#include "protocol/lsp/uri.h"
#include "server/handlers/settings_sync.h"
#include "server/session/session.h"
#include "server/settings/project_settings.h"

#include <nlohmann/json.hpp>

#include <initializer_list>

namespace placid::server {

using protocol::Json;

namespace {

/// The client's text and ours have parted. Diagnostics of a guessed text would be wrong, so there are none until the
/// client sends the text again: on save (asked for in the capabilities), by a full change, or by opening it anew.
void askForTexts(Session &session, const std::vector<Document> &documents, const std::string &why) {
  for (const Document &document : documents) {
    session.forget(document);
    session.notify("placid/resync", {{"uri", document.uri}});
  }
  if (!documents.empty()) {
    std::string what = documents.size() == 1 ? documents[0].text->path : std::to_string(documents.size()) + " files";
    std::string whose = documents.size() == 1 ? "the file" : "them";
    session.showMessage(lsp::MessageType::Warning,
                        "placid lost track of " + what + ": " + why + ". Save " + whose + " to go on.");
  }
}

/// A member at a chain of names; null when there is none.
Json at(const Json &value, std::initializer_list<const char *> names) {
  const Json *found = &value;
  for (const char *name : names) {
    auto next = found->is_object() ? found->find(name) : found->end();
    if (!found->is_object() || next == found->end()) {
      return nullptr;
    }
    found = &*next;
  }
  return *found;
}

} // namespace

void textLost(Session &session, const Json &params) {
  std::vector<std::string> uris;
  Json named = at(params, {"textDocument", "uri"});
  if (named.is_string()) {
    uris.push_back(named.get<std::string>());
  } else {
    for (const Document *document : session.documents().all()) {
      uris.push_back(document->uri);
    }
  }
  std::vector<Document> lost;
  Json version = at(params, {"textDocument", "version"});
  for (const std::string &uri : uris) {
    Document *document = session.documents().find(uri);
    if (document && named.is_string() && version.is_number_integer()) {
      document->version = version.get<int64_t>();
    }
    if (std::optional<Document> before = session.documents().lose(uri)) {
      session.edited(*before);
      lost.push_back(std::move(*before));
    }
  }
  askForTexts(session, lost, "an edit could not be read");
}

void handleDidOpen(Session &session, const lsp::DidOpenParams &params) {
  const Document *before = session.documents().find(params.uri);
  if (before && before->uri != params.uri) {
    session.publishAlone({before->uri, std::nullopt, {}}); // opened again under another spelling
  }
  Document &document = session.openDocument(params);
  session.opened(document);
  if (!syncSettings(session, document)) {
    showSettingsOf(session, lsp::displayPath(document.uri));
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
    askForTexts(session, {old}, "an edit lies outside the text");
  }
}

void handleDidSave(Session &session, const lsp::DidSaveParams &params) {
  Document *document = session.documents().find(params.uri);
  if (document && syncSettings(session, *document)) {
    settingsChanged(session, *document);
    return;
  }
  if (!document) {
    return;
  }
  showSettingsOf(session, lsp::displayPath(document->uri));
  if (!params.text || (document->text && document->text->text == *params.text)) {
    session.checkAgain(*document);
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
    std::string path = lsp::displayPath(document->uri);
    showSettingsOf(session, path); // of a settings file what is saved counts again
    if (isSettingsFile(path)) {
      settingsChanged(session, *document);
    }
  }
}

} // namespace placid::server
