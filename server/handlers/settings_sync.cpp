// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/settings_sync.h"

#include "protocol/lsp/uri.h"
#include "server/settings/project_settings.h"

namespace placid::server {

namespace {

void publishFaults(Session &session, const source::SourcePtr &text, const std::string &uri,
                   std::optional<int64_t> version) {
  lsp::PublishDiagnosticsParams params{uri, version, {}};
  for (const SettingsFault &fault : readSettings(*text).faults) {
    lsp::Diagnostic shown;
    shown.range = toLsp(text->range(fault.range));
    shown.severity = fault.warning ? lsp::Severity::Warning : lsp::Severity::Error;
    shown.code = "bad-setting"; // no code of the catalogue: that is for what is compiled
    shown.source = "placid";
    shown.message = fault.message;
    params.diagnostics.push_back(std::move(shown));
  }
  session.publish(std::move(params));
}

/// Imports and settings come from files: what was learnt about every text may be old.
void checkEverything(Session &session) {
  session.filesChanged();
  session.documents().forgetLearnt(DocumentId{});
  for (const Document *open : session.documents().all()) {
    if (!isSettingsFile(open->text->path)) {
      session.schedule(*open);
    }
  }
}

} // namespace

bool syncSettings(Session &session, const Document &document) {
  if (!document.text || !isSettingsFile(document.text->path)) {
    return false;
  }
  publishFaults(session, document.text, document.uri, document.version);
  return true;
}

void settingsChanged(Session &session, const Document &document) {
  session.filesChanged();
  session.documents().forgetLearnt(document.id);
  for (const Document *open : session.documents().all()) {
    if (!isSettingsFile(open->text->path)) {
      session.schedule(*open);
    }
  }
}

void handleDidChangeWatchedFiles(Session &session, const lsp::WatchedFilesParams &params) {
  for (const std::string &uri : params.uris) {
    std::string path = lsp::displayPath(uri);
    if (!isSettingsFile(path) || session.documents().find(uri)) {
      continue; // an open one shows what is typed
    }
    SettingsFinder finder;
    const SettingsFinder::Found *found = finder.find(path);
    if (found && found->text->path == path) {
      publishFaults(session, found->text, uri, std::nullopt);
    } else {
      session.publish({uri, std::nullopt, {}}); // gone, or no settings of ours
    }
  }
  checkEverything(session);
}

void handleDidChangeWorkspaceFolders(Session &session, const lsp::WorkspaceFoldersParams &params) {
  session.changeFolders(params.added, params.removed);
  checkEverything(session);
}

void showSettingsOf(Session &session, const Document &source) {
  if (!source.text || !source.text->path.starts_with('/')) {
    return;
  }
  SettingsFinder finder;
  const SettingsFinder::Found *found = finder.find(source.text->path);
  // A file that is open shows what is typed, by its own notifications.
  if (found && !found->settings.faults.empty() && !session.documents().find(lsp::fileUri(found->text->path))) {
    publishFaults(session, found->text, lsp::fileUri(found->text->path), std::nullopt);
  }
}

} // namespace placid::server
