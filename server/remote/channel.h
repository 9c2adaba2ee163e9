// SPDX-License-Identifier: Apache-2.0
// A connection to a build service elsewhere: TLS 1.3 to a host, or a daemon's socket on this machine; framed JSON-RPC
// over it. Blocking, with deadlines and a stop token on every wait. Knows the handshake, not what is asked. One thread.
#pragma once

#include "protocol/framing/frame_reader.h"
#include "protocol/jsonrpc/message.h"
#include "server/build/toolchains/discovery.h"

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace placid::server {

class RemoteChannel {
public:
  /// Null and `wrong` set when it cannot be reached or does not let us in.
  static std::unique_ptr<RemoteChannel> connect(const RemoteSettings &settings, const std::stop_token &stop,
                                                std::string &wrong);
  ~RemoteChannel();
  RemoteChannel(const RemoteChannel &) = delete;
  RemoteChannel &operator=(const RemoteChannel &) = delete;

  struct Answer {
    bool lost = false; ///< The connection is gone; nobody knows whether the request arrived.
    protocol::Json result;
    std::optional<protocol::RpcError> error;
    bool good() const { return !lost && !error; }
  };
  Answer call(const std::string &method, protocol::Json params);
  /// A message that the service sent of its own accord; nothing after `wait`, or when the connection is `lost()`.
  std::optional<protocol::Json> event(std::chrono::milliseconds wait);
  bool lost() const { return lost_; }
  const std::string &version() const { return version_; }

private:
  struct Socket;
  explicit RemoteChannel(std::unique_ptr<Socket> socket, std::stop_token stop);
  bool sendAll(std::string_view bytes);
  /// Reads one message into answer or events; false when the deadline passed or the connection is gone.
  bool receive(std::chrono::steady_clock::time_point deadline);

  std::unique_ptr<Socket> socket_;
  std::stop_token stop_;
  protocol::FrameReader reader_;
  std::string unread_;
  std::deque<protocol::Json> events_;
  std::optional<protocol::Response> response_;
  int64_t next_ = 1;
  bool lost_ = false;
  std::string version_;
};

} // namespace placid::server
