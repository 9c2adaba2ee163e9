// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/testing/cutting_proxy.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <list>
#include <thread>

namespace placid::server {

namespace {

constexpr int kLookMs = 50;

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(static_cast<uint16_t>(port));
  return out;
}

bool sendAll(int fd, const char *bytes, size_t size) {
  while (size != 0) {
    ssize_t sent = ::send(fd, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

} // namespace

struct CuttingProxy::State {
  std::atomic<bool> ending = false;
  std::atomic<int> left = 0, cuts = 0;
  std::atomic<uint64_t> mostUp = 0, mostDown = 0, up = 0, down = 0;
  int listener = -1, target = 0, port = 0;
  std::thread acceptor;
  std::list<std::thread> pumps; ///< The acceptor's.

  void accept() {
    pollfd ready{listener, POLLIN, 0};
    while (!ending) {
      int client = ::poll(&ready, 1, kLookMs) > 0 ? ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC) : -1;
      if (client >= 0) {
        pumps.emplace_back([this, client] { pump(client); });
      }
    }
  }

  void pump(int client) {
    int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(target);
    if (::connect(server, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0) {
      forward(client, server);
    }
    ::close(client);
    ::close(server);
  }

  /// Until one side hangs up, or it is cut.
  void forward(int client, int server) {
    std::array<pollfd, 2> ends{pollfd{client, POLLIN, 0}, pollfd{server, POLLIN, 0}};
    std::array<uint64_t, 2> carried{};
    std::array<char, 65536> bytes{};
    while (!ending) {
      ::poll(ends.data(), ends.size(), kLookMs);
      for (size_t from = 0; from < 2; ++from) {
        if (ends[from].revents == 0) {
          continue;
        }
        ssize_t got = ::recv(ends[from].fd, bytes.data(), bytes.size(), 0);
        if (got <= 0) {
          return;
        }
        auto size = static_cast<size_t>(got);
        carried[from] += size;
        (from == 0 ? up : down) += size;
        if (carried[from] > (from == 0 ? mostUp : mostDown) && left > 0 && left-- > 0) {
          ++cuts;
          sendAll(ends[1 - from].fd, bytes.data(), size / 2); // in the middle
          return;
        }
        if (!sendAll(ends[1 - from].fd, bytes.data(), size)) {
          return;
        }
      }
    }
  }
};

CuttingProxy::CuttingProxy(int port) : state_(std::make_unique<State>()) {
  state_->target = port;
  state_->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  if (::bind(state_->listener, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
      ::listen(state_->listener, 16) == 0 &&
      ::getsockname(state_->listener, reinterpret_cast<sockaddr *>(&address), &size) == 0) {
    state_->port = ntohs(address.sin_port);
    state_->acceptor = std::thread([this] { state_->accept(); });
  }
}

CuttingProxy::~CuttingProxy() {
  state_->ending = true;
  if (state_->acceptor.joinable()) {
    state_->acceptor.join();
  }
  for (std::thread &pump : state_->pumps) {
    pump.join();
  }
  ::close(state_->listener);
}

std::string CuttingProxy::address() const {
  return state_->port == 0 ? std::string() : "grpc://127.0.0.1:" + std::to_string(state_->port);
}
void CuttingProxy::cut(uint64_t bytesUp, uint64_t bytesDown, int times) {
  state_->mostUp = bytesUp;
  state_->mostDown = bytesDown;
  state_->left = times;
}
int CuttingProxy::cuts() const { return state_->cuts; }
uint64_t CuttingProxy::up() const { return state_->up; }
uint64_t CuttingProxy::down() const { return state_->down; }

} // namespace placid::server
