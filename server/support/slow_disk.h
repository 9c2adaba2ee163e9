// SPDX-License-Identifier: Apache-2.0
// Looks at files that may never answer: a file system behind a network that is gone holds whoever touches it, and
// nothing takes a thread back. What concerns such a one is done in a thread of its own, for which is waited so long and
// no longer; while one has hung for longer, the next are refused at once. Files of this machine cost nothing. Any
// thread.
#pragma once

#include "server/support/sync.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace placid::server {

/// The places of file systems behind a network, from the text of /proc/self/mountinfo; sorted.
std::vector<std::string> remoteMounts(std::string_view mountInfo);

class SlowDisk {
public:
  using Mounts = std::function<std::vector<std::string>()>;
  /// `mounts` is asked now and then.
  explicit SlowDisk(Mounts mounts) : mounts_(std::move(mounts)) {}
  /// Of this process.
  static SlowDisk &shared();

  /// What `look` finds about `path`; nothing where that takes longer than `patience()`. Then it may still run, so it
  /// owns all that it touches.
  template <class Look> auto ask(const std::string &path, Look look) -> std::optional<decltype(look())> {
    std::optional<std::string> mount = remoteMount(path);
    if (!mount) {
      return look();
    }
    auto found = std::make_shared<std::optional<decltype(look())>>();
    bool done = within(*mount, [found, look = std::move(look)] { *found = look(); });
    return done ? std::move(*found) : std::nullopt;
  }

  /// Of the calling thread. The one that serves everybody waits less long.
  static std::chrono::milliseconds patience();
  static void setPatience(std::chrono::milliseconds patience);

private:
  std::optional<std::string> remoteMount(const std::string &path);
  bool within(const std::string &mount, std::function<void()> work);

  struct Hanging {
    Mutex mutex;
    Condition changed;
    /// With a thread that was not waited for any longer; since when it was at work.
    std::map<std::string, std::chrono::steady_clock::time_point> mounts PLACID_GUARDED_BY(mutex);
  };

  Mounts mounts_;
  Mutex mutex_;
  std::vector<std::string> known_ PLACID_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> askedAt_ PLACID_GUARDED_BY(mutex_);
  /// Shared with threads that may outlive this.
  std::shared_ptr<Hanging> hanging_ = std::make_shared<Hanging>();
};

} // namespace placid::server
