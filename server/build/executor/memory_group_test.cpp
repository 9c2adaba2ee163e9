// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/child.h"
#include "server/build/executor/local_executor.h"
#include "server/build/executor/memory_group.h"
#include "server/build/executor/tool_answer.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLimit = uint64_t{64} << 20;
/// Keeps all that it reads, since it has no line.
constexpr const char *kEats = "head -c 400000000 /dev/zero | tail -n 1 > out";

TEST(MemoryGroups, AreFoundInBothVersions) {
  const char *mounts = "30 24 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"
                       "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                       "32 30 0:28 /docker/a /sys/fs/cgroup/memory rw,nosuid shared:9 - cgroup cgroup rw,memory\n"
                       "33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
  MemoryGroups first = MemoryGroups::of("4:memory:/docker/a/b\n2:cpu:/c\n0::/d\n", mounts);
  EXPECT_EQ(first.folder, "/sys/fs/cgroup/memory/b");
  EXPECT_FALSE(first.unified);
  MemoryGroups second = MemoryGroups::of("0::/system.slice/placid.service/daemon\n", mounts);
  EXPECT_EQ(second.folder, "/sys/fs/cgroup/unified/system.slice/placid.service");
  EXPECT_TRUE(second.unified);
  EXPECT_EQ(MemoryGroups::of("0::/\n", mounts).folder, "") << "there is nothing beside the root";
  EXPECT_EQ(MemoryGroups::of("4:memory:/elsewhere\n", mounts).folder, "") << "not below what is mounted";
  for (const char *nonsense : {"", "\n", "4:memory", ":::", "4:memory:/docker/a"}) {
    EXPECT_EQ(MemoryGroups::of(nonsense, nonsense).folder, "");
  }
}

TEST(MemoryGroups, APlainFolderHasNone) {
  std::string name = (fs::temp_directory_path() / "placid-groups-XXXXXX").string();
  std::string folder = ::mkdtemp(name.data());
  for (bool unified : {false, true}) {
    EXPECT_EQ(MemoryGroup::make(kLimit, {folder, unified}), nullptr);
  }
  EXPECT_EQ(MemoryGroup::make(kLimit, {folder + "/none", true}), nullptr);
  EXPECT_EQ(MemoryGroup::make(kLimit, {}), nullptr);
  EXPECT_TRUE(fs::is_empty(folder)) << "and nothing is left";
  fs::create_directories(folder + "/placid-4194305-0"); // no machine has that number
  fs::create_directories(folder + "/placid-" + std::to_string(::getpid()) + "-0");
  fs::create_directories(folder + "/another");
  sweepMemoryGroups({folder, false});
  EXPECT_FALSE(fs::exists(folder + "/placid-4194305-0"));
  EXPECT_TRUE(fs::exists(folder + "/placid-" + std::to_string(::getpid()) + "-0"));
  EXPECT_TRUE(fs::exists(folder + "/another"));
  fs::remove_all(folder);
}

class Memory : public ::testing::Test {
protected:
  Memory() {
    std::string name = (fs::temp_directory_path() / "placid-memory-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    limits.memoryBytes = kLimit;
  }
  ~Memory() override {
    std::error_code error;
    fs::remove_all(folder, error);
  }
  /// What `script` ends with when it has 64 MiB.
  Outcome run(const std::string &script) {
    Store store(folder + "/store");
    HostBudget budget("", 1);
    LocalExecutor executor(store, budget, folder + "/scratch");
    Action action;
    action.step = "test";
    action.argv = {"/bin/sh", "-c", script};
    action.env = {{"PATH", "/usr/bin:/bin"}};
    return executor.run(action, limits, {}, {});
  }
  static InfraFailure::Code codeOf(const Outcome &outcome) {
    const auto *failure = std::get_if<InfraFailure>(&outcome);
    return failure ? failure->code : InfraFailure::Code::System;
  }

  std::string folder;
  ActionLimits limits;
};

TEST_F(Memory, OfATooLargeToolIsALackAndNoAnswer) {
  // However it ends: as what was killed, or with words about its input.
  for (const char *after : {"", " || { echo 'k.cpp:1:1: error: no such thing' >&2; exit 1; }"}) {
    Outcome outcome = run(std::string(kEats) + after);
    EXPECT_EQ(codeOf(outcome), InfraFailure::Code::Memory) << after;
    if (const auto *failure = std::get_if<InfraFailure>(&outcome)) {
      EXPECT_NE(failure->detail.find("the 64 MiB"), std::string::npos) << failure->detail;
    }
  }
  Outcome small = run("echo x | tail -n 1");
  ASSERT_TRUE(std::holds_alternative<ToolRun>(small));
  EXPECT_EQ(std::get<ToolRun>(small).exitCode, 0);
}

TEST_F(Memory, CountsAllThatAToolStarts) {
  if (!MemoryGroup::make(kLimit)) {
    GTEST_SKIP() << "no control group with a limit of memory can be made here";
  }
  // Each alone has room; together they have not, and none is done before one is ended.
  std::string part = "{ head -c 40000000 /dev/zero; exec sleep 86391; } | { tail -n 1 >/dev/null; : > gone; } & ";
  Outcome outcome = run(part + part + part + "while ! test -e gone; do sleep 0.02; done; exit 1");
  EXPECT_EQ(codeOf(outcome), InfraFailure::Code::Memory);
}

TEST_F(Memory, AGroupIsGoneWithItsTool) {
  std::unique_ptr<MemoryGroup> group = MemoryGroup::make(kLimit);
  if (!group) {
    GTEST_SKIP() << "no control group with a limit of memory can be made here";
  }
  ChildSpec spec{"/bin/sh", {"sh", "-c", "setsid sleep 86393 & exit 0"}, {"PATH=/usr/bin:/bin"}, "/", group->door()};
  ChildEnd end = runChild(spec, limits, {}, {});
  EXPECT_EQ(end.exitCode, 0);
  EXPECT_FALSE(group->ranOut());
  std::string path = group->folder();
  EXPECT_TRUE(fs::exists(path));
  group.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Memory, WithoutAGroupEachProcessHasItsLimit) {
  ChildSpec spec{"/bin/sh", {"sh", "-c", kEats}, {"PATH=/usr/bin:/bin", "LC_ALL=C"}, folder};
  ChildEnd end = runChild(spec, limits, {}, {});
  EXPECT_EQ(end.exitCode, 1);
  EXPECT_TRUE(saysNoMemory(end.err.text())) << end.err.text();
}

TEST(NoMemory, IsNotReadIntoWhatAToolSaysOfItsInput) {
  for (const char *text :
       {"LLVM ERROR: out of memory\nAllocation failed\n", "x\ntail: memory exhausted\n",
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
        "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n",
        "virtual memory exhausted: Cannot allocate memory\n", "MemoryError\n"}) {
    EXPECT_TRUE(saysNoMemory(text)) << text;
  }
  for (const char *text : {"", "\n\n", "k.cpp:3:5: error: static assertion failed: memory exhausted\n",
                           "    3 | static_assert(false, \"memory exhausted\n", "  LLVM ERROR: out of memory\n",
                           "k.cpp:3:5: note: Cannot allocate memory", "1 error generated.\n"}) {
    EXPECT_FALSE(saysNoMemory(text)) << text;
  }
}

} // namespace
} // namespace placid::server
