// SPDX-License-Identifier: Apache-2.0
#include "server/build/graph/broker.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

/// Answers from a list; an action waits at the gate while it is closed.
class ScriptedExecutor final : public Executor {
public:
  explicit ScriptedExecutor(Store &store) : store_(store) {}
  ExecutorCaps caps() const override { return {"scripted", true, true, 4}; }
  Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
              std::stop_token stop) override {
    int number = runs++;
    memory = limits.memoryBytes;
    if (watcher.log) {
      watcher.log(Stream::Err, 0, "said");
    }
    while (closed && !stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (stop.stop_requested()) {
      ++cancelled;
      return Cancelled{};
    }
    MutexLock lock(mutex_);
    if (static_cast<size_t>(number) < script.size()) {
      return script[static_cast<size_t>(number)];
    }
    ToolRun run;
    run.err = "said";
    for (const std::string &output : action.outputs) {
      run.outputs[output] = *store_.put("made " + output);
    }
    return run;
  }
  std::atomic<int> runs = 0, cancelled = 0;
  std::atomic<uint64_t> memory = 0; ///< That the last run could have.
  std::atomic<bool> closed = false;
  std::vector<Outcome> script; ///< Set before the first run.

private:
  Store &store_;
  Mutex mutex_;
};

class BrokerTest : public ::testing::Test {
protected:
  BrokerTest() {
    std::string name = (fs::temp_directory_path() / "placid-broker-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store = std::make_unique<Store>(folder + "/store");
    executor = std::make_unique<ScriptedExecutor>(*store);
    BrokerPolicy policy;
    policy.firstPause = std::chrono::milliseconds(1);
    broker = std::make_unique<Broker>(*store, *executor, policy);
    action.step = "ptoas";
    action.argv = {"@t@"};
    action.outputs = {"out"};
  }
  ~BrokerTest() override {
    broker.reset();
    std::error_code error;
    fs::remove_all(folder, error);
  }
  ActionResult run(const Action &what) { return broker->run(what, {}, {}); }
  static const ToolRun &tool(const ActionResult &result) { return std::get<ToolRun>(result.outcome); }

  std::string folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<ScriptedExecutor> executor;
  std::unique_ptr<Broker> broker;
  Action action;
};

TEST_F(BrokerTest, WhatIsKnownIsNotRunAgain) {
  ActionResult first = run(action);
  ActionResult second = run(action);
  EXPECT_EQ(first.from, ActionResult::From::Run);
  EXPECT_EQ(second.from, ActionResult::From::Cache);
  EXPECT_EQ(executor->runs, 1);
  EXPECT_EQ(tool(first).outputs, tool(second).outputs);
  EXPECT_EQ(tool(second).err, "said");
  action.argv.emplace_back("-x");
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST_F(BrokerTest, AResultWhoseBlobIsGoneOrDamagedRunsAgain) {
  Digest made = tool(run(action)).outputs.at("out");
  std::string blob = folder + "/store/cas/" + made.hex.substr(0, 2) + "/" + made.hex;
  fs::remove(blob);
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  fs::permissions(blob, fs::perms::owner_all);
  std::ofstream(blob) << "MADE out";
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(*store->get(made), "made out") << "healed";
  EXPECT_EQ(run(action).from, ActionResult::From::Cache);
}

TEST_F(BrokerTest, WhoLacksMemoryGetsTwiceAsMuchOnce) {
  InfraFailure lacking{InfraFailure::Code::Memory, "too much", true};
  executor->script = {lacking, lacking};
  ActionLimits limits;
  limits.memoryBytes = 1000;
  ActionResult given = broker->run(action, limits, {});
  ASSERT_TRUE(std::holds_alternative<InfraFailure>(given.outcome));
  EXPECT_EQ(std::get<InfraFailure>(given.outcome).code, InfraFailure::Code::Memory);
  EXPECT_EQ(executor->runs, 2);
  EXPECT_EQ(executor->memory, 2000U);
  EXPECT_EQ(broker->run(action, limits, {}).from, ActionResult::From::Run) << "not remembered";
  EXPECT_EQ(executor->memory, 1000U);
}

TEST_F(BrokerTest, ARefusalIsRememberedACrashIsNot) {
  ToolRun refusal;
  refusal.exitCode = 1;
  refusal.err = "error: no";
  ToolRun crash;
  crash.signal = SIGSEGV;
  executor->script = {refusal, crash};
  EXPECT_EQ(tool(run(action)).exitCode, 1);
  ActionResult again = run(action);
  EXPECT_EQ(again.from, ActionResult::From::Cache);
  EXPECT_EQ(tool(again).err, "error: no");
  action.argv.emplace_back("-x");
  EXPECT_EQ(tool(run(action)).signal, SIGSEGV);
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST_F(BrokerTest, ARefusalIsForgottenInTimeASuccessIsNot) {
  constexpr int64_t kSecond = 1000000000;
  std::atomic<int64_t> now = 1000 * kSecond;
  StoreOptions options;
  options.now = [&] { return now.load(); };
  Store timed(folder + "/timed", options);
  ScriptedExecutor scripted(timed);
  ToolRun refusal;
  refusal.exitCode = 1;
  scripted.script = {refusal, refusal};
  BrokerPolicy policy;
  policy.failureSeconds = 100;
  Broker own(timed, scripted, policy);
  auto from = [&] { return own.run(action, {}, {}).from; };
  EXPECT_EQ(from(), ActionResult::From::Run);
  now += 99 * kSecond;
  EXPECT_EQ(from(), ActionResult::From::Cache);
  now += 2 * kSecond;
  EXPECT_EQ(from(), ActionResult::From::Run) << "its time is over";
  now += 101 * kSecond;
  EXPECT_EQ(from(), ActionResult::From::Run) << "it succeeds by now";
  now += 100000 * kSecond;
  EXPECT_EQ(from(), ActionResult::From::Cache);
}

TEST_F(BrokerTest, SuccessWithoutTheOutputIsNotRemembered) {
  executor->script = {ToolRun{}};
  EXPECT_TRUE(tool(run(action)).outputs.empty());
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST_F(BrokerTest, InfrastructureIsTriedAgainAndNeverRemembered) {
  InfraFailure passing{InfraFailure::Code::System, "gone", true};
  executor->script = {passing, passing};
  ActionResult result = run(action);
  EXPECT_TRUE(std::holds_alternative<ToolRun>(result.outcome));
  EXPECT_EQ(result.attempts, 3);
  EXPECT_EQ(broker->counters().retries, 2U);
}

TEST_F(BrokerTest, AttemptsHaveAnEnd) {
  executor->script = std::vector<Outcome>(20, InfraFailure{InfraFailure::Code::Space, "full", true});
  ActionResult result = run(action);
  EXPECT_TRUE(std::holds_alternative<InfraFailure>(result.outcome));
  EXPECT_EQ(result.attempts, 4);
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(executor->runs, 8);
}

TEST_F(BrokerTest, WhatTakesTooMuchMemoryIsTriedOnceMore) {
  executor->script = std::vector<Outcome>(20, InfraFailure{InfraFailure::Code::Killed, "gone", true});
  EXPECT_EQ(run(action).attempts, 2);
}

TEST_F(BrokerTest, RowsOfAnyShapeAreNoResults) {
  const std::string key = "action:" + run(action).key.hex;
  for (const char *row : {R"({"form":"x"})", R"({"form":1,"exit":[],"out":3,"err":{}})", "[1]", "null", "{",
                          R"({"form":1,"exit":0,"out":"","err":"","reads":[],"outputs":[]})",
                          R"({"form":1,"exit":1e300,"outputs":{"out":[]},"reads":{"a":1}})"}) {
    store->remember(key, row, 0);
    EXPECT_EQ(run(action).from, ActionResult::From::Run) << row;
  }
}

TEST_F(BrokerTest, WhatChangedWhileTheToolRanIsNotRemembered) {
  std::string header = folder + "/header.h";
  std::ofstream(header) << "one";
  fs::last_write_time(header, fs::file_time_type::clock::now() + std::chrono::hours(1));
  ToolRun made;
  made.outputs = {{"out", *store->put("object")}, {"k.d", *store->put("k.o: k.cpp " + header + "\n")}};
  action.depFile = "k.d";
  executor->script = {made, made};
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST_F(BrokerTest, WhatCannotHelpIsNotTriedAgain) {
  executor->script = {InfraFailure{InfraFailure::Code::NoProgram, "no such file", false}};
  EXPECT_EQ(run(action).attempts, 1);
  executor->script.clear();
}

TEST_F(BrokerTest, AStoppedToolIsNotTriedAgain) {
  executor->script = {ToolStopped{}};
  ActionResult result = run(action);
  EXPECT_TRUE(std::holds_alternative<ToolStopped>(result.outcome));
  EXPECT_EQ(result.attempts, 1);
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST_F(BrokerTest, EqualActionsInFlightRunOnce) {
  executor->closed = true;
  std::vector<std::thread> threads;
  std::atomic<int> good = 0, merged = 0, heard = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      ActionResult result = broker->run(
          action, {}, {}, [&](Stream, uint64_t, std::string_view bytes) { heard += bytes == "said" ? 1 : 0; });
      good += std::holds_alternative<ToolRun>(result.outcome) ? 1 : 0;
      merged += result.from == ActionResult::From::Merged ? 1 : 0;
    });
  }
  while (broker->counters().merged < 7) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  executor->closed = false;
  for (std::thread &thread : threads) {
    thread.join();
  }
  EXPECT_EQ(executor->runs, 1);
  EXPECT_EQ(good, 8);
  EXPECT_EQ(merged, 7);
}

TEST_F(BrokerTest, AListenerThatNeverComesBackHoldsNobodyElse) {
  executor->closed = true;
  std::atomic<bool> stalled = false, released = false;
  std::thread slow([&] {
    (void)broker->run(action, {}, {}, [&](Stream, uint64_t, std::string_view) {
      stalled = true;
      while (!released) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  });
  while (!stalled) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  executor->closed = false;
  std::string heard;
  ActionResult result = broker->run(action, {}, {}, [&](Stream, uint64_t, std::string_view bytes) { heard += bytes; });
  EXPECT_TRUE(std::holds_alternative<ToolRun>(result.outcome));
  EXPECT_TRUE(heard == "said" || result.from == ActionResult::From::Cache);
  released = true;
  slow.join();
  EXPECT_EQ(executor->runs, 1);
}

TEST_F(BrokerTest, ARefusalIsForgottenWhenAHeaderIsMended) {
  std::string header = folder + "/header.h";
  std::ofstream(header) << "#error no";
  ToolRun refusal;
  refusal.exitCode = 1;
  refusal.outputs = {{"k.d", *store->put("k.o: k.cpp " + header + "\n")}};
  ToolRun silent;
  silent.exitCode = 1;
  action.depFile = "k.d";
  executor->script = {refusal, refusal, silent, silent};
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(run(action).from, ActionResult::From::Cache);
  std::ofstream(header) << "// mended";
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  action.argv.emplace_back("-x");
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(run(action).from, ActionResult::From::Run) << "nobody knows what it had read";
}

TEST_F(BrokerTest, ARunEndsWithItsLastWaiter) {
  executor->closed = true;
  std::stop_source first, second;
  std::atomic<int> left = 0;
  auto wait = [&](std::stop_source &stop) {
    ActionResult result = broker->run(action, {}, stop.get_token());
    left += std::holds_alternative<Cancelled>(result.outcome) ? 1 : 0;
  };
  std::thread one([&] { wait(first); });
  std::thread other([&] { wait(second); });
  // At the gate, or a run that begins late would find what the last one here has made.
  while (broker->counters().merged < 1 || executor->runs < 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  first.request_stop();
  one.join();
  EXPECT_EQ(left, 1);
  EXPECT_EQ(executor->cancelled, 0) << "somebody still waits";
  second.request_stop();
  other.join();
  EXPECT_EQ(left, 2);
  executor->closed = false;
  // Who comes now gets a run of their own, not the one that is ending.
  EXPECT_TRUE(std::holds_alternative<ToolRun>(run(action).outcome));
  broker.reset();
  EXPECT_EQ(executor->cancelled, 1);
}

TEST_F(BrokerTest, WhatWasReadFromOutsideHasToBeAsItWas) {
  std::string header = folder + "/header.h";
  std::ofstream(header) << "one";
  ToolRun made;
  made.outputs = {{"out", *store->put("object")}, {"k.d", *store->put("k.o: k.cpp \\\n " + header + "\n")}};
  action.depFile = "k.d";
  executor->script = {made, made};
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
  EXPECT_EQ(run(action).from, ActionResult::From::Cache);
  std::ofstream(header) << "two";
  EXPECT_EQ(run(action).from, ActionResult::From::Run);
}

TEST(MakeRules, Files) {
  EXPECT_EQ(filesOfMakeRule("k.o: k.cpp /a/b.h \\\n  /with\\ space.h /d$$.h\n\n/a/b.h:\n"),
            (std::vector<std::string>{"k.cpp", "/a/b.h", "/with space.h", "/d$.h"}));
  EXPECT_TRUE(filesOfMakeRule("").empty());
  EXPECT_TRUE(filesOfMakeRule("no rule").empty());
}

} // namespace
} // namespace placid::server
