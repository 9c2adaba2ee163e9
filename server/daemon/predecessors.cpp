// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/predecessors.h"

#include "protocol/daemon/endpoint.h"
#include "protocol/daemon/hello.h"
#include "protocol/framing/frame_reader.h"
#include "protocol/jsonrpc/message.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace placid::server {

namespace {

constexpr timeval kPatience{2, 0};

void drain(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return;
  }
  path.copy(address.sun_path, path.size());
  int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) {
    protocol::Hello hello;
    hello.protocolMin = 1;
    hello.protocolMax = INT32_MAX; // whatever it speaks: administration stays the same
    hello.role = protocol::Role::Admin;
    protocol::Json first = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", protocol::kHelloMethod}};
    first["params"] = protocol::toJson(hello);
    protocol::Json second = {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "admin/drain"}};
    std::string bytes = protocol::frame(protocol::encode(first)) + protocol::frame(protocol::encode(second));
    char answer[4096];
    if (::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size())) {
      [[maybe_unused]] ssize_t got = ::recv(fd, answer, sizeof answer, 0);
      log(LogLevel::Info, "daemon", "asked an earlier build to end: " + path);
    }
  }
  ::close(fd);
}

} // namespace

void drainPredecessors(const std::string &folder, const std::string &ownSocket, const std::string &program,
                       const std::string &buildId) {
  std::error_code error;
  std::vector<std::string> sockets;
  std::filesystem::directory_iterator entries(folder, error);
  for (std::filesystem::directory_iterator end; !error && entries != end; entries.increment(error)) {
    std::string path = entries->path().string();
    if (path.ends_with(".sock") && path != ownSocket) {
      sockets.push_back(path);
    }
  }
  for (const std::string &path : sockets) {
    std::ifstream lock(path.substr(0, path.size() - 5) + ".lock");
    std::string named;
    std::string build; // none in the lock of a build from before they were named
    if (std::getline(lock, named) && named == program && (!std::getline(lock, build) || build != buildId)) {
      drain(path);
    }
  }
}

} // namespace placid::server
