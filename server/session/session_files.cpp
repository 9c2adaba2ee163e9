// SPDX-License-Identifier: Apache-2.0
// What a session does about files and folders that change beside its documents: has them watched, forgets what was
// learnt, tells the client what to ask again. Apart from session.cpp, which has the conversation itself. Io thread.
#include "protocol/lsp/uri.h"
#include "server/session/session.h"
#include "server/settings/project_settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace placid::server {

using protocol::Json;

namespace {

/// The folder of a URI, without a slash at its end.
std::string folderPath(const std::string &uri) {
  std::string path = lsp::displayPath(uri);
  while (path.size() > 1 && path.back() == '/') {
    path.pop_back();
  }
  return path;
}

} // namespace

void Session::watchFiles() {
  if (!client_.registersWatchers) {
    return;
  }
  Json watchers = Json::array();
  for (const char *glob : {"**/*.py", "**/placid.toml", "**/pyproject.toml"}) {
    watchers.push_back({{"globPattern", glob}});
  }
  Json registration = {{"id", "placid/files"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions", {{"watchers", std::move(watchers)}}}};
  Json ask = protocol::notificationMessage("client/registerCapability",
                                           {{"registrations", Json::array({std::move(registration)})}});
  ask["id"] = "placid/watch"; // who refuses has its files looked at when they are used
  send(ask);
}

/// Begins with the first document: nothing that a start has to wait for.
void Session::watchWorkspace() {
  if (!config_.watchesWorkspace || std::exchange(watching_, true)) {
    return;
  }
  auto tell = [this](const std::string &uri, std::vector<lsp::Diagnostic> found) {
    if (documents_.find(uri)) {
      return false; // opened meanwhile: its text is what counts
    }
    lsp::PublishDiagnosticsParams said{uri, std::nullopt, std::move(found)};
    if (said.diagnostics.empty()) {
      unopened_.erase(lsp::documentKey(uri));
    } else {
      unopened_[lsp::documentKey(uri)] = said;
    }
    publish(std::move(said));
    return true;
  };
  workspace_.watch(std::move(tell), !client_.registersWatchers);
}

void Session::filesChanged() {
  workspace_.filesChanged();
  refreshViews(/*diagnosticsToo=*/true);
}

void Session::refreshViews(bool diagnosticsToo) {
  refreshDiagnostics_ = refreshDiagnostics_ || diagnosticsToo;
  if (std::exchange(refreshing_, true)) {
    return;
  }
  constexpr std::chrono::milliseconds kCollect{200}; // somebody types in a module that others import
  scheduler_.loop().after(kCollect, [self = self_] {
    if (*self) {
      (*self)->askForRefreshes();
    }
  });
}

void Session::askForRefreshes() {
  refreshing_ = false;
  bool diagnostics = std::exchange(refreshDiagnostics_, false) && client_.pullsDiagnostics;
  const std::pair<bool, const char *> all[] = {
      {diagnostics && client_.refreshesDiagnostics, "workspace/diagnostic/refresh"},
      {client_.refreshesHints, "workspace/inlayHint/refresh"},
      {client_.refreshesLenses, "workspace/codeLens/refresh"}};
  for (const auto &[wanted, method] : all) {
    if (wanted && state_ == State::Running) {
      Json ask = protocol::notificationMessage(method, nullptr);
      ask.erase("params"); // it has none
      ask["id"] = "placid/refresh/" + std::to_string(++refreshes_);
      send(ask); // whatever is answered changes nothing
    }
  }
}

void Session::setFolders(const std::vector<std::string> &added, const std::vector<std::string> &removed) {
  std::vector<std::string> &roots = config_.options.roots;
  for (const std::string &folder : removed) {
    std::erase(roots, folderPath(folder));
  }
  for (const std::string &folder : added) {
    std::string path = folderPath(folder);
    if (std::find(roots.begin(), roots.end(), path) == roots.end()) {
      roots.push_back(std::move(path));
    }
  }
}

void Session::changeFolders(const std::vector<std::string> &added, const std::vector<std::string> &removed) {
  setFolders(added, removed);
  checkEverything(); // modules are found elsewhere now
}

void Session::checkEverything(DocumentId except) {
  filesChanged();
  documents_.forgetLearnt(except);
  for (const Document *open : documents_.all()) {
    if (!isSettingsFile(open->text->path)) {
      schedule(*open);
    }
  }
}

} // namespace placid::server
