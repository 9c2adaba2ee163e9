// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/child.h"
#include "server/build/executor/conformance.h"
#include "server/build/executor/local_executor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <csignal>

namespace placid::server {
namespace {

std::unique_ptr<Executor> makeLocal(const ExecutorGround &ground) {
  return std::make_unique<LocalExecutor>(ground.store, ground.budget, ground.scratch);
}
INSTANTIATE_TEST_SUITE_P(Local, ExecutorConformance, ::testing::Values(&makeLocal));

TEST(ActionKeys, EverythingThatCanChangeTheAnswerIsInThem) {
  Action action;
  action.step = "ptoas";
  action.argv = {"@ptoas@", "k.pto"};
  action.inputs = {{"a", digestOf("a")}, {"b", digestOf("b")}};
  action.outputs = {"x", "y"};
  action.tools = {{"ptoas", digestOf("tool")}};
  Digest key = keyOf(action);
  Action same = action;
  std::swap(same.inputs[0], same.inputs[1]);
  std::swap(same.outputs[0], same.outputs[1]);
  same.hostPaths = {{"ptoas", "/elsewhere/ptoas"}};
  EXPECT_EQ(keyOf(same), key) << "order and places do not count";
  std::vector<Action> others(9, action);
  others[0].step = "link";
  others[1].argv = {"@ptoas@k.pto"};
  others[2].env = {{"LANG", "C"}};
  others[3].inputs[0].digest = digestOf("c");
  others[4].outputs = {"xy"};
  others[5].tools = {{"ptoas", digestOf("patched")}};
  others[6].platform = "linux-aarch64";
  others[7].salt = "other";
  others[8].depFile = "d";
  for (const Action &other : others) {
    EXPECT_NE(keyOf(other), key);
  }
}

TEST(HostBudget, IsSharedBetweenProcesses) {
  std::string name = (std::filesystem::temp_directory_path() / "placid-budget-XXXXXX").string();
  std::string folder = std::string(::mkdtemp(name.data())) + "/budget";
  HostBudget budget(folder, 1);
  std::optional<HostBudget::Slot> slot = budget.acquire({}, std::nullopt);
  ASSERT_TRUE(slot);
  auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(50); };
  HostBudget another(folder, 1); // as another process would make
  EXPECT_FALSE(another.acquire({}, soon()));
  slot.reset();
  EXPECT_TRUE(another.acquire({}, soon()));
  // A holder that is killed frees its place.
  pid_t child = ::fork();
  if (child == 0) {
    HostBudget own(folder, 1);
    std::optional<HostBudget::Slot> held = own.acquire({}, std::nullopt);
    ::pause();
  }
  while (another.acquire({}, std::chrono::steady_clock::now())) {
    ::usleep(1000);
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(another.acquire({}, soon()));
  std::error_code error;
  std::filesystem::remove_all(std::filesystem::path(folder).parent_path(), error);
}

TEST(LocalExecutor, SweepsTheFoldersOfAKilledProcess) {
  std::string name = (std::filesystem::temp_directory_path() / "placid-sweep-XXXXXX").string();
  std::string folder = ::mkdtemp(name.data());
  std::string scratch = folder + "/scratch";
  std::filesystem::create_directories(scratch + "/action-young/a");
  Store store(folder + "/store");
  HostBudget budget("", 1);
  {
    LocalExecutor executor(store, budget, scratch);
  }
  EXPECT_TRUE(std::filesystem::exists(scratch + "/action-young")) << "perhaps it is not locked yet";
  int held = ::open((scratch + "/action-young").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  sweepScratch(scratch, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch + "/action-young")) << "somebody works in it";
  ::close(held);
  sweepScratch(scratch, 0);
  EXPECT_FALSE(std::filesystem::exists(scratch + "/action-young"));
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

TEST(Children, OrphansOfAKilledProcessAreEnded) {
  std::string word = "86396.4" + std::to_string(::getpid());
  pid_t child = ::fork();
  if (child == 0) {
    ChildSpec spec{"/bin/sh", {"sh", "-c", "setsid sleep " + word + " >/dev/null 2>&1 & sleep " + word}, {}, "/"};
    spec.env = {"PATH=/usr/bin:/bin"};
    (void)runChild(spec, {}, {}, {});
    ::_exit(0);
  }
  auto running = [&] {
    int count = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::string line(std::istreambuf_iterator<char>(file), {});
      bool self = entry.path().filename() == "self" || entry.path().filename() == "thread-self";
      count += !self && line == std::string("sleep\0", 6) + word + std::string(1, '\0') ? 1 : 0;
    }
    return count;
  };
  auto wait = [&](int wanted) {
    for (int i = 0; i < 6000 && running() != wanted; ++i) {
      ::usleep(10000);
    }
    return running() == wanted;
  };
  ASSERT_TRUE(wait(2));
  killOrphans();
  EXPECT_EQ(running(), 2) << "their owner lives";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  killOrphans();
  EXPECT_TRUE(wait(0));
}

/// Each link of the chain starts the next one and ends: whoever looks at one finds it gone.
TEST(Children, AChainThatLeavesTheGroupIsEnded) {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("placid-chain-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::string variable = "PLACID_TEST_CHAIN=" + std::to_string(::getpid());
  std::ofstream(folder / "link") << "test -e stop || setsid sh link >/dev/null 2>&1 &\n";
  auto running = [&] {
    int count = 0;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream file(entry.path() / "environ", std::ios::binary);
      std::string text(std::istreambuf_iterator<char>(file), {});
      bool self = entry.path().filename() == "self" || entry.path().filename() == "thread-self";
      count += !self && text.find(variable) != std::string::npos ? 1 : 0;
    }
    return count;
  };
  for (int round = 0; round < 20; ++round) {
    ChildSpec spec{"/bin/sh", {"sh", "link"}, {"PATH=/usr/bin:/bin", variable}, folder.string()};
    ChildEnd end = runChild(spec, {}, {}, {});
    EXPECT_EQ(end.exitCode, 0);
    // Those that were ended may take a moment to be gone; a chain goes on and is seen in one look of many.
    int quiet = 0;
    for (int looks = 0; looks < 3000 && quiet < 10; ++looks) {
      quiet = running() == 0 ? quiet + 1 : 0;
    }
    ASSERT_EQ(quiet, 10) << "round " << round;
  }
  std::ofstream(folder / "stop") << "now";
  for (int i = 0; i < 6000 && running() != 0; ++i) {
    ::usleep(10000);
  }
  std::filesystem::remove_all(folder);
}

TEST(StreamText, KeepsBothEnds) {
  StreamText text;
  text.add("begin ");
  for (int i = 0; i < 40; ++i) {
    text.add(std::string(100000, 'x'));
  }
  text.add(" end");
  EXPECT_EQ(text.total(), 4000010U);
  std::string kept = text.text();
  EXPECT_EQ(kept.rfind("begin ", 0), 0U);
  EXPECT_TRUE(kept.ends_with(" end"));
  EXPECT_NE(kept.find("bytes left out]"), std::string::npos);
  EXPECT_LT(kept.size(), 2 * StreamText::kKeep + 100);
  StreamText small;
  small.add("all of it");
  EXPECT_EQ(small.text(), "all of it");
}

} // namespace
} // namespace placid::server
