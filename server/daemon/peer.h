// SPDX-License-Identifier: Apache-2.0
// One accepted socket: bytes in and out without blocking, the handshake, then the role that the client asked for. A
// client that does not read is given up; one that asks more than it collects is not read from until it has. Io thread.
#pragma once

#include "protocol/daemon/hello.h"
#include "protocol/framing/frame_reader.h"
#include "server/scheduler/event_loop.h"
#include "server/transport/outbox_queue.h"

#include <boost/asio/local/stream_protocol.hpp>

#include <functional>
#include <memory>
#include <string>

namespace placid::server {

/// What a connection does after the handshake.
class PeerRole {
public:
  virtual ~PeerRole() = default;
  virtual void onBytes(std::string_view bytes) = 0;
  virtual void onEnd() = 0;
  /// Nothing more is to be read or written: the connection closes once the outbox is empty.
  virtual bool finished() const = 0;
  /// Answers that are owed.
  virtual size_t pending() const = 0;
  /// Reading pauses while more than a limit of them is owed. Not where what is read may take requests back.
  virtual bool pausesForPending() const { return true; }
  virtual std::string_view name() const = 0;
};

struct PeerLimits {
  size_t maxPending = 256;
  size_t highWater = size_t{8} << 20; ///< Bytes unsent; for longer than `patience` it is the end.
  size_t maxUnsent = size_t{256} << 20;
  std::chrono::seconds patience{30};
  std::chrono::seconds helloPatience{10};
};

class Peer : public std::enable_shared_from_this<Peer> {
public:
  using Socket = boost::asio::local::stream_protocol::socket;
  /// Makes the role for an accepted hello, or says why not.
  using MakeRole = std::function<protocol::Result<std::unique_ptr<PeerRole>>(const protocol::Hello &, Peer &)>;

  Peer(Socket socket, EventLoop &loop, protocol::Welcome welcome, MakeRole makeRole, PeerLimits limits = {});
  void start();
  /// Once a second: what has waited too long ends.
  void tick();
  void close();
  bool closed() const { return closed_; }
  Outbox &outbox() { return queue_; }
  const PeerRole *role() const { return role_.get(); }
  size_t unsent() const { return queue_.bytes(); }
  TimePoint since() const { return since_; }
  void setOnClosed(std::function<void()> call) { onClosed_ = std::move(call); }
  boost::asio::any_io_executor executor() { return socket_.get_executor(); }

private:
  void read();
  void onBytes(std::string_view bytes);
  void handshake(std::string_view &bytes);
  void refuse(const protocol::RpcError &error);
  void pump();
  void settle();

  Socket socket_;
  EventLoop &loop_;
  protocol::Welcome welcome_;
  MakeRole makeRole_;
  PeerLimits limits_;
  TimePoint since_;
  protocol::FrameReader helloReader_;
  std::unique_ptr<PeerRole> role_;
  OutboxQueue queue_;
  std::function<void()> onClosed_;
  std::string buffer_;
  std::string writing_;
  bool reading_ = false;
  bool writeInFlight_ = false;
  bool pumpPosted_ = false;
  bool ended_ = false;   ///< Nothing more comes in.
  bool refused_ = false; ///< Closes when the refusal is written.
  bool closed_ = false;
  std::optional<TimePoint> aboveWater_;
};

} // namespace placid::server
