// SPDX-License-Identifier: Apache-2.0
// Serves one Language Server session on a pair of file descriptors until it ends: owns the io thread's loop
// (Boost.Asio), the reader and writer threads, the compile thread, signals, and the watch on the client's process. The
// only part of the server besides main that knows a process exists.
#pragma once

#include "server/session/session.h"

namespace placid::server {

struct StdioOptions {
  int in = 0;
  int out = 1;
  /// Run compiler work on the io thread: same code, every answer in a fixed order.
  bool sync = false;
  SessionConfig session;
};

/// The exit code: 0 after shutdown and exit, 1 without, 130 and 143 after SIGINT and SIGTERM.
int serveStdio(compiler::CompilerService &compiler, StdioOptions options);

} // namespace placid::server
