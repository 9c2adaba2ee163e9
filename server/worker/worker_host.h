// SPDX-License-Identifier: Apache-2.0
// The process that worker processes are forked from: it has the compiler's libraries loaded and one thread, so a worker
// is there in a millisecond and shares its memory. The daemon forks it before it has threads; one that died is replaced
// by `placidd worker`. Workers end with it, and it ends with the daemon.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/support/sync.h"
#include "server/worker/channel.h"

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace placid::server {

/// A running worker: killed when dropped. One thread, except kill().
class WorkerProcess {
public:
  WorkerProcess(pid_t pid, int pidFd, int socket);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;
  pid_t pid() const { return pid_; }
  Channel &channel() { return channel_; }
  void kill();

private:
  pid_t pid_;
  int pidFd_;
  Channel channel_;
};

/// Makes workers. Any thread.
class WorkerHost {
public:
  /// `command` starts a host anew when the forked one is gone: a program, its arguments; the control socket is fd 3.
  explicit WorkerHost(std::vector<std::string> command) : command_(std::move(command)) {}
  ~WorkerHost();
  WorkerHost(const WorkerHost &) = delete;
  WorkerHost &operator=(const WorkerHost &) = delete;

  /// Forks the host out of this process. Only while the process has one thread.
  void fork(compiler::CompilerService &compiler);
  /// Null when no worker can be made. With a niceness above 0 the worker gives way to all others: it runs at that
  /// priority, in a session of its own (giveWay in support/process.h says why).
  std::unique_ptr<WorkerProcess> spawn(int niceness = 0);

private:
  bool startAnew() PLACID_REQUIRES(mutex_);
  std::unique_ptr<WorkerProcess> ask(int niceness) PLACID_REQUIRES(mutex_);
  void drop() PLACID_REQUIRES(mutex_);

  std::vector<std::string> command_;
  Mutex mutex_;
  int control_ PLACID_GUARDED_BY(mutex_) = -1;
  pid_t pid_ PLACID_GUARDED_BY(mutex_) = -1;
};

/// The host's own loop on its control socket: forks a worker for each request, ends with the socket.
[[noreturn]] void runWorkerHost(int control, compiler::CompilerService &compiler);

} // namespace placid::server
