// SPDX-License-Identifier: Apache-2.0
#include "server/worker/calls.h"
#include "server/worker/wire.h"

#include <gtest/gtest.h>

#include <random>

namespace placid::server {
namespace {

compiler::CheckResult sample() {
  compiler::CheckResult out;
  diag::Diagnostic one;
  one.code = diag::NzOffsetAlign.code;
  one.severity = diag::Severity::Warning;
  one.at = {"a.py", {3, 9}};
  one.message = std::string("bytes \0 and \xff", 13);
  one.annotation = diag::Location{"b.py", {1, 2}};
  one.related.push_back({{"c.py", {4, 5}}, "see", diag::Related::Role::Annotation});
  one.fixes.push_back({"fix", {{{"a.py", {1, 1}}, "x"}}});
  out.diagnostics = {one, {}};
  out.counts = {1, 2, 3};
  out.modulesRead = {"m.py"};
  out.unusedDefines = {"D"};
  out.stopped = true;
  return out;
}

TEST(Wire, WhatGoesInComesOut) {
  compiler::CheckResult back;
  ASSERT_TRUE(fromWire(wireBytes(sample()), back));
  EXPECT_EQ(back.diagnostics, sample().diagnostics);
  EXPECT_EQ(back.counts.warnings, 3U);
  EXPECT_EQ(back.modulesRead, sample().modulesRead);
  EXPECT_EQ(back.unusedDefines, sample().unusedDefines);
  EXPECT_TRUE(back.stopped);

  compiler::InspectAccess access;
  access.offsets = {int64_t{-7}, std::string("floordiv(r0, 16)")};
  access.gapBlocks = 144;
  access.proof = {{-2, 16, "r0", "m", "n"}};
  compiler::InspectAccess read;
  ASSERT_TRUE(fromWire(wireBytes(access), read));
  EXPECT_EQ(read.offsets, access.offsets);
  EXPECT_EQ(read.gapBlocks, 144);
  EXPECT_EQ(read.proof[0].axis, -2);

  compiler::Options options;
  options.defines = {{"A", "1"}, {"B", "2"}};
  compiler::Options got;
  uint8_t number = 0;
  ASSERT_TRUE(fromWire(wireBytes(options, uint8_t{7}), got, number));
  EXPECT_EQ(number, 7);
  EXPECT_EQ(got.defines, options.defines);
}

TEST(Wire, ShortAndBrokenInputIsRefused) {
  std::string good = wireBytes(sample());
  for (size_t length = 0; length < good.size(); ++length) {
    compiler::CheckResult out;
    EXPECT_FALSE(fromWire(std::string_view(good).substr(0, length), out)) << length;
  }
  compiler::CheckResult out;
  EXPECT_FALSE(fromWire(good + "x", out));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (int k = 0; k < 3; ++k) {
      bad[random() % bad.size()] = static_cast<char>(random());
    }
    compiler::InspectResult other;
    fromWire(bad, out);
    fromWire(bad, other);
  }
}

TEST(TextShelf, DeltasRebuildTheText) {
  TextShelf here;
  TextShelf there;
  std::mt19937 random(2);
  std::string text = "one\ntwo\nthree\n";
  for (int i = 0; i < 2000; ++i) {
    size_t from = random() % (text.size() + 1);
    size_t length = random() % 4;
    text.replace(from, std::min(length, text.size() - from),
                 std::string(random() % 4, static_cast<char>('a' + random() % 3)));
    std::string path = std::to_string(random() % 80) + ".py"; // more than are kept
    auto sent = std::make_shared<source::SourceText>(path, text);
    TextDelta delta = here.encode(sent);
    source::SourcePtr got = there.decode(delta);
    ASSERT_TRUE(got);
    ASSERT_EQ(got->text, text);
    ASSERT_EQ(got->path, path);
  }
}

TEST(TextShelf, AnEditTravelsAsItsMiddle) {
  TextShelf shelf;
  std::string text(10000, 'x');
  shelf.encode(std::make_shared<source::SourceText>("a.py", text));
  text[5000] = 'y';
  TextDelta delta = shelf.encode(std::make_shared<source::SourceText>("a.py", text));
  EXPECT_EQ(delta.middle, "y");
  EXPECT_EQ(delta.prefix, 5000U);
  EXPECT_EQ(TextShelf().decode(delta), nullptr) << "against a text that is not held";
}

} // namespace
} // namespace placid::server
