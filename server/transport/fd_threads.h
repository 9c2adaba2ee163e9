// SPDX-License-Identifier: Apache-2.0
// One thread that reads a file descriptor and one that writes to one. Threads rather than epoll, because standard input
// may be a regular file (epoll refuses those) and because setting O_NONBLOCK on it would leak to whoever shares it.
// Both wait in poll() together with an event descriptor, so they stop at once when told. They know bytes and bodies, no
// protocol.
#pragma once

#include "server/support/sync.h"
#include "server/support/wake_fd.h"
#include "server/transport/outbox_queue.h"

#include <atomic>
#include <functional>
#include <string>
#include <thread>

namespace placid::server {

/// Calls back on its own thread. Stops reading while more than `kMaxUnread` bytes are handed over and not yet consumed.
class FdReader {
public:
  static constexpr size_t kMaxUnread = size_t{1} << 20;

  FdReader(int fd, std::function<void(std::string)> onBytes, std::function<void()> onEnd);
  ~FdReader();
  /// The receiver is done with that many bytes. Any thread.
  void consumed(size_t bytes);

private:
  void loop();
  /// False when told to stop.
  bool waitForRoom();

  int fd_;
  std::function<void(std::string)> onBytes_;
  std::function<void()> onEnd_;
  WakeFd stop_;
  Mutex mutex_;
  Condition room_;
  size_t unread_ PLACID_GUARDED_BY(mutex_) = 0;
  bool stopping_ PLACID_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

/// Writes framed bodies. Nothing is written after an error; `onError` is called once, on its own thread.
class FdWriter {
public:
  FdWriter(int fd, std::function<void()> onError);
  /// Writes what waits, for at most two seconds, then stops.
  ~FdWriter();
  OutboxQueue &queue() { return queue_; }

private:
  void loop();
  bool write(const std::string &bytes);

  int fd_;
  std::function<void()> onError_;
  WakeFd wake_;
  std::atomic<bool> finishing_ = false;
  OutboxQueue queue_;
  std::thread thread_;
};

} // namespace placid::server
