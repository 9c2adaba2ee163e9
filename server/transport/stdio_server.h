// SPDX-License-Identifier: Apache-2.0
// Serves one Language Server session on a pair of file descriptors until it ends: owns the io thread's loop
// (Boost.Asio), the reader and writer threads, the compile thread, signals, and the watch on the client's process. The
// only part of the server besides main that knows a process exists.
#pragma once

#include "server/session/session.h"

#include <chrono>

namespace placid::server {

struct StdioOptions {
  int in = 0;
  int out = 1;
  /// Run compiler work on the io thread: same code, every answer in a fixed order.
  bool sync = false;
  /// How long the end waits for a compile job that was asked to stop and does not.
  std::chrono::milliseconds patience{2000};
  SessionConfig session;
};

/// The exit code: 0 after shutdown and exit, 1 without, 130 and 143 after SIGINT and SIGTERM. It does not return when a
/// compile job outlasts `patience`: then the process ends here, with that code. With `sync` there is no thread that
/// could notice, so signals end the process at once and everything else waits for the job.
int serveStdio(compiler::CompilerService &compiler, StdioOptions options);

} // namespace placid::server
