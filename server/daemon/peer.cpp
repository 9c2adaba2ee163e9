// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/peer.h"

#include "protocol/jsonrpc/message.h"
#include "server/support/log.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace placid::server {

namespace asio = boost::asio;

namespace {
constexpr size_t kReadBytes = size_t{64} << 10;
constexpr protocol::FrameLimits kHelloLimits{.body = uint64_t{1} << 20, .skippable = uint64_t{1} << 20};
} // namespace

Peer::Peer(Socket socket, EventLoop &loop, protocol::Welcome welcome, MakeRole makeRole, PeerLimits limits)
    : socket_(std::move(socket)), loop_(loop), welcome_(std::move(welcome)), makeRole_(std::move(makeRole)),
      limits_(limits), since_(loop.now()), helloReader_(kHelloLimits), queue_([this] { pump(); }),
      buffer_(kReadBytes, '\0') {}

void Peer::start() { read(); }

void Peer::read() {
  bool full =
      role_ && (role_->pausesForPending() ? role_->pending() > limits_.maxPending : queue_.bytes() > limits_.highWater);
  if (reading_ || ended_ || closed_ || refused_ || full) {
    return;
  }
  reading_ = true;
  socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](const auto &error, size_t got) {
    self->reading_ = false;
    if (error) {
      self->ended_ = true;
      if (self->role_) {
        self->role_->onEnd();
      }
      self->settle(); // what was answered still goes out
      return;
    }
    self->onBytes(std::string_view(self->buffer_).substr(0, got));
    self->settle();
    self->read();
  });
}

void Peer::onBytes(std::string_view bytes) {
  if (!role_) {
    handshake(bytes);
  }
  if (role_ && !bytes.empty() && !role_->finished()) {
    role_->onBytes(bytes);
  }
}

void Peer::refuse(const protocol::RpcError &error) {
  refused_ = true;
  log(LogLevel::Warning, "daemon", "connection refused: " + error.message);
}

void Peer::handshake(std::string_view &bytes) {
  switch (helloReader_.feed(bytes)) {
  case protocol::FrameReader::State::NeedMore:
    return;
  case protocol::FrameReader::State::Frame:
    break;
  case protocol::FrameReader::State::Oversize:
  case protocol::FrameReader::State::Failed:
    refuse({protocol::ErrorCode::InvalidRequest, "the stream does not begin with a hello"});
    return;
  }
  protocol::Incoming incoming = protocol::decodeMessage(helloReader_.takeBody());
  const auto *call = incoming.messages.size() == 1 ? std::get_if<protocol::Call>(&incoming.messages[0]) : nullptr;
  protocol::Id id = call && call->id ? *call->id : protocol::Id{};
  auto fail = [&](const protocol::RpcError &error) {
    refuse(error);
    queue_.send(protocol::encode(protocol::errorMessage(id, error)), {});
  };
  if (!call || !call->id || call->method != protocol::kHelloMethod) {
    fail({protocol::ErrorCode::ServerNotInitialized, "`placid/hello` comes first"});
    return;
  }
  protocol::Result<protocol::Hello> hello = protocol::helloFromJson(call->params);
  if (hello.has_error()) {
    fail(hello.error());
    return;
  }
  if (hello->protocolMin > welcome_.protocol || hello->protocolMax < welcome_.protocol) {
    fail({protocol::ErrorCode::InvalidRequest, "this daemon speaks protocol " + std::to_string(welcome_.protocol)});
    return;
  }
  if (!hello->buildId.empty() && hello->buildId != welcome_.buildId) {
    fail({protocol::ErrorCode::InvalidRequest, "this daemon is another build of placid"});
    return;
  }
  protocol::Result<std::unique_ptr<PeerRole>> role = makeRole_(*hello, *this);
  if (role.has_error()) {
    fail(role.error());
    return;
  }
  queue_.send(protocol::encode(protocol::resultMessage(id, protocol::toJson(welcome_))), {});
  role_ = std::move(*role);
}

void Peer::settle() {
  if (closed_) {
    return;
  }
  if (queue_.bytes() > limits_.maxUnsent) {
    log(LogLevel::Error, "daemon", "a client does not read its messages: giving it up");
    close();
    return;
  }
  bool over = refused_ || ended_ || (role_ && role_->finished());
  if (over && !writeInFlight_ && queue_.bytes() == 0) {
    close();
  }
}

void Peer::pump() {
  // Messages are sent on the io thread; the write starts after the event that made them, so that they go out together.
  if (pumpPosted_ || writeInFlight_ || closed_) {
    return;
  }
  pumpPosted_ = true;
  loop_.post([weak = weak_from_this()] {
    std::shared_ptr<Peer> self = weak.lock();
    if (!self) {
      return;
    }
    self->pumpPosted_ = false;
    if (self->writeInFlight_ || self->closed_) {
      return;
    }
    self->writing_.clear();
    while (std::optional<std::string> body = self->queue_.pop()) {
      self->writing_ += protocol::frame(*body);
      if (self->writing_.size() >= kReadBytes) {
        break; // the rest may still be replaced
      }
    }
    if (self->writing_.empty()) {
      self->settle();
      self->read();
      return;
    }
    self->writeInFlight_ = true;
    asio::async_write(self->socket_, asio::buffer(self->writing_), [self](const auto &error, size_t) {
      self->writeInFlight_ = false;
      if (error) {
        self->close();
        return;
      }
      self->pump();
      self->read(); // reading may have paused
    });
  });
}

void Peer::tick() {
  if (closed_) {
    return;
  }
  TimePoint now = loop_.now();
  if (!role_ && now - since_ > limits_.helloPatience) {
    close();
    return;
  }
  size_t unsent = queue_.bytes() + (writeInFlight_ ? writing_.size() : 0);
  if (unsent <= limits_.highWater) {
    aboveWater_.reset();
  } else if (!aboveWater_) {
    aboveWater_ = now;
  } else if (now - *aboveWater_ > limits_.patience) {
    log(LogLevel::Error, "daemon", "a client has not read for too long: giving it up");
    close();
    return;
  }
  read(); // reading may have paused
}

void Peer::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  if (role_ && !ended_) {
    ended_ = true;
    role_->onEnd();
  }
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (onClosed_) {
    loop_.post(std::exchange(onClosed_, nullptr));
  }
}

} // namespace placid::server
