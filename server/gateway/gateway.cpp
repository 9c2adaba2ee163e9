// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/gateway.h"

#include "protocol/daemon/endpoint.h"
#include "protocol/daemon/hello.h"
#include "protocol/framing/frame_reader.h"
#include "protocol/jsonrpc/json_guard.h"
#include "server/gateway/credentials.h"
#include "server/gateway/routes.h"
#include "server/gateway/wire.h"
#include "server/support/log.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <exception>
#include <list>
#include <map>

namespace placid::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using protocol::Json;
using Steady = std::chrono::steady_clock;

namespace {

constexpr size_t kReadBytes = size_t{64} << 10;
constexpr std::chrono::seconds kTick{1};
constexpr size_t kWriteBytes = size_t{256} << 10;
constexpr std::chrono::milliseconds kAcceptPause{100};
/// Of who has not said who it is.
constexpr size_t kFirstFrame = size_t{64} << 10;
constexpr protocol::JsonLimits kFirstJson{.depth = 20, .values = 1000};
constexpr int kProtocol = protocol::kDaemonProtocol;

/// "host:port", "[::1]:port". Nothing when it is neither.
std::optional<tcp::endpoint> parseAddress(const std::string &text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos) {
    return std::nullopt;
  }
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  unsigned port = 0;
  auto [end, wrong] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  boost::system::error_code error;
  asio::ip::address address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error || wrong != std::errc() || end != text.data() + text.size() || port > 65535) {
    return std::nullopt;
  }
  return tcp::endpoint(address, static_cast<uint16_t>(port));
}

std::string addressText(const tcp::acceptor &acceptor) {
  boost::system::error_code error;
  tcp::endpoint endpoint = acceptor.local_endpoint(error);
  if (error) {
    return {};
  }
  std::string host = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
}

/// Compilers are started while connections are open: they inherit none.
void keepFromTools(int fd) { ::fcntl(fd, F_SETFD, FD_CLOEXEC); }

class Connection;

} // namespace

struct Gateway::State : std::enable_shared_from_this<Gateway::State> {
  State(asio::io_context &context, BuildApi &buildApi, ServeSettings serve, GatewayLimits bounds)
      : io(context), api(buildApi), pageKey(newSecret()), routes(buildApi, pageKey), settings(std::move(serve)),
        limits(bounds), credentials(settings.tokens) {}

  asio::io_context &io;
  BuildApi &api;
  const std::string pageKey;
  Routes routes;
  const ServeSettings settings;
  const GatewayLimits limits;
  Credentials credentials;
  std::unique_ptr<TlsFactory> tls;
  tcp::acceptor tlsAcceptor{io}, httpAcceptor{io};
  asio::steady_timer timer{io};
  std::list<std::shared_ptr<Connection>> connections;
  std::map<std::string, size_t> perPeer;

  std::string listen(tcp::acceptor &acceptor, const std::string &address, const char *name, bool loopback);
  void accept(tcp::acceptor &acceptor, bool secure);
  void admit(tcp::socket socket, bool secure);
  void sweep();
  void tick();
};

namespace {

/// One peer: bytes in, messages or requests out of them, answers back.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(std::unique_ptr<Wire> wire, std::string peer, bool local, Gateway::State &gateway);
  void start();
  void tick(Steady::time_point now);
  void close();
  bool closed() const { return closed_; }
  const std::string &peer() const { return peer_; }

private:
  enum class Speech : uint8_t { Unknown, Frames, Http };
  void read();
  void onBytes(std::string_view bytes);
  void onFrames(std::string_view bytes);
  void onMessage(const std::string &body);
  void onHello(const protocol::Call &call);
  void onHttp(std::string_view bytes);
  void send(std::string text);
  void sendMessage(const Json &message) { send(protocol::frame(protocol::encode(message))); }
  void pump();
  /// Nothing more is read; it ends when the last answer is out.
  void endSoon();

  std::unique_ptr<Wire> wire_;
  const std::string peer_;
  const bool local_;
  Gateway::State &gateway_;
  std::string client_;
  Speech speech_ = Speech::Unknown;
  std::string first_;
  protocol::FrameReader frames_;
  HttpReader http_;
  std::shared_ptr<BuildSession> session_;
  std::string buffer_ = std::string(kReadBytes, '\0');
  std::deque<std::string> unsent_;
  size_t unsentBytes_ = 0;
  std::string writing_;
  size_t written_ = 0; ///< Of `writing_`.
  bool writeInFlight_ = false, reading_ = false, closed_ = false, ending_ = false, admitted_ = false;
  Steady::time_point since_ = Steady::now(), heard_ = since_, wrote_ = since_;
  std::optional<Steady::time_point> messageBegan_;
};

Connection::Connection(std::unique_ptr<Wire> wire, std::string peer, bool local, Gateway::State &gateway)
    : wire_(std::move(wire)), peer_(std::move(peer)), local_(local), gateway_(gateway),
      frames_(protocol::FrameLimits{.body = kFirstFrame, .skippable = gateway.limits.frame}) {}

void Connection::start() {
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

void Connection::read() {
  if (reading_ || closed_ || ending_) {
    return;
  }
  // Who asks and does not take the answers is not read from.
  if (unsentBytes_ > gateway_.limits.unsent / 4) {
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

void Connection::onBytes(std::string_view bytes) {
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

void Connection::onFrames(std::string_view bytes) {
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

void Connection::onHello(const protocol::Call &call) {
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
    std::shared_ptr<Connection> self = weak.lock();
    if (!self || self->closed_) {
      return false;
    }
    self->sendMessage(message);
    return true;
  });
  sendMessage(
      protocol::resultMessage(*call.id, protocol::toJson(protocol::Welcome{kProtocol, "", gateway_.api.version(), 0})));
}

void Connection::onMessage(const std::string &body) {
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

void Connection::onHttp(std::string_view bytes) {
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
      // Before the body: who is nobody does not send 128 MiB first.
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
      send("HTTP/1.1 100 Continue\r\n\r\n");
      continue;
    }
    messageBegan_.reset();
    HttpRequest request = http_.take();
    admitted_ = admitted_ || local_;
    HttpResponse response = gateway_.routes.answer(request, client, local_);
    bool keep = request.keepAlive && response.status != 401;
    send(httpText(response, keep, request.method == "HEAD"));
    if (!keep) {
      endSoon();
    }
  }
}

void Connection::send(std::string text) {
  if (closed_) {
    return;
  }
  if (unsentBytes_ == 0) {
    wrote_ = Steady::now();
  }
  unsentBytes_ += text.size();
  unsent_.push_back(std::move(text));
  if (unsentBytes_ > gateway_.limits.unsent + gateway_.limits.frame + (size_t{128} << 20)) {
    log(LogLevel::Warning, "gateway", "a peer at " + peer_ + " does not read its answers");
    close();
    return;
  }
  pump();
}

void Connection::pump() {
  if (writeInFlight_ || closed_) {
    return;
  }
  if (written_ == writing_.size() && !unsent_.empty()) {
    writing_ = std::move(unsent_.front());
    unsent_.pop_front();
    written_ = 0;
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

void Connection::endSoon() {
  ending_ = true;
  if (!writeInFlight_ && unsent_.empty() && written_ == writing_.size()) {
    close();
  }
}

void Connection::tick(Steady::time_point now) {
  if (closed_) {
    return;
  }
  const GatewayLimits &limits = gateway_.limits;
  const char *why = nullptr;
  if (!admitted_ && now - since_ > limits.handshake) {
    why = "did not say who it is in time";
  } else if (messageBegan_ && now - *messageBegan_ > limits.message) {
    why = "did not finish its message in time";
  } else if (unsentBytes_ != 0 && now - wrote_ > limits.unread) {
    why = "does not read its answers";
  } else if (now - heard_ > limits.idle && now - wrote_ > limits.idle) {
    why = "was silent for long";
  }
  if (why) {
    log(LogLevel::Info, "gateway", "the peer at " + peer_ + " " + why);
    close();
  }
}

void Connection::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  session_.reset();
  wire_->close();
}

} // namespace

std::string Gateway::State::listen(tcp::acceptor &acceptor, const std::string &address, const char *name,
                                   bool loopback) {
  std::optional<tcp::endpoint> endpoint = parseAddress(address);
  if (!endpoint) {
    return std::string(name) + " = \"" + address + "\" is no address with a port, such as 0.0.0.0:7443";
  }
  if (loopback && !endpoint->address().is_loopback()) {
    return std::string(name) + " = \"" + address + "\": plain HTTP is for this machine alone, 127.0.0.1 or [::1]";
  }
  boost::system::error_code error;
  acceptor.open(endpoint->protocol(), error);
  if (!error) {
    keepFromTools(acceptor.native_handle());
    acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    acceptor.bind(*endpoint, error);
  }
  if (!error) {
    acceptor.listen(asio::socket_base::max_listen_connections, error);
  }
  return error ? "cannot listen on " + address + ": " + error.message() : std::string();
}

void Gateway::State::admit(tcp::socket socket, bool secure) {
  boost::system::error_code error;
  tcp::endpoint remote = socket.remote_endpoint(error);
  if (error) {
    return;
  }
  std::string peer = remote.address().to_string();
  auto full = [&] {
    auto theirs = perPeer.find(peer);
    return connections.size() >= limits.connections ||
           (theirs != perPeer.end() && theirs->second >= limits.connectionsPerPeer);
  };
  if (full()) {
    sweep();
  }
  if (full()) {
    log(LogLevel::Warning, "gateway", "there are too many connections: one of " + peer + " was closed");
    return;
  }
  keepFromTools(socket.native_handle());
  socket.set_option(tcp::no_delay(true), error);
  std::unique_ptr<Wire> wire = secure ? tls->wrap(std::move(socket)) : plainWire(std::move(socket));
  connections.push_back(std::make_shared<Connection>(std::move(wire), peer, !secure, *this));
  ++perPeer[peer];
  std::shared_ptr<Connection> connection = connections.back();
  connection->start();
}

void Gateway::State::accept(tcp::acceptor &acceptor, bool secure) {
  acceptor.async_accept([this, &acceptor, secure](const boost::system::error_code &error, tcp::socket socket) {
    if (!acceptor.is_open()) {
      return;
    }
    if (error) { // such as too many open files: at once it would be the same
      auto pause = std::make_shared<asio::steady_timer>(io, kAcceptPause);
      pause->async_wait([this, &acceptor, secure, pause](const boost::system::error_code &ended) {
        if (!ended && acceptor.is_open()) {
          accept(acceptor, secure);
        }
      });
      return;
    }
    accept(acceptor, secure);
    try {
      admit(std::move(socket), secure);
    } catch (const std::exception &fault) {
      log(LogLevel::Error, "gateway", std::string("a connection was closed: ") + fault.what());
    }
  });
}

void Gateway::State::sweep() {
  for (auto at = connections.begin(); at != connections.end();) {
    if (!(*at)->closed()) {
      ++at;
      continue;
    }
    auto count = perPeer.find((*at)->peer());
    if (count != perPeer.end() && --count->second == 0) {
      perPeer.erase(count);
    }
    at = connections.erase(at);
  }
}

void Gateway::State::tick() {
  timer.expires_after(kTick);
  timer.async_wait([this](const boost::system::error_code &error) {
    if (error) {
      return;
    }
    Steady::time_point now = Steady::now();
    for (const std::shared_ptr<Connection> &connection : connections) {
      connection->tick(now);
    }
    sweep();
    tick();
  });
}

Gateway::Gateway(asio::io_context &io, BuildApi &api, ServeSettings settings, GatewayLimits limits)
    : state_(std::make_shared<State>(io, api, std::move(settings), limits)) {}

Gateway::~Gateway() = default;

std::string Gateway::start() {
  State &state = *state_;
  if (std::string wrong = state.credentials.load(); !wrong.empty()) {
    return wrong;
  }
  if (!state.settings.tls.empty()) {
    if (state.settings.clientCa.empty() && state.settings.tokens.empty()) {
      return "[serve] has a tls address and neither `client-ca` nor `tokens`: nobody could be told from anybody";
    }
    std::string wrong;
    state.tls = TlsFactory::make(state.settings.cert, state.settings.key, state.settings.clientCa, wrong);
    if (!state.tls) {
      return wrong;
    }
    if (wrong = state.listen(state.tlsAcceptor, state.settings.tls, "tls", false); !wrong.empty()) {
      return wrong;
    }
    state.accept(state.tlsAcceptor, true);
  }
  if (!state.settings.http.empty()) {
    if (std::string wrong = state.listen(state.httpAcceptor, state.settings.http, "http", true); !wrong.empty()) {
      return wrong;
    }
    state.accept(state.httpAcceptor, false);
  }
  state.tick();
  return {};
}

std::string Gateway::tlsAddress() const { return addressText(state_->tlsAcceptor); }
std::string Gateway::pageAddress() const {
  std::string at = httpAddress();
  return at.empty() || state_->pageKey.empty() ? at : "http://" + at + "/?key=" + state_->pageKey;
}
std::string Gateway::httpAddress() const { return addressText(state_->httpAcceptor); }

} // namespace placid::server
