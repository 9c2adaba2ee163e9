// SPDX-License-Identifier: Apache-2.0
// The compile thread: takes jobs from a queue and runs them. Decides nothing; what runs next and what is dropped is the
// scheduler's. run() may be called from any thread; finish() and the destructor drop what waits and let the running job
// end. A job that does not end cannot be stopped from outside: whoever must not wait for it leaves the process.
#pragma once

#include "server/scheduler/event_loop.h"
#include "server/support/sync.h"

#include <chrono>
#include <deque>
#include <thread>

namespace placid::server {

class ThreadRunner final : public JobRunner {
public:
  ThreadRunner();
  ~ThreadRunner() override;
  void run(std::function<void()> job) override;
  /// Takes no more jobs and waits for the running one, for at most `patience`. True when none runs any more. When
  /// false, the object must not be destroyed: its thread still uses it, and so does the job whatever the job was given.
  bool finish(std::chrono::milliseconds patience);

private:
  void loop();

  Mutex mutex_;
  Condition wake_;
  std::deque<std::function<void()>> jobs_ PLACID_GUARDED_BY(mutex_);
  bool stopping_ PLACID_GUARDED_BY(mutex_) = false;
  bool ended_ PLACID_GUARDED_BY(mutex_) = false;
  std::thread thread_; // last: starts when everything else is there
};

} // namespace placid::server
