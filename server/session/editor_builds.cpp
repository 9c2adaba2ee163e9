// SPDX-License-Identifier: Apache-2.0
#include "server/session/editor_builds.h"

#include "protocol/jsonrpc/message.h"
#include "protocol/lsp/uri.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;

namespace {

constexpr size_t kToldText = 4000;
constexpr size_t kMostFound = 2000; ///< Diagnostics of one build.

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
  uris_[lsp::documentKey(request.uri)] = request.uri;
  Build &build = builds_.emplace_back(Build{std::move(request), std::move(reply), ++numbers_, {}});
  beginProgress(build);
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
  if (std::string_view(kind) == "report" && build.kernels != 0) {
    value["percentage"] = std::min<size_t>(100, build.done * 100 / build.kernels);
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
    ++build.kernels;
  } else if (type == "kernelFinished") {
    ++build.done;
    report(build, "report", std::to_string(build.done) + "/" + std::to_string(build.kernels) + " kernels");
  } else if (type == "diagnostic" && isOfBuild(event) && build.found.size() < kMostFound) {
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
  report(*at, "end", {});
  Build build = std::move(*at);
  builds_.erase(at);
  bool cancelled = build.stop.stop_requested();
  if (!exitCode || cancelled) {
    ErrorCode code = cancelled ? ErrorCode::RequestCancelled : ErrorCode::RequestFailed;
    std::move(build.reply).fail({code, cancelled ? "the build was cancelled" : "there is too much to do: try again"});
    return;
  }
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
}

bool EditorBuilds::cancel(const protocol::Id &id) {
  for (Build &build : builds_) {
    if (build.reply.id() == id) {
      build.stop.request_stop();
      return true;
    }
  }
  return false;
}

void EditorBuilds::cancelToken(const Json &token) {
  for (Build &build : builds_) {
    if (!token.is_null() && build.request.token == token) {
      build.stop.request_stop();
    }
  }
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
