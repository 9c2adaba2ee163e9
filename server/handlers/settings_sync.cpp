// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/settings_sync.h"

#include "protocol/lsp/uri.h"
#include "server/settings/project_settings.h"

#include <map>
#include <string>
#include <utility>

namespace placid::server {

namespace {

/// Under one spelling of its URI: the client's own where it has the file open. A file without faults, of which none
/// are shown, is not spoken of.
void publishFaults(Session &session, const ProjectSettings &settings, const source::SourceText &text,
                   const std::string &uri, std::optional<int64_t> version) {
  lsp::PublishDiagnosticsParams params{uri, version, {}};
  for (const SettingsFault &fault : settings.faults) {
    lsp::Diagnostic shown;
    shown.range = toLsp(text.range(fault.range));
    shown.severity = fault.warning ? lsp::Severity::Warning : lsp::Severity::Error;
    shown.code = "bad-setting"; // no code of the catalogue: that is for what is compiled
    shown.source = "placid";
    shown.message = fault.message;
    params.diagnostics.push_back(std::move(shown));
  }
  std::map<std::string, std::string> &all = session.settingsShown();
  const std::string key = lsp::documentKey(uri);
  auto before = all.find(key);
  if (before != all.end() && before->second != uri) {
    session.publish({before->second, std::nullopt, {}});
  }
  bool open = session.documents().find(uri) != nullptr;
  if (params.diagnostics.empty() && before == all.end() && !open) {
    return;
  }
  if (params.diagnostics.empty()) {
    all.erase(key);
  } else {
    all[key] = uri;
  }
  session.publish(std::move(params));
}

/// What is saved in the settings file with this URI, which is not open. `found` null: it is gone, or has no settings of
/// ours.
void publishSaved(Session &session, const SettingsFinder::Found *found, const std::string &uri) {
  if (found) {
    publishFaults(session, found->settings, *found->text, uri, std::nullopt);
  } else {
    publishFaults(session, {}, source::SourceText("", ""), uri, std::nullopt);
  }
}

/// The settings file at `path` itself.
const SettingsFinder::Found *savedAt(SettingsFinder &finder, const std::string &path) {
  const SettingsFinder::Found *found = finder.find(path);
  return found && found->text->path == path ? found : nullptr;
}

} // namespace

bool syncSettings(Session &session, const Document &document) {
  if (!document.text || !isSettingsFile(document.text->path)) {
    return false;
  }
  publishFaults(session, readSettings(*document.text), *document.text, document.uri, document.version);
  return true;
}

void settingsChanged(Session &session, const Document &document) { session.checkEverything(document.id); }

void handleDidChangeWatchedFiles(Session &session, const lsp::WatchedFilesParams &params) {
  for (const std::string &uri : params.uris) {
    std::string path = lsp::displayPath(uri);
    if (!isSettingsFile(path) || session.documents().find(uri)) {
      continue; // an open one shows what is typed
    }
    SettingsFinder finder;
    publishSaved(session, savedAt(finder, path), uri);
  }
  session.checkEverything(); // imports and settings come from files
}

void showSettingsOf(Session &session, const std::string &path) {
  if (!path.starts_with('/')) {
    return;
  }
  SettingsFinder finder;
  std::map<std::string, std::string> uris = session.settingsShown(); // by key; a copy: publishing changes it
  if (const SettingsFinder::Found *found = finder.find(path)) {
    std::string uri = lsp::fileUri(found->text->path);
    uris.try_emplace(lsp::documentKey(uri), uri);
  }
  for (const auto &[key, uri] : uris) {
    if (!session.documents().find(uri)) { // one that is open shows what is typed, by its own notifications
      publishSaved(session, savedAt(finder, lsp::displayPath(uri)), uri);
    }
  }
}

} // namespace placid::server
