// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/editor_mirror.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace placid::cli {
namespace {

using nlohmann::json;

class Mirror : public ::testing::Test {
protected:
  void say(const char *method, json params, json id = nullptr) {
    json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
    if (!id.is_null()) {
      message["id"] = std::move(id);
    }
    mirror_.fromEditor(message.dump());
  }
  bool answer(json id, const char *member = "result") {
    json message = {{"jsonrpc", "2.0"}, {"id", std::move(id)}};
    message[member] = member == std::string("error") ? json{{"code", -1}, {"message", "no"}} : json(nullptr);
    return mirror_.fromDaemon(message.dump());
  }
  void open(const std::string &text) {
    say("textDocument/didOpen",
        {{"textDocument", {{"uri", "file:///a.py"}, {"languageId", "python"}, {"version", 1}, {"text", text}}}});
  }
  void change(int version, json changes) {
    say("textDocument/didChange",
        {{"textDocument", {{"uri", "file:///a.py"}, {"version", version}}}, {"contentChanges", std::move(changes)}});
  }
  std::vector<json> replay() {
    std::vector<json> out;
    for (const std::string &body : mirror_.replay()) {
      out.push_back(json::parse(body));
    }
    return out;
  }
  EditorMirror mirror_;
};

json edit(int line, int from, int to, const char *text) {
  return {{"range", {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}}},
          {"text", text}};
}

TEST_F(Mirror, ANewDaemonHearsWhatIsOpenNow) {
  say("initialize", {{"processId", 42}}, 1);
  EXPECT_TRUE(answer(1));
  say("initialized", json::object());
  open("one\ntwo \xf0\x9f\x98\x80 x\n");
  change(7, json::array({edit(1, 7, 8, "y"), edit(0, 0, 3, "ONE")}));
  std::vector<json> told = replay();
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0]["method"], "initialize");
  EXPECT_EQ(told[1]["method"], "initialized");
  EXPECT_EQ(told[2]["params"]["textDocument"]["text"], "ONE\ntwo \xf0\x9f\x98\x80 y\n");
  EXPECT_EQ(told[2]["params"]["textDocument"]["version"], 7);
  EXPECT_EQ(told[2]["params"]["textDocument"]["languageId"], "python");
  EXPECT_FALSE(answer(1)) << "the editor has its answer to initialize";
  EXPECT_TRUE(answer(1)) << "an id may be used again";
  EXPECT_EQ(mirror_.editorPid(), 42);
}

TEST_F(Mirror, ClosedAndLostDocumentsAreNotOpenedAgain) {
  open("one\n");
  change(2, json::array({edit(9, 0, 0, "x")}));
  EXPECT_TRUE(replay().empty()) << "its text is not known";
  change(3, json::array({edit(0, 0, 0, "x")}));
  EXPECT_TRUE(replay().empty());
  change(4, json::array({json{{"text", "whole\n"}}, edit(0, 0, 0, "x")}));
  EXPECT_EQ(replay()[0]["params"]["textDocument"]["text"], "xwhole\n");
  say("textDocument/didClose", {{"textDocument", {{"uri", "file:///a.py"}}}});
  EXPECT_TRUE(replay().empty());
}

TEST_F(Mirror, TwoSpellingsAreOneDocument) {
  say("textDocument/didOpen", {{"textDocument", {{"uri", "file:///a%20b.py"}, {"version", 1}, {"text", "one"}}}});
  say("textDocument/didChange",
      {{"textDocument", {{"uri", "file:///a b.py"}, {"version", 2}}}, {"contentChanges", {{{"text", "two"}}}}});
  std::vector<json> told = replay();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["params"]["textDocument"], (json{{"uri", "file:///a%20b.py"}, {"version", 2}, {"text", "two"}}));
  say("textDocument/didClose", {{"textDocument", {{"uri", "file:///a b.py"}}}});
  EXPECT_TRUE(replay().empty());
}

TEST_F(Mirror, AnEditThatCannotBeReadLosesItsDocument) {
  open("one\n");
  say("textDocument/didOpen", {{"textDocument", {{"uri", "file:///b.py"}, {"version", 1}, {"text", "b"}}}});
  say("textDocument/didChange", {{"textDocument", {{"uri", "file:///a.py"}}}, {"contentChanges", 5}});
  std::vector<json> told = replay();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["params"]["textDocument"]["uri"], "file:///b.py");
  change(3, json::array({json{{"text", "whole"}}}));
  EXPECT_EQ(replay().size(), 2U);
  mirror_.fromEditor(R"({"method":"textDocument/didChange" no)");
  EXPECT_TRUE(replay().empty()) << "whichever it was";
}

TEST_F(Mirror, ADaemonThatWasNotToldOfALostDocumentIsToldOnceItsTextIsKnown) {
  open("one\n");
  change(2, json::array({edit(9, 0, 0, "x")}));
  EXPECT_TRUE(replay().empty());
  change(3, json::array({edit(0, 0, 0, "x")}));
  EXPECT_TRUE(mirror_.openings().empty());
  change(4, json::array({json{{"text", "whole"}}}));
  std::vector<std::string> told = mirror_.openings();
  ASSERT_EQ(told.size(), 1U);
  json item = json::parse(told[0])["params"]["textDocument"];
  EXPECT_EQ(item["text"], "whole");
  EXPECT_EQ(item["version"], 4);
  change(5, json::array({json{{"text", "more"}}}));
  EXPECT_TRUE(mirror_.openings().empty());
}

TEST_F(Mirror, TheLastConfigurationAndTheFoldersOfNow) {
  for (int i = 0; i < 3; ++i) {
    say("workspace/didChangeConfiguration", {{"settings", i}});
  }
  json one = {{"uri", "file:///one"}, {"name", "one"}};
  json two = {{"uri", "file:///two"}, {"name", "two"}};
  say("workspace/didChangeWorkspaceFolders", {{"event", {{"added", {one, two}}, {"removed", json::array()}}}});
  say("workspace/didChangeWorkspaceFolders", {{"event", {{"added", json::array()}, {"removed", {one}}}}});
  std::vector<json> told = replay();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0]["params"]["settings"], 2);
  EXPECT_EQ(told[1]["params"]["event"]["added"], json::array({two}));
  EXPECT_EQ(told[1]["params"]["event"]["removed"][0]["uri"], "file:///one");
}

TEST_F(Mirror, RequestsWithoutAnAnswerAreAskedAgainInOrder) {
  say("textDocument/hover", json::object(), "b");
  say("textDocument/hover", json::object(), "a");
  say("textDocument/hover", json::object(), 3);
  say("textDocument/hover", json::object(), 4);
  answer("b");
  say("$/cancelRequest", {{"id", 4}});
  std::vector<json> told = replay();
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0]["id"], "a");
  EXPECT_EQ(told[1]["id"], 3);
  EXPECT_EQ(told[2]["id"], 4) << "a cancelled request is owed an answer too";
}

TEST_F(Mirror, ExitCodes) {
  say("shutdown", nullptr, 1);
  EXPECT_FALSE(mirror_.exiting());
  answer(1, "error"); // before initialize
  say("exit", nullptr);
  EXPECT_TRUE(mirror_.exiting());
  EXPECT_EQ(mirror_.exitCode(), 1);
  say("shutdown", nullptr, 2);
  answer(2);
  EXPECT_EQ(mirror_.exitCode(), 0);
}

TEST_F(Mirror, FilesAreRegisteredForOnce) {
  const std::string asked =
      R"({"jsonrpc":"2.0","id":"placid/watch","method":"client/registerCapability","params":{"registrations":[]}})";
  EXPECT_TRUE(mirror_.fromDaemon(asked));
  EXPECT_FALSE(mirror_.fromDaemon(asked)) << "of the daemon that took over";
  EXPECT_TRUE(mirror_.fromDaemon(
      R"({"jsonrpc":"2.0","method":"window/showMessage","params":{"message":"\"client/registerCapability\""}})"));
}

TEST_F(Mirror, ProgressThatADeadDaemonBeganIsEnded) {
  auto progress = [&](json token, const char *kind) {
    json message = {{"jsonrpc", "2.0"},
                    {"method", "$/progress"},
                    {"params", {{"token", std::move(token)}, {"value", {{"kind", kind}}}}}};
    EXPECT_TRUE(mirror_.fromDaemon(message.dump()));
  };
  progress("placid/1", "begin");
  progress("placid/1", "end");
  progress("placid/2", "begin");
  progress("placid/2", "report");
  progress("the editor's", "begin"); // of a request, which is asked again
  progress(7, "begin");
  std::vector<std::string> endings = mirror_.endings();
  ASSERT_EQ(endings.size(), 1U);
  json end = json::parse(endings[0]);
  EXPECT_EQ(end["method"], "$/progress");
  EXPECT_EQ(end["params"], (json{{"token", "placid/2"}, {"value", {{"kind", "end"}}}}));
  EXPECT_TRUE(mirror_.endings().empty());
}

} // namespace
} // namespace placid::cli
