// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/text_mirror.h"

#include <gtest/gtest.h>

#include <random>

namespace placid::lsp {
namespace {

ContentChange edit(Position start, Position end, std::string text) { return {Range{start, end}, std::move(text)}; }

/// The changes one by one: what they have to be together.
std::optional<std::string> inTurn(std::string text, const std::vector<ContentChange> &changes) {
  std::optional<std::string> out = std::move(text);
  for (const ContentChange &change : changes) {
    out = applyContentChanges(std::move(*out), {change});
    if (!out) {
      break;
    }
  }
  return out;
}

TEST(ContentChanges, WhatEndsBeyondTheTextEndsWithIt) {
  EXPECT_EQ(applyContentChanges("ab\ncd", {edit({0, 0}, {3, 0}, "x")}), "x");
  EXPECT_EQ(applyContentChanges("ab\ncd", {edit({1, 1}, {4294967295U, 4294967295U}, "x")}), "ab\ncx");
  EXPECT_EQ(applyContentChanges("ab\ncd", {edit({3, 0}, {9, 0}, "x")}), std::nullopt);
}

TEST(ContentChanges, ManyInOrderOfTheTextAndAgainstIt) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "x = 1\n";
  }
  std::vector<ContentChange> down;
  std::vector<ContentChange> up;
  for (uint32_t i = 0; i < 1000; ++i) {
    down.push_back(edit({i, 0}, {i, 1}, "longer"));
    up.push_back(edit({999 - i, 5}, {1000 - i, 0}, "\n\n"));
  }
  std::optional<std::string> renamed = applyContentChanges(text, down);
  ASSERT_TRUE(renamed);
  EXPECT_EQ(renamed->size(), 1000 * std::string("longer = 1\n").size());
  EXPECT_EQ(renamed->find("\nx"), std::string::npos);
  EXPECT_EQ(applyContentChanges(text, up)->size(), 1000 * std::string("x = 1\n\n").size());
  EXPECT_EQ(applyContentChanges(text, down), inTurn(text, down));
  EXPECT_EQ(applyContentChanges(text, up), inTurn(text, up));
}

TEST(ContentChanges, ManyAtOnceEqualTheSameOnesInTurn) {
  const std::vector<std::string> letters = {"a", "é", "漢", "😀", "\n", "\r\n", "\r", "\n", " "};
  std::mt19937 random(7);
  auto some = [&](unsigned upTo) {
    std::string out;
    for (unsigned n = random() % (upTo + 1); n > 0; --n) {
      out += letters[random() % letters.size()];
    }
    return out;
  };
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = some(40);
    std::vector<ContentChange> changes;
    for (int i = 0; i < 12; ++i) {
      if (random() % 30 == 0) {
        changes.push_back({std::nullopt, some(20)});
        continue;
      }
      Position start{static_cast<uint32_t>(random() % 6), static_cast<uint32_t>(random() % 6)};
      Position end{start.line + static_cast<uint32_t>(random() % 3), static_cast<uint32_t>(random() % 9)};
      changes.push_back(edit(start, end, some(5)));
    }
    std::optional<std::string> all = applyContentChanges(text, changes);
    ASSERT_EQ(all, inTurn(text, changes)) << "round " << round;
    refused += all ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 2000);
}

} // namespace
} // namespace placid::lsp
