// SPDX-License-Identifier: Apache-2.0
// The listeners for other machines: TLS 1.3 with client certificates or tokens, over which either framed JSON-RPC or
// HTTP is spoken; and plain HTTP for this machine alone. Every connection has clocks and bounds from its first byte on:
// a peer that is slow, silent, too large or nobody gets nothing. Runs on the build thread.
#pragma once

#include "server/build/jobs/build_api.h"
#include "server/build/toolchains/discovery.h"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace placid::server {

struct GatewayLimits {
  size_t connections = 256;
  size_t connectionsPerPeer = 64;
  std::chrono::milliseconds handshake{10000}; ///< Until TLS is agreed on and the first message is whole.
  std::chrono::milliseconds message{60000};   ///< From a message's first byte to its last.
  std::chrono::milliseconds idle{300000};     ///< Between messages.
  std::chrono::milliseconds unread{60000};    ///< A peer that does not take what it asked for.
  size_t frame = size_t{8} << 20;
  size_t unsent = size_t{64} << 20;
};

class Gateway {
public:
  Gateway(boost::asio::io_context &io, BuildApi &api, ServeSettings settings, GatewayLimits limits = {});
  ~Gateway();
  Gateway(const Gateway &) = delete;
  Gateway &operator=(const Gateway &) = delete;
  /// Begins to listen. What is wrong, or empty.
  std::string start();
  /// As they were taken: a port 0 of the settings becomes one. "host:port", empty where nothing listens.
  std::string tlsAddress() const;
  std::string httpAddress() const;
  /// The page's, with the key under which it shows all builds: for the machine's own socket alone. Empty without http.
  std::string pageAddress() const;

  struct State; ///< What its connections share.

private:
  std::shared_ptr<State> state_;
};

} // namespace placid::server
