// SPDX-License-Identifier: Apache-2.0
// The daemon: sessions, scheduling, workers and commands of all clients in one process that never runs a pass. Owns the
// io thread's loop and everything on it; what a connection does is in roles.h. Knows processes and sockets, no MLIR.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/build/toolchains/discovery.h"
#include "server/publish/publish.h"

#include <chrono>
#include <string>

namespace placid::server {

struct DaemonOptions {
  std::string version;
  std::string listen;    ///< A socket path of the user's choice; empty: the one that clients compute.
  std::string expectKey; ///< Refuse to run under another key: the program was replaced after the client looked.
  int readyFd = -1;      ///< Closed once clients can connect.
  int workers = 0;       ///< 0: one a core, at least two.
  std::chrono::seconds idle{600}; ///< Without clients for this long the daemon ends; 0: never.
  std::chrono::milliseconds callDeadline{30000};
  DocLinks links;
  bool listenToOthers = false; ///< As `[serve]` of the user's settings says.
  ToolEnvironment environment; ///< Of the process: where builds that are sent here find their tools.
  std::string cacheFolder;     ///< Where results are kept for the next daemon; empty: nowhere.
  bool (*importsPl)(std::string_view) = nullptr;
};

/// The exit code of the process. To be called while the process has one thread.
int runDaemon(compiler::CompilerService &compiler, DaemonOptions options);

} // namespace placid::server
