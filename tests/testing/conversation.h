// SPDX-License-Identifier: Apache-2.0
// A test's conversation with one session, without threads: the order of messages is exactly the order of calls. Shared
// by the tests of sessions; knows nothing of what they ask. One thread.
#pragma once

#include "server/session/connection.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace placid::server {

/// The server beside one client. Where a test needs more, it derives.
struct Conversation : ::testing::Test {
  using json = nlohmann::json;
  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  testing::ManualRunner runner;
  testing::RecordingOutbox outbox;
  Scheduler scheduler{compiler, runner, loop};
  std::vector<int64_t> watched;
  std::deque<std::pair<EditorBuildRun, std::stop_token>> builds;
  std::map<std::string, std::string> disk; ///< What is saved, where it matters; below /w there is a file for each path.
  Connection connection{scheduler, outbox, config()};
  int lastId = 100;

  SessionConfig config() {
    SessionConfig out;
    out.version = "9.9";
    out.startBuild = [this](EditorBuildRun run, std::stop_token stop) {
      builds.emplace_back(std::move(run), std::move(stop));
    };
    out.savedText = [this](const std::string &path, const std::string *text) {
      auto found = disk.find(path);
      return !text || found == disk.end() ? (path.starts_with("/w/") ? SavedText::Same : SavedText::NoFile)
             : found->second == *text     ? SavedText::Same
                                          : SavedText::Other;
    };
    out.watchProcess = [this](int64_t pid) { watched.push_back(pid); };
    return out;
  }
  void drain() {
    do {
      loop.run();
    } while (runner.runOne() || loop.runOne());
  }
  /// Sends one body, lets all work finish, returns what came back.
  std::vector<json> body(const std::string &text) {
    connection.onBytes(protocol::frame(text));
    drain();
    return outbox.take();
  }
  std::vector<json> send(json message) {
    message["jsonrpc"] = "2.0";
    return body(message.dump());
  }
  std::vector<json> notify(const std::string &method, json params) {
    return send({{"method", method}, {"params", std::move(params)}});
  }
  json request(const std::string &method, json params = nullptr) {
    json message = {{"id", ++lastId}, {"method", method}};
    if (!params.is_null()) {
      message["params"] = std::move(params);
    }
    std::vector<json> answers = send(message);
    for (const json &answer : answers) {
      if (answer.value("id", json()) == lastId) {
        return answer;
      }
    }
    return {};
  }
  int errorCode(const json &answer) { return answer.contains("error") ? answer["error"]["code"].get<int>() : 0; }
  json initialize(json params = json::object()) { return request("initialize", std::move(params)); }
  std::vector<json> open(const std::string &uri, const std::string &text, json version = 0) {
    return notify(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", uri}, {"languageId", ""}, {"version", std::move(version)}, {"text", text}}}});
  }
  std::vector<json> replace(const std::string &uri, json version, json changes) {
    return notify("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", std::move(version)}}},
                                             {"contentChanges", std::move(changes)}});
  }
};

inline nlohmann::json range(int line, int from, int to) {
  return {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}};
}

} // namespace placid::server
