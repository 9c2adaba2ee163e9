// SPDX-License-Identifier: Apache-2.0
// What is said of files that are not open.
#include "server/store/disk_sources.h"
#include "tests/testing/conversation.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

using nlohmann::json;

/// A folder with files that use PL and one that does not.
struct Workspace : Conversation {
  std::filesystem::path root;
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "placid-ws-XXXXXX").string();
    root = ::mkdtemp(name.data());
    write("a.py", "PL ERR");
    write("b.py", "PL WARN ERR");
    write("plain.py", "ERR");
    start({{"textDocument", {{"diagnostic", json::object()}}}});
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  void write(const std::string &name, const std::string &text) { std::ofstream(root / name) << text; }
  std::string uri(const std::string &name) { return "file://" + (root / name).string(); }

  void start(json capabilities, json options = nullptr, bool watches = false) {
    SessionConfig set;
    set.startBuild = config().startBuild;
    set.watchesWorkspace = watches;
    set.options.sources = std::make_shared<DiskSources>();
    set.importsPl = [](std::string_view text) { return text.find("PL") != std::string_view::npos; };
    mine = std::make_unique<Connection>(scheduler, outbox, set);
    give({{"id", 1},
          {"method", "initialize"},
          {"params",
           {{"capabilities", std::move(capabilities)},
            {"initializationOptions", std::move(options)},
            {"rootUri", "file://" + root.string()}}}});
  }
  std::vector<json> give(json message) {
    message["jsonrpc"] = "2.0";
    mine->onBytes(protocol::frame(message.dump()));
    drain();
    return outbox.take();
  }
  std::vector<json> ask(int id, json previous, json more = json::object()) {
    more["previousResultIds"] = std::move(previous);
    return give({{"id", id}, {"method", "workspace/diagnostic"}, {"params", std::move(more)}});
  }
  std::vector<json> openFile(const std::string &name, const std::string &text) {
    return give({{"method", "textDocument/didOpen"},
                 {"params", {{"textDocument", {{"uri", uri(name)}, {"version", 1}, {"text", text}}}}}});
  }
  /// Lets a timer of the loop ring.
  std::vector<json> later(std::chrono::milliseconds by) {
    loop.advance(by);
    drain();
    return outbox.take();
  }
  static json idsOf(const json &answer) {
    json out = json::array();
    for (const json &item : answer["result"]["items"]) {
      out.push_back({{"uri", item["uri"]}, {"value", item["resultId"]}});
    }
    return out;
  }
  std::unique_ptr<Connection> mine;
};

TEST_F(Workspace, FilesThatAreNotOpenAreToldToo) {
  std::vector<json> answers = ask(2, json::array());
  ASSERT_EQ(answers.size(), 1U);
  const json &items = answers[0]["result"]["items"];
  ASSERT_EQ(items.size(), 2U) << "and nothing that does not use PL: " << items;
  EXPECT_EQ(items[0]["uri"], uri("a.py"));
  EXPECT_EQ(items[0]["kind"], "full");
  EXPECT_EQ(items[0]["version"], nullptr);
  EXPECT_EQ(items[0]["items"].size(), 1U);
  EXPECT_EQ(items[1]["items"].size(), 2U);
}

TEST_F(Workspace, WhoKnowsEverythingIsAnsweredWhenSomethingChanges) {
  json known = idsOf(ask(2, json::array()).at(0));
  EXPECT_TRUE(ask(3, known).empty());
  EXPECT_TRUE(later(WorkspaceDiagnostics::kLookAgain).empty()) << "nothing has changed";
  openFile("a.py", "PL ERR ERR");
  std::vector<json> answers = later(WorkspaceDiagnostics::kCollect);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["id"], 3);
  const json &items = answers[0]["result"]["items"];
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0]["version"], 1);
  EXPECT_EQ(items[0]["items"].size(), 2U);
  EXPECT_EQ(items[1]["kind"], "unchanged");
}

TEST_F(Workspace, AFileThatIsGoneHasNoFaults) {
  json known = idsOf(ask(2, json::array()).at(0));
  std::filesystem::remove(root / "b.py");
  std::vector<json> answers = ask(3, known);
  ASSERT_EQ(answers.size(), 1U);
  const json &gone = answers[0]["result"]["items"][1];
  EXPECT_EQ(gone["uri"], uri("b.py"));
  EXPECT_EQ(gone["kind"], "full");
  EXPECT_TRUE(gone["items"].empty());
}

TEST_F(Workspace, FilesThatChangeUnseenAreFoundInTime) {
  json known = idsOf(ask(2, json::array()).at(0));
  EXPECT_TRUE(ask(3, known).empty());
  write("b.py", "PL WARN");
  std::vector<json> answers = later(WorkspaceDiagnostics::kLookAgain);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["result"]["items"][1]["items"].size(), 1U);
}

TEST_F(Workspace, OneThatWaitsCanBeCancelledAndEndsWithTheSession) {
  json known = idsOf(ask(2, json::array()).at(0));
  EXPECT_TRUE(ask(3, known).empty());
  std::vector<json> answers = give({{"method", "$/cancelRequest"}, {"params", {{"id", 3}}}});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["id"], 3);
  EXPECT_EQ(errorCode(answers[0]), -32800);
  EXPECT_TRUE(ask(4, known).empty());
  answers = give({{"id", 5}, {"method", "shutdown"}});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(errorCode(answers[0]), -32800);
  EXPECT_EQ(answers[1]["result"], nullptr);
  EXPECT_TRUE(scheduler.idle());
}

TEST_F(Workspace, PartsAndProgressGoByTheirTokens) {
  std::vector<json> answers = ask(2, json::array(), {{"partialResultToken", "p"}, {"workDoneToken", 7}});
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0]["method"], "$/progress");
  EXPECT_EQ(answers[0]["params"]["token"], "p");
  EXPECT_EQ(answers[0]["params"]["value"]["items"].size(), 2U);
  EXPECT_TRUE(answers[1]["result"]["items"].empty());
  // A long one is shown, until it only waits.
  json known = json::array();
  for (const json &item : answers[0]["params"]["value"]["items"]) {
    known.push_back({{"uri", item["uri"]}, {"value", item["resultId"]}});
  }
  json message = {{"jsonrpc", "2.0"},
                  {"id", 3},
                  {"method", "workspace/diagnostic"},
                  {"params", {{"previousResultIds", known}, {"workDoneToken", 7}}}};
  mine->onBytes(protocol::frame(message.dump()));
  loop.run();
  loop.advance(Progress::kPatience);
  drain();
  std::vector<json> shown = outbox.take();
  ASSERT_GE(shown.size(), 2U);
  EXPECT_EQ(shown.front()["params"]["value"]["kind"], "begin");
  EXPECT_EQ(shown.back()["params"]["value"]["kind"], "end");
}

TEST_F(Workspace, WhoCanIsAskedToWatchFiles) {
  json initialized = {{"method", "initialized"}, {"params", json::object()}};
  EXPECT_TRUE(give(initialized).empty());
  start({{"workspace", {{"didChangeWatchedFiles", {{"dynamicRegistration", true}}}}}});
  std::vector<json> asked = give(initialized);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0]["method"], "client/registerCapability");
  const json &registration = asked[0]["params"]["registrations"][0];
  EXPECT_EQ(registration["method"], "workspace/didChangeWatchedFiles");
  EXPECT_EQ(registration["registerOptions"]["watchers"][0]["globPattern"], "**/*.py");
}

TEST_F(Workspace, WhoCanIsToldToAskAgainWhenFilesChange) {
  json seen = {{"method", "workspace/didChangeWatchedFiles"},
               {"params", {{"changes", {{{"uri", uri("b.py")}, {"type", 2}}}}}}};
  EXPECT_TRUE(give(seen).empty());
  start({{"textDocument", {{"diagnostic", json::object()}}},
         {"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}});
  EXPECT_TRUE(give(seen).empty());
  EXPECT_TRUE(give(seen).empty());
  std::vector<json> told = later(std::chrono::milliseconds(200));
  ASSERT_EQ(told.size(), 1U) << "once for what comes together";
  EXPECT_EQ(told[0]["method"], "workspace/diagnostic/refresh");
  EXPECT_TRUE(told[0].contains("id"));
  EXPECT_FALSE(told[0].contains("params"));
}

/// A client that diagnostics are pushed to.
struct WatchedWorkspace : Workspace {
  void SetUp() override {
    Workspace::SetUp();
    start(json::object(), nullptr, true);
  }
  std::vector<json> closeFile(const std::string &name) {
    return give({{"method", "textDocument/didClose"}, {"params", {{"textDocument", {{"uri", uri(name)}}}}}});
  }
  /// How many diagnostics each document was told of last, by the names of their files.
  std::map<std::string, size_t> told(const std::vector<json> &messages) {
    std::map<std::string, size_t> out;
    for (const json &message : messages) {
      EXPECT_EQ(message["method"], "textDocument/publishDiagnostics") << message;
      std::string name = message["params"]["uri"];
      out[name.substr(name.rfind('/') + 1)] = message["params"]["diagnostics"].size();
    }
    return out;
  }
  using Told = std::map<std::string, size_t>;
};

TEST_F(WatchedWorkspace, FilesThatAreNotOpenAreToldUnasked) {
  EXPECT_TRUE(later(WorkspaceDiagnostics::kCollect).empty()) << "not before a document is open";
  EXPECT_EQ(told(openFile("c.py", "PL ERR")), (Told{{"c.py", 1}}));
  std::vector<json> messages = later(WorkspaceDiagnostics::kCollect);
  EXPECT_EQ(told(messages), (Told{{"a.py", 1}, {"b.py", 2}}));
  EXPECT_FALSE(messages.at(0)["params"].contains("version"));
  EXPECT_TRUE(later(WorkspaceDiagnostics::kCollect).empty()) << "once";
}

TEST_F(WatchedWorkspace, WhatIsOpenIsToldAsItIsTyped) {
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  EXPECT_EQ(told(openFile("a.py", "PL ERR ERR")), (Told{{"a.py", 2}}));
  EXPECT_TRUE(later(WorkspaceDiagnostics::kCollect).empty());
  EXPECT_EQ(told(closeFile("a.py")), (Told{{"a.py", 0}}));
  EXPECT_EQ(told(later(WorkspaceDiagnostics::kCollect)), (Told{{"a.py", 1}})) << "the saved file";
  // Opened under another spelling: what was said under the first is taken back.
  std::string other = uri("%61.py");
  std::vector<json> messages = give({{"method", "textDocument/didOpen"},
                                     {"params", {{"textDocument", {{"uri", other}, {"version", 1}, {"text", "PL"}}}}}});
  EXPECT_EQ(told(messages), (Told{{"a.py", 0}, {"%61.py", 0}}));
}

TEST_F(WatchedWorkspace, OneThatIsOpenedWhileItIsLookedAtIsNotTold) {
  openFile("c.py", "PL");
  loop.advance(WorkspaceDiagnostics::kCollect);
  loop.run(); // the look has begun, nothing of it has run
  json message = {{"jsonrpc", "2.0"},
                  {"method", "textDocument/didOpen"},
                  {"params", {{"textDocument", {{"uri", uri("a.py")}, {"version", 1}, {"text", "PL"}}}}}};
  mine->onBytes(protocol::frame(message.dump()));
  drain();
  EXPECT_EQ(told(outbox.take()), (Told{{"a.py", 0}, {"b.py", 2}}));
}

TEST_F(WatchedWorkspace, FilesThatChangeUnseenAreFoundInTime) {
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  int before = compiler.checks;
  EXPECT_TRUE(later(WorkspaceDiagnostics::kLookAgain).empty());
  EXPECT_EQ(compiler.checks, before) << "nothing has changed";
  write("b.py", "PL WARN");
  std::filesystem::remove(root / "a.py");
  write("d.py", "PL ERR");
  EXPECT_EQ(told(later(WorkspaceDiagnostics::kLookAgain)), (Told{{"a.py", 0}, {"b.py", 1}, {"d.py", 1}}));
  write("d.py", "PL");
  give({{"method", "workspace/didChangeWatchedFiles"},
        {"params", {{"changes", {{{"uri", uri("d.py")}, {"type", 2}}}}}}});
  EXPECT_EQ(told(later(WorkspaceDiagnostics::kCollect)), (Told{{"d.py", 0}}));
}

TEST_F(WatchedWorkspace, WhoWatchesFilesSaysWhenTheyChange) {
  start({{"workspace", {{"didChangeWatchedFiles", {{"dynamicRegistration", true}}}}}}, nullptr, true);
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  write("d.py", "PL ERR");
  EXPECT_TRUE(later(WorkspaceDiagnostics::kLookAgain).empty());
  give({{"method", "workspace/didChangeWatchedFiles"},
        {"params", {{"changes", {{{"uri", uri("d.py")}, {"type", 1}}}}}}});
  EXPECT_EQ(told(later(WorkspaceDiagnostics::kCollect)), (Told{{"d.py", 1}}));
}

TEST_F(WatchedWorkspace, ImportersOfWhatIsTypedAreToldAgain) {
  write("a.py", "PL USES=" + (root / "c.py").string());
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  int before = compiler.checks;
  give({{"method", "textDocument/didChange"},
        {"params",
         {{"textDocument", {{"uri", uri("c.py")}, {"version", 2}}}, {"contentChanges", {{{"text", "PL ERR"}}}}}}});
  later(WorkspaceDiagnostics::kCollect);
  EXPECT_EQ(compiler.checks - before, 3) << "itself and the two that are not open";
  ASSERT_TRUE(compiler.lastOptions.sources);
  EXPECT_EQ(compiler.lastOptions.sources->load((root / "c.py").string())->text, "PL ERR") << "what is typed";
}

TEST_F(WatchedWorkspace, FoldersComeAndGo) {
  std::string other = root.string() + "-other";
  std::filesystem::create_directory(other);
  std::ofstream(other + "/e.py") << "PL ERR";
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  auto change = [&](json added, json removed) {
    give({{"method", "workspace/didChangeWorkspaceFolders"},
          {"params", {{"event", {{"added", std::move(added)}, {"removed", std::move(removed)}}}}}});
    return told(later(WorkspaceDiagnostics::kCollect));
  };
  json folder = {{{"uri", "file://" + other}, {"name", "other"}}};
  EXPECT_EQ(change(folder, json::array()), (Told{{"e.py", 1}}));
  EXPECT_EQ(compiler.lastOptions.roots, (std::vector<std::string>{root.string(), other}));
  EXPECT_EQ(change(json::array(), folder), (Told{{"e.py", 0}}));
  std::filesystem::remove_all(other);
}

TEST_F(WatchedWorkspace, ToolsSayTheirFaultsBesideThem) {
  openFile("c.py", "PL");
  later(WorkspaceDiagnostics::kCollect);
  json run = {{"id", 9},
              {"method", "workspace/executeCommand"},
              {"params", {{"command", "placid.build"}, {"arguments", {uri("c.py")}}}}};
  write("c.py", "PL");
  give(run);
  ASSERT_EQ(builds.size(), 1U);
  builds[0].first.output(false, R"({"type":"diagnostic","source":"ptoas","severity":"error","path":")" +
                                    (root / "b.py").string() + R"(","message":"no"})" + "\n");
  builds[0].first.done(1);
  drain();
  std::vector<json> messages = outbox.take();
  std::erase_if(messages, [](const json &message) { return message.contains("id"); });
  EXPECT_EQ(told(messages), (Told{{"b.py", 3}}));
}

TEST_F(WatchedWorkspace, NotTooManyAndNotWhereItIsNotWanted) {
  for (size_t i = 0; i < WorkspaceDiagnostics::kMaxTold + 10; ++i) {
    write("m" + std::to_string(i) + ".py", "PL ERR");
  }
  openFile("c.py", "PL");
  EXPECT_EQ(told(later(WorkspaceDiagnostics::kCollect)).size(), WorkspaceDiagnostics::kMaxTold);
  start(json::object(), {{"workspaceDiagnostics", false}}, true);
  openFile("c.py", "PL");
  EXPECT_TRUE(later(WorkspaceDiagnostics::kCollect).empty());
  start({{"textDocument", {{"diagnostic", json::object()}}}}, nullptr, true);
  openFile("c.py", "PL");
  EXPECT_TRUE(later(WorkspaceDiagnostics::kCollect).empty()) << "it asks";
}

} // namespace
} // namespace placid::server
