// SPDX-License-Identifier: Apache-2.0
// One daemon a key: the folder of sockets, the lock that the living daemon holds, and its listening socket. Blocking
// system calls, before the io thread runs; owns the files until it is dropped.
#pragma once

#include "protocol/daemon/endpoint.h"

#include <string>

namespace placid::server {

/// Of the running program and the environment, as a client computes them.
protocol::DaemonFacts ownFacts();

/// Creates the folder with mode 0700 if it is missing. What is wrong with it, or empty.
std::string prepareFolder(const std::string &folder);

class Instance {
public:
  Instance() = default;
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  enum class Start : uint8_t { Listening, Busy, Failed };
  /// Takes the lock and listens. `Busy`: another daemon of this key is alive. A socket that the system manager handed
  /// over (LISTEN_FDS) is used instead of a new one.
  Start start(const std::string &folder, const std::string &key, std::string &error);
  /// Writes what runs here into the lock, for later builds to find: the program and which build of it.
  void nameProgram(const std::string &program, const std::string &buildId) const;
  /// Nobody comes here any more: the name is free for another daemon, while this one goes on with its clients.
  void withdraw();
  /// On a path of the caller's choice, for `serve --listen`; the lock is beside it.
  Start startAt(const std::string &path, const std::string &lockFile, std::string &error);
  int releaseListener();
  const std::string &path() const { return path_; }
  bool handedOver() const { return handedOver_; }
  /// No client finds it from now on.
  void unlinkSocket();

private:
  int lock_ = -1;
  int listener_ = -1;
  bool handedOver_ = false;
  bool linked_ = false;
  std::string path_;
};

} // namespace placid::server
