// SPDX-License-Identifier: Apache-2.0
// std::mutex with clang's thread-safety attributes, so that reading a guarded field without its lock does not compile.
// The few classes that share state between threads use it; everything else lives on one thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PLACID_TSA(attribute) __attribute__((attribute))
#else
#define PLACID_TSA(attribute)
#endif
#define PLACID_GUARDED_BY(mutex) PLACID_TSA(guarded_by(mutex))
#define PLACID_REQUIRES(mutex) PLACID_TSA(requires_capability(mutex))

namespace placid::server {

class PLACID_TSA(capability("mutex")) Mutex {
public:
  void lock() PLACID_TSA(acquire_capability()) { mutex_.lock(); }
  void unlock() PLACID_TSA(release_capability()) { mutex_.unlock(); }

private:
  std::mutex mutex_;
};

class PLACID_TSA(scoped_lockable) MutexLock {
public:
  explicit MutexLock(Mutex &mutex) PLACID_TSA(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() PLACID_TSA(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock &) = delete;
  MutexLock &operator=(const MutexLock &) = delete;

private:
  Mutex &mutex_;
};

/// Waits with a Mutex held; the caller loops on its condition.
class Condition {
public:
  void wait(Mutex &mutex) PLACID_REQUIRES(mutex) { condition_.wait(mutex); }
  /// False when `deadline` has passed. The caller loops on its condition here too.
  bool waitUntil(Mutex &mutex, std::chrono::steady_clock::time_point deadline) PLACID_REQUIRES(mutex) {
    return condition_.wait_until(mutex, deadline) == std::cv_status::no_timeout;
  }
  void notifyAll() { condition_.notify_all(); }

private:
  std::condition_variable_any condition_;
};

} // namespace placid::server
