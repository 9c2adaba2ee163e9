// SPDX-License-Identifier: Apache-2.0
// What the listeners and the connections of the gateway know of each other. For these two files alone. The build
// thread.
#pragma once

#include "protocol/framing/frame_reader.h"
#include "protocol/jsonrpc/message.h"
#include "server/gateway/credentials.h"
#include "server/gateway/gateway.h"
#include "server/gateway/routes.h"
#include "server/gateway/wire.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

class GatewayConnection;

struct Gateway::State : std::enable_shared_from_this<Gateway::State> {
  State(boost::asio::io_context &context, BuildApi &buildApi, ServeSettings serve, GatewayLimits bounds)
      : io(context), api(buildApi), pageKey(newSecret()), routes(buildApi, pageKey), settings(std::move(serve)),
        limits(bounds), credentials(settings.tokens) {}

  boost::asio::io_context &io;
  BuildApi &api;
  const std::string pageKey;
  Routes routes;
  const ServeSettings settings;
  const GatewayLimits limits;
  Credentials credentials;
  std::unique_ptr<TlsFactory> tls;
  boost::asio::ip::tcp::acceptor tlsAcceptor{io}, httpAcceptor{io};
  boost::asio::steady_timer timer{io};
  std::list<std::shared_ptr<GatewayConnection>> connections;
  std::map<std::string, size_t> perPeer;

  std::string listen(boost::asio::ip::tcp::acceptor &acceptor, const std::string &address, const char *name,
                     bool loopback);
  void accept(boost::asio::ip::tcp::acceptor &acceptor, bool secure);
  void admit(boost::asio::ip::tcp::socket socket, bool secure);
  void sweep();
  void tick();
};

/// One peer: bytes in, messages or requests out of them, answers back.
class GatewayConnection : public std::enable_shared_from_this<GatewayConnection> {
public:
  GatewayConnection(std::unique_ptr<Wire> wire, std::string peer, bool local, Gateway::State &gateway);
  void start();
  void tick(std::chrono::steady_clock::time_point now);
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
  /// False: the large body that is announced is not taken.
  bool onLargeBody(const std::string &client);
  void send(std::string text);
  void send(std::shared_ptr<HttpContent> content);
  void sendMessage(const protocol::Json &message) { send(protocol::frame(protocol::encode(message))); }
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
  std::string buffer_;
  /// Text, or content of which `at` bytes have been taken.
  struct Piece {
    std::string text;
    std::shared_ptr<HttpContent> content;
    uint64_t at = 0;
  };
  std::optional<LargeBody> body_; ///< Of the request that is read.
  std::deque<Piece> unsent_;
  size_t unsentBytes_ = 0, contents_ = 0;
  std::string writing_;
  size_t written_ = 0; ///< Of `writing_`.
  bool writeInFlight_ = false, reading_ = false, closed_ = false, ending_ = false, admitted_ = false;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now(), heard_ = since_, wrote_ = since_;
  std::optional<std::chrono::steady_clock::time_point> messageBegan_;
  std::chrono::milliseconds messageTime_; ///< From its first byte to its last.
};

} // namespace placid::server
