// SPDX-License-Identifier: Apache-2.0
#include "server/scheduler/scheduler.h"
#include "server/scheduler/thread_runner.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

namespace placid::server {
namespace {

using std::chrono::milliseconds;

struct SchedulerTest : ::testing::Test {
  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  testing::ManualRunner runner;
  Scheduler scheduler{compiler, runner, loop};
  std::vector<std::string> delivered;

  void update(DocumentId id, const std::string &text) {
    scheduler.update(id, {std::make_shared<source::SourceText>("a.py", text), {}, [this, text](compiler::CheckResult) {
                            delivered.push_back(text);
                          }});
  }
  void request(const std::string &name, std::stop_token stop = {}) {
    scheduler.request({[](compiler::CompilerService &, std::stop_token) {}, [this, name] { delivered.push_back(name); },
                       std::move(stop)});
  }
  /// Finishes jobs until nothing is left to do.
  void drain() {
    do {
      loop.run();
    } while (runner.runOne() || loop.runOne());
  }
};

using Names = std::vector<std::string>;

TEST_F(SchedulerTest, NewerTextsReplaceWaitingOnes) {
  DocumentId id = scheduler.open();
  for (const char *text : {"1", "2", "3", "4"}) {
    update(id, text);
  }
  drain();
  EXPECT_EQ(delivered, Names{"4"});
  EXPECT_EQ(compiler.checks, 2); // the first had begun
  EXPECT_TRUE(scheduler.idle());
}

TEST_F(SchedulerTest, WhatArrivesTogetherIsDecidedOnTogether) {
  DocumentId id = scheduler.open();
  {
    Scheduler::Gather gather(scheduler);
    update(id, "1");
    update(id, "2");
    request("r");
    Scheduler::Gather inner(scheduler);
    drain();
    EXPECT_TRUE(delivered.empty());
  }
  drain();
  EXPECT_EQ(delivered, (Names{"r", "2"}));
  EXPECT_EQ(compiler.checks, 1);
}

TEST_F(SchedulerTest, ARunningCheckIsAskedToStop) {
  DocumentId id = scheduler.open();
  std::vector<bool> stopped;
  compiler.onWork = [&](const source::SourceText &, const std::stop_token &stop) {
    stopped.push_back(stop.stop_requested());
  };
  update(id, "1");
  update(id, "2");
  drain();
  EXPECT_EQ(stopped, (std::vector<bool>{true, false}));
}

TEST_F(SchedulerTest, SteadyTypingStillGetsResults) {
  DocumentId id = scheduler.open();
  for (int i = 0; i < 20; ++i) {
    update(id, std::to_string(i));
    loop.advance(milliseconds(100));
    runner.runOne();
    update(id, std::to_string(i) + "b");
    loop.run();
  }
  EXPECT_GE(delivered.size(), 3U);
  EXPECT_LE(delivered.size(), 5U);
  drain();
  EXPECT_EQ(delivered.back(), "19b");
}

TEST_F(SchedulerTest, NothingIsDeliveredAfterClose) {
  DocumentId waiting = scheduler.open();
  DocumentId running = scheduler.open();
  DocumentId finished = scheduler.open();
  update(finished, "finished");
  runner.runOne(); // its result is posted, not yet taken
  update(waiting, "waiting");
  scheduler.close(finished);
  loop.run();
  update(running, "running");
  scheduler.close(waiting);
  runner.runOne();
  loop.run();
  scheduler.close(running);
  drain();
  EXPECT_EQ(delivered, Names{});
  EXPECT_TRUE(scheduler.idle());
}

TEST_F(SchedulerTest, AnOldResultIsNotTakenForAReopenedDocument) {
  DocumentId id = scheduler.open();
  update(id, "old");
  scheduler.close(id);
  update(id, "new");
  drain();
  EXPECT_EQ(delivered, Names{"new"});
}

TEST_F(SchedulerTest, RequestsGoFirstButDoNotStarveChecks) {
  DocumentId id = scheduler.open();
  DocumentId other = scheduler.open();
  update(other, "other"); // occupies the compile thread
  update(id, "check");
  for (int i = 0; i < 6; ++i) {
    request("r" + std::to_string(i));
  }
  drain();
  EXPECT_EQ(delivered, (Names{"other", "r0", "r1", "r2", "r3", "check", "r4", "r5"}));
}

TEST_F(SchedulerTest, WhatSomebodyTypesForGoesBeforeTheRestOfItsClient) {
  ClientId one = scheduler.newClient();
  ClientId other = scheduler.newClient();
  auto ask = [&](ClientId client, const std::string &name, bool urgent) {
    RequestJob job;
    job.work = [](compiler::CompilerService &, std::stop_token) {};
    job.done = [this, name] { delivered.push_back(name); };
    job.client = client;
    job.urgent = urgent;
    scheduler.request(std::move(job));
  };
  ask(one, "hints", false);
  ask(one, "lenses", false);
  ask(one, "completion", true);
  ask(one, "signature", true);
  ask(other, "another's hints", false);
  drain();
  EXPECT_EQ(delivered, (Names{"hints", "another's hints", "completion", "signature", "lenses"}));
}

TEST_F(SchedulerTest, AStoppedRequestIsSkippedButStillDone) {
  DocumentId id = scheduler.open();
  update(id, "check");
  std::stop_source stop;
  int worked = 0;
  int done = 0;
  scheduler.request(
      {[&](compiler::CompilerService &, std::stop_token) { ++worked; }, [&] { ++done; }, stop.get_token()});
  stop.request_stop();
  drain();
  EXPECT_EQ(worked, 0);
  EXPECT_EQ(done, 1);
}

TEST_F(SchedulerTest, AThrowBecomesADiagnostic) {
  DocumentId id = scheduler.open();
  compiler::CheckResult got;
  scheduler.update(id, {std::make_shared<source::SourceText>("a.py", "THROW"), {}, [&](compiler::CheckResult result) {
                          got = std::move(result);
                        }});
  scheduler.request({[](compiler::CompilerService &service, std::stop_token) {
                       service.inspect(std::make_shared<source::SourceText>("a.py", "THROW"), {}, {});
                     },
                     [this] { delivered.push_back("done"); },
                     {}});
  drain();
  ASSERT_EQ(got.diagnostics.size(), 1U);
  EXPECT_EQ(got.diagnostics[0].code, diag::InternalError.code);
  EXPECT_EQ(delivered, Names{"done"});
}

TEST_F(SchedulerTest, DocumentsTakeTurns) {
  DocumentId first = scheduler.open();
  DocumentId second = scheduler.open();
  update(first, "a1");
  update(second, "b1");
  update(first, "a2");
  update(second, "b2");
  drain();
  EXPECT_EQ(delivered, (Names{"b2", "a2"}));
}

TEST_F(SchedulerTest, ShutdownForgetsEverything) {
  DocumentId id = scheduler.open();
  update(id, "1");
  update(id, "2");
  request("r");
  scheduler.shutdown();
  drain();
  EXPECT_EQ(delivered, Names{});
  EXPECT_TRUE(scheduler.idle());
}

/// Two lanes for everybody and one in the background. What each has been given to do can be counted.
struct BackgroundTest : ::testing::Test {
  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  testing::ManualRunner first;
  testing::ManualRunner second;
  testing::ManualRunner background;
  Scheduler scheduler{{{compiler, first}, {compiler, second}, {compiler, background, true}}, loop};

  void edit(DocumentId id) {
    scheduler.update(id, {std::make_shared<source::SourceText>("a.py", "x"), {}, [](compiler::CheckResult) {}});
  }
  void batch(int count) {
    for (int i = 0; i < count; ++i) {
      scheduler.batch({[](compiler::CompilerService &, std::stop_token) {}, [] {}, {}});
    }
  }
  std::vector<size_t> given() const { return {first.waiting(), second.waiting(), background.waiting()}; }
};

using Given = std::vector<size_t>;

TEST_F(BackgroundTest, BatchIsInTheBackgroundWhileSomebodyEdits) {
  EXPECT_EQ(scheduler.lanes(), 2U);
  DocumentId id = scheduler.open();
  edit(id);
  batch(3);
  EXPECT_EQ(given(), (Given{1, 0, 1}));
  first.runOne();
  background.runOne();
  loop.run();
  EXPECT_EQ(given(), (Given{0, 0, 1}));
  edit(scheduler.open());
  edit(scheduler.open());
  EXPECT_EQ(given(), (Given{1, 1, 1})); // editors have every other lane
}

TEST_F(BackgroundTest, BatchGivesWayToADocumentWhoseClientAsks) {
  DocumentId id = scheduler.open();
  scheduler.edited(id);
  batch(3);
  EXPECT_EQ(given(), (Given{0, 0, 1}));
  scheduler.close(id);
  background.runOne();
  loop.run();
  EXPECT_EQ(given(), (Given{1, 1, 0}));
}

TEST_F(BackgroundTest, BatchTakesOneMoreLaneWhenNobodyHasEditedForLong) {
  edit(scheduler.open());
  first.runOne();
  loop.run();
  loop.advance(milliseconds(2000));
  batch(3);
  EXPECT_EQ(given(), (Given{0, 1, 1}));
}

TEST_F(BackgroundTest, BatchThatWaitsTakesTheLaneOnceNobodyEdits) {
  DocumentId id = scheduler.open();
  edit(id);
  first.runOne();
  loop.run();
  batch(3);
  EXPECT_EQ(given(), (Given{0, 0, 1}));
  loop.advance(milliseconds(1000));
  edit(id);
  first.runOne();
  loop.run();
  loop.advance(milliseconds(1000));
  loop.run();
  EXPECT_EQ(given(), (Given{0, 0, 1})); // edited again meanwhile
  loop.advance(milliseconds(1000));
  loop.run();
  EXPECT_EQ(given(), (Given{0, 1, 1}));
}

TEST_F(BackgroundTest, NothingIsInTheBackgroundWhenNoDocumentIsOpen) {
  DocumentId id = scheduler.open();
  edit(id);
  scheduler.close(id);
  first.runOne();
  loop.run();
  batch(3);
  EXPECT_EQ(given(), (Given{1, 1, 0}));
}

TEST_F(BackgroundTest, ADocumentNeverWaitsForTheBackground) {
  DocumentId id = scheduler.open();
  edit(id);
  edit(scheduler.open());
  edit(scheduler.open());
  EXPECT_EQ(given(), (Given{1, 1, 0}));
  EXPECT_EQ(scheduler.waiting(), 1U);
}

TEST_F(BackgroundTest, WhatSomebodyTypesForDoesNotWaitBehindTheRest) {
  ClientId client = scheduler.newClient();
  DocumentId id = scheduler.open();
  std::vector<std::string> done;
  auto ask = [&](const std::string &name, bool urgent) {
    RequestJob job;
    job.work = [](compiler::CompilerService &, std::stop_token) {};
    job.done = [&done, name] { done.push_back(name); };
    job.client = client;
    job.document = id;
    job.urgent = urgent;
    scheduler.request(std::move(job));
  };
  ask("hints", false);
  ask("lenses", false);
  EXPECT_EQ(given(), (Given{1, 0, 0})) << "one after the other";
  ask("completion", true);
  EXPECT_EQ(given(), (Given{1, 1, 0}));
  ask("signature", true);
  EXPECT_EQ(scheduler.waiting(), 2U) << "one beside the rest is enough";
  second.runOne();
  loop.run();
  EXPECT_EQ(done, Names{"completion"});
  EXPECT_EQ(given(), (Given{1, 1, 0})) << "then the signature, not the lenses";
  second.runOne();
  loop.run();
  first.runOne(); // the document is at home here still
  loop.run();
  EXPECT_EQ(given(), (Given{1, 0, 0}));
  first.runOne();
  loop.run();
  EXPECT_EQ(done, (Names{"completion", "signature", "hints", "lenses"}));
  // Beside a check of its document too; never in the background.
  edit(id);
  ask("completion", true);
  edit(scheduler.open());
  ask("signature", true);
  EXPECT_EQ(given(), (Given{1, 1, 0}));
  EXPECT_EQ(scheduler.waiting(), 2U);
}

/// The real thread, held at a known point: order is fixed without sleeping.
TEST(ThreadRunner, RunsInOrderAndFinishesTheRunningJob) {
  std::mutex mutex;
  std::condition_variable changed;
  bool hold = true;
  bool started = false;
  std::vector<int> ran;
  {
    ThreadRunner runner;
    runner.run([&] {
      std::unique_lock lock(mutex);
      started = true;
      changed.notify_all();
      changed.wait(lock, [&] { return !hold; });
      ran.push_back(1);
    });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return started; });
    hold = false;
    changed.notify_all();
  }
  EXPECT_EQ(ran, std::vector<int>{1});
}

} // namespace
} // namespace placid::server
