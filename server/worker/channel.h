// SPDX-License-Identifier: Apache-2.0
// Frames over the socket between the daemon and one worker: a length, a kind, a payload. Blocking with a deadline and a
// descriptor that interrupts. Knows nothing of what a payload means. One thread reads; any thread may send.
#pragma once

#include "server/support/sync.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

enum class FrameKind : uint8_t {
  Call,    ///< To the worker: one call of the compiler.
  Stop,    ///< To the worker: the running call is not wanted any more.
  Texts,   ///< To the worker: the answer to Want.
  Result,  ///< From the worker: the answer to Call.
  Want,    ///< From the worker: a question about files, answered by Texts.
  Crashed, ///< From the worker: it is about to end because of a fault. No payload.
};

struct WorkerFrame {
  FrameKind kind{};
  std::string payload;
};

class Channel {
public:
  /// In bytes; a longer frame ends the channel.
  static constexpr uint64_t kMaxFrame = uint64_t{512} << 20;

  /// Owns `fd`, a stream socket.
  explicit Channel(int fd) : fd_(fd) {}
  ~Channel();
  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  int fd() const { return fd_; }
  /// False when the other end is gone.
  bool send(FrameKind kind, std::string_view payload);

  enum class Wait : uint8_t { Frame, Interrupted, TimedOut, Closed };
  /// Waits for a whole frame, for `interrupt` (when not negative) to become readable, or for the deadline.
  Wait receive(WorkerFrame &frame, int interrupt, std::optional<std::chrono::steady_clock::time_point> deadline);

private:
  /// A frame that is complete in the buffer.
  bool extract(WorkerFrame &frame);

  int fd_;
  Mutex sending_;
  std::string buffer_;
  bool broken_ = false;
};

/// The bytes of a Crashed frame, for a signal handler that may only write.
std::string crashedFrame();

} // namespace placid::server
