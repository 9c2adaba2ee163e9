// SPDX-License-Identifier: Apache-2.0
#include "server/store/recorded_sources.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

TEST(RecordedSources, WhatWasAskedForHoldsUntilItChanges) {
  auto disk = std::make_shared<source::FixedSources>();
  disk->add("/a.py", "A = 1");
  auto log = std::make_shared<SourceLog>();
  EXPECT_TRUE(log->holds(nullptr)) << "nothing was asked";
  RecordedSources sources(disk, log);
  EXPECT_EQ(sources.load("/a.py")->text, "A = 1");
  EXPECT_EQ(sources.load("/none.py"), nullptr);
  EXPECT_TRUE(sources.exists("/a.py"));
  EXPECT_FALSE(sources.exists("/near/a.py"));
  EXPECT_EQ(log->paths(), (std::vector<std::string>{"/a.py", "/near/a.py", "/none.py"}));
  EXPECT_TRUE(log->asks("/near/a.py"));
  EXPECT_FALSE(log->asks("/b.py"));
  EXPECT_TRUE(log->holds(disk.get()));
  disk->add("/a.py", "A = 1");
  EXPECT_TRUE(log->holds(disk.get())) << "the same content in another object";
  disk->add("/a.py", "A = 2");
  EXPECT_FALSE(log->holds(disk.get()));
  disk->add("/a.py", "A = 1");
  disk->add("/near/a.py", "");
  EXPECT_FALSE(log->holds(disk.get())) << "one that was not there";
  EXPECT_FALSE(log->holds(nullptr));
  log->clear();
  EXPECT_TRUE(log->holds(nullptr));
}

} // namespace
} // namespace placid::server
