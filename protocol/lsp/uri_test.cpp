// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/uri.h"

#include <gtest/gtest.h>

#include <random>

namespace placid::lsp {
namespace {

TEST(Uri, PathOfAFileUri) {
  EXPECT_EQ(displayPath("file:///home/u/k.py"), "/home/u/k.py");
  EXPECT_EQ(displayPath("FILE:///home/u/k.py"), "/home/u/k.py");
  EXPECT_EQ(displayPath("file:/home/u/k.py"), "/home/u/k.py");
  EXPECT_EQ(displayPath("file://localhost/home/k.py"), "/home/k.py");
  EXPECT_EQ(displayPath("file:///a%20b/%28x%29/%C3%A9%F0%9F%98%80.py"), "/a b/(x)/é😀.py");
  EXPECT_EQ(displayPath("file:///c%3A/Users/k.py"), "c:/Users/k.py");
  EXPECT_EQ(displayPath("file:///C:/Users/k.py"), "C:/Users/k.py");
  EXPECT_EQ(displayPath("file://server/share/k.py"), "//server/share/k.py");
}

TEST(Uri, OtherSchemesNameThemselves) {
  EXPECT_EQ(displayPath("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(displayPath("vscode-remote://ssh%2Bhost/home/k.py"), "vscode-remote://ssh%2Bhost/home/k.py");
  EXPECT_EQ(displayPath("no uri at all"), "no uri at all");
  EXPECT_EQ(displayPath(""), "");
}

TEST(Uri, SpellingsOfOneDocumentShareAKey) {
  EXPECT_EQ(documentKey("file:///c%3A/a%20b.py"), documentKey("file:///C:/a b.py"));
  EXPECT_EQ(documentKey("file:///x/%28a%29.py"), documentKey("file:///x/(a).py"));
  EXPECT_EQ(documentKey("file://localhost/x.py"), documentKey("file:///x.py"));
  EXPECT_NE(documentKey("file:///x.py"), documentKey("file:///X.py"));
  EXPECT_NE(documentKey("file:///x.py"), documentKey("untitled:/x.py"));
  EXPECT_NE(documentKey("git:/x.py?a"), documentKey("git:/x.py?b"));
  EXPECT_NE(documentKey("file:///x%3Fa.py"), documentKey("file:///x?a.py"));
}

TEST(Uri, BrokenEscapesAreNoUri) {
  for (const char *text : {"file:///a%", "file:///a%2", "file:///a%zz", "file:///a%00b", ":x", "1a:x", "a b:x"}) {
    EXPECT_FALSE(parseUri(text)) << text;
    EXPECT_EQ(documentKey(text), text);
  }
}

TEST(Uri, PathsSurviveTheRoundTrip) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string path = "/_"; // not a drive letter
    for (int i = 0; i < 12; ++i) {
      path += static_cast<char>(1 + random() % 255);
    }
    EXPECT_EQ(displayPath(fileUri(path)), path);
  }
  EXPECT_EQ(fileUri("/a b/é.py"), "file:///a%20b/%C3%A9.py");
}

} // namespace
} // namespace placid::lsp
