// SPDX-License-Identifier: Apache-2.0
// Builds that an editor asks for.
#include "tests/testing/conversation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace placid::server {
namespace {

using nlohmann::json;

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

} // namespace
} // namespace placid::server
