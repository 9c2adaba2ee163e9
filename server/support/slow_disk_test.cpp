// SPDX-License-Identifier: Apache-2.0
#include "server/support/slow_disk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

namespace placid::server {
namespace {

using std::chrono::milliseconds;

/// For one test; other threads keep theirs.
struct Patience {
  explicit Patience(milliseconds patience) : before(SlowDisk::patience()) { SlowDisk::setPatience(patience); }
  ~Patience() { SlowDisk::setPatience(before); }
  milliseconds before;
};

TEST(SlowDisk, FindsFileSystemsBehindANetwork) {
  EXPECT_EQ(remoteMounts("22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                         "40 22 0:35 / /home rw shared:2 master:3 - nfs4 server:/home rw\n"
                         "41 22 0:36 / /mnt/a\\040b rw - fuse.sshfs me@host: rw\n"
                         "42 22 0:37 / /proc rw - proc proc rw\n"
                         "broken - nfs\n\n"),
            (std::vector<std::string>{"/home", "/mnt/a b"}));
  EXPECT_TRUE(remoteMounts("").empty());
}

TEST(SlowDisk, FilesOfThisMachineAreLookedAtHere) {
  SlowDisk disk([] { return std::vector<std::string>{"/mnt/far"}; });
  const auto here = std::this_thread::get_id();
  for (const char *path : {"/mnt/far2/x", "/mnt/x", "x", "/"}) {
    EXPECT_EQ(disk.ask(path, [] { return std::this_thread::get_id(); }), here) << path;
  }
  EXPECT_NE(disk.ask("/mnt/far/x", [] { return std::this_thread::get_id(); }), here);
  EXPECT_NE(disk.ask("/mnt/far", [] { return std::this_thread::get_id(); }), here);
}

TEST(SlowDisk, OneThatHangsIsLeftAndComesBack) {
  SlowDisk disk([] { return std::vector<std::string>{"/mnt/far", "/mnt/far/deeper"}; });
  std::promise<void> answer;
  std::shared_future<void> answered = answer.get_future().share();
  {
    Patience little(milliseconds(20));
    EXPECT_EQ(disk.ask("/mnt/far/a",
                       [answered] {
                         answered.wait();
                         return 1;
                       }),
              std::nullopt);
  }
  std::atomic<int> looked = 0;
  auto look = [&looked] { return ++looked; };
  {
    Patience little(milliseconds(20));
    EXPECT_EQ(disk.ask("/mnt/far/b", look), std::nullopt);
    EXPECT_EQ(looked, 0) << "it is not tried";
  }
  EXPECT_EQ(disk.ask("/mnt/far/deeper/b", look), 1); // another file system
  EXPECT_EQ(disk.ask("/mnt/b", look), 2);
  // Who has more patience waits for it.
  Patience much(std::chrono::hours(1));
  std::thread releases([&answer] { answer.set_value(); });
  EXPECT_EQ(disk.ask("/mnt/far/b", look), 3);
  releases.join();
}

} // namespace
} // namespace placid::server
