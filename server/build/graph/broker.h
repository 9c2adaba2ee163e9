// SPDX-License-Identifier: Apache-2.0
// Stands between builds and the executor, and keeps the truth: what is known is not run again, equal actions in flight
// run once for all who wait, what went wrong around a tool is tried again and never remembered. A run ends when the
// last waiter has left. Any thread.
#pragma once

#include "server/build/executor/executor.h"
#include "server/build/store/store.h"
#include "server/support/sync.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

struct BrokerPolicy {
  int attempts = 4;                          ///< Runs of one action in all, of which the later ones are retries.
  std::chrono::milliseconds firstPause{100}; ///< Before the second; doubled each time.
  int64_t failureSeconds = 600;              ///< How long a tool's refusal is remembered.
  bool useCache = true;
};

struct ActionResult {
  enum class From : uint8_t {
    Run,   ///< Carried out for this caller.
    Cache, ///< Known.
    Merged ///< Carried out for somebody else at the same time.
  };
  Digest key;
  From from = From::Run;
  Outcome outcome;
  int attempts = 0; ///< Of this result; 0 from the cache.
};
std::string_view fromName(ActionResult::From from);

struct BrokerCounters {
  uint64_t hits = 0, runs = 0, merged = 0, retries = 0;
};

class Broker {
public:
  Broker(Store &store, Executor &executor, BrokerPolicy policy = {});
  /// Ends what still runs.
  ~Broker();
  Broker(const Broker &) = delete;
  Broker &operator=(const Broker &) = delete;

  /// Blocks until there is a result, or returns Cancelled soon after `stop`. `log` is called on the caller's thread,
  /// from the first byte on, for whom the action runs and for those who joined it; a slow one delays nobody else.
  using Log = std::function<void(Stream, uint64_t offset, std::string_view bytes)>;
  /// Who joins a run keeps to the limits it was begun with.
  ActionResult run(const Action &action, const ActionLimits &limits, const std::stop_token &stop, const Log &log = {});

  /// What the tool answered turned out to be useless: it is asked again next time.
  void forget(const Digest &key) { store_.forget("action:" + key.hex); }

  BrokerCounters counters() const;

private:
  struct Flight;

  std::optional<Outcome> recall(const Digest &key, const Action &action);
  /// `began`: before the tool did. A result that may have read a file while it changed is not kept.
  void remember(const Digest &key, const Action &action, const ToolRun &run, std::filesystem::file_time_type began);
  void fly(const std::shared_ptr<Flight> &flight);
  Outcome attempt(Flight &flight);

  Store &store_;
  Executor &executor_;
  const BrokerPolicy policy_;
  std::atomic<uint64_t> hits_ = 0, runs_ = 0, merged_ = 0, retries_ = 0;
  Mutex mutex_;
  Condition changed_;
  std::map<Digest, std::shared_ptr<Flight>> flights_ PLACID_GUARDED_BY(mutex_);
  size_t threads_ PLACID_GUARDED_BY(mutex_) = 0;
};

/// The files that a make rule ("k.o: k.cpp /usr/include/stdint.h \") names after its colon.
std::vector<std::string> filesOfMakeRule(std::string_view text);

} // namespace placid::server
