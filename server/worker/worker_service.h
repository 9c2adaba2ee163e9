// SPDX-License-Identifier: Apache-2.0
// A CompilerService whose compiler is a worker process: results are the same bytes as in process. A worker that
// crashes, hangs, ignores a stop or is killed is replaced, and the call is made again; an input that brings workers
// down twice is refused from then on, with a diagnostic. Same thread rules as every service; status() from any thread.
#pragma once

#include "server/support/sync.h"
#include "server/worker/calls.h"
#include "server/worker/worker_host.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace placid::server {

/// Inputs that brought workers down. Shared by the workers of a daemon. Any thread.
class Quarantine {
public:
  static constexpr int kStrikes = 2;
  static constexpr size_t kMaxEntries = 4096;

  bool holds(const std::string &key) const;
  /// True when the input is refused from now on.
  bool strike(const std::string &key, int strikes = 1);
  size_t size() const;

private:
  mutable Mutex mutex_;
  std::map<std::string, int> strikes_ PLACID_GUARDED_BY(mutex_);
};

struct WorkerPolicy {
  std::chrono::milliseconds callDeadline{30000}; ///< A call that takes longer is a hang.
  std::chrono::milliseconds stopPatience{250};   ///< From a stop to the end of the worker.
  uint64_t maxCalls = 5000;                      ///< Then the worker is replaced by a fresh one.
  std::chrono::seconds maxAge{3600};
  uint64_t maxRssBytes = uint64_t{1} << 30;
  uint64_t largeRssBytes = uint64_t{256} << 20; ///< Beyond these two a process is too large to be kept for nothing.
  uint64_t largeTextBytes = uint64_t{4} << 20;
  int maxLosses = 5; ///< Times a call is made again because its worker was killed from outside.
  int niceness = 0;  ///< Above 0: the worker gives way to all others.
};

struct WorkerStatus {
  pid_t pid = -1; ///< -1: none runs at the moment.
  int64_t ageSeconds = 0;
  uint64_t calls = 0; ///< Of this process.
  uint64_t rssBytes = 0;
  uint64_t restarts = 0; ///< After crashes, hangs, kills and recycling.
  uint64_t crashes = 0;
  bool busy = false;
};

class WorkerService final : public compiler::CompilerService {
public:
  WorkerService(WorkerHost &host, Quarantine &quarantine, WorkerPolicy policy = {})
      : host_(host), quarantine_(quarantine), policy_(policy) {}

  compiler::CheckResult check(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  compiler::InspectResult inspect(const source::SourcePtr &text, const compiler::Options &options,
                                  std::stop_token stop) override;
  compiler::IrResult ir(const source::SourcePtr &text, const compiler::Options &options,
                        const compiler::IrRequest &request, std::stop_token stop) override;
  compiler::LowerResult lower(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  index::Index index(const source::SourcePtr &text) override;
  std::vector<index::OpInfo> ops() const override;
  std::vector<std::string> passNames() const override;
  compiler::Counters counters() const override;

  WorkerStatus status() const;
  /// Starts the process if there is none, so that the first call does not wait for it.
  void warm();
  /// Ends the process if it has had nothing to do for `unused`; the next call starts another.
  void retire(std::chrono::seconds unused);
  /// The same where it, or what is kept here for it, is much larger than most are.
  void retireLarge(std::chrono::seconds unused);

private:
  enum class Outcome : uint8_t { Answered, Stopped, Refused, Failed };
  struct Answer {
    Outcome outcome{};
    std::string bytes; ///< Answered: the result. Refused, Failed: why, for the diagnostic.
  };

  template <class R> R call(WorkerCall head, const source::SourcePtr &text, const std::stop_token &stop);
  /// A question that is the same for every text, asked once.
  template <class R> const R &once(WorkerMethod method, R &known) const;
  Answer exchange(WorkerCall head, const source::SourcePtr &text, const std::stop_token &stop);
  Answer attempt(WorkerCall &head, const source::SourcePtr &text, const std::stop_token &stop, bool &lost);
  SourceAnswer answer(const SourceQuestion &question, source::SourceProvider *sources);
  bool start();
  void end(bool crashed);
  void gone();
  void note(const WorkerState &state);
  bool worn() const;

  WorkerHost &host_;
  Quarantine &quarantine_;
  WorkerPolicy policy_;
  std::unique_ptr<WorkerProcess> process_;
  std::chrono::steady_clock::time_point startedAt_;
  std::chrono::steady_clock::time_point usedAt_;
  TextShelf texts_;
  TextShelf modules_;
  std::map<std::string, std::vector<SourceQuestion>> asked_; ///< By the last call for a text, by its path.
  mutable Mutex mutex_;
  WorkerStatus status_ PLACID_GUARDED_BY(mutex_);
  compiler::Counters past_ PLACID_GUARDED_BY(mutex_); ///< Of processes that ended.
  compiler::Counters live_ PLACID_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point shownStart_ PLACID_GUARDED_BY(mutex_);
  mutable std::vector<std::string> passNames_;
  mutable std::vector<index::OpInfo> ops_;
};

/// What `PL9000` says at the start of a text that could not be compiled.
compiler::CheckResult internalFault(const std::string &path, const std::string &why);

} // namespace placid::server
