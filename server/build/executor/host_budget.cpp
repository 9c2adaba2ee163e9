// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/host_budget.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace placid::server {

namespace {

/// How soon a place that another process has freed is noticed.
constexpr std::chrono::milliseconds kLook{15};

} // namespace

HostBudget::HostBudget(std::string folder, size_t slots)
    : folder_(std::move(folder)), slots_(std::max<size_t>(slots, 1)), used_(slots_, false) {
  if (folder_.empty()) {
    return;
  }
  ::mkdir(folder_.c_str(), 0700);
  struct stat info{};
  bool ours = ::lstat(folder_.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
  if (!ours) {
    folder_.clear(); // somebody else's: their locks are not ours to take
  }
}

HostBudget::Slot::Slot(Slot &&other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), index_(other.index_), fd_(std::exchange(other.fd_, -1)) {}

HostBudget::Slot::~Slot() {
  if (!budget_) {
    return;
  }
  if (fd_ >= 0) {
    ::close(fd_); // and with it the lock
  }
  {
    MutexLock lock(budget_->mutex_);
    budget_->used_[index_] = false;
  }
  budget_->freed_.notifyAll();
}

std::optional<HostBudget::Slot> HostBudget::tryOnce() {
  for (size_t index = 0; index < slots_; ++index) {
    {
      MutexLock lock(mutex_);
      if (used_[index]) {
        continue;
      }
      used_[index] = true;
    }
    if (folder_.empty()) {
      return Slot(*this, index, -1);
    }
    std::string path = folder_ + "/slot-" + std::to_string(index) + ".lock";
    int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) {
      return Slot(*this, index, fd); // no file can be made: this process alone is counted
    }
    ::close(fd);
    MutexLock lock(mutex_);
    used_[index] = false;
  }
  return std::nullopt;
}

std::optional<HostBudget::Slot> HostBudget::acquire(const std::stop_token &stop,
                                                    std::optional<std::chrono::steady_clock::time_point> deadline) {
  while (!stop.stop_requested()) {
    if (std::optional<Slot> slot = tryOnce()) {
      return slot;
    }
    auto now = std::chrono::steady_clock::now();
    if (deadline && now >= *deadline) {
      break;
    }
    MutexLock lock(mutex_);
    freed_.waitUntil(mutex_, deadline ? std::min(now + kLook, *deadline) : now + kLook);
  }
  return std::nullopt;
}

} // namespace placid::server
