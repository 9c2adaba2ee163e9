// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/tool_output.h"

#include <gtest/gtest.h>

namespace placid::toolchain {
namespace {

TEST(ToolOutput, BothFormsOfTheAssembler) {
  std::vector<ToolMessage> all = parseToolOutput("loc(\"kern.pto\":45:9): error: 'pto.tstore' op wants less\n"
                                                 "loc(\"x_tile\"(\"dir/k.py\":12:8)): error: 'pto.tload' op fails\n"
                                                 "loc(\"dir/k.py\":3:4): note: seen here\n"
                                                 "Error: Pass execution failed.\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].place, (Place{"kern.pto", 45, 9}));
  EXPECT_EQ(all[0].text, "'pto.tstore' op wants less");
  EXPECT_EQ(all[1].place, (Place{"dir/k.py", 12, 8}));
  ASSERT_EQ(all[1].notes.size(), 1U);
  EXPECT_EQ(all[1].notes[0].text, "seen here");
}

TEST(ToolOutput, WhatNamesNoPlaceIsKeptWhenItIsAllThereIs) {
  std::vector<ToolMessage> all =
      parseToolOutput("ptoas: Unknown command line argument '--nope'.  Try: 'ptoas --help'\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].place.line, 0U);
  all = parseToolOutput("Error: --pto-level must be a level\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].text, "--pto-level must be a level");
  EXPECT_TRUE(parseToolOutput("wrote 3 files\n").empty());
}

TEST(ToolOutput, ClangWithNotesAndInclusions) {
  std::vector<ToolMessage> all =
      parseToolOutput("In file included from kern.cpp:1:\n"
                      "/isa/include/pto/tload.hpp:77:3: error: static assertion failed: rows: must match\n"
                      "   77 |   static_assert(a);\n"
                      "kern.pto:19:3: note: in instantiation of function template specialization\n"
                      "kern.pto:21:7: warning: unused\n"
                      "1 error generated.\n");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].text, "static assertion failed: rows: must match");
  EXPECT_EQ(all[0].place.line, 77U);
  ASSERT_EQ(all[0].notes.size(), 2U);
  EXPECT_EQ(placeInUnit(all[0], "kern.pto"), (Place{"kern.pto", 19, 3}));
  EXPECT_EQ(all[1].severity, ToolSeverity::Warning);
  EXPECT_EQ(placeInUnit(all[1], "kern.pto").line, 21U);
  EXPECT_EQ(placeInUnit(all[1], "other.pto").line, 0U);
}

TEST(ToolOutput, AnyBytesAreBounded) {
  std::string flood;
  for (int i = 0; i < 5000; ++i) {
    flood += "k.pto:1:1: error: " + std::string(i % 7 == 0 ? 9000 : 3, 'x') + "\n";
  }
  std::vector<ToolMessage> all = parseToolOutput(flood);
  EXPECT_EQ(all.size(), kMaxToolMessages);
  EXPECT_LT(all[0].text.size(), 3000U);
  std::string garbage;
  for (int i = 0; i < 4096; ++i) {
    garbage += static_cast<char>(i * 131 + i / 7);
  }
  (void)parseToolOutput(garbage);
  (void)parseToolOutput(": error: \n:: error: x\nloc(\"\":1:1): error: \n");
}

} // namespace
} // namespace placid::toolchain
