// SPDX-License-Identifier: Apache-2.0
// What the build service takes around its tools, measured inside: one action against a bare spawn, known results, equal
// actions in flight, a tool that is killed, a long queue. Prints numbers, judges none. A program of its own, so that
// nothing of a client is measured.
//
//     placid-build-bench [SECTION...]      sections: spawn hit merge loss queue (default: all)
#include "server/build/executor/host_budget.h"
#include "server/build/executor/local_executor.h"
#include "server/build/graph/broker.h"
#include "server/build/jobs/fair_queue.h"
#include "server/build/jobs/job_table.h"
#include "tests/testing/manual_loop.h"

#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

extern char **environ;

namespace placid::server {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

double millisecondsSince(Steady::time_point begin) {
  return std::chrono::duration<double, std::milli>(Steady::now() - begin).count();
}

void print(const char *name, std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%-62s p50 %8.3f ms   p99 %8.3f ms\n", name, milliseconds[milliseconds.size() / 2],
              milliseconds[milliseconds.size() * 99 / 100]);
}

std::vector<double> timed(size_t count, const std::function<void(size_t)> &call) {
  std::vector<double> out;
  for (size_t i = 0; i < count; ++i) {
    auto begin = Steady::now();
    call(i);
    out.push_back(millisecondsSince(begin));
  }
  return out;
}

/// A folder with a store, removed at the end.
struct Place {
  Place() {
    std::string name = (fs::temp_directory_path() / "placid-bench-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store.emplace(folder + "/store");
    // A budget of its own: what else runs on this machine is not waited for.
    budget.emplace(folder + "/budget", std::max(1U, std::thread::hardware_concurrency()));
    executor.emplace(*store, *budget, folder + "/scratch");
    broker.emplace(*store, *executor);
  }
  ~Place() {
    broker.reset();
    executor.reset();
    store.reset();
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string folder;
  std::optional<Store> store;
  std::optional<HostBudget> budget;
  std::optional<LocalExecutor> executor;
  std::optional<Broker> broker;
};

constexpr size_t kBytes = size_t{16} << 10;
constexpr const char *kScript = "cat in > out; echo log >&2";

/// The reference action: 16 KiB in, 16 KiB out, a line to standard error.
Action actionOf(Place &place, size_t number, const std::string &script = kScript) {
  std::string bytes(kBytes, 'x');
  bytes += std::to_string(number);
  Action out;
  out.step = "bench";
  out.argv = {"/bin/sh", "-c", script};
  out.env = {{"PATH", "/usr/bin:/bin"}};
  out.inputs = {{"in", *place.store->put(bytes)}};
  out.outputs = {"out"};
  return out;
}

void mustBeGood(const ActionResult &result) {
  const ToolRun *run = std::get_if<ToolRun>(&result.outcome);
  if (!run || run->exitCode != 0 || run->outputs.size() != 1) {
    std::fprintf(stderr, "an action went wrong\n");
    std::exit(1);
  }
}

/// The same without anything around it.
void bareSpawn(const std::string &folder) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    std::exit(1);
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
  std::string script = kScript;
  std::array<char *, 4> argv{const_cast<char *>("sh"), const_cast<char *>("-c"), script.data(), nullptr};
  pid_t pid = 0;
  if (::posix_spawn(&pid, "/bin/sh", &actions, nullptr, argv.data(), environ) != 0) {
    std::exit(1);
  }
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::array<char, 256> said{};
  while (::read(pipe[0], said.data(), said.size()) > 0) {
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
}

void spawnSection() {
  constexpr size_t kRuns = 300;
  Place place;
  std::ofstream(place.folder + "/in") << std::string(kBytes, 'x');
  // In turn, so that both meet the same machine.
  std::vector<double> bare;
  std::vector<double> whole;
  for (size_t i = 0; i < kRuns; ++i) {
    Action action = actionOf(place, i);
    auto begin = Steady::now();
    bareSpawn(place.folder);
    bare.push_back(millisecondsSince(begin));
    begin = Steady::now();
    mustBeGood(place.broker->run(action, {}, {}));
    whole.push_back(millisecondsSince(begin));
  }
  print("a bare spawn of `cat in > out; echo log >&2`", bare);
  print("the same as an action: looked for, run, kept", whole);
  std::nth_element(bare.begin(), bare.begin() + kRuns / 2, bare.end());
  std::nth_element(whole.begin(), whole.begin() + kRuns / 2, whole.end());
  std::printf("%-62s     %8.3f ms\n", "  what an action takes more (median)", whole[kRuns / 2] - bare[kRuns / 2]);
  std::vector<Action> actions;
  for (size_t i = 0; i < 2 * kRuns; ++i) {
    actions.push_back(actionOf(place, 10000 + i));
  }
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  auto begin = Steady::now();
  for (size_t i = 0; i < 2 * place.budget->slots(); ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < actions.size(); at = next++) {
        mustBeGood(place.broker->run(actions[at], {}, {}));
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  std::printf("%-62s     %8.0f a second (%zu places)\n", "such actions, as many at once as there are places",
              static_cast<double>(actions.size()) / millisecondsSince(begin) * 1e3, place.budget->slots());
}

void hitSection() {
  Place place;
  std::vector<Action> actions;
  for (size_t i = 0; i < 100; ++i) {
    actions.push_back(actionOf(place, i));
    mustBeGood(place.broker->run(actions.back(), {}, {}));
  }
  print("a known action, its 16 KiB read and checked (in the process)",
        timed(5000, [&](size_t i) { mustBeGood(place.broker->run(actions[i % actions.size()], {}, {})); }));
  std::vector<std::thread> threads;
  constexpr size_t kThreads = 8;
  constexpr size_t kEach = 2000;
  auto begin = Steady::now();
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kEach; ++i) {
        mustBeGood(place.broker->run(actions[(i * 7 + t) % actions.size()], {}, {}));
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  std::printf("%-62s     %8.0f a second\n", "known actions, 8 threads",
              kThreads * kEach / millisecondsSince(begin) * 1e3);
}

void mergeSection() {
  constexpr size_t kCallers = 1000;
  Place place;
  std::string gate = place.folder + "/gate";
  Action action = actionOf(place, 0, "while [ ! -e " + gate + " ]; do sleep 0.01; done; " + std::string(kScript));
  std::atomic<size_t> asked = 0;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kCallers; ++i) {
    threads.emplace_back([&] {
      ++asked;
      mustBeGood(place.broker->run(action, {}, {}));
    });
  }
  while (asked < kCallers) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::ofstream(gate) << "";
  for (std::thread &thread : threads) {
    thread.join();
  }
  BrokerCounters counters = place.broker->counters();
  std::printf("%-62s     %llu runs\n", "1000 equal actions at once", static_cast<unsigned long long>(counters.runs));
}

void lossSection() {
  Place place;
  std::vector<double> again;
  for (size_t i = 0; i < 20; ++i) {
    std::string mark = place.folder + "/killed" + std::to_string(i);
    Action action =
        actionOf(place, i, "[ -e " + mark + " ] || { : > " + mark + "; kill -KILL $$; }; " + std::string(kScript));
    auto begin = Steady::now();
    mustBeGood(place.broker->run(action, {}, {}));
    again.push_back(millisecondsSince(begin));
  }
  print("a tool that is killed once, until it has run again", again);
}

void queueSection() {
  constexpr size_t kActions = 100000;
  constexpr size_t kWorkers = 1000;
  std::mt19937 random(1);
  size_t before = ::mallinfo2().uordblks;
  FairQueue queue;
  std::vector<std::string> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back("tenant/" + std::to_string(i));
  }
  for (size_t i = 0; i < kActions; ++i) {
    // One of them has half of all.
    queue.push(clients[random() % 2 == 0 ? 0 : random() % clients.size()], static_cast<int>(random() % 5) - 2, i);
  }
  size_t after = ::mallinfo2().uordblks;
  // Each worker that comes free is given the next, and something new comes in its place.
  std::vector<double> decisions;
  size_t tickets = kActions;
  for (size_t free = 0; free < 20 * kWorkers; ++free) {
    auto begin = Steady::now();
    queue.pop();
    decisions.push_back(millisecondsSince(begin));
    queue.push(clients[random() % clients.size()], 0, tickets++);
  }
  print("queue of 100 000, 1000 workers: who is next", decisions);
  std::printf("%-62s     %8zu bytes each\n", "  its memory", (after - before) / kActions);

  // Builds as the job table has them, journal and all.
  constexpr size_t kBuilds = 20000;
  std::string name = (fs::temp_directory_path() / "placid-bench-XXXXXX").string();
  std::string folder = ::mkdtemp(name.data());
  {
    auto service = std::make_shared<BuildService>(folder + "/store", 1);
    testing::ManualLoop loop;
    JobLimits limits;
    limits.running = kWorkers;
    limits.queuedPerClient = kBuilds;
    std::vector<JobSink> begun;
    auto jobs = std::make_unique<JobTable>(
        service, service->store().folder(), loop,
        [&](JobCommand, std::stop_token, JobSink sink) { begun.push_back(std::move(sink)); }, limits);
    jobs->start();
    BuildRequest request;
    request.sources = {{"k.py", *service->store().put("kernel")}};
    request.leaseMs = 0;
    before = ::mallinfo2().uordblks;
    print("accepted builds, until they are in the journal", timed(kBuilds, [&](size_t i) {
            request.idempotencyKey = "build " + std::to_string(i);
            if (!jobs->submit("local", request)) {
              std::exit(1);
            }
          }));
    after = ::mallinfo2().uordblks;
    std::printf("%-62s     %8zu bytes each\n", "  a queued build in memory", (after - before) / kBuilds);
    loop.run();
    std::vector<double> begins;
    for (size_t i = 0; i < 2000 && i < begun.size(); ++i) {
      auto begin = Steady::now();
      begun[i].done(0); // and the next one is begun
      loop.run();
      begins.push_back(millisecondsSince(begin));
    }
    print("an end written, the next build begun", begins);
    jobs.reset();
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

} // namespace

int benchMain(int argc, char **argv) {
  const std::vector<std::pair<std::string, void (*)()>> sections = {{"spawn", spawnSection},
                                                                    {"hit", hitSection},
                                                                    {"merge", mergeSection},
                                                                    {"loss", lossSection},
                                                                    {"queue", queueSection}};
  for (const auto &[name, run] : sections) {
    bool wanted = argc < 2 || std::find(argv + 1, argv + argc, name) != argv + argc;
    if (wanted) {
      run();
      std::fflush(stdout);
    }
  }
  return 0;
}

} // namespace placid::server

int main(int argc, char **argv) { return placid::server::benchMain(argc, argv); }
