// SPDX-License-Identifier: Apache-2.0
#include "compiler/source/words.h"

#include <gtest/gtest.h>

#include <string>

namespace placid::source {
namespace {

/// Each word with the letter of its kind; `!` behind a string that is not closed.
std::string shown(std::string_view text) {
  std::string out;
  for (const Word &word : wordsOf(text, {0, static_cast<uint32_t>(text.size())})) {
    out += out.empty() ? "" : " ";
    out += "n0s#."[static_cast<int>(word.kind)];
    out += slice(text, word.range);
    out += word.closed ? "" : "!";
  }
  return out;
}

TEST(Words, NamesStringsAndCommentsAreToldApart) {
  EXPECT_EQ(shown("a1.b = 0x1f"), "na1 .. nb .= 00x1f");
  EXPECT_EQ(shown("x # don't\ny"), "nx ## don't ny");
  EXPECT_EQ(shown("rb'a#' f\"{n}\" ab'c'"), "srb'a#' sf\"{n}\" nab s'c'");
  EXPECT_EQ(shown("'''a\n'b''' c"), "s'''a\n'b''' nc");
  EXPECT_EQ(shown("'a\\'b' 'c\nd"), "s'a\\'b' s'c! nd");
  EXPECT_EQ(shown("\"\"\"a\nb"), "s\"\"\"a\nb!");
  EXPECT_EQ(shown("'a\\"), "s'a\\!");
  EXPECT_EQ(shown("\xef\xbb\xbf"
                  "def"),
            "ndef");
}

TEST(Words, StringsHaveAnInside) {
  for (std::string text : {"'N'", "r\"N\"", "'''N'''"}) {
    EXPECT_EQ(slice(text, insideQuotes(text, {0, static_cast<uint32_t>(text.size())})), "N") << text;
  }
  EXPECT_EQ(insideQuotes("'", {0, 1}), ByteRange());
}

} // namespace
} // namespace placid::source
