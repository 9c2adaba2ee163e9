// SPDX-License-Identifier: Apache-2.0
#include "server/scheduler/thread_runner.h"

#include "server/support/crash.h"

#include <utility>

namespace placid::server {

ThreadRunner::ThreadRunner() : thread_([this] { loop(); }) {}

ThreadRunner::~ThreadRunner() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notifyAll();
  thread_.join();
}

void ThreadRunner::run(std::function<void()> job) {
  {
    MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  wake_.notifyAll();
}

void ThreadRunner::loop() {
  useCrashStack();
  while (true) {
    std::function<void()> job;
    {
      MutexLock lock(mutex_);
      while (jobs_.empty() && !stopping_) {
        wake_.wait(mutex_);
      }
      if (stopping_) {
        return;
      }
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

} // namespace placid::server
