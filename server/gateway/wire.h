// SPDX-License-Identifier: Apache-2.0
// A connected socket, with TLS around it or without, as bytes in and out: what speaks over it need not know which. The
// TLS here is 1.3 alone, without early data and tickets. The loop's thread; callbacks on it.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace placid::server {

class Wire {
public:
  virtual ~Wire() = default;
  virtual void handshake(std::function<void(const boost::system::error_code &)> done) = 0;
  /// Some bytes, at least one.
  virtual void read(char *into, size_t most, std::function<void(const boost::system::error_code &, size_t)> done) = 0;
  /// All of `bytes`, which stay where they are until `done`.
  virtual void write(std::string_view bytes, std::function<void(const boost::system::error_code &)> done) = 0;
  virtual void close() = 0;
  /// The common name of the peer's certificate, which was checked; empty: it has shown none.
  virtual std::string peerName() const = 0;
};

std::unique_ptr<Wire> plainWire(boost::asio::ip::tcp::socket socket);

class TlsFactory {
public:
  virtual ~TlsFactory() = default;
  /// From files in PEM. `clientCa` empty: certificates of peers are not asked for. Null and `wrong` set on a fault.
  static std::unique_ptr<TlsFactory> make(const std::string &cert, const std::string &key, const std::string &clientCa,
                                          std::string &wrong);
  virtual std::unique_ptr<Wire> wrap(boost::asio::ip::tcp::socket socket) = 0;
};

} // namespace placid::server
