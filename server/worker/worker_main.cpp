// SPDX-License-Identifier: Apache-2.0
#include "server/worker/worker_main.h"

#include "server/store/limited_service.h"
#include "server/support/crash.h"
#include "server/support/heap_trim.h"
#include "server/support/process.h"
#include "server/worker/calls.h"
#include "server/worker/channel.h"
#include "server/worker/wire.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <exception>
#include <map>
#include <set>
#include <thread>

namespace placid::server {

namespace {

/// After an answer, the processor belongs to those who pass it on; what the compiler can do later waits for so long.
constexpr std::chrono::milliseconds kQuiet{3};
/// After so long nobody types: freed memory is given back.
constexpr std::chrono::milliseconds kLongQuiet{3000};

void limitCpu(uint64_t seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  rlimit limit{};
  ::getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds;
  ::setrlimit(RLIMIT_CPU, &limit);
}

/// What the reading thread hands to the compiling one.
class Inbox {
public:
  void put(std::deque<std::string> &queue, std::string bytes) {
    {
      MutexLock lock(mutex_);
      queue.push_back(std::move(bytes));
    }
    wake_.notifyAll();
  }
  void putCall(std::string bytes) { put(calls_, std::move(bytes)); }
  void putAnswer(std::string bytes) { put(answers_, std::move(bytes)); }
  std::string takeCall(std::stop_source &stop) {
    std::string call = take(calls_);
    MutexLock lock(mutex_);
    stop_ = stop;
    if (std::exchange(stopEarly_, false)) {
      stop_.request_stop();
    }
    return call;
  }
  std::string takeAnswer() { return take(answers_); }
  /// Whether a call comes before `quiet` is over.
  bool expectCall(std::chrono::milliseconds quiet) {
    auto deadline = std::chrono::steady_clock::now() + quiet;
    MutexLock lock(mutex_);
    while (calls_.empty()) {
      if (!wake_.waitUntil(mutex_, deadline)) {
        return !calls_.empty();
      }
    }
    return true;
  }
  void stopRunning() {
    MutexLock lock(mutex_);
    // A call that is still in the queue is the one that is meant.
    stopEarly_ = !calls_.empty();
    if (!stopEarly_) {
      stop_.request_stop();
    }
  }

private:
  std::string take(std::deque<std::string> &queue) {
    MutexLock lock(mutex_);
    while (queue.empty()) {
      wake_.wait(mutex_);
    }
    std::string bytes = std::move(queue.front());
    queue.pop_front();
    return bytes;
  }

  Mutex mutex_;
  Condition wake_;
  std::deque<std::string> calls_;   // guarded by mutex_
  std::deque<std::string> answers_; // guarded by mutex_
  std::stop_source stop_ PLACID_GUARDED_BY(mutex_);
  bool stopEarly_ PLACID_GUARDED_BY(mutex_) = false;
};

/// The daemon's texts, asked for over the channel. Of one call: each question is asked once. The compiling thread.
class RemoteSources final : public source::SourceProvider {
public:
  RemoteSources(Channel &channel, Inbox &inbox, TextShelf &modules)
      : channel_(channel), inbox_(inbox), modules_(modules) {}

  source::SourcePtr load(const std::string &path) override { return answer({path, true}).text; }
  bool exists(const std::string &path) override { return answer({path, false}).found; }
  void foresee(const std::vector<SourceAnswer> &answers) {
    for (const SourceAnswer &given : answers) {
      take(given);
    }
  }
  std::vector<SourceQuestion> asked() const { return {asked_.begin(), asked_.end()}; }

private:
  struct Known {
    bool found = false;
    source::SourcePtr text;
  };

  const Known &answer(const SourceQuestion &question) {
    asked_.insert(question);
    auto found = known_.find(question);
    if (found != known_.end()) {
      return found->second;
    }
    SourceAnswer given;
    bool told = channel_.send(FrameKind::Want, wireBytes(question)) && fromWire(inbox_.takeAnswer(), given) &&
                given.question == question;
    if (!told) {
      ::_exit(1);
    }
    return take(given);
  }

  const Known &take(const SourceAnswer &given) {
    Known known{given.found, nullptr};
    if (given.found && given.question.load) {
      known.text = modules_.decode(given.text);
      if (!known.text) {
        ::_exit(1);
      }
    }
    return known_[given.question] = std::move(known);
  }

  Channel &channel_;
  Inbox &inbox_;
  TextShelf &modules_;
  std::map<SourceQuestion, Known> known_;
  std::set<SourceQuestion> asked_;
};

std::string answer(compiler::CompilerService &compiler, const WorkerCall &call, const source::SourcePtr &text,
                   const std::stop_token &stop) {
  switch (call.method) {
  case WorkerMethod::Check:
    return wireBytes(compiler.check(text, call.options, stop));
  case WorkerMethod::Inspect:
    return wireBytes(compiler.inspect(text, call.options, stop));
  case WorkerMethod::Ir:
    return wireBytes(compiler.ir(text, call.options, call.request, stop));
  case WorkerMethod::Lower:
    return wireBytes(compiler.lower(text, call.options, stop));
  case WorkerMethod::Index:
    return wireBytes(compiler.index(text));
  case WorkerMethod::Ops:
    return wireBytes(compiler.ops());
  case WorkerMethod::PassNames:
    return wireBytes(compiler.passNames());
  }
  return {};
}

} // namespace

void runWorker(int fd, compiler::CompilerService &behind, const WorkerLimits &limits) {
  useProcessLimits(limits.addressSpace);
  setCrashNotice(fd, crashedFrame());
  LimitedService compiler(behind, LimitedService::Crashes::Here, LimitedService::Settings::Given);
  Channel channel(fd);
  Inbox inbox;
  std::thread reader([&] {
    WorkerFrame frame;
    while (channel.receive(frame, -1, std::nullopt) == Channel::Wait::Frame) {
      if (frame.kind == FrameKind::Call) {
        inbox.putCall(std::move(frame.payload));
      } else if (frame.kind == FrameKind::Texts) {
        inbox.putAnswer(std::move(frame.payload));
      } else if (frame.kind == FrameKind::Stop) {
        inbox.stopRunning();
      }
    }
    ::_exit(0); // nobody is left to answer, whatever is being compiled
  });
  reader.detach();
  TextShelf texts;
  TextShelf modules;
  HeapTrim trim;
  while (true) {
    if (!inbox.expectCall(kQuiet)) {
      behind.rest();
      if (!inbox.expectCall(kLongQuiet)) {
        trim.look();
      }
    }
    std::stop_source stop;
    std::string bytes = inbox.takeCall(stop);
    WorkerCall call;
    source::SourcePtr text;
    if (!fromWire(bytes, call) || !(text = texts.decode(call.text))) {
      ::_exit(1);
    }
    auto sources = std::make_shared<RemoteSources>(channel, inbox, modules);
    sources->foresee(call.foreseen);
    call.options.sources = call.hasSources ? sources : nullptr;
    limitCpu(limits.cpuSeconds);
    std::string result;
    try {
      result = answer(compiler, call, text, stop.get_token());
    } catch (const std::exception &) {
      // Memory ran out: what is left of this process is not to be trusted.
      channel.send(FrameKind::Crashed, {});
      ::_exit(1);
    }
    WorkerState state{compiler.counters(), residentBytes(::getpid()), sources->asked()};
    if (!channel.send(FrameKind::Result, wireBytes(state) + result)) {
      ::_exit(0);
    }
  }
}

} // namespace placid::server
