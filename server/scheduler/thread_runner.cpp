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

bool ThreadRunner::finish(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  stopping_ = true;
  wake_.notifyAll();
  while (!ended_) {
    if (!wake_.waitUntil(mutex_, deadline)) {
      return ended_;
    }
  }
  return true;
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
        ended_ = true;
        wake_.notifyAll();
        return;
      }
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

} // namespace placid::server
