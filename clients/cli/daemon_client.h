// SPDX-License-Identifier: Apache-2.0
// A connection to the daemon: finds its socket, starts a daemon when none runs, shakes hands, sends and receives framed
// messages. Blocking, with deadlines. Knows nothing of what is said afterwards.
#pragma once

#include "protocol/daemon/hello.h"
#include "protocol/framing/frame_reader.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace placid::cli {

class DaemonClient {
public:
  DaemonClient() = default;
  ~DaemonClient() { close(); }
  DaemonClient(DaemonClient &&from) noexcept;
  DaemonClient &operator=(DaemonClient &&) = delete;
  DaemonClient(const DaemonClient &) = delete;
  DaemonClient &operator=(const DaemonClient &) = delete;

  bool connected() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void close();

  /// False when the daemon is gone.
  bool send(std::string_view body);
  /// The next message; nothing at the end of the stream or when the deadline passes.
  std::optional<std::string> receive(std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt);
  /// Reads what is there without waiting. False at the end of the stream.
  bool fill();
  /// A whole message of what was read; `raw` is how it stood on the wire.
  std::optional<std::string> next();
  const protocol::Welcome &welcome() const { return welcome_; }

private:
  friend class DaemonFinder;
  int fd_ = -1;
  std::string unread_;
  protocol::FrameReader reader_;
  protocol::Welcome welcome_;
};

/// Finds the one daemon that fits the server program, this user and this environment.
class DaemonFinder {
public:
  /// `server` is the path of `placidd`; empty makes every connect fail.
  explicit DaemonFinder(std::string server);

  /// Not connected, and `error` set, when there is none (`start` false) or none can be had.
  DaemonClient connect(const protocol::Hello &hello, bool start, std::string &error);
  /// The last connect failed because of the hello's arguments.
  bool refusedArguments() const { return refusedArguments_; }

private:
  bool look(std::string &error);
  int dial() const;
  enum class Handshake : uint8_t {
    Done,
    Refused, ///< For good.
    Gone,    ///< It is ending, or another build took its place: look again.
  };
  Handshake shakeHands(DaemonClient &client, const protocol::Hello &hello, std::string &error);
  /// Starts the program and waits until it listens or ends.
  bool launch(std::string &error) const;
  bool startOne(std::string &error) const;

  std::string server_;
  std::string folder_;
  std::string key_;
  std::string buildId_;
  std::string socket_;
  bool refusedArguments_ = false;
  bool fixedSocket_ = false; ///< The user said where: nothing is started.
};

} // namespace placid::cli
