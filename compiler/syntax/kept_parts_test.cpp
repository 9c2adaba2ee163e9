// SPDX-License-Identifier: Apache-2.0
// Texts that are read after others against the same texts read alone: node for node.
#include "compiler/source/common_ends.h"
#include "compiler/syntax/module_dump.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace placid::syntax {
namespace {

source::SourcePtr source(const std::string &text) { return std::make_shared<source::SourceText>("t.py", text); }

std::string alone(const std::string &text) { return testing::dump(*Parser().parse(source(text))); }

/// Definitions that take several parts, of every kind of statement.
std::string longText(size_t definitions) {
  std::string out = "\"\"\"About.\"\"\"\nfrom __future__ import annotations\nimport pypto.language as pl\n\n";
  for (size_t n = 0; n < definitions; ++n) {
    const std::string name = std::to_string(n);
    out += "# of " + name + "\nROWS" + name + ": int = 16 * " + name + "; COLS" + name + " = f'{ROWS" + name +
           "!r:>{8}}\\n'\n";
    out +=
        "if ROWS" + name + " > 3:\n    A = {'k': [i for i in range(3) if i]}\nelif A:\n    A = 2\nelse:\n    A = 3\n";
    out += "@pl.function(type=pl.FunctionType.InCore)\ndef f" + name +
           "(a: pl.Tensor[[16, 64], pl.FP16], *rest, k: int = 3, **kw) -> pl.Tensor[[16, 64], pl.FP16]:\n";
    for (size_t line = 0; line < 6; ++line) {
      out += "    t = pl.load(a, [16 * k, " + std::to_string(line) + "], [16, 64], target_memory=pl.Mem.Mat)\n";
    }
    out += "    g = lambda x, *y: x if y else 0\n    return pl.store(t, [0, 0], a)\n\n";
    out += "class C" + name + "(Base, metaclass=M):\n    \"\"\"Text\n    of lines.\"\"\"\n    x: int = 1\n";
    out += "try:\n    import q\nexcept (A, B) as e:\n    raise\nfinally:\n    del x[0]\n";
  }
  return out;
}

TEST(CommonEnds, NeverOverlap) {
  const std::string many(5000, 'a');
  auto ends = [](std::string_view a, std::string_view b) {
    source::CommonEnds out = source::commonEnds(a, b);
    return std::pair(out.prefix, out.suffix);
  };
  EXPECT_EQ(ends("", ""), std::pair(size_t{0}, size_t{0}));
  EXPECT_EQ(ends(many, many), std::pair(size_t{5000}, size_t{0}));
  EXPECT_EQ(ends(many, many + "a"), std::pair(size_t{5000}, size_t{0}));
  EXPECT_EQ(ends(many + "b" + many, many + many), std::pair(size_t{5000}, size_t{5000}));
  EXPECT_EQ(ends("x" + many + "y", "z" + many + "y"), std::pair(size_t{0}, size_t{5001}));
  EXPECT_EQ(ends("abcd", "axyd"), std::pair(size_t{1}, size_t{1}));
}

TEST(KeptParts, AnEditReadsWhatIsAroundItAlone) {
  std::string text = longText(20);
  Parser parser;
  const void *first = nullptr; // what the parts of the first text have views of
  {
    std::shared_ptr<const Module> module = parser.parse(source(text));
    ASSERT_GT(module->parts.size(), 10U);
    first = module->parts[0]->text.get();
  }
  const size_t at = text.find("16 * k, 3", text.size() / 2);
  for (const char *with : {"32 * k, 3", "(1024 + 7) * k, 3", "k, 3"}) { // as long, longer, shorter
    std::string edited = text;
    edited.replace(at, 9, with);
    std::shared_ptr<const Module> next = parser.parse(source(edited));
    const auto fresh = std::ranges::count_if(next->parts, [&](const auto &part) { return part->text.get() != first; });
    EXPECT_GE(fresh, 1) << with;
    EXPECT_LE(fresh, 3) << with;
    EXPECT_EQ(testing::dump(*next), alone(edited)) << with;
  }
}

TEST(KeptParts, TheSameTextIsReadOnce) {
  Parser parser;
  std::shared_ptr<const Module> first = parser.parse(source(longText(2)));
  EXPECT_EQ(first, parser.parse(source(longText(2))));
  parser.forgetNodes();
  EXPECT_NE(first, parser.parse(source(longText(2))));
}

/// The text with another first number of the first load.
std::string withNumber(std::string text, const std::string &number) {
  return text.replace(text.find("16 * k, 3"), 2, number);
}

TEST(KeptParts, AModuleThatSomebodyHoldsIsLeftAlone) {
  Parser parser;
  const std::string text = longText(8);
  std::shared_ptr<const Module> held = parser.parse(source(text));
  const std::string before = testing::dump(*held);
  const std::string longer = withNumber(text, "(1024 + 7)");
  EXPECT_EQ(testing::dump(*parser.parse(source(longer))), alone(longer));
  EXPECT_EQ(testing::dump(*held), before);
}

TEST(KeptParts, AnOlderModuleThatSomebodyHoldsIsLeftAlone) {
  Parser parser;
  const std::string text = longText(8);
  std::shared_ptr<const Module> held = parser.parse(source(text));
  const std::string before = testing::dump(*held);
  const std::string other = withNumber(text, "32"); // as long: its module has the parts of the held one
  EXPECT_EQ(testing::dump(*parser.parse(source(other))), alone(other));
  const std::string longer = withNumber(text, "(1024 + 7)");
  EXPECT_EQ(testing::dump(*parser.parse(source(longer))), alone(longer));
  EXPECT_EQ(testing::dump(*held), before);
}

TEST(KeptParts, WhatBelongsToTheStatementBefore) {
  // Parts that begin with a word of their own until an edit makes it the next clause of the statement before.
  const std::string body = "if a:\n" + std::string(200, '#') + "\n    " + std::string(1200, 'x') + " = 1\n";
  const std::string tail = "y = 2\nz = " + std::string(2000, 'z') + "\n";
  for (const char *edit : {"else:\n    b = 1\n", "    b = 1\n", "elif b:\n    c\n", "    ", "\\\n", "\"\"\"", "(", ")",
                           "@d\n", "from __future__ import annotations\n", "return\n", ""}) {
    for (bool again : {false, true}) {
      Parser parser;
      parser.parse(source(body + tail));
      const std::string edited = body + edit + (again ? edit : "") + tail;
      EXPECT_EQ(testing::dump(*parser.parse(source(edited))), alone(edited)) << edit;
      EXPECT_EQ(testing::dump(*parser.parse(source(body + tail))), alone(body + tail)) << edit;
    }
  }
}

TEST(KeptParts, EditsEqualReadingAlone) {
  std::mt19937 random(5);
  const std::string kPieces[] = {" ",       "\n",     "    ",
                                 "(",       ")",      "[",
                                 "]",       ":",      ",",
                                 "=",       "x",      "'",
                                 "\"",      "\"\"\"", "f'",
                                 "{",       "}",      "if a:\n    b\n",
                                 "else:\n", "\\\n",   "# c\n",
                                 "@d\n",    ";",      "1",
                                 "\r\n",    "\n\n",   "def g(): pass\n",
                                 "X = 1\n", "é",      "from __future__ import annotations\n"};
  size_t shared = 0;
  for (size_t round = 0; round < 25; ++round) {
    Parser parser;
    std::string text = longText(3 + round % 9);
    parser.parse(source(text));
    for (size_t edit = 0; edit < 20; ++edit) {
      const std::string before = text;
      text += text.empty() ? "X = 1\n" : "";
      for (size_t places = 1 + random() % 2; places > 0; --places) {
        const size_t at = random() % (text.size() + 1);
        switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 4);
          break;
        case 1:
          text.insert(at, kPieces[random() % std::size(kPieces)]);
          break;
        case 2: { // at the beginning of a line
          const size_t line = text.rfind('\n', at);
          text.insert(line == std::string::npos ? 0 : line + 1, kPieces[random() % std::size(kPieces)]);
          break;
        }
        default: { // whole lines move
          const size_t begin = std::min(text.find('\n', at), text.size() - 1) + 1;
          const size_t end = std::min(text.find('\n', begin + random() % 300), text.size() - 1) + 1;
          const std::string lines = text.substr(begin, std::max(begin, end) - begin);
          text.erase(begin, lines.size());
          text.insert(random() % 2 == 0 ? begin : 0, lines);
        }
        }
      }
      std::shared_ptr<const Module> made = parser.parse(source(text));
      ASSERT_EQ(testing::dump(*made), alone(text)) << "from\n" << before << "\nto\n" << text;
      if (made->faults.empty()) {
        std::set<const void *> texts;
        for (const auto &part : made->parts) {
          texts.insert(part->text.get());
        }
        shared += texts.size() > 1 ? 1 : 0;
      } else {
        text = before; // most texts are sound
      }
    }
  }
  EXPECT_GT(shared, 80U);
}

} // namespace
} // namespace placid::syntax
