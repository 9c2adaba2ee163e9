// SPDX-License-Identifier: Apache-2.0
// What every executor has to do, as a test suite over a factory: the same tests run on each. Included by the test of an
// executor, which says INSTANTIATE_TEST_SUITE_P(Name, ExecutorConformance, ::testing::Values(factory)).
#pragma once

#include "server/build/executor/executor.h"
#include "server/build/executor/host_budget.h"
#include "server/build/store/store.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

namespace placid::server {

/// What an executor under test stands on.
struct ExecutorGround {
  Store &store;
  HostBudget &budget;
  std::string scratch;
};
using ExecutorFactory = std::unique_ptr<Executor> (*)(const ExecutorGround &);

class ExecutorConformance : public ::testing::TestWithParam<ExecutorFactory> {
protected:
  ExecutorConformance() {
    std::string name = (std::filesystem::temp_directory_path() / "placid-executor-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store = std::make_unique<Store>(folder + "/store");
    budget = std::make_unique<HostBudget>("", 2);
    executor = GetParam()({*store, *budget, folder + "/scratch"});
  }
  void SetUp() override {
    if (!executor) {
      GTEST_SKIP() << "what it stands on is not here";
    }
  }
  ~ExecutorConformance() override {
    executor.reset();
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }

  Action shell(const std::string &script) const {
    Action action;
    action.step = "test";
    action.argv = {"@sh@", "-c", script};
    action.env = {{"PATH", "/usr/bin:/bin"}};
    action.hostPaths = {{"sh", "/bin/sh"}};
    action.tools = {{"sh", digestOf("sh")}};
    return action;
  }
  Outcome run(const Action &action, const ActionLimits &limits = {}, const ActionWatcher &watcher = {},
              const std::stop_token &stop = {}) {
    return executor->run(action, limits, watcher, stop);
  }
  /// A process that carries `word` in its command line is alive.
  static bool anyoneRuns(const std::string &word) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::string line(std::istreambuf_iterator<char>(file), {});
      if (entry.path().filename() != "self" && line.find(word) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
  static bool soonNobodyRuns(const std::string &word) {
    for (int i = 0; i < 3000 && anyoneRuns(word); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return !anyoneRuns(word);
  }

  std::string folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<HostBudget> budget;
  std::unique_ptr<Executor> executor;
};

TEST_P(ExecutorConformance, InputsToOutputs) {
  Action action = shell("cat in/a.txt > out/b.txt; echo to-out; echo to-err >&2");
  action.inputs = {{"in/a.txt", *store->put("text")}};
  action.outputs = {"out/b.txt"};
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  const ToolRun &result = std::get<ToolRun>(outcome);
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_EQ(result.out, "to-out\n");
  EXPECT_EQ(result.err, "to-err\n");
  ASSERT_EQ(result.outputs.count("out/b.txt"), 1U);
  EXPECT_EQ(*store->get(result.outputs.at("out/b.txt")), "text");
  EXPECT_TRUE(result.peakBytes > 0 || !executor->caps().ownProcesses);
}

TEST_P(ExecutorConformance, AStatusAndASignalAreAnswersOfTheTool) {
  Outcome status = run(shell("exit 3"));
  ASSERT_TRUE(std::holds_alternative<ToolRun>(status));
  EXPECT_EQ(std::get<ToolRun>(status).exitCode, 3);
  Outcome crash = run(shell("kill -SEGV $$"));
  ASSERT_TRUE(std::holds_alternative<ToolRun>(crash));
  EXPECT_EQ(std::get<ToolRun>(crash).signal, SIGSEGV);
}

TEST_P(ExecutorConformance, KilledFromOutsideIsNoAnswer) {
  Outcome outcome = run(shell("kill -KILL $$"));
  ASSERT_TRUE(std::holds_alternative<InfraFailure>(outcome));
  EXPECT_EQ(std::get<InfraFailure>(outcome).code, InfraFailure::Code::Killed);
  EXPECT_TRUE(std::get<InfraFailure>(outcome).retryable);
}

TEST_P(ExecutorConformance, WhatAToolSaysOfTheMachineIsNoAnswer) {
  auto code = [&](const char *script) -> std::optional<InfraFailure::Code> {
    Outcome outcome = run(shell(script));
    const auto *failure = std::get_if<InfraFailure>(&outcome);
    return failure ? std::optional(failure->code) : std::nullopt;
  };
  EXPECT_EQ(code("exit 127"), InfraFailure::Code::NoProgram);
  EXPECT_EQ(code("exit 137"), InfraFailure::Code::Killed);
  EXPECT_EQ(code("echo 'fatal error: error in backend: IO failure: No space left on device' >&2; exit 1"),
            InfraFailure::Code::Space);
  EXPECT_EQ(code("echo 'clang: error: unable to execute command: Killed' >&2; exit 254"), InfraFailure::Code::Killed);
  EXPECT_EQ(code("echo 'k.cpp:1:1: error: no such thing' >&2; exit 1"), std::nullopt);
}

TEST_P(ExecutorConformance, AMissingOutputIsAbsent) {
  Action action = shell("echo x > a");
  action.outputs = {"a", "b"};
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_EQ(std::get<ToolRun>(outcome).outputs.count("a"), 1U);
  EXPECT_EQ(std::get<ToolRun>(outcome).outputs.count("b"), 0U);
}

TEST_P(ExecutorConformance, AnOutputIsAFileOfItsOwn) {
  std::ofstream(folder + "/secret") << "secret";
  Action action = shell("ln -s " + folder + "/secret a; mkdir b; ln -s " + folder + " c; mkfifo d");
  action.outputs = {"a", "b", "c/secret", "d"};
  action.outputs.erase(action.outputs.begin() + 2); // c is made by the tool itself
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome)) << std::get<InfraFailure>(outcome).detail;
  EXPECT_TRUE(std::get<ToolRun>(outcome).outputs.empty()) << "links, folders and pipes are not taken";
}

TEST_P(ExecutorConformance, PathsStayBelowTheFolder) {
  for (const char *path : {"../x", "/x", "a/../../x", "", "a//b", "./a", "a\nb"}) {
    Action in = shell("true");
    in.inputs = {{path, *store->put("x")}};
    EXPECT_TRUE(std::holds_alternative<InfraFailure>(run(in))) << path;
    Action out = shell("true");
    out.outputs = {path};
    EXPECT_TRUE(std::holds_alternative<InfraFailure>(run(out))) << path;
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/x"));
}

TEST_P(ExecutorConformance, NothingOfTheEnvironmentLeaks) {
  ::setenv("PLACID_TEST_SECRET", "secret", 1);
  Action action = shell("env; ls -a");
  action.env["SAID"] = "so";
  Outcome outcome = run(action);
  ::unsetenv("PLACID_TEST_SECRET");
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  const std::string &out = std::get<ToolRun>(outcome).out;
  EXPECT_EQ(out.find("secret"), std::string::npos);
  EXPECT_NE(out.find("SAID=so"), std::string::npos);
  EXPECT_NE(out.find(".\n..\n"), std::string::npos) << "the folder is empty: " << out;
}

TEST_P(ExecutorConformance, WhatCannotBeStartedIsNoAnswer) {
  Action action = shell("true");
  action.hostPaths = {{"sh", "/nowhere/sh"}};
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<InfraFailure>(outcome));
  EXPECT_EQ(std::get<InfraFailure>(outcome).code, InfraFailure::Code::NoProgram)
      << std::get<InfraFailure>(outcome).detail;
  EXPECT_FALSE(std::get<InfraFailure>(outcome).retryable);
  action.hostPaths.clear();
  EXPECT_TRUE(std::holds_alternative<InfraFailure>(run(action)));
}

TEST_P(ExecutorConformance, AnInputThatIsGoneIsNoAnswer) {
  Action action = shell("true");
  action.inputs = {{"a", digestOf("never put")}};
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<InfraFailure>(outcome));
  EXPECT_EQ(std::get<InfraFailure>(outcome).code, InfraFailure::Code::MissingInput);
}

TEST_P(ExecutorConformance, TheRunClockEndsEverything) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  std::string mark = "86399.1" + std::to_string(::getpid());
  std::string said;
  // A clock may ring before a busy machine has let the tool speak; then a longer one.
  for (int milliseconds = 200; said.empty() && milliseconds < 60000; milliseconds *= 4) {
    ActionLimits limits;
    limits.run = std::chrono::milliseconds(milliseconds);
    limits.grace = std::chrono::milliseconds(100);
    // One that ignores the polite signal, and one that has left the process group.
    Outcome outcome = run(shell("trap '' TERM; echo begun; setsid sleep " + mark + " & sleep " + mark), limits);
    ASSERT_TRUE(std::holds_alternative<ToolStopped>(outcome));
    EXPECT_EQ(std::get<ToolStopped>(outcome).clock, ToolStopped::Clock::Run);
    said = std::get<ToolStopped>(outcome).out;
    EXPECT_TRUE(soonNobodyRuns(mark));
  }
  EXPECT_EQ(said, "begun\n") << "what was said is kept";
}

TEST_P(ExecutorConformance, TheSilenceClock) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  ActionLimits limits;
  limits.silence = std::chrono::milliseconds(250);
  limits.grace = std::chrono::milliseconds(50);
  Outcome quiet = run(shell("echo a; exec sleep 60"), limits);
  ASSERT_TRUE(std::holds_alternative<ToolStopped>(quiet));
  EXPECT_EQ(std::get<ToolStopped>(quiet).clock, ToolStopped::Clock::Silence);
  // Each silence is shorter than the clock, all of them are longer. On a busy machine one may last: then on a larger
  // scale.
  bool finished = false;
  for (int milliseconds = 250; !finished && milliseconds < 60000; milliseconds *= 4) {
    limits.silence = std::chrono::milliseconds(milliseconds);
    std::string pause = std::to_string(milliseconds / 2500.0);
    Outcome speaks = run(shell("for i in 1 2 3 4 5 6; do sleep " + pause + "; echo $i; done"), limits);
    finished = std::holds_alternative<ToolRun>(speaks);
  }
  EXPECT_TRUE(finished);
}

TEST_P(ExecutorConformance, AFloodOfOutputIsEndedAndBounded) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  ActionLimits limits;
  limits.logBytes = uint64_t{4} << 20;
  limits.grace = std::chrono::milliseconds(50);
  Outcome outcome = run(shell("echo first; exec cat /dev/zero"), limits);
  ASSERT_TRUE(std::holds_alternative<ToolStopped>(outcome));
  const ToolStopped &stopped = std::get<ToolStopped>(outcome);
  EXPECT_EQ(stopped.clock, ToolStopped::Clock::Log);
  EXPECT_EQ(stopped.out.compare(0, 6, "first\n"), 0);
  EXPECT_LT(stopped.out.size(), 3 * StreamText::kKeep);
}

TEST_P(ExecutorConformance, CancellingEndsTheWholeGroup) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  std::stop_source stop;
  ActionLimits limits;
  limits.grace = std::chrono::milliseconds(100);
  std::string mark = "86398.2" + std::to_string(::getpid());
  ActionWatcher watcher;
  watcher.log = [&](Stream, uint64_t, std::string_view) { stop.request_stop(); };
  Outcome outcome = run(shell("trap '' TERM; sleep " + mark + " & setsid sleep " + mark + " & echo x; wait"), limits,
                        watcher, stop.get_token());
  EXPECT_TRUE(std::holds_alternative<Cancelled>(outcome));
  EXPECT_TRUE(soonNobodyRuns(mark));
  std::stop_source before;
  before.request_stop();
  EXPECT_TRUE(std::holds_alternative<Cancelled>(run(shell("true"), {}, {}, before.get_token())));
}

TEST_P(ExecutorConformance, WhatIsLeftBehindEndsWithTheTool) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  std::string mark = "86397.3" + std::to_string(::getpid());
  // One that holds the pipes, one that has left the group, one that has done both and holds nothing.
  std::string sleep = "exec sleep " + mark;
  Outcome outcome =
      run(shell("sh -c 'echo >a; " + sleep + "' & setsid sh -c 'echo >b; " + sleep + "' & setsid sh -c 'echo >c; " +
                sleep + "' >/dev/null 2>&1 & " + "while ! test -e a -a -e b -a -e c; do sleep 0.01; done; exit 0"));
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_TRUE(soonNobodyRuns(mark));
}

TEST_P(ExecutorConformance, WhatAShortRunLeavesBehindEndsToo) {
  if (!executor->caps().ownProcesses) {
    GTEST_SKIP() << "its tools are under somebody else's hand";
  }
  // It holds no pipe, so that nothing is waited for.
  std::string mark = "86395.5" + std::to_string(::getpid());
  Outcome outcome = run(shell("setsid sleep " + mark + " >/dev/null 2>&1 & exit 0"));
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_TRUE(soonNobodyRuns(mark));
}

TEST_P(ExecutorConformance, LogsHaveOffsets) {
  std::string heard;
  ActionWatcher watcher;
  bool gapless = true;
  watcher.log = [&](Stream stream, uint64_t offset, std::string_view bytes) {
    if (stream == Stream::Out) {
      gapless = gapless && offset == heard.size();
      heard += bytes;
    }
  };
  Outcome outcome = run(shell("for i in 1 2 3; do echo line $i; sleep 0.02; done"), {}, watcher);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_TRUE(gapless);
  EXPECT_EQ(heard, "line 1\nline 2\nline 3\n");
}

TEST_P(ExecutorConformance, NoMoreRunAtOnceThanTheBudgetAllows) {
  std::vector<std::thread> threads;
  std::atomic<int> most = 0, now = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      ActionWatcher watcher;
      bool counted = false;
      watcher.started = [&] {
        counted = true;
        int running = ++now;
        int seen = most;
        while (running > seen && !most.compare_exchange_weak(seen, running)) {
        }
      };
      watcher.log = [&](Stream, uint64_t, std::string_view) { now -= counted ? 1 : 0, counted = false; };
      Outcome outcome = executor->run(shell("sleep 0.05; echo done"), {}, watcher, {});
      EXPECT_TRUE(std::holds_alternative<ToolRun>(outcome));
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT_LE(most, 2);
}

TEST_P(ExecutorConformance, TheQueueClock) {
  std::stop_source stop;
  std::vector<std::thread> busy;
  std::atomic<int> running = 0;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      ActionWatcher watcher;
      watcher.started = [&] { ++running; };
      (void)executor->run(shell("exec sleep 60"), {}, watcher, stop.get_token());
    });
  }
  while (running < 2) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ActionLimits limits;
  limits.queue = std::chrono::milliseconds(60);
  Outcome outcome = run(shell("true"), limits);
  ASSERT_TRUE(std::holds_alternative<InfraFailure>(outcome));
  EXPECT_EQ(std::get<InfraFailure>(outcome).code, InfraFailure::Code::QueueTimeout);
  stop.request_stop();
  for (std::thread &thread : busy) {
    thread.join();
  }
}

TEST_P(ExecutorConformance, NothingOfOursIsOpenInATool) {
  int open = ::open("/dev/null", O_RDONLY); // without O_CLOEXEC, as libraries do
  Outcome outcome = run(shell("ls /proc/self/fd | tr '\\n' ' '"));
  ::close(open);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_EQ(std::get<ToolRun>(outcome).out, "0 1 2 3 ") << "the last is that of ls";
}

TEST_P(ExecutorConformance, WhatIsNoPlainFileIsNoOutput) {
  Action action = shell("mkdir a; ln -s /etc/passwd b; echo x > c; ln -s c d");
  action.outputs = {"a", "b", "c", "d", "e/f"};
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  const auto &outputs = std::get<ToolRun>(outcome).outputs;
  EXPECT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs.count("c"), 1U);
}

TEST_P(ExecutorConformance, NothingStays) {
  (void)run(shell("mkdir -p a/b; echo x > a/b/c; exit 1"));
  EXPECT_TRUE(!std::filesystem::exists(folder + "/scratch") || std::filesystem::is_empty(folder + "/scratch"));
}

} // namespace placid::server
