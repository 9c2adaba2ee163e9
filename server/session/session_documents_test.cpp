// SPDX-License-Identifier: Apache-2.0
// Documents of a session: what is published of them, when, and what is asked of them.
#include "tests/testing/conversation.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

using nlohmann::json;

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

} // namespace
} // namespace placid::server
