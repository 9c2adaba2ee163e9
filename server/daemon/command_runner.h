// SPDX-License-Identifier: Apache-2.0
// Runs the commands of clients inside the daemon, each on a thread of its own that stands in the client's folder with
// the client's umask, so that paths mean what they mean there. Files are read here; compiling goes through the
// scheduler like everything else. Limited in number; what waits beyond that is refused.
#pragma once

#include "protocol/daemon/hello.h"
#include "server/cache/caching_service.h"
#include "server/commands/command.h"
#include "server/scheduler/scheduler.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace placid::server {

class CommandRunner {
public:
  static constexpr size_t kMaxRunning = 16;
  static constexpr size_t kMaxWaiting = 1024;
  /// Of the threads of a command that begins while somebody edits.
  static constexpr int kNiceness = 10;

  /// Both on the io thread. `done` once: the exit code, or nothing when the command was refused.
  struct Sink {
    std::function<void(const protocol::CommandOutput &)> output;
    std::function<void(std::optional<int>)> done;
  };

  /// `context` without a compiler: each command gets one that schedules.
  CommandRunner(Scheduler &scheduler, EventLoop &loop, ResultCache &cache, CommandContext context)
      : scheduler_(scheduler), loop_(loop), cache_(cache), context_(std::move(context)), lanes_(scheduler.lanes()) {}

  /// Io thread.
  void run(protocol::CommandRun command, std::stop_token stop, Sink sink);
  size_t running() const { return running_; }
  size_t waiting() const { return waiting_.size(); }

private:
  struct Work {
    protocol::CommandRun command;
    std::stop_token stop;
    Sink sink;
    ClientId client;
  };

  void start(std::shared_ptr<Work> work);
  void execute(const std::shared_ptr<Work> &work);

  Scheduler &scheduler_;
  EventLoop &loop_;
  ResultCache &cache_;
  CommandContext context_;
  const size_t lanes_;
  size_t running_ = 0;
  std::deque<std::shared_ptr<Work>> waiting_;
};

} // namespace placid::server
