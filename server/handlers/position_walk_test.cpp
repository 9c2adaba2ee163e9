// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/position_walk.h"
#include "server/handlers/query.h"

#include <gtest/gtest.h>

#include <random>

namespace placid::server {
namespace {

TEST(PositionWalk, IsTheSameInWhateverOrder) {
  const std::vector<std::string> letters = {"a", "é", "漢", "😀", "\n", "\r\n", "\r", "\xff", "\xe6\xbc", " "};
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string made;
    for (unsigned n = random() % 60; n > 0; --n) {
      made += letters[random() % letters.size()];
    }
    source::SourceText text("a.py", made);
    PositionWalk walk(text);
    uint32_t at = 0;
    for (int step = 0; step < 40; ++step) {
      // Mostly forward, as names in a text are.
      at = random() % 4 == 0 ? static_cast<uint32_t>(random() % (made.size() + 3)) : at + random() % 3;
      source::ByteRange range{at, at + static_cast<uint32_t>(random() % 4)};
      ASSERT_EQ(walk.range(range), rangeOf(text, range)) << "round " << round << ", offset " << at;
    }
  }
}

} // namespace
} // namespace placid::server
