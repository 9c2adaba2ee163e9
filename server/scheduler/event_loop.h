// SPDX-License-Identifier: Apache-2.0
// The two seams that the scheduler stands on: the io thread's queue, and the place where compile jobs run. Interfaces,
// so that sessions and scheduling are tested without threads, sockets or sleeps.
#pragma once

#include <chrono>
#include <functional>

namespace placid::server {

using TimePoint = std::chrono::steady_clock::time_point;

/// The io thread, sole owner of sessions, documents and the scheduler.
class EventLoop {
public:
  virtual ~EventLoop() = default;
  /// Runs `event` on the io thread, after what was posted before. Any thread.
  virtual void post(std::function<void()> event) = 0;
  virtual TimePoint now() const = 0;
  /// Runs `event` on the io thread once `delay` has passed; never, when the loop ends before. Io thread.
  virtual void after(std::chrono::milliseconds delay, std::function<void()> event) = 0;
};

/// Runs jobs one at a time, in the order given.
class JobRunner {
public:
  virtual ~JobRunner() = default;
  virtual void run(std::function<void()> job) = 0;
};

/// No thread at all: a job runs where it is submitted.
class InlineRunner final : public JobRunner {
public:
  void run(std::function<void()> job) override { job(); }
};

} // namespace placid::server
