// SPDX-License-Identifier: Apache-2.0
// How many compilers may run at once on this machine, counted over all daemons and commands of a user: one lock file a
// place, held while the compiler runs and free again when its holder ends, however it ends. Any thread.
#pragma once

#include "server/support/sync.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace placid::server {

class HostBudget {
public:
  /// Without a usable folder the places are counted in this process alone.
  HostBudget(std::string folder, size_t slots);

  /// Frees its place when it goes.
  class Slot {
  public:
    Slot(HostBudget &budget, size_t index, int fd) : budget_(&budget), index_(index), fd_(fd) {}
    ~Slot();
    Slot(Slot &&other) noexcept;
    Slot &operator=(Slot &&other) = delete;
    Slot(const Slot &) = delete;
    Slot &operator=(const Slot &) = delete;

  private:
    HostBudget *budget_;
    size_t index_;
    int fd_;
  };

  /// Waits for a place; nothing when `stop` was requested or `deadline` has passed.
  std::optional<Slot> acquire(const std::stop_token &stop,
                              std::optional<std::chrono::steady_clock::time_point> deadline);
  size_t slots() const { return slots_; }

private:
  std::optional<Slot> tryOnce();

  std::string folder_;
  const size_t slots_;
  Mutex mutex_;
  Condition freed_;
  std::vector<bool> used_ PLACID_GUARDED_BY(mutex_); ///< By this process.
};

} // namespace placid::server
