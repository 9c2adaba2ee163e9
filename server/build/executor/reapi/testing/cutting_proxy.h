// SPDX-License-Identifier: Apache-2.0
// Between a client and a server of a test, over TCP: passes everything on, and cuts connections in the middle of what
// they carry, so often as a test says. Knows no protocol. Threads of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace placid::server {

class CuttingProxy {
public:
  /// To 127.0.0.1:`port`. `address()` is empty when it could not start.
  explicit CuttingProxy(int port);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy &) = delete;
  CuttingProxy &operator=(const CuttingProxy &) = delete;

  std::string address() const; ///< "grpc://HOST:PORT".
  /// The next `times` connections that carry more than that in one direction are cut there.
  void cut(uint64_t bytesUp, uint64_t bytesDown, int times);
  int cuts() const;
  uint64_t up() const;   ///< Bytes to the server.
  uint64_t down() const; ///< Bytes from it.

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace placid::server
