// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/gateway_state.h"
#include "server/support/log.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <fcntl.h>

#include <charconv>
#include <exception>

namespace placid::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using Steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kTick{1};
constexpr std::chrono::milliseconds kAcceptPause{100};

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
  connections.push_back(std::make_shared<GatewayConnection>(std::move(wire), peer, !secure, *this));
  ++perPeer[peer];
  std::shared_ptr<GatewayConnection> connection = connections.back();
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
    for (const std::shared_ptr<GatewayConnection> &connection : connections) {
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
