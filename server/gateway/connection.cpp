// SPDX-License-Identifier: Apache-2.0
// One peer of the gateway: what it sends becomes messages or requests, what it is answered goes out in pieces.
#include "protocol/daemon/endpoint.h"
#include "protocol/daemon/hello.h"
#include "protocol/jsonrpc/json_guard.h"
#include "server/gateway/gateway_state.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace placid::server {

using protocol::Json;
using Steady = std::chrono::steady_clock;

namespace {

constexpr size_t kReadBytes = size_t{64} << 10;
constexpr size_t kWriteBytes = size_t{256} << 10;
/// Slower than this nobody's large body is waited for.
constexpr uint64_t kSlowestBytesPerMs = 64;
/// Of who has not said who it is.
constexpr size_t kFirstFrame = size_t{64} << 10;
constexpr protocol::JsonLimits kFirstJson{.depth = 20, .values = 1000};
constexpr int kProtocol = protocol::kDaemonProtocol;

} // namespace

GatewayConnection::GatewayConnection(std::unique_ptr<Wire> wire, std::string peer, bool local, Gateway::State &gateway)
    : wire_(std::move(wire)), peer_(std::move(peer)), local_(local), gateway_(gateway),
      frames_(protocol::FrameLimits{.body = kFirstFrame, .skippable = gateway.limits.frame}), buffer_(kReadBytes, '\0'),
      messageTime_(gateway.limits.message) {}

void GatewayConnection::start() {
  wire_->handshake([self = shared_from_this()](const boost::system::error_code &error) {
    if (error) {
      log(LogLevel::Info, "gateway", "no agreement with " + self->peer_ + ": " + error.message());
      self->close();
      return;
    }
    std::string subject = self->wire_->peerName();
    if (!subject.empty()) {
      self->client_ = "cert:" + subject;
    }
    self->read();
  });
}

void GatewayConnection::read() {
  if (reading_ || closed_ || ending_) {
    return;
  }
  // Who asks and does not take the answers is not read from.
  if (unsentBytes_ > gateway_.limits.unsent / 4 || contents_ != 0) {
    return;
  }
  reading_ = true;
  wire_->read(buffer_.data(), buffer_.size(),
              [self = shared_from_this()](const boost::system::error_code &error, size_t got) {
                self->reading_ = false;
                if (error) {
                  self->endSoon();
                  return;
                }
                self->heard_ = Steady::now();
                self->onBytes(std::string_view(self->buffer_).substr(0, got));
                self->read();
              });
}

void GatewayConnection::onBytes(std::string_view bytes) {
  constexpr std::string_view kFrame = "content-length";
  if (speech_ == Speech::Unknown) {
    first_ += bytes;
    // Both kinds begin with a word; a frame's is known.
    std::string head = first_.substr(0, kFrame.size());
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
    if (head.size() < kFrame.size() && kFrame.starts_with(head)) {
      messageBegan_ = messageBegan_ ? messageBegan_ : std::optional(heard_);
      return;
    }
    speech_ = head == kFrame && !local_ ? Speech::Frames : Speech::Http;
    std::string all = std::move(first_);
    speech_ == Speech::Frames ? onFrames(all) : onHttp(all);
    return;
  }
  speech_ == Speech::Frames ? onFrames(bytes) : onHttp(bytes);
}

void GatewayConnection::onFrames(std::string_view bytes) {
  while (!closed_ && !ending_) {
    switch (frames_.feed(bytes)) {
    case protocol::FrameReader::State::NeedMore:
      messageBegan_ = frames_.idle() ? std::nullopt : messageBegan_ ? messageBegan_ : std::optional(heard_);
      return;
    case protocol::FrameReader::State::Frame:
      messageBegan_.reset();
      onMessage(frames_.takeBody());
      break;
    case protocol::FrameReader::State::Oversize:
      sendMessage(protocol::errorMessage(
          {}, {protocol::ErrorCode::InvalidRequest,
               "a message has at most " + std::to_string(admitted_ ? gateway_.limits.frame : kFirstFrame) + " bytes"}));
      endSoon();
      return;
    case protocol::FrameReader::State::Failed:
      endSoon();
      return;
    }
  }
}

void GatewayConnection::onHello(const protocol::Call &call) {
  protocol::Result<protocol::Hello> hello = protocol::helloFromJson(call.params);
  auto fail = [&](const protocol::RpcError &error) {
    sendMessage(protocol::errorMessage(call.id.value_or(protocol::Id{}), error));
    endSoon();
  };
  if (call.method != protocol::kHelloMethod || !call.id) {
    fail({protocol::ErrorCode::ServerNotInitialized, "`placid/hello` comes first"});
    return;
  }
  if (hello.has_error()) {
    fail(hello.error());
    return;
  }
  if (hello->protocolMin > kProtocol || hello->protocolMax < kProtocol) {
    fail({protocol::ErrorCode::InvalidRequest, "this daemon speaks protocol " + std::to_string(kProtocol)});
    return;
  }
  if (client_.empty()) {
    if (std::optional<std::string> name = gateway_.credentials.nameOf(hello->token)) {
      client_ = *name;
    }
  }
  // Nothing is said of which part was wrong.
  if (client_.empty() || hello->role != protocol::Role::Build) {
    log(LogLevel::Warning, "gateway", "a peer at " + peer_ + " was refused");
    fail({protocol::ErrorCode::Unauthorized, "not admitted: a client certificate or a token, and the role build"});
    return;
  }
  admitted_ = true;
  // It is between two frames.
  frames_ = protocol::FrameReader({.body = gateway_.limits.frame, .skippable = gateway_.limits.frame});
  session_ = std::make_shared<BuildSession>(client_, [weak = weak_from_this()](const Json &message) {
    std::shared_ptr<GatewayConnection> self = weak.lock();
    if (!self || self->closed_) {
      return false;
    }
    self->sendMessage(message);
    return true;
  });
  sendMessage(
      protocol::resultMessage(*call.id, protocol::toJson(protocol::Welcome{kProtocol, "", gateway_.api.version(), 0})));
}

void GatewayConnection::onMessage(const std::string &body) {
  if (!admitted_ && protocol::guardJson(body, kFirstJson) != protocol::JsonFault::None) {
    sendMessage(protocol::errorMessage({}, {protocol::ErrorCode::ParseError, "too much for a first message"}));
    endSoon();
    return;
  }
  protocol::Incoming incoming = protocol::decodeMessage(body);
  for (const protocol::Message &message : incoming.messages) {
    if (closed_ || ending_) {
      return; // the answers to those before were too many
    }
    if (const auto *invalid = std::get_if<protocol::Invalid>(&message)) {
      sendMessage(protocol::errorMessage(invalid->id, invalid->error));
      if (!admitted_) {
        endSoon();
        return;
      }
      continue;
    }
    const auto *call = std::get_if<protocol::Call>(&message);
    if (!call) {
      continue;
    }
    if (!admitted_) {
      onHello(*call);
      if (!admitted_) {
        return;
      }
    } else if (call->id) {
      std::shared_ptr<BuildSession> session = session_;
      ApiAnswer got = gateway_.api.call(session, call->method, call->params);
      sendMessage(got ? protocol::resultMessage(*call->id, std::move(got.result))
                      : protocol::errorMessage(*call->id, *got.error));
    }
  }
}

void GatewayConnection::onHttp(std::string_view bytes) {
  while (!closed_ && !ending_) {
    HttpReader::State state = http_.feed(bytes);
    if (state == HttpReader::State::NeedMore && !http_.inBody()) {
      messageBegan_ = http_.idle() ? std::nullopt : messageBegan_ ? messageBegan_ : std::optional(heard_);
      return;
    }
    if (state == HttpReader::State::Failed) {
      send(httpText({http_.status(), "text/plain; charset=utf-8", "this is no request\n", {}}, false, false));
      endSoon();
      return;
    }
    std::string client = client_;
    if (client.empty()) {
      // Before the body: who is nobody does not send a gigabyte first.
      client = gateway_.credentials.nameOf(tokenOf(http_.pending().header("authorization"))).value_or("");
    }
    admitted_ = admitted_ || !client.empty(); // a body may take its time
    if (state != HttpReader::State::Request) {
      if (client.empty()) {
        send(httpText({401, "text/plain; charset=utf-8", "not admitted\n", {}}, false, false));
        endSoon();
        return;
      }
      if (state == HttpReader::State::NeedMore) {
        messageBegan_ = messageBegan_ ? messageBegan_ : std::optional(heard_);
        return;
      }
      if (state == HttpReader::State::Large && !onLargeBody(client)) {
        endSoon();
        return;
      }
      if (http_.waits()) {
        send("HTTP/1.1 100 Continue\r\n\r\n");
      }
      continue;
    }
    messageBegan_.reset();
    HttpRequest request = http_.take();
    admitted_ = admitted_ || local_;
    messageTime_ = gateway_.limits.message;
    HttpResponse response = gateway_.routes.answer(request, client, local_, body_ ? &*body_ : nullptr);
    body_.reset();
    bool keep = request.keepAlive && response.status != 401;
    send(httpText(response, keep, request.method == "HEAD"));
    if (response.content && request.method != "HEAD") {
      send(std::move(response.content));
    }
    if (!keep) {
      endSoon();
    }
  }
}

bool GatewayConnection::onLargeBody(const std::string &client) {
  HttpResponse refusal;
  body_ = gateway_.routes.receive(http_.pending(), client, http_.length(), refusal);
  if (!body_) {
    send(httpText(refusal, false, false));
    return false;
  }
  http_.divert([this](std::string_view bytes) { return body_ && body_->writer->add(bytes); });
  messageTime_ =
      gateway_.limits.message + std::chrono::milliseconds(static_cast<int64_t>(http_.length() / kSlowestBytesPerMs));
  return true;
}

void GatewayConnection::send(std::shared_ptr<HttpContent> content) {
  if (!closed_ && content->size != 0) {
    wrote_ = contents_ == 0 && unsentBytes_ == 0 ? Steady::now() : wrote_;
    ++contents_;
    unsent_.push_back({{}, std::move(content), 0});
    pump();
  }
}

void GatewayConnection::send(std::string text) {
  if (closed_) {
    return;
  }
  if (unsentBytes_ == 0) {
    wrote_ = Steady::now();
  }
  unsentBytes_ += text.size();
  unsent_.push_back({std::move(text), nullptr, 0});
  if (unsentBytes_ > gateway_.limits.unsent + gateway_.limits.frame) {
    log(LogLevel::Warning, "gateway", "a peer at " + peer_ + " does not read its answers");
    close();
    return;
  }
  pump();
}

void GatewayConnection::pump() {
  if (writeInFlight_ || closed_) {
    return;
  }
  if (written_ == writing_.size() && !unsent_.empty()) {
    written_ = 0;
    Piece &next = unsent_.front();
    if (next.content) {
      std::optional<std::string> part = next.content->read(next.at, kWriteBytes);
      if (!part || part->empty()) { // cut off: nobody takes it for the whole
        log(LogLevel::Warning, "gateway", "what a peer at " + peer_ + " reads was damaged");
        close();
        return;
      }
      next.at += part->size();
      unsentBytes_ += part->size();
      writing_ = std::move(*part);
    } else {
      writing_ = std::move(next.text);
    }
    if (!next.content || next.at == next.content->size) {
      contents_ -= next.content ? 1 : 0;
      unsent_.pop_front();
    }
  }
  if (written_ == writing_.size()) {
    if (ending_) {
      close();
    } else {
      read();
    }
    return;
  }
  // In pieces: who takes a long answer slowly is seen to take it.
  std::string_view piece = std::string_view(writing_).substr(written_, kWriteBytes);
  writeInFlight_ = true;
  wire_->write(piece, [self = shared_from_this(), size = piece.size()](const boost::system::error_code &error) {
    self->writeInFlight_ = false;
    self->written_ += size;
    self->unsentBytes_ -= size;
    if (self->written_ == self->writing_.size()) {
      self->writing_ = {};
      self->written_ = 0;
    }
    self->wrote_ = Steady::now();
    if (error) {
      self->close();
      return;
    }
    self->pump();
  });
}

void GatewayConnection::endSoon() {
  ending_ = true;
  if (!writeInFlight_ && unsent_.empty() && written_ == writing_.size()) {
    close();
  }
}

void GatewayConnection::tick(Steady::time_point now) {
  if (closed_) {
    return;
  }
  const GatewayLimits &limits = gateway_.limits;
  const char *why = nullptr;
  if (!admitted_ && now - since_ > limits.handshake) {
    why = "did not say who it is in time";
  } else if (messageBegan_ && now - *messageBegan_ > messageTime_) {
    why = "did not finish its message in time";
  } else if ((unsentBytes_ != 0 || contents_ != 0) && now - wrote_ > limits.unread) {
    why = "does not read its answers";
  } else if (now - heard_ > limits.idle && now - wrote_ > limits.idle) {
    why = "was silent for long";
  }
  if (why) {
    log(LogLevel::Info, "gateway", "the peer at " + peer_ + " " + why);
    close();
  }
}

void GatewayConnection::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  session_.reset();
  http_.divert({});
  body_.reset();
  unsent_.clear();
  wire_->close();
}

} // namespace placid::server
