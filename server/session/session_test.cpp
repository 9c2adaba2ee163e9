// SPDX-License-Identifier: Apache-2.0
// Conversations with one session, without threads: the order of messages is exactly the order of calls.
#include "server/session/connection.h"
#include "server/store/disk_sources.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

using nlohmann::json;

struct Conversation : ::testing::Test {
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

json range(int line, int from, int to) {
  return {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}};
}

TEST_F(Conversation, OrderlyLife) {
  json answer =
      initialize({{"processId", 42}, {"capabilities", {{"general", {{"positionEncodings", {"utf-8", "utf-16"}}}}}}});
  EXPECT_EQ(answer["result"]["capabilities"]["positionEncoding"], "utf-16");
  EXPECT_EQ(answer["result"]["capabilities"]["hoverProvider"], true);
  EXPECT_EQ(answer["result"]["serverInfo"], json({{"name", "placid"}, {"version", "9.9"}}));
  EXPECT_EQ(watched, std::vector<int64_t>{42});
  EXPECT_TRUE(notify("initialized", json::object()).empty());
  EXPECT_EQ(request("shutdown")["result"], nullptr); // without params
  EXPECT_EQ(connection.exitCode(), std::nullopt);
  notify("exit", nullptr);
  EXPECT_EQ(connection.exitCode(), 0);
  EXPECT_TRUE(body(R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})").empty());
}

TEST_F(Conversation, EncodingIsNotNamedWhenNoneWasOffered) {
  EXPECT_FALSE(initialize({{"capabilities", json::object()}})["result"]["capabilities"].contains("positionEncoding"));
}

TEST_F(Conversation, LifecycleErrors) {
  EXPECT_EQ(errorCode(request("textDocument/hover")), -32002);
  EXPECT_EQ(errorCode(request("shutdown")), -32002);
  EXPECT_TRUE(open("file:///a.py", "ERR").empty());
  EXPECT_EQ(errorCode(initialize({{"initializationOptions", {{"arch", "a9"}}}})), -32602);
  EXPECT_TRUE(initialize().contains("result"));
  EXPECT_EQ(errorCode(initialize()), -32600);
  EXPECT_EQ(errorCode(request("no/such", json::object())), -32601);
  EXPECT_EQ(errorCode(request("textDocument/didOpen", json::object())), -32601) << "a notification is no request";
  EXPECT_TRUE(notify("no/such", json::object()).empty());
  EXPECT_TRUE(notify("textDocument/hover", json::object()).empty());
  EXPECT_EQ(errorCode(request("textDocument/hover", json::object())), -32602);
  request("shutdown");
  EXPECT_EQ(errorCode(request("shutdown")), -32600);
  EXPECT_EQ(errorCode(initialize()), -32600);
}

TEST_F(Conversation, ExitWithoutShutdownAndEndOfStream) {
  initialize();
  notify("exit", nullptr);
  EXPECT_EQ(connection.exitCode(), 1);
  Connection other{scheduler, outbox, {}};
  other.onEnd();
  EXPECT_EQ(other.exitCode(), 1);
  Connection early{scheduler, outbox, {}};
  early.onBytes(protocol::frame(R"({"jsonrpc":"2.0","method":"exit"})"));
  EXPECT_EQ(early.exitCode(), 1);
}

TEST_F(Conversation, WhatTakesLongIsTold) {
  initialize({{"capabilities", {{"window", {{"workDoneProgress", true}}}}}});
  auto quietly = [&](json message) {
    message["jsonrpc"] = "2.0";
    connection.onBytes(protocol::frame(message.dump()));
    loop.run();
    return outbox.take();
  };
  auto wait = [&](int milliseconds) {
    loop.advance(std::chrono::milliseconds(milliseconds));
    loop.run();
    return outbox.take();
  };
  json document = {{"uri", "file:///p/a.py"}, {"languageId", ""}, {"version", 0}, {"text", "ERR"}};
  json opened = {{"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}};
  EXPECT_TRUE(quietly(opened).empty());
  EXPECT_TRUE(wait(299).empty());
  std::vector<json> asked = wait(1);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0]["method"], "window/workDoneProgress/create");
  std::vector<json> begun = quietly({{"id", asked[0]["id"]}, {"result", nullptr}});
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_EQ(begun[0]["params"]["token"], asked[0]["params"]["token"]);
  EXPECT_EQ(begun[0]["params"]["value"], json({{"kind", "begin"}, {"title", "placid"}, {"message", "checking a.py"}}));
  drain();
  std::vector<json> ended = outbox.take();
  ASSERT_EQ(ended.size(), 2u);
  EXPECT_EQ(ended[0]["method"], "textDocument/publishDiagnostics");
  EXPECT_EQ(ended[1]["params"]["value"], json({{"kind", "end"}}));

  // What ends in time is not told, and a client that refuses is not asked again.
  EXPECT_EQ(replace("file:///p/a.py", 1, {{{"text", "WARN"}}}).size(), 1u);
  EXPECT_TRUE(wait(300).empty());
  json changed = {{"textDocument", {{"uri", "file:///p/a.py"}, {"version", 2}}},
                  {"contentChanges", {{{"text", "ERR"}}}}};
  EXPECT_TRUE(quietly({{"method", "textDocument/didChange"}, {"params", changed}}).empty());
  asked = wait(300);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_TRUE(quietly({{"id", asked[0]["id"]}, {"error", {{"code", -32601}, {"message", "no"}}}}).empty());
  drain();
  outbox.take();
  changed["textDocument"]["version"] = 3;
  quietly({{"method", "textDocument/didChange"}, {"params", changed}});
  EXPECT_TRUE(wait(1000).empty());
}

TEST_F(Conversation, ALongRequestUsesTheClientsToken) {
  initialize();
  open("file:///a.py", "ERR");
  json params = {
      {"textDocument", {{"uri", "file:///a.py"}}}, {"position", {{"line", 0}, {"character", 0}}}, {"workDoneToken", 7}};
  json hover = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "textDocument/hover"}, {"params", params}};
  connection.onBytes(protocol::frame(hover.dump()));
  loop.run();
  EXPECT_TRUE(outbox.take().empty());
  loop.advance(std::chrono::milliseconds(300));
  drain();
  std::vector<json> told = outbox.take();
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0]["params"], json({{"token", 7}, {"value", {{"kind", "begin"}, {"title", "placid"}}}}));
  EXPECT_EQ(told[1]["params"]["value"]["kind"], "end");
  EXPECT_EQ(told[2]["id"], 1);
}

TEST_F(Conversation, MalformedMessagesAreAnsweredAndSurvived) {
  initialize();
  auto one = [&](const std::string &text) {
    std::vector<json> answers = body(text);
    return answers.size() == 1 ? errorCode(answers[0]) : 0;
  };
  EXPECT_EQ(one("{"), -32700);
  EXPECT_EQ(one(std::string(400'000, '[')), -32700);
  EXPECT_EQ(one("\"\xC3\x28\""), -32700);
  EXPECT_EQ(one("[]"), -32600);
  EXPECT_EQ(one("7"), -32600);
  EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":1,"method":"x","params":3})"), -32600);
  EXPECT_TRUE(body(R"({"jsonrpc":"2.0","id":1,"result":null})").empty()); // an answer to nothing
  EXPECT_EQ(connection.exitCode(), std::nullopt);
  EXPECT_EQ(request("shutdown")["result"], nullptr);
}

TEST_F(Conversation, BatchesAreAnsweredAsArrays) {
  initialize();
  open("file:///a.py", "pl.NZ");
  std::vector<json> answers = body(R"([{"jsonrpc":"2.0","id":1,"method":"no/such"}, 5,
      {"jsonrpc":"2.0","method":"initialized"},
      {"jsonrpc":"2.0","id":2,"method":"textDocument/hover",
       "params":{"textDocument":{"uri":"file:///a.py"},"position":{"line":0,"character":1}}}])");
  ASSERT_EQ(answers.size(), 1U);
  ASSERT_EQ(answers[0].size(), 3U);
  EXPECT_EQ(answers[0][2]["id"], 2);
  EXPECT_TRUE(answers[0][2].contains("result"));
  EXPECT_TRUE(body(R"([{"jsonrpc":"2.0","method":"initialized"}])").empty());
}

TEST_F(Conversation, FramingFaultsEndTheConversation) {
  initialize();
  connection.onBytes("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(connection.exitCode(), 1);
  EXPECT_TRUE(outbox.take().empty());
}

TEST_F(Conversation, OversizeMessagesAreRefusedAndSkipped) {
  protocol::FrameLimits limits;
  limits.body = 100;
  Connection small{scheduler, outbox, {}, limits};
  small.onBytes(protocol::frame(std::string(101, ' ')) +
                protocol::frame(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"));
  std::vector<json> answers = outbox.take();
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(errorCode(answers[0]), -32600);
  EXPECT_EQ(answers[0]["id"], nullptr);
  EXPECT_EQ(errorCode(answers[1]), -32602) << "initialize wants an object";
}

TEST_F(Conversation, OpenEditFixClose) {
  initialize();
  std::vector<json> opened = open("file:///a%20b.py", "x = ERR\n");
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0]["params"]["uri"], "file:///a%20b.py");
  EXPECT_EQ(opened[0]["params"]["version"], 0);
  EXPECT_EQ(opened[0]["params"]["diagnostics"][0]["range"], range(0, 4, 7));

  // Another spelling of the same document; the published one stays the client's first.
  std::vector<json> changed =
      replace("file:///a b.py", 1, {{{"range", range(0, 4, 7)}, {"rangeLength", 3}, {"text", "1"}}});
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0]["params"]["uri"], "file:///a%20b.py");
  EXPECT_EQ(changed[0]["params"], json({{"uri", "file:///a%20b.py"}, {"version", 1}, {"diagnostics", json::array()}}));

  replace("file:///a%20b.py", 2, {{{"text", "ERR"}}});
  std::vector<json> closed = notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///a%20b.py"}}}});
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_EQ(closed[0]["params"], json({{"uri", "file:///a%20b.py"}, {"diagnostics", json::array()}}));
  EXPECT_TRUE(notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///a%20b.py"}}}}).empty());
}

TEST_F(Conversation, DependentsOfAnEditedModuleAreCheckedAgain) {
  initialize();
  open("file:///user.py", "USES=/config.py ERR");
  open("file:///other.py", "ERR");
  compiler.checks = 0;
  std::vector<json> sent = open("file:///config.py", "A = 1");
  EXPECT_EQ(compiler.checks, 2) << "itself and its user";
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[1]["params"]["uri"], "file:///user.py");
  ASSERT_TRUE(compiler.lastOptions.sources);
  EXPECT_EQ(compiler.lastOptions.sources->load("/config.py")->text, "A = 1") << "the open text, not the disk's";
  compiler.checks = 0;
  replace("file:///config.py", 1, {{{"text", "A = 2"}}});
  EXPECT_EQ(compiler.checks, 2);
  EXPECT_EQ(compiler.lastOptions.sources->load("/config.py")->text, "A = 2");
  compiler.checks = 0;
  notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///config.py"}}}});
  EXPECT_EQ(compiler.checks, 1) << "its user sees the saved file";
  compiler.checks = 0;
  replace("file:///user.py", 1, {{{"text", "nothing"}}});
  open("file:///config.py", "A = 3");
  EXPECT_EQ(compiler.checks, 2) << "it is no user any more";
}

TEST_F(Conversation, WorkspaceFoldersAreRootsOfImports) {
  initialize({{"rootUri", "file:///old"}, {"workspaceFolders", {{{"uri", "file:///w/one/"}, {"name", "one"}}}}});
  open("file:///a.py", "x");
  EXPECT_EQ(compiler.lastOptions.roots, std::vector<std::string>{"/w/one"});
}

TEST_F(Conversation, ABurstOfEditsIsPublishedOnce) {
  initialize();
  open("file:///a.py", "");
  int before = compiler.checks;
  std::string bytes;
  for (int i = 1; i <= 20; ++i) {
    bytes += protocol::frame(json({{"jsonrpc", "2.0"},
                                   {"method", "textDocument/didChange"},
                                   {"params",
                                    {{"textDocument", {{"uri", "file:///a.py"}, {"version", i}}},
                                     {"contentChanges", json::array({{{"text", "ERR"}}})}}}})
                                 .dump());
  }
  connection.onBytes(bytes);
  drain();
  std::vector<json> published = outbox.take();
  ASSERT_EQ(published.size(), 1U);
  EXPECT_EQ(published[0]["params"]["version"], 20);
  EXPECT_LE(compiler.checks - before, 2);
}

TEST_F(Conversation, NoVersionFromTheClientNoneBack) {
  initialize();
  EXPECT_FALSE(open("file:///a.py", "", nullptr)[0]["params"].contains("version"));
}

TEST_F(Conversation, AnEditThatDoesNotFitAsksForTheText) {
  initialize();
  open("file:///a.py", "ERR\n");
  std::vector<json> answers = replace("file:///a.py", 1, {{{"range", range(50, 0, 0)}, {"text", "x"}}});
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["params"]["diagnostics"], json::array());
  EXPECT_EQ(answers[1]["method"], "placid/resync");
  EXPECT_EQ(answers[2]["method"], "window/showMessage");
  EXPECT_TRUE(replace("file:///a.py", 2, {{{"range", range(0, 0, 0)}, {"text", "ERR"}}}).empty());
  EXPECT_EQ(errorCode(request("textDocument/hover", {{"textDocument", {{"uri", "file:///a.py"}}},
                                                     {"position", {{"line", 0}, {"character", 0}}}})),
            -32803);
  std::vector<json> saved =
      notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///a.py"}}}, {"text", "ERR ERR"}});
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(saved[0]["params"]["version"], 2);
  EXPECT_EQ(saved[0]["params"]["diagnostics"].size(), 2U);
}

TEST_F(Conversation, ASaveComparesTexts) {
  initialize();
  open("file:///a.py", "ERR");
  EXPECT_TRUE(notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///a.py"}}}, {"text", "ERR"}}).empty());
  EXPECT_TRUE(notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///a.py"}}}}).empty());
  EXPECT_EQ(notify("textDocument/didSave", {{"textDocument", {{"uri", "file:///a.py"}}}, {"text", ""}}).size(), 1U);
}

TEST_F(Conversation, Hover) {
  initialize({{"capabilities", {{"textDocument", {{"hover", {{"contentFormat", {"markdown"}}}}}}}}});
  open("file:///a.py", "😀 pl.NZ\nx LOAD\n");
  auto hover = [&](int line, int character) {
    return request("textDocument/hover", {{"textDocument", {{"uri", "file:///a.py"}}},
                                          {"position", {{"line", line}, {"character", character}}}})["result"];
  };
  json declaration = hover(0, 4);
  EXPECT_EQ(declaration["range"], range(0, 3, 8));
  EXPECT_EQ(declaration["contents"]["kind"], "markdown");
  EXPECT_NE(declaration["contents"]["value"].get<std::string>().find("[1, 4, 12, 16, 16]"), std::string::npos);
  EXPECT_NE(hover(1, 3)["contents"]["value"].get<std::string>().find("floordiv(r0, 16)"), std::string::npos);
  EXPECT_EQ(hover(0, 0), nullptr);
  EXPECT_EQ(hover(99, 0), nullptr);
  EXPECT_EQ(compiler.inspects, 1) << "one inspection serves all hovers of a text";
  replace("file:///a.py", 1, {{{"text", "pl.NZ"}}});
  EXPECT_NE(hover(0, 0), nullptr);
  EXPECT_EQ(compiler.inspects, 2);
  EXPECT_EQ(errorCode(request("textDocument/hover", {{"textDocument", {{"uri", "file:///b.py"}}},
                                                     {"position", {{"line", 0}, {"character", 0}}}})),
            -32602);
}

TEST_F(Conversation, CancelIsHonoured) {
  initialize();
  open("file:///a.py", "pl.NZ");
  auto hover = [&](int id) {
    connection.onBytes(protocol::frame(
        json({{"jsonrpc", "2.0"},
              {"id", id},
              {"method", "textDocument/hover"},
              {"params", {{"textDocument", {{"uri", "file:///a.py"}}}, {"position", {{"line", 0}, {"character", 0}}}}}})
            .dump()));
  };
  hover(1);
  hover(2);
  connection.onBytes(protocol::frame(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})"));
  std::vector<json> answers = outbox.take();
  ASSERT_EQ(answers.size(), 1U) << "answered at once, not when the work ends";
  EXPECT_EQ(errorCode(answers[0]), -32800);
  drain();
  answers = outbox.take();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["id"], 2);
  EXPECT_TRUE(notify("$/cancelRequest", {{"id", 2}}).empty()); // too late: no second answer
}

TEST_F(Conversation, AFailingHoverIsAnswered) {
  initialize();
  open("file:///a.py", "THROW");
  EXPECT_EQ(errorCode(request("textDocument/hover", {{"textDocument", {{"uri", "file:///a.py"}}},
                                                     {"position", {{"line", 0}, {"character", 0}}}})),
            -32603);
}

TEST_F(Conversation, ShutdownStopsPublishing) {
  initialize();
  connection.onBytes(protocol::frame(
      R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","text":"ERR"}}})"));
  EXPECT_EQ(request("shutdown")["result"], nullptr);
  EXPECT_TRUE(outbox.take().empty());
}

TEST_F(Conversation, OptionsOfTheClientReachTheCompilerUnlessSetBefore) {
  initialize({{"initializationOptions", {{"arch", "a2a3"}, {"defines", {{"M", 64}}}}}});
  open("file:///a.py", "");
  EXPECT_EQ(compiler.lastOptions.arch, "a3");
  EXPECT_EQ(compiler.lastOptions.defines.at("M"), "64");

  SessionConfig set;
  set.options.arch = "a5";
  set.options.defines["M"] = "1";
  Connection other{scheduler, outbox, set};
  for (
      const char *text :
      {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":{"arch":"a2","defines":{"M":2}}}})",
       R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///b.py","text":""}}})"}) {
    other.onBytes(protocol::frame(text));
  }
  drain();
  EXPECT_EQ(compiler.lastOptions.arch, "a5");
  EXPECT_EQ(compiler.lastOptions.defines.at("M"), "1");
}

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

  void start(json capabilities) {
    SessionConfig set;
    set.options.sources = std::make_shared<DiskSources>();
    set.importsPl = [](std::string_view text) { return text.find("PL") != std::string_view::npos; };
    mine = std::make_unique<Connection>(scheduler, outbox, set);
    give({{"id", 1},
          {"method", "initialize"},
          {"params", {{"capabilities", std::move(capabilities)}, {"rootUri", "file://" + root.string()}}}});
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
  std::vector<json> told = give(seen);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["method"], "workspace/diagnostic/refresh");
  EXPECT_TRUE(told[0].contains("id"));
  EXPECT_FALSE(told[0].contains("params"));
}

constexpr const char *kToolError =
    R"({"type":"diagnostic","source":"ptoas","code":"PL7001","severity":"error","path":"/w/a.py","message":"ptoas: no",)"
    R"("range":{"start":{"line":3,"character":4},"end":{"line":3,"character":9}},)"
    R"("related":[{"path":"out/k.pto","range":{"start":{"line":7,"character":0},"end":{"line":7,"character":0}},"message":"here"}]})"
    "\n";

struct EditorBuild : Conversation {
  /// Asks for a build; its answer comes when it is done.
  int build(json arguments, json token = nullptr) {
    json message = {{"jsonrpc", "2.0"}, {"id", ++lastId}, {"method", "workspace/executeCommand"}};
    message["params"] = {{"command", "placid.build"}, {"arguments", std::move(arguments)}};
    if (!token.is_null()) {
      message["params"]["workDoneToken"] = token;
    }
    connection.onBytes(protocol::frame(message.dump()));
    return lastId;
  }
  /// It has found a fault of a tool, or none.
  std::vector<json> end(bool fault, const std::string &status) {
    EditorBuildRun &run = builds.back().first;
    run.output(false, R"({"type":"kernelQueued","kernel":"k"})"
                      "\n{\"type\":\"kernelFini");
    run.output(false, "shed\",\"kernel\":\"k\"}\n");
    if (fault) {
      run.output(false, kToolError);
    }
    run.output(true, "placid: said\n");
    run.output(false, R"({"type":"buildFinished","status":")" + status + R"(","kernels":1,"errors":1})" + "\n");
    run.done(fault ? 1 : 0);
    drain();
    return outbox.take();
  }
  static json diagnosticsOf(const std::vector<json> &messages) {
    json out;
    for (const json &message : messages) {
      if (message.value("method", "") == "textDocument/publishDiagnostics") {
        out = message["params"]["diagnostics"];
      }
    }
    return out;
  }
};

TEST_F(EditorBuild, ToolsSayTheirFaultsInTheDocument) {
  json answer =
      initialize({{"rootUri", "file:///w"},
                  {"capabilities", {{"textDocument", {{"publishDiagnostics", {{"relatedInformation", true}}}}}}}});
  EXPECT_EQ(answer["result"]["capabilities"]["executeCommandProvider"]["commands"], json({"placid.build"}));
  open("file:///w/a.py", "ERR", 1);
  int id = build({"file:///w/a.py", "--until=cpp"}, "mine");
  ASSERT_EQ(builds.size(), 1U);
  EXPECT_EQ(builds[0].first.folder, "/w");
  EXPECT_EQ(builds[0].first.words,
            (std::vector<std::string>{"build", "--events", "-", "--until=cpp", "--", "/w/a.py"}));
  std::vector<json> messages = end(true, "failed");
  json list = diagnosticsOf(messages);
  ASSERT_EQ(list.size(), 2U) << "what the check said stays";
  EXPECT_EQ(list[1]["source"], "ptoas");
  EXPECT_EQ(list[1]["range"], range(3, 4, 9));
  EXPECT_EQ(list[1]["relatedInformation"][0]["location"]["uri"], "file:///w/out/k.pto");
  std::vector<std::string> kinds;
  for (const json &message : messages) {
    if (message.value("method", "") == "$/progress") {
      EXPECT_EQ(message["params"]["token"], "mine");
      kinds.push_back(message["params"]["value"]["kind"]);
    }
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"begin", "report", "end"}));
  EXPECT_EQ(messages.back()["id"], id);
  EXPECT_EQ(messages.back()["result"]["status"], "failed");
  EXPECT_EQ(messages.back()["result"]["exitCode"], 1);
  EXPECT_EQ(messages.back()["result"]["message"], "placid: said\n");
  // An edit moves what was said, and a good build has nothing to say.
  disk["/w/a.py"] = "ERR";
  messages = replace("file:///w/a.py", 2, {{{"text", "ERR "}}});
  list = diagnosticsOf(messages);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0]["source"], "placid");
  for (const json &message : messages) {
    EXPECT_EQ(message["params"]["version"], 2) << "nothing more is said of the text before";
  }
  build({"file:///w/a.py"});
  EXPECT_EQ(builds.size(), 1U) << "what is not saved cannot be built";
  EXPECT_EQ(errorCode(outbox.take().back()), -32803);
  replace("file:///w/a.py", 3, {{{"text", "ERR"}}});
  build({"file:///w/a.py"});
  EXPECT_EQ(builds.size(), 2U) << "an edit that was undone is saved";
  EXPECT_EQ(diagnosticsOf(end(true, "failed")).size(), 2U);
  build({"file:///w/a.py"});
  EXPECT_EQ(diagnosticsOf(end(false, "succeeded")).size(), 1U);
}

TEST_F(EditorBuild, AsTheSessionChecks) {
  connection.onBytes(protocol::frame(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":{"arch":"a5","defines":{"N":"3","M":"1"}}}})"));
  build({"file:///w/a.py", "--define=M=2"});
  ASSERT_EQ(builds.size(), 1U);
  EXPECT_EQ(builds[0].first.words, (std::vector<std::string>{"build", "--events", "-", "--arch=a5", "--define=N=3",
                                                             "--define=M=2", "--", "/w/a.py"}));
  end(false, "succeeded");
  build({"file:///w/a.py", "--arch=a3"});
  EXPECT_EQ(builds[1].first.words, (std::vector<std::string>{"build", "--events", "-", "--define=M=1", "--define=N=3",
                                                             "--arch=a3", "--", "/w/a.py"}));
}

TEST_F(EditorBuild, TextThatWasNeverSavedIsNotBuilt) {
  initialize();
  disk["/w/a.py"] = "";
  open("file:///w/a.py", "# one line more\n", 1); // as after a restart of the editor
  build({"file:///w/a.py"});
  EXPECT_TRUE(builds.empty());
  EXPECT_EQ(errorCode(outbox.take().back()), -32803);
}

TEST_F(EditorBuild, NothingIsSaidInADocumentThatShowsAnotherText) {
  initialize();
  disk["/w/a.py"] = "";
  open("file:///w/a.py", "# one line more\n", 1);
  build({"file:///w/main.py"}); // reads a.py
  EXPECT_EQ(diagnosticsOf(end(true, "failed")), json());
  notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///w/a.py"}}}});
  // The same when it is opened so while the build runs, and after it.
  build({"file:///w/main.py"});
  open("file:///w/a.py", "# one line more\n", 1);
  EXPECT_EQ(diagnosticsOf(end(true, "failed")), json());
  notify("textDocument/didClose", {{"textDocument", {{"uri", "file:///w/a.py"}}}});
  build({"file:///w/main.py"});
  EXPECT_EQ(diagnosticsOf(end(true, "failed")).size(), 1U);
  EXPECT_EQ(diagnosticsOf(open("file:///w/a.py", "# one line more\n", 1)).size(), 0U);
}

TEST_F(EditorBuild, ANewBuildOfAFileTakesThePlaceOfTheOneBefore) {
  initialize();
  int first = build({"file:///w/a.py"});
  build({"file:///w/b.py"});
  ASSERT_EQ(builds.size(), 2U);
  std::vector<int> more;
  for (int i = 0; i < 5; ++i) {
    more.push_back(build({"file:///w/a.py"}));
  }
  EXPECT_EQ(builds.size(), 2U) << "there are two at most";
  EXPECT_TRUE(builds[0].second.stop_requested());
  EXPECT_FALSE(builds[1].second.stop_requested());
  std::vector<json> answers = outbox.take();
  ASSERT_EQ(answers.size(), 4U) << "those that only waited are answered at once";
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(answers[i]["id"], more[i]);
    EXPECT_EQ(errorCode(answers[i]), -32800);
  }
  builds[0].first.done(3);
  drain();
  answers = outbox.take();
  EXPECT_EQ(answers.back()["id"], first);
  EXPECT_EQ(errorCode(answers.back()), -32800);
  ASSERT_EQ(builds.size(), 3U) << "the last one has a place now";
  EXPECT_EQ(end(false, "succeeded").back()["id"], more.back());
  // One that waits is cancelled at once.
  build({"file:///w/a.py"});
  int waits = build({"file:///w/c.py"});
  EXPECT_EQ(builds.size(), 4U);
  notify("$/cancelRequest", {{"id", waits}});
  builds[1].first.done(0);
  builds[3].first.done(0);
  drain();
  EXPECT_EQ(builds.size(), 4U);
}

TEST_F(EditorBuild, WhatIsSaidAgainCountsOnceAndProgressRises) {
  initialize();
  build({"file:///w/a.py"}, "mine");
  std::string line = R"({"type":"diagnostic","source":"ptoas","severity":"warning","path":"/w/a.py","message":"m"})"
                     "\n";
  std::string again;
  for (const char *kernel : {"k", "l"}) {
    again += std::string(R"({"type":"kernelQueued","kernel":")") + kernel + "\"}\n";
  }
  again += "{\"type\":\"kernelFinished\",\"kernel\":\"k\"}\n";
  builds[0].first.output(false, again);
  builds[0].first.output(false, again + "{\"type\":\"kernelFinished\",\"kernel\":\"l\"}\n");
  for (int i = 0; i < 3000; ++i) {
    builds[0].first.output(false, line);
  }
  std::vector<json> messages = end(false, "succeeded");
  std::vector<int> percentages;
  for (const json &message : messages) {
    if (message.value("method", "") == "$/progress" && message["params"]["value"]["kind"] == "report") {
      percentages.push_back(message["params"]["value"]["percentage"]);
      EXPECT_THAT(message["params"]["value"]["message"].get<std::string>(), ::testing::EndsWith("/2 kernels"));
    }
  }
  EXPECT_EQ(percentages, (std::vector<int>{50, 50, 100, 100}));
  EXPECT_EQ(diagnosticsOf(messages).size(), 2000U);
}

TEST_F(EditorBuild, AnotherSpellingTakesItAlong) {
  initialize();
  open("file:///w/a.py", "ERR", 1);
  build({"file:///w/a.py"});
  EXPECT_EQ(diagnosticsOf(end(true, "failed")).size(), 2U);
  std::map<std::string, size_t> shown;
  for (const json &message : open("file:///w/%61.py", "ERR", 1)) {
    if (message.value("method", "") == "textDocument/publishDiagnostics") {
      shown[message["params"]["uri"]] = message["params"]["diagnostics"].size();
    }
  }
  EXPECT_EQ(shown, (std::map<std::string, size_t>{{"file:///w/a.py", 0}, {"file:///w/%61.py", 2}}));
}

TEST_F(EditorBuild, AnEditMeanwhileMakesItsFaultsStale) {
  initialize();
  open("file:///w/a.py", "", 1);
  build({"file:///w/a.py"});
  replace("file:///w/a.py", 2, {{{"text", "x"}}});
  std::vector<json> messages = end(true, "failed");
  EXPECT_EQ(diagnosticsOf(messages), json());
  EXPECT_EQ(messages.back()["result"]["status"], "failed");
}

TEST_F(EditorBuild, CancelledByRequestOrProgress) {
  initialize({{"capabilities", {{"window", {{"workDoneProgress", true}}}}}});
  int id = build({"file:///w/a.py"});
  json ask = outbox.take().back();
  EXPECT_EQ(ask["method"], "window/workDoneProgress/create");
  EXPECT_EQ(send({{"id", ask["id"]}, {"result", nullptr}}).back()["params"]["value"]["kind"], "begin");
  notify("window/workDoneProgress/cancel", {{"token", ask["params"]["token"]}});
  EXPECT_TRUE(builds.back().second.stop_requested());
  json answer = end(true, "cancelled").back();
  EXPECT_EQ(answer["id"], id);
  EXPECT_EQ(errorCode(answer), -32800);
  id = build({"file:///w/a.py"});
  notify("$/cancelRequest", {{"id", id}});
  EXPECT_TRUE(builds.back().second.stop_requested());
  EXPECT_EQ(errorCode(end(false, "cancelled").back()), -32800);
}

TEST_F(EditorBuild, OnlyWhatAClientMaySay) {
  initialize();
  for (const json &arguments : {json::array(), json({"untitled:x"}), json({"file:///a.py", "--events=/etc/x"}),
                                json({"file:///a.py", "b.py"}), json({7})}) {
    build(arguments);
    EXPECT_EQ(errorCode(outbox.take().back()), -32602) << arguments;
  }
  EXPECT_TRUE(builds.empty());
  EXPECT_EQ(errorCode(request("workspace/executeCommand", {{"command", "rm"}})), -32602);
}

TEST_F(EditorBuild, FilesAlone) {
  initialize();
  for (const char *uri : {"file:k.py", "file:///", "file:///etc"}) {
    build({uri});
    EXPECT_EQ(errorCode(outbox.take().back()), -32803) << uri;
  }
  EXPECT_TRUE(builds.empty());
}

TEST_F(EditorBuild, ASessionThatEndsEndsItsBuild) {
  initialize();
  build({"file:///w/a.py"});
  request("shutdown");
  notify("exit", nullptr);
  EXPECT_TRUE(builds.back().second.stop_requested());
  builds.back().first.done(0); // goes nowhere
}

TEST_F(Conversation, SessionsShareASchedulerAndLeaveAlone) {
  auto other = std::make_unique<Connection>(scheduler, outbox, SessionConfig{});
  initialize();
  other->onBytes(protocol::frame(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})"));
  const std::string didOpen =
      R"({"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","version":7,"text":"ERR"}}})";
  other->onBytes(protocol::frame(didOpen));
  connection.onBytes(protocol::frame(didOpen));
  other.reset(); // gone while its check runs
  outbox.take();
  drain();
  std::vector<json> published = outbox.take();
  ASSERT_EQ(published.size(), 1U);
  EXPECT_EQ(published[0]["params"]["version"], 7);
}

} // namespace
} // namespace placid::server
