// SPDX-License-Identifier: Apache-2.0
// One set of expectations for the compiler in this process and behind a worker process, and what only a worker can do:
// crash, hang, be killed.
#include "server/support/crash.h"
#include "server/worker/wire.h"
#include "server/worker/worker_service.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

namespace placid::server {
namespace {

using std::chrono::milliseconds;

source::SourcePtr text(std::string content, std::string path = "a.py") {
  return std::make_shared<source::SourceText>(std::move(path), std::move(content));
}

/// A fake compiler, asked directly or through a worker.
class Conformance : public ::testing::TestWithParam<bool> {
protected:
  Conformance() {
    if (GetParam()) {
      host_.fork(fake_);
    }
  }
  compiler::CompilerService &service() {
    return GetParam() ? static_cast<compiler::CompilerService &>(worker_) : fake_;
  }

  testing::FakeCompiler fake_;
  testing::FakeCompiler expected_;
  WorkerHost host_{{}};
  Quarantine quarantine_;
  WorkerService worker_{host_, quarantine_};
};

TEST_P(Conformance, TheSameBytes) {
  compiler::Options options;
  options.arch = "a5";
  options.defines = {{"N", "4"}};
  compiler::IrRequest request;
  request.all = true;
  for (const char *content :
       {"", "ERR WARN BADUSE pl.NZ OTHER ICE", "import pypto\nLOAD BADNZ pl.NZ", "\xff\xfe odd", "ERR ERR ERR"}) {
    source::SourcePtr given = text(content);
    EXPECT_EQ(wireBytes(service().check(given, options, {})), wireBytes(expected_.check(given, options, {})));
    EXPECT_EQ(wireBytes(service().inspect(given, options, {})), wireBytes(expected_.inspect(given, options, {})));
    EXPECT_EQ(wireBytes(service().ir(given, options, request, {})),
              wireBytes(expected_.ir(given, options, request, {})));
    EXPECT_EQ(wireBytes(service().lower(given, options, {})), wireBytes(expected_.lower(given, options, {})));
  }
  EXPECT_EQ(service().passNames(), expected_.passNames());
}

TEST_P(Conformance, ModulesComeFromTheCaller) {
  auto sources = std::make_shared<source::FixedSources>();
  sources->add("/config.py", "A = 1\n");
  compiler::Options options;
  options.sources = sources;
  for (int round = 0; round < 3; ++round) {
    compiler::CheckResult got = service().check(text("USES=/config.py ERR"), options, {});
    EXPECT_EQ(got.modulesRead, std::vector<std::string>{"/config.py"});
    EXPECT_EQ(got.counts.errors, 1U);
  }
}

TEST_P(Conformance, AStopThatCameBeforeIsHonoured) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(service().check(text("ERR"), {}, stop.get_token()).stopped);
}

INSTANTIATE_TEST_SUITE_P(Services, Conformance, ::testing::Bool(),
                         [](const auto &each) { return each.param ? "Worker" : "InProcess"; });

class Worker : public ::testing::Test {
protected:
  Worker() { host_.fork(fake_); }
  static WorkerPolicy policy() {
    WorkerPolicy out;
    out.callDeadline = milliseconds(1000);
    return out;
  }
  compiler::CheckResult check(const std::string &content, std::stop_token stop = {}) {
    return worker_.check(text(content), {}, std::move(stop));
  }

  testing::FakeCompiler fake_;
  WorkerHost host_{{}};
  Quarantine quarantine_;
  WorkerService worker_{host_, quarantine_, policy()};
};

TEST_F(Worker, ACrashIsADiagnosticAndIsNotRepeated) {
  if (sanitized()) {
    GTEST_SKIP() << "a sanitizer reports crashes itself";
  }
  compiler::CheckResult crashed = check("CRASH");
  ASSERT_EQ(crashed.diagnostics.size(), 1U);
  EXPECT_EQ(crashed.diagnostics[0].code, diag::InternalError.code);
  EXPECT_EQ(worker_.status().crashes, 2U);
  EXPECT_EQ(check("CRASH").diagnostics.size(), 1U);
  EXPECT_EQ(worker_.status().crashes, 2U) << "in quarantine";
  EXPECT_EQ(check("ERR").counts.errors, 1U);
  EXPECT_EQ(check("CRASH2").diagnostics[0].code, diag::InternalError.code) << "another text is tried";
  EXPECT_EQ(worker_.status().crashes, 4U);
}

TEST_F(Worker, AHangEnds) {
  compiler::CheckResult hung = check("HANG");
  ASSERT_EQ(hung.diagnostics.size(), 1U);
  EXPECT_EQ(hung.diagnostics[0].code, diag::InternalError.code);
  EXPECT_EQ(quarantine_.size(), 1U);
  EXPECT_EQ(check("ERR").counts.errors, 1U);
}

TEST_F(Worker, AStopThatIsNotHonouredEndsTheProcess) {
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(milliseconds(50));
    stop.request_stop();
  });
  EXPECT_TRUE(check("HANG", stop.get_token()).stopped);
  EXPECT_EQ(quarantine_.size(), 0U) << "nobody waited for it long enough to blame it";
  EXPECT_EQ(check("ERR").counts.errors, 1U);
}

TEST_F(Worker, AKilledWorkerIsReplacedAndNothingIsLost) {
  for (int round = 0; round < 20; ++round) {
    worker_.warm();
    pid_t pid = worker_.status().pid;
    ASSERT_GT(pid, 0);
    ::kill(pid, SIGKILL);
    EXPECT_EQ(check("ERR" + std::to_string(round)).counts.errors, 1U);
    EXPECT_NE(worker_.status().pid, pid);
  }
  EXPECT_EQ(quarantine_.size(), 0U);
}

TEST_F(Worker, WornWorkersAreReplaced) {
  WorkerPolicy worn;
  worn.maxCalls = 3;
  WorkerService recycled(host_, quarantine_, worn);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(recycled.check(text("ERR"), {}, {}).counts.errors, 1U);
  }
  EXPECT_EQ(recycled.status().restarts, 3U);
  EXPECT_EQ(recycled.status().crashes, 0U);
}

TEST_F(Worker, WorkersEndWithTheirSocket) {
  pid_t pid = -1;
  {
    WorkerService one(host_, quarantine_);
    one.warm();
    pid = one.status().pid;
    ASSERT_GT(pid, 0);
  }
  for (int i = 0; i < 500; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string id;
    std::string name;
    std::string state;
    if (!(stat >> id >> name >> state) || state == "Z") {
      return;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  FAIL() << "worker " << pid << " is still there";
}

TEST(LargeWorker, RestsWhenNobodyHasAskedForLong) {
  testing::FakeCompiler fake;
  WorkerHost host{{}};
  host.fork(fake);
  Quarantine quarantine;
  WorkerPolicy policy;
  policy.largeTextBytes = 1000;
  policy.largeRssBytes = UINT64_MAX;
  WorkerService worker(host, quarantine, policy);
  worker.check(text("ERR"), {}, {});
  const pid_t first = worker.status().pid;
  ASSERT_GT(first, 0);
  worker.retireLarge(std::chrono::seconds(0));
  EXPECT_EQ(worker.status().pid, first) << "it is small";
  worker.check(text("ERR " + std::string(1000, 'x')), {}, {});
  worker.retireLarge(std::chrono::hours(1));
  EXPECT_EQ(worker.status().pid, first) << "it has just been used";
  worker.retireLarge(std::chrono::seconds(0));
  EXPECT_EQ(worker.status().pid, -1);
  EXPECT_EQ(worker.check(text("ERR"), {}, {}).counts.errors, 1U);
  worker.retireLarge(std::chrono::seconds(0));
  EXPECT_GT(worker.status().pid, 0) << "what the one before was given counts no more";
}

TEST(BackgroundWorker, GivesWayAndRests) {
  testing::FakeCompiler fake;
  WorkerHost host{{}};
  host.fork(fake);
  Quarantine quarantine;
  WorkerPolicy policy;
  policy.niceness = std::max(::getpriority(PRIO_PROCESS, 0), 0) + 1;
  if (policy.niceness > 19) {
    GTEST_SKIP() << "there is no lower priority than that of this process";
  }
  WorkerService worker(host, quarantine, policy);
  EXPECT_EQ(worker.check(text("ERR"), {}, {}).counts.errors, 1U);
  pid_t first = worker.status().pid;
  ASSERT_GT(first, 0);
  EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(first)), policy.niceness);
  EXPECT_EQ(::getsid(first), first) << "in a session with others its work is held against them";
  worker.retire(std::chrono::hours(1));
  EXPECT_EQ(worker.status().pid, first) << "it has just been used";
  worker.retire(std::chrono::seconds(0));
  EXPECT_EQ(worker.status().pid, -1);
  EXPECT_EQ(worker.check(text("ERR"), {}, {}).counts.errors, 1U);
  EXPECT_GT(worker.status().pid, 0);
  EXPECT_EQ(worker.status().restarts, 0U) << "nothing went wrong";
}

} // namespace
} // namespace placid::server
