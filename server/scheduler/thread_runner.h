// SPDX-License-Identifier: Apache-2.0
// The compile thread: takes jobs from a queue and runs them. Decides nothing; what runs next and what is dropped is the
// scheduler's. run() may be called from any thread; the destructor finishes the running job and drops the rest.
#pragma once

#include "server/scheduler/event_loop.h"
#include "server/support/sync.h"

#include <deque>
#include <thread>

namespace placid::server {

class ThreadRunner final : public JobRunner {
public:
  ThreadRunner();
  ~ThreadRunner() override;
  void run(std::function<void()> job) override;

private:
  void loop();

  Mutex mutex_;
  Condition wake_;
  std::deque<std::function<void()>> jobs_ PLACID_GUARDED_BY(mutex_);
  bool stopping_ PLACID_GUARDED_BY(mutex_) = false;
  std::thread thread_; // last: starts when everything else is there
};

} // namespace placid::server
