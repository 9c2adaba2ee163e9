// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/command_runner.h"

#include "server/scheduler/scheduled_service.h"
#include "server/store/limited_service.h"
#include "server/support/log.h"
#include "server/support/sync.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <exception>
#include <thread>
#include <utility>

namespace placid::server {

namespace {

constexpr size_t kOutputChunk = size_t{1} << 20;

/// Where the kernel refuses a folder of one's own to a thread, commands stand in turn in the process's.
Mutex &sharedFolder() {
  static Mutex mutex;
  return mutex;
}

/// What stands between one thread of a command and the workers.
struct CommandCompiler {
  CommandCompiler(Scheduler &scheduler, EventLoop &loop, ResultCache &cache, ClientId client, std::stop_token stop)
      : scheduled(scheduler, loop, client, std::move(stop)), caching(scheduled, cache, CachingService::Keep::Disk),
        limited(caching, LimitedService::Crashes::Elsewhere) {}

  ScheduledService scheduled;
  CachingService caching; ///< In front of the queue: what is known is said at once, whatever else goes on.
  LimitedService limited; ///< Settings are looked for in the client's folder.
};

CommandResult inClientsPlace(const protocol::CommandRun &command, const CommandContext &context) {
  if (::chdir(command.cwd.c_str()) != 0) {
    return {ExitCode::kUsage, "", "placid: cannot enter " + command.cwd + ": " + std::strerror(errno) + "\n"};
  }
  ::umask(static_cast<mode_t>(command.umask));
  try {
    return runCommand(command.words, context);
  } catch (const std::exception &fault) {
    return {ExitCode::kInternal, "", std::string("placid: internal error: ") + fault.what() + "\n"};
  }
}

} // namespace

void CommandRunner::run(protocol::CommandRun command, std::stop_token stop, Sink sink) {
  if (waiting_.size() >= kMaxWaiting) {
    sink.done(std::nullopt);
    return;
  }
  auto work =
      std::make_shared<Work>(Work{std::move(command), std::move(stop), std::move(sink), scheduler_.newClient()});
  if (running_ >= kMaxRunning) {
    waiting_.push_back(std::move(work));
  } else {
    start(std::move(work));
  }
}

void CommandRunner::start(std::shared_ptr<Work> work) {
  ++running_;
  std::thread([this, work = std::move(work), beside = scheduler_.editing()] {
    if (beside) {
      ::setpriority(PRIO_PROCESS, 0, kNiceness); // on Linux of this thread, and of those that it starts
    }
    execute(work);
    loop_.post([this, work] {
      --running_;
      scheduler_.forget(work->client);
      while (!waiting_.empty() && running_ < kMaxRunning) {
        std::shared_ptr<Work> next = std::move(waiting_.front());
        waiting_.pop_front();
        start(std::move(next));
      }
    });
  }).detach(); // the process outlives it, or ends without waiting for it
}

void CommandRunner::execute(const std::shared_ptr<Work> &work) {
  auto emit = [this, work](bool error, const std::string &text) {
    for (size_t at = 0; at < text.size(); at += kOutputChunk) {
      loop_.post([work, output = protocol::CommandOutput{error, text.substr(at, kOutputChunk)}] {
        work->sink.output(output);
      });
    }
  };
  std::deque<CommandCompiler> compilers; // as many as there are workers: a folder keeps all of them busy
  for (size_t lane = 0; lane < lanes_; ++lane) {
    compilers.emplace_back(scheduler_, loop_, cache_, work->client, work->stop);
  }
  CommandContext context = context_;
  context.compiler = &compilers.front().limited;
  for (size_t i = 1; i < compilers.size(); ++i) {
    context.more.push_back(&compilers[i].limited);
  }
  context.color = work->command.color;
  context.columns = work->command.columns;
  context.errorColor = work->command.errorColor;
  context.stop = work->stop;
  context.tmpdir = work->command.tmpdir;
  context.environment = ToolEnvironment({work->command.environment.begin(), work->command.environment.end()});
  context.stream = [&](const CommandResult &part) {
    emit(true, part.err);
    emit(false, part.out);
    return !work->stop.stop_requested();
  };
  CommandResult result;
  if (work->stop.stop_requested()) {
    result.exitCode = ExitCode::kInternal;
  } else if (::unshare(CLONE_FS) == 0) {
    result = inClientsPlace(work->command, context);
  } else {
    MutexLock lock(sharedFolder());
    result = inClientsPlace(work->command, context);
  }
  emit(true, result.err);
  emit(false, result.out);
  loop_.post([work, code = result.exitCode] { work->sink.done(code); });
}

} // namespace placid::server
