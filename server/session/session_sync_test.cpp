// SPDX-License-Identifier: Apache-2.0
// Conversations in which what the session knows could part from what the editor or the disk has: messages that cannot
// be read, files that change without a word, folders and settings that come and go. Without threads.
#include "server/session/connection.h"
#include "server/store/disk_sources.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

using nlohmann::json;

struct Sync : ::testing::Test {
  std::filesystem::path root;
  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  testing::ManualRunner runner;
  testing::RecordingOutbox outbox;
  Scheduler scheduler{compiler, runner, loop};
  std::unique_ptr<Connection> connection;
  int lastId = 0;

  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "placid-sync-XXXXXX").string();
    root = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  std::string at(const std::string &name) { return (root / name).string(); }
  std::string uri(const std::string &name) { return "file://" + at(name); }
  void write(const std::string &name, const std::string &text) { std::ofstream(root / name) << text; }

  json start(json capabilities = json::object()) {
    SessionConfig config;
    config.options.sources = std::make_shared<DiskSources>();
    connection = std::make_unique<Connection>(scheduler, outbox, config);
    return request("initialize", {{"rootUri", uri("")}, {"capabilities", std::move(capabilities)}});
  }
  void drain() {
    do {
      loop.run();
    } while (runner.runOne() || loop.runOne());
  }
  std::vector<json> body(const std::string &text) {
    connection->onBytes(protocol::frame(text));
    drain();
    return outbox.take();
  }
  std::vector<json> notify(const std::string &method, json params) {
    return body(json({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}).dump());
  }
  json request(const std::string &method, json params) {
    json message = {{"jsonrpc", "2.0"}, {"id", ++lastId}, {"method", method}, {"params", std::move(params)}};
    for (const json &answer : body(message.dump())) {
      if (answer.value("id", json()) == lastId) {
        return answer;
      }
    }
    return {};
  }
  static json document(const std::string &uri) { return {{"textDocument", {{"uri", uri}}}}; }
  std::vector<json> open(const std::string &name, const std::string &text) {
    return notify("textDocument/didOpen", {{"textDocument", {{"uri", uri(name)}, {"version", 1}, {"text", text}}}});
  }
  std::vector<json> change(const std::string &name, int version, json changes) {
    return notify("textDocument/didChange", {{"textDocument", {{"uri", uri(name)}, {"version", version}}},
                                             {"contentChanges", std::move(changes)}});
  }
  std::vector<json> save(const std::string &name) { return notify("textDocument/didSave", document(uri(name))); }
  std::vector<json> close(const std::string &name) { return notify("textDocument/didClose", document(uri(name))); }
  /// What was published last for the document in `messages`, as a number of diagnostics; -1: nothing was.
  static int published(const std::vector<json> &messages, const std::string &uri) {
    int out = -1;
    for (const json &message : messages) {
      if (message.value("method", "") == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri) {
        out = static_cast<int>(message["params"]["diagnostics"].size());
      }
    }
    return out;
  }
  static std::vector<std::string> methods(const std::vector<json> &messages) {
    std::vector<std::string> out;
    for (const json &message : messages) {
      out.push_back(message.value("method", "answer"));
    }
    return out;
  }
  json position(const std::string &name) {
    json out = document(uri(name));
    out["position"] = {{"line", 0}, {"character", 0}};
    return out;
  }
};

const std::vector<std::string> kLost = {"textDocument/publishDiagnostics", "placid/resync", "window/showMessage"};

TEST_F(Sync, AnEditThatCannotBeReadLosesItsDocumentAlone) {
  start();
  open("a.py", "ERR");
  open("b.py", "ERR");
  json from = {{"start", {{"line", 0}, {"character", nullptr}}}, {"end", {{"line", 0}, {"character", 0}}}};
  std::vector<json> told = change("a.py", 2, json::array({{{"range", from}, {"text", "x"}}}));
  EXPECT_EQ(methods(told), kLost);
  EXPECT_EQ(published(told, uri("a.py")), 0);
  from["start"]["character"] = 0;
  EXPECT_TRUE(change("a.py", 3, json::array({{{"range", from}, {"text", "ERR"}}})).empty())
      << "of a text that is not known nothing is said";
  EXPECT_EQ(published(change("a.py", 4, json::array({{{"text", "ERR ERR"}}})), uri("a.py")), 2);
  EXPECT_EQ(published(change("b.py", 2, json::array({{{"range", from}, {"text", "ERR"}}})), uri("b.py")), 2);
}

TEST_F(Sync, AnEditOfWhoKnowsWhatLosesAll) {
  start();
  open("a.py", "ERR");
  open("b.py", "ERR");
  EXPECT_EQ(notify("textDocument/didChange", {{"contentChanges", 5}}).size(), 5U) << "and says so once";
  open("a.py", "ERR");
  std::vector<json> told = body(R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"text":"\q"}})");
  EXPECT_EQ(published(told, uri("a.py")), 0);
  open("a.py", "ERR");
  EXPECT_EQ(body(R"({"jsonrpc":"2.0","method":"textDocument/hover","params":{"text":"\q"}})").size(), 1U)
      << "what is no edit loses nothing";
}

TEST_F(Sync, HalfAPairAndPositionsWithoutAnEndAreTaken) {
  start();
  open("a.py", "x");
  std::string edit = R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":")" +
                     uri("a.py") + R"(","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},)" +
                     R"("end":{"line":0,"character":9007199254740991}},"text":"\ud83d ERR"}]}})";
  std::vector<json> told = body(edit);
  ASSERT_EQ(published(told, uri("a.py")), 1);
  EXPECT_EQ(told[0]["params"]["version"], 2);
  EXPECT_EQ(told[0]["params"]["diagnostics"][0]["range"]["start"]["character"], 2);
}

TEST_F(Sync, AModuleThatComesIntoBeingConcernsWhoLookedForIt) {
  start();
  compiler.onWork = [&](const source::SourceText &text, const std::stop_token &) {
    if (text.text.find("import cfg") != std::string::npos) {
      compiler.lastOptions.sources->exists(at("cfg.py"));
    }
  };
  open("a.py", "import cfg");
  open("other.py", "ERR");
  compiler.checks = 0;
  open("cfg.py", "A = 1");
  EXPECT_EQ(compiler.checks, 2) << "itself and who looked for it";
  compiler.checks = 0;
  close("cfg.py");
  EXPECT_EQ(compiler.checks, 1);
}

TEST_F(Sync, AModuleThatIsOpenThroughALinkIsTheSameFile) {
  write("cfg.py", "saved");
  std::filesystem::create_symlink(at("cfg.py"), at("link.py"));
  start();
  std::string seen;
  compiler.onWork = [&](const source::SourceText &text, const std::stop_token &) {
    if (text.text.find("import cfg") != std::string::npos) {
      source::SourcePtr module = compiler.lastOptions.sources->load(at("cfg.py"));
      seen = module ? module->path + ": " + module->text : "none";
    }
  };
  open("a.py", "import cfg");
  EXPECT_EQ(seen, at("cfg.py") + ": saved");
  open("link.py", "typed");
  EXPECT_EQ(seen, at("cfg.py") + ": typed");
  change("link.py", 2, json::array({{{"text", "more"}}}));
  EXPECT_EQ(seen, at("cfg.py") + ": more");
}

TEST_F(Sync, ASaveLooksAroundAgainAndSaysWhatIsNew) {
  start();
  std::string module = "1";
  compiler.onWork = [&](const source::SourceText &, const std::stop_token &) {
    compiler.lastOptions.sources->load(at("cfg.py"));
  };
  write("cfg.py", "A = 1");
  open("a.py", "ERR pl.NZ");
  request("textDocument/hover", position("a.py"));
  request("textDocument/hover", position("a.py"));
  EXPECT_EQ(compiler.inspects, 1);
  write("cfg.py", "A = 1234");
  request("textDocument/hover", position("a.py"));
  EXPECT_EQ(compiler.inspects, 2) << "a module of it is another one";
  compiler.checks = 0;
  EXPECT_TRUE(save("a.py").empty()) << "what is known is not said again";
  EXPECT_EQ(compiler.checks, 1);
  request("textDocument/hover", position("a.py"));
  EXPECT_EQ(compiler.inspects, 3) << "settings may have changed";
}

TEST_F(Sync, AFaultOfTheMachineIsNoAnswerForGood) {
  start();
  open("a.py", "ICE");
  request("textDocument/hover", position("a.py"));
  request("textDocument/hover", position("a.py"));
  EXPECT_EQ(compiler.inspects, 2);
}

TEST_F(Sync, FoldersComeAndGo) {
  json answer = start();
  EXPECT_EQ(answer["result"]["capabilities"]["workspace"]["workspaceFolders"],
            json({{"supported", true}, {"changeNotifications", true}}));
  open("a.py", "x");
  EXPECT_EQ(compiler.lastOptions.roots, std::vector<std::string>{root.string()});
  compiler.checks = 0;
  json more = {{"uri", "file:///more/"}, {"name", "more"}};
  notify("workspace/didChangeWorkspaceFolders", {{"event", {{"added", {more}}, {"removed", json::array()}}}});
  EXPECT_EQ(compiler.checks, 1);
  EXPECT_EQ(compiler.lastOptions.roots, (std::vector<std::string>{root.string(), "/more"}));
  json old = {{"uri", uri("")}, {"name", ""}};
  notify("workspace/didChangeWorkspaceFolders", {{"event", {{"added", {more}}, {"removed", {old}}}}});
  EXPECT_EQ(compiler.lastOptions.roots, std::vector<std::string>{"/more"});
}

TEST_F(Sync, WhoCanIsToldToAskAgainForHintsAndLensesOfOthers) {
  json can = {{"refreshSupport", true}};
  start({{"workspace", {{"inlayHint", can}, {"codeLens", can}, {"diagnostics", can}}}});
  auto later = [&] {
    loop.advance(std::chrono::milliseconds(200));
    drain();
    return methods(outbox.take());
  };
  open("a.py", "USES=" + at("cfg.py"));
  open("cfg.py", "A = 1");
  later();
  for (int version = 2; version < 5; ++version) {
    change("cfg.py", version, json::array({{{"text", std::string(static_cast<size_t>(version), 'x')}}}));
  }
  EXPECT_EQ(later(), (std::vector<std::string>{"workspace/inlayHint/refresh", "workspace/codeLens/refresh"}))
      << "once, and no diagnostics: they are pushed";
  change("a.py", 2, json::array({{{"text", "USES=" + at("cfg.py") + " "}}}));
  EXPECT_TRUE(later().empty()) << "of its own document every client asks anyway";
}

TEST_F(Sync, WhoPullsIsToldToPullWhatImports) {
  start({{"textDocument", {{"diagnostic", json::object()}}},
         {"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}});
  compiler.onWork = [&](const source::SourceText &text, const std::stop_token &) {
    if (text.text.find("import cfg") != std::string::npos) {
      compiler.lastOptions.sources->load(at("cfg.py"));
    }
  };
  open("a.py", "import cfg");
  open("cfg.py", "A = 1");
  request("textDocument/diagnostic", document(uri("a.py")));
  EXPECT_TRUE(change("cfg.py", 2, json::array({{{"text", "A = 2"}}})).empty());
  loop.advance(std::chrono::milliseconds(200));
  drain();
  EXPECT_EQ(methods(outbox.take()), std::vector<std::string>{"workspace/diagnostic/refresh"});
}

TEST_F(Sync, FaultsOfSettingsAreThoseOfTheFileAsItIs) {
  write("placid.toml", "arch = \"a9\"\n");
  start();
  const std::string settings = uri("placid.toml");
  EXPECT_EQ(published(open("a.py", "x"), settings), 1);
  write("placid.toml", "arch = \"a3\"\n");
  EXPECT_EQ(published(save("a.py"), settings), 0) << "mended on disk";
  EXPECT_EQ(published(save("a.py"), settings), -1) << "and not spoken of again";
  // While it is open its text counts, then the file again.
  write("placid.toml", "arch = \"a9\"\n");
  EXPECT_EQ(published(open("placid.toml", "arch = \"a3\"\n"), settings), 0);
  EXPECT_EQ(published(close("placid.toml"), settings), 1) << "it is in force";
  std::filesystem::remove(at("placid.toml"));
  EXPECT_EQ(published(close("a.py"), settings), 0);
}

TEST_F(Sync, FaultsOfSettingsAreShownUnderOneSpelling) {
  std::filesystem::create_directories(root / "s@t");
  write("s@t/placid.toml", "arch = \"a9\"\n");
  start();
  const std::string ours = "file://" + root.string() + "/s%40t/placid.toml";
  EXPECT_EQ(published(open("s@t/a.py", "x"), ours), 1);
  std::vector<json> opened = open("s@t/placid.toml", "arch = \"a9\"\n");
  EXPECT_EQ(published(opened, ours), 0);
  EXPECT_EQ(published(opened, uri("s@t/placid.toml")), 1);
}

// With a plain open() this test never ends.
TEST_F(Sync, SettingsThatAreAPipeAreNone) {
  ASSERT_EQ(::mkfifo(at("placid.toml").c_str(), 0600), 0);
  start();
  EXPECT_EQ(published(open("a.py", "ERR"), uri("a.py")), 1);
}

TEST_F(Sync, WhoWaitsAtTheEndIsAnswered) {
  start();
  connection->onBytes(
      protocol::frame(json({{"jsonrpc", "2.0"},
                            {"method", "textDocument/didOpen"},
                            {"params", {{"textDocument", {{"uri", uri("a.py")}, {"version", 1}, {"text", "x"}}}}}})
                          .dump()));
  connection->onBytes(protocol::frame(
      json({{"jsonrpc", "2.0"}, {"id", 77}, {"method", "placid/settled"}, {"params", document(uri("a.py"))}}).dump()));
  EXPECT_TRUE(outbox.take().empty());
  connection->onBytes(protocol::frame(R"({"jsonrpc":"2.0","id":78,"method":"shutdown"})"));
  std::vector<json> answers = outbox.take();
  ASSERT_EQ(answers.size(), 2U);
  std::map<int, bool> failed;
  for (const json &answer : answers) {
    failed[answer["id"]] = answer.contains("error");
  }
  EXPECT_EQ(failed, (std::map<int, bool>{{77, true}, {78, false}}));
}

TEST_F(Sync, RequestsBeyondALimitAreRefusedAndCancelsStillCount) {
  start();
  open("a.py", "pl.NZ");
  auto hover = [&](size_t id) {
    json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", "textDocument/hover"}, {"params", position("a.py")}};
    connection->onBytes(protocol::frame(message.dump()));
  };
  for (size_t i = 0; i <= Session::kMaxPending; ++i) {
    hover(1000 + i);
  }
  std::vector<json> answers = outbox.take();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0]["id"], 1000 + Session::kMaxPending);
  EXPECT_EQ(answers[0]["error"]["code"], -32803);
  connection->onBytes(protocol::frame(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1000}})"));
  EXPECT_EQ(outbox.take().at(0)["error"]["code"], -32800);
  hover(1);
  EXPECT_TRUE(outbox.take().empty()) << "there is room for one";
}

TEST_F(Sync, ANewerQuestionAboutTheWorkspaceAnswersTheOneThatWaits) {
  write("a.py", "ERR");
  start({{"textDocument", {{"diagnostic", json::object()}}}});
  auto ask = [&](int id, const json &known) {
    json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", "workspace/diagnostic"}};
    message["params"] = {{"previousResultIds", known}};
    return body(message.dump());
  };
  std::vector<json> first = ask(500, json::array());
  ASSERT_EQ(first.size(), 1U);
  json known = json::array();
  for (const json &item : first[0]["result"]["items"]) {
    known.push_back({{"uri", item["uri"]}, {"value", item["resultId"]}});
  }
  EXPECT_TRUE(ask(501, known).empty()) << "it waits for a change";
  for (int id = 502; id < 900; ++id) {
    std::vector<json> answers = ask(id, known);
    ASSERT_EQ(answers.size(), 1U);
    EXPECT_EQ(answers[0]["id"], id - 1);
    EXPECT_TRUE(answers[0].contains("result"));
  }
  EXPECT_EQ(connection->session().pending(), 1U);
}

} // namespace
} // namespace placid::server
