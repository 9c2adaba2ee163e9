// SPDX-License-Identifier: Apache-2.0
#include "server/session/editor_builds.h"

#include "protocol/jsonrpc/message.h"
#include "protocol/lsp/uri.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;

namespace {

constexpr size_t kToldText = 4000;
constexpr size_t kMostFound = 2000; ///< Diagnostics of one build.
constexpr size_t kMostAtOnce = 2;   ///< Builds of one session: commands' threads are everybody's.
constexpr const char *kCancelled = "the build was cancelled";

std::string textOf(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

uint32_t numberOf(const Json &json, const char *name) {
  auto found = json.is_object() ? json.find(name) : json.end();
  return json.is_object() && found != json.end() && found->is_number_unsigned() ? found->get<uint32_t>() : 0;
}

Json memberOf(const Json &json, const char *name) { return json.is_object() ? json.value(name, Json()) : Json(); }

lsp::Range rangeOf(const Json &json) {
  auto position = [&](const char *name) {
    Json at = memberOf(json, name);
    return lsp::Position{numberOf(at, "line"), numberOf(at, "character")};
  };
  return {position("start"), position("end")};
}

lsp::Severity severityOf(const std::string &name) {
  return name == "warning"       ? lsp::Severity::Warning
         : name == "information" ? lsp::Severity::Information
         : name == "hint"        ? lsp::Severity::Hint
                                 : lsp::Severity::Error;
}

/// The URI of a path of the command, which stood in `folder`.
std::string uriOf(const std::string &path, const std::string &folder) {
  return lsp::fileUri(path.starts_with('/') ? path : folder + "/" + path);
}

/// What a build has to say that no check has said: of the tools, and of what is around them.
bool isOfBuild(const Json &event) {
  return textOf(event, "source") != "placid" || textOf(event, "code").starts_with("PL7");
}

lsp::Diagnostic diagnosticOf(const Json &event, const std::string &folder, bool relatedInformation) {
  lsp::Diagnostic out;
  out.range = rangeOf(memberOf(event, "range"));
  out.severity = severityOf(textOf(event, "severity"));
  out.code = textOf(event, "code");
  out.source = textOf(event, "source");
  out.message = textOf(event, "message");
  for (const Json &related : memberOf(event, "related")) {
    std::string path = textOf(related, "path");
    lsp::Range range = rangeOf(memberOf(related, "range"));
    if (relatedInformation && !path.empty()) {
      out.related.push_back({{uriOf(path, folder), range}, textOf(related, "message")});
    } else {
      out.message += "\nnote: " + (path.empty() ? "" : path + ":" + std::to_string(range.start.line + 1) + ": ") +
                     textOf(related, "message");
    }
  }
  return out;
}

} // namespace

EditorBuilds::Builds::iterator EditorBuilds::find(uint64_t number) {
  return std::find_if(builds_.begin(), builds_.end(), [&](const Build &build) { return build.number == number; });
}

void EditorBuilds::begin(Request request, Reply reply) {
  if (!wiring_.start) {
    std::move(reply).fail({ErrorCode::RequestFailed, "placid.build: builds are the daemon's: start `placid lsp` "
                                                     "without --no-daemon"});
    return;
  }
  std::string key = lsp::documentKey(request.uri);
  uris_[key] = request.uri;
  std::vector<uint64_t> before;
  for (const Build &build : builds_) {
    if (lsp::documentKey(build.request.uri) == key) {
      before.push_back(build.number);
    }
  }
  Build &build = builds_.emplace_back(Build{std::move(request), std::move(reply), ++numbers_, {}});
  build.edited = std::move(build.request.unsaved);
  beginProgress(build);
  for (uint64_t number : before) {
    cancelBuild(number, "another build of this file took its place");
  }
  startWaiting();
}

void EditorBuilds::startWaiting() {
  while (true) {
    auto waits = [](const Build &build) { return !build.started; };
    auto next = std::find_if(builds_.begin(), builds_.end(), waits);
    auto running = static_cast<size_t>(std::count_if(builds_.begin(), builds_.end(), std::not_fn(waits)));
    if (next == builds_.end() || running >= kMostAtOnce) {
      return;
    }
    start(*next); // it may be over afterwards
  }
}

void EditorBuilds::start(Build &build) {
  build.started = true;
  EditorBuildRun run;
  run.folder = build.request.folder;
  run.words = {"build", "--events", "-"};
  run.words.insert(run.words.end(), build.request.options.begin(), build.request.options.end());
  run.words.insert(run.words.end(), {"--", build.request.path});
  run.output = [this, alive = alive_, number = build.number](bool error, const std::string &text) {
    if (*alive) {
      onOutput(number, error, text);
    }
  };
  run.done = [this, alive = alive_, number = build.number](std::optional<int> exitCode) {
    if (*alive) {
      onDone(number, exitCode);
    }
  };
  wiring_.start(std::move(run), build.stop.get_token());
}

/// One that runs is answered when its tools have ended.
void EditorBuilds::cancelBuild(uint64_t number, const std::string &why) {
  auto build = find(number);
  if (build == builds_.end() || build->stop.stop_requested()) {
    return;
  }
  build->why = why;
  build->stop.request_stop();
  if (!build->started) {
    refuse(*build);
    builds_.erase(build);
  }
}

void EditorBuilds::refuse(Build &build) {
  report(build, "end", {});
  bool cancelled = build.stop.stop_requested();
  std::move(build.reply)
      .fail({cancelled ? ErrorCode::RequestCancelled : ErrorCode::RequestFailed,
             cancelled ? build.why : "there is too much to do: try again"});
}

void EditorBuilds::beginProgress(Build &build) {
  if (!build.request.token.is_null()) {
    report(build, "begin", {});
  } else if (build.request.beginsProgress) {
    build.request.token = "placid/build/" + std::to_string(build.number);
    Json ask = protocol::notificationMessage("window/workDoneProgress/create", {{"token", build.request.token}});
    ask["id"] = build.request.token;
    wiring_.send(std::move(ask)); // begun once the client has agreed
  }
}

bool EditorBuilds::answered(const protocol::Response &response) {
  const auto *id = std::get_if<std::string>(&response.id);
  if (!id || !id->starts_with("placid/build/")) {
    return false;
  }
  auto build = std::find_if(builds_.begin(), builds_.end(),
                            [&](const Build &one) { return !one.shown && one.request.token == *id; });
  if (build != builds_.end() && !response.error) {
    report(*build, "begin", {});
  }
  return true;
}

void EditorBuilds::report(Build &build, const char *kind, const std::string &what) {
  bool begins = std::string_view(kind) == "begin";
  if (build.request.token.is_null() || (!begins && !build.shown)) {
    return;
  }
  build.shown = true;
  Json value = {{"kind", kind}};
  if (begins) {
    value["title"] = "placid build";
    value["cancellable"] = true;
    value["message"] = build.request.path.substr(build.request.path.rfind('/') + 1);
  } else if (!what.empty()) {
    value["message"] = what;
  }
  if (std::string_view(kind) == "report" && !build.kernels.empty()) {
    size_t now = std::min<size_t>(100, build.done.size() * 100 / build.kernels.size());
    value["percentage"] = build.percentage = std::max(build.percentage, now); // clients may ignore one that falls
  }
  wiring_.send(
      protocol::notificationMessage("$/progress", {{"token", build.request.token}, {"value", std::move(value)}}));
}

void EditorBuilds::onOutput(uint64_t number, bool error, const std::string &text) {
  auto build = find(number);
  if (build == builds_.end()) {
    return;
  }
  if (error) {
    build->errorText += text.substr(0, kToldText - std::min(kToldText, build->errorText.size()));
    return;
  }
  build->rest += text;
  size_t at = 0;
  for (size_t end = 0; (end = build->rest.find('\n', at)) != std::string::npos; at = end + 1) {
    onEvent(*build, build->rest.substr(at, end - at));
  }
  build->rest.erase(0, at);
}

void EditorBuilds::onEvent(Build &build, const std::string &line) {
  Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  std::string type = textOf(event, "type");
  if (type == "kernelQueued") {
    build.kernels.insert(textOf(event, "kernel"));
  } else if (type == "kernelFinished") {
    build.done.insert(textOf(event, "kernel"));
    build.kernels.insert(textOf(event, "kernel"));
    report(build, "report",
           std::to_string(build.done.size()) + "/" + std::to_string(build.kernels.size()) + " kernels");
  } else if (type == "diagnostic" && isOfBuild(event) && build.told++ < kMostFound) {
    std::string uri = uriOf(textOf(event, "path"), build.request.folder);
    std::string key = lsp::documentKey(uri);
    uris_.try_emplace(key, uri);
    build.found[key].push_back(diagnosticOf(event, build.request.folder, build.request.relatedInformation));
  } else if (type == "buildFinished") {
    build.last = std::move(event);
  }
}

void EditorBuilds::onDone(uint64_t number, std::optional<int> exitCode) {
  auto at = find(number);
  if (at == builds_.end()) {
    return;
  }
  Build build = std::move(*at);
  builds_.erase(at);
  if (!exitCode || build.stop.stop_requested()) {
    refuse(build);
    startWaiting();
    return;
  }
  report(build, "end", {});
  // An edit has moved what was said of the text before it.
  std::erase_if(build.found, [&](const auto &entry) { return build.edited.contains(entry.first); });
  auto &found = found_[lsp::documentKey(build.request.uri)];
  std::set<std::string> touched;
  for (const auto *list : {&found, &build.found}) {
    for (const auto &[key, diagnostics] : *list) {
      touched.insert(key);
    }
  }
  found = std::move(build.found);
  for (const std::string &key : touched) {
    wiring_.changed(uris_[key]);
  }
  Json result = {{"status", textOf(build.last, "status")}, {"exitCode", *exitCode}, {"message", build.errorText}};
  for (const char *name : {"kernels", "built", "errors", "warnings"}) {
    result[name] = numberOf(build.last, name);
  }
  std::move(build.reply).ok(std::move(result));
  startWaiting();
}

bool EditorBuilds::cancel(const protocol::Id &id) {
  auto build = std::find_if(builds_.begin(), builds_.end(), [&](const Build &one) { return one.reply.id() == id; });
  if (build == builds_.end()) {
    return false;
  }
  cancelBuild(build->number, kCancelled);
  return true;
}

void EditorBuilds::cancelToken(const Json &token) {
  auto build = std::find_if(builds_.begin(), builds_.end(), [&](const Build &one) {
    return !token.is_null() && one.request.token == token && !one.stop.stop_requested();
  });
  if (build != builds_.end()) {
    cancelBuild(build->number, kCancelled);
  }
}

bool EditorBuilds::concerns(const std::string &uri) const {
  std::string key = lsp::documentKey(uri);
  return !builds_.empty() ||
         std::any_of(found_.begin(), found_.end(), [&](const auto &entry) { return entry.second.contains(key); });
}

void EditorBuilds::edited(const std::string &uri) {
  std::string key = lsp::documentKey(uri);
  for (Build &build : builds_) {
    build.edited.insert(key);
  }
  size_t gone = 0;
  for (auto &[root, documents] : found_) {
    gone += documents.erase(key);
  }
  if (gone != 0) {
    uris_[key] = uri;
    wiring_.changed(uri);
  }
}

void EditorBuilds::stop() {
  *alive_ = false;
  for (Build &build : builds_) {
    build.stop.request_stop();
    std::move(build.reply).fail({ErrorCode::RequestCancelled, "the session ended"});
  }
  builds_.clear();
}

std::vector<lsp::Diagnostic> EditorBuilds::of(const std::string &uri) const {
  std::vector<lsp::Diagnostic> out;
  std::string key = lsp::documentKey(uri);
  for (const auto &[root, documents] : found_) {
    if (auto found = documents.find(key); found != documents.end()) {
      out.insert(out.end(), found->second.begin(), found->second.end());
    }
  }
  return out;
}

} // namespace placid::server
