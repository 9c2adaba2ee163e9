// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/fair_queue.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace placid::server {
namespace {

TEST(FairQueue, ClientsTakeTurnsAndUrgencyIsAmongOnesOwn) {
  FairQueue queue;
  queue.push("many", 0, 1);
  queue.push("many", 0, 2);
  queue.push("many", 5, 3);
  queue.push("few", -100, 4);
  std::vector<uint64_t> order;
  while (std::optional<uint64_t> next = queue.pop()) {
    order.push_back(*next);
  }
  EXPECT_EQ(order, (std::vector<uint64_t>{4, 3, 1, 2})) << "by name where nobody was served yet";
  queue.push("few", 0, 5);
  queue.push("new", 0, 6);
  queue.push("many", 0, 7);
  EXPECT_EQ(queue.pop(), 6U) << "never served";
  EXPECT_EQ(queue.pop(), 5U) << "served longest ago";
  EXPECT_EQ(queue.pop(), 7U);
  EXPECT_TRUE(queue.empty());
}

TEST(FairQueue, ATeamOfManyHasTheShareOfOne) {
  FairQueue queue;
  uint64_t tickets = 0;
  for (int i = 0; i < 6; ++i) {
    queue.push("big/" + std::to_string(i), 0, ++tickets);
    queue.push("big/" + std::to_string(i), 0, ++tickets);
  }
  for (int i = 0; i < 4; ++i) {
    queue.push("small/only", 0, 100 + static_cast<uint64_t>(i));
  }
  std::vector<uint64_t> order;
  for (int i = 0; i < 10; ++i) {
    order.push_back(*queue.pop());
  }
  EXPECT_EQ(order, (std::vector<uint64_t>{1, 100, 3, 101, 5, 102, 7, 103, 9, 11}))
      << "one of each team in turn, and within a team one client after the other";
}

TEST(FairQueue, WhatIsRemovedIsNotNext) {
  FairQueue queue;
  queue.push("a", 0, 1);
  queue.push("b", 0, 2);
  queue.remove("a", 0, 1);
  queue.remove("a", 0, 1);
  queue.remove("nobody", 0, 9);
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_EQ(queue.pop(), 2U);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(FairQueue, NothingWaitsForEverBehindWhatIsUrgent) {
  FairQueue queue;
  uint64_t tickets = 0;
  queue.push("ci", 0, ++tickets);
  int before = 0;
  for (queue.push("ci", 5, ++tickets); queue.pop() != 1U; queue.push("ci", 5, ++tickets)) {
    ASSERT_LT(++before, 1000);
  }
  EXPECT_EQ(before, 5 * FairQueue::kHeadStart - 1);
}

TEST(FairQueue, WhoIsForgottenComesBackBehindThoseThatWait) {
  FairQueue queue;
  uint64_t tickets = 0;
  for (size_t i = 0; i < FairQueue::kRemembered; ++i) {
    queue.push("c" + std::to_string(i), 0, ++tickets);
    EXPECT_EQ(queue.pop(), tickets);
  }
  queue.push("c1", 0, ++tickets); // served second
  uint64_t waits = tickets;
  queue.push("new", 0, ++tickets); // c0, served longest ago, is forgotten for it
  EXPECT_EQ(queue.pop(), tickets) << "as if it were the one that is forgotten";
  queue.push("another", 0, ++tickets); // and now c2
  uint64_t other = tickets;
  queue.push("c2", 0, ++tickets); // and now c3
  EXPECT_EQ(queue.pop(), waits) << "not behind those that were served after it";
  EXPECT_EQ(queue.pop(), other);
  EXPECT_EQ(queue.pop(), tickets);
}

/// Against the obvious way of finding the next one.
TEST(FairQueue, AsByLookingAtAll) {
  struct Item {
    std::string client;
    int priority = 0;
    uint64_t ticket = 0;
  };
  std::mt19937 random(7);
  FairQueue queue;
  std::vector<Item> all;
  std::map<std::string, uint64_t> served, teams;
  auto teamOf = [](const Item &item) { return item.client.substr(0, item.client.find('/')); };
  const std::vector<std::string> names = {"c", "d", "t/0", "t/1", "t/2", "u/0", "u/1"};
  uint64_t turn = 0;
  uint64_t tickets = 0;
  for (int step = 0; step < 4000; ++step) {
    unsigned what = random() % 5;
    if (what < 2 || all.empty()) {
      Item item{names[random() % names.size()], static_cast<int>(random() % 5) - 2, ++tickets};
      queue.push(item.client, item.priority, item.ticket);
      all.push_back(item);
    } else if (what == 2) {
      size_t at = random() % all.size();
      queue.remove(all[at].client, all[at].priority, all[at].ticket);
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      auto rank = [&](const Item &item) {
        return std::tuple(teams[teamOf(item)], teamOf(item), served[item.client], item.client,
                          static_cast<int64_t>(item.ticket) - FairQueue::kHeadStart * item.priority, item.ticket);
      };
      auto best = all.begin();
      for (auto at = all.begin(); at != all.end(); ++at) {
        best = rank(*at) < rank(*best) ? at : best;
      }
      ASSERT_EQ(queue.pop(), best->ticket) << "step " << step;
      served[best->client] = teams[teamOf(*best)] = ++turn;
      all.erase(best);
    }
    ASSERT_EQ(queue.size(), all.size());
  }
}

} // namespace
} // namespace placid::server
