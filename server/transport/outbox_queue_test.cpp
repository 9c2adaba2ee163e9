// SPDX-License-Identifier: Apache-2.0
#include "server/transport/outbox_queue.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

TEST(OutboxQueue, KeepsOrderAndReplacesInPlace) {
  int woken = 0;
  OutboxQueue queue([&] { ++woken; });
  queue.send("a1", "a");
  queue.send("reply", "");
  queue.send("b1", "b");
  queue.send("a2-longer", "a");
  queue.send("reply", "");
  EXPECT_EQ(queue.bytes(), std::string("a2-longerreplyb1reply").size());
  EXPECT_EQ(queue.pop(), "a2-longer");
  EXPECT_EQ(queue.pop(), "reply");
  queue.send("a3", "a"); // the earlier one has left: this is a new message
  EXPECT_EQ(queue.pop(), "b1");
  EXPECT_EQ(queue.pop(), "reply");
  EXPECT_EQ(queue.pop(), "a3");
  EXPECT_EQ(queue.pop(), std::nullopt);
  EXPECT_EQ(queue.bytes(), 0U);
  EXPECT_EQ(woken, 6);
}

TEST(OutboxQueue, AThousandVersionsForASlowReaderCostOne) {
  OutboxQueue queue;
  for (int i = 0; i < 1000; ++i) {
    queue.send(std::string(1000, 'x'), "publish");
  }
  EXPECT_EQ(queue.bytes(), 1000U);
}

} // namespace
} // namespace placid::server
