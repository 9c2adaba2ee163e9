// SPDX-License-Identifier: Apache-2.0
// The life of a session, what takes long, bad messages, and what is cancelled.
#include "tests/testing/conversation.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

using nlohmann::json;

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
