// SPDX-License-Identifier: Apache-2.0
// Where a daemon listens and what identifies it: names computed from facts that the caller collected, the same way in
// the client and in the daemon. Opens nothing and reads nothing. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placid::protocol {

/// Of the messages that go over the socket before and around a session.
inline constexpr int kDaemonProtocol = 1;

/// What makes two daemons different from each other.
struct DaemonFacts {
  uint32_t uid = 0;
  /// The server program: its real path and what changes when it is built anew.
  std::string program;
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modifiedSeconds = 0, modifiedNanoseconds = 0;
  /// Values of the variables of kDaemonEnvironment, in that order.
  std::vector<std::string> environment;
};

/// Variables that a daemon reads once: a client with other values gets a daemon of its own.
inline constexpr std::string_view kDaemonEnvironment[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "TMPDIR"};

/// 16 hexadecimal digits: of the program alone, and of everything.
std::string buildId(const DaemonFacts &facts);
std::string daemonKey(const DaemonFacts &facts);

/// `$XDG_RUNTIME_DIR/placid`, or `/tmp/placid-<uid>` where the variable is empty.
std::string socketFolder(std::string_view xdgRuntimeDir, uint32_t uid);
inline std::string socketPath(const std::string &folder, const std::string &key) {
  return folder + "/" + key + ".sock";
}
inline std::string lockPath(const std::string &folder, const std::string &key) { return folder + "/" + key + ".lock"; }
inline std::string startLockPath(const std::string &folder, const std::string &key) {
  return folder + "/" + key + ".start";
}
inline std::string logPath(const std::string &folder, const std::string &key) { return folder + "/" + key + ".log"; }

} // namespace placid::protocol
