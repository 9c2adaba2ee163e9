// SPDX-License-Identifier: Apache-2.0
#include "server/transport/stdio_server.h"

#include "server/scheduler/thread_runner.h"
#include "server/session/connection.h"
#include "server/support/log.h"
#include "server/transport/asio_loop.h"
#include "server/transport/fd_threads.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <unistd.h>

#include <csignal>
#include <optional>

namespace placid::server {

namespace {

namespace asio = boost::asio;

/// A client that does not read while this much waits for it is given up.
constexpr size_t kMaxUnsent = size_t{256} << 20;

/// For signals while compiler work keeps the io thread busy. Async-signal-safe.
void endAtOnce(int signal) { ::_exit(128 + signal); }

/// Everything on the spot, in call order: an answer leaves before the next message is looked at.
class InlineLoop final : public EventLoop {
public:
  void post(std::function<void()> event) override { event(); }
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  void after(std::chrono::milliseconds, std::function<void()>) override {} // nothing ever waits here
};

} // namespace

int serveStdio(compiler::CompilerService &compiler, StdioOptions options) {
  asio::io_context io(1);
  auto work = asio::make_work_guard(io);
  AsioLoop loop(io);
  int signalCode = 0;
  auto stop = [&io] { io.stop(); };

  std::optional<ThreadRunner> thread;
  InlineRunner inlineRunner;
  InlineLoop inlineLoop;
  if (!options.sync) {
    thread.emplace();
  }
  Scheduler scheduler(compiler, thread ? static_cast<JobRunner &>(*thread) : inlineRunner,
                      thread ? static_cast<EventLoop &>(loop) : inlineLoop);

  ProcessWatch client(io);
  options.session.watchProcess = [&](int64_t pid) {
    client.start(pid, [&] {
      log(LogLevel::Info, "transport", "the client process ended");
      stop();
    });
  };

  std::optional<int> exitCode;
  {
    FdWriter writer(options.out, [&] { loop.post(stop); });
    Connection connection(scheduler, writer.queue(), options.session);
    FdReader *source = nullptr;
    auto settle = [&] {
      if (connection.exitCode()) {
        stop();
      } else if (writer.queue().bytes() > kMaxUnsent) {
        log(LogLevel::Error, "transport", "the client does not read its messages: giving up");
        stop();
      }
    };
    FdReader reader(
        options.in,
        [&](std::string bytes) {
          loop.post([&, bytes = std::move(bytes)] {
            std::optional<Scheduler::Gather> gather;
            if (thread) {
              gather.emplace(scheduler); // of edits that came together, the last one is checked
            }
            connection.onBytes(bytes);
            source->consumed(bytes.size());
            settle();
          });
        },
        [&] {
          loop.post([&] {
            connection.onEnd();
            settle();
          });
        });
    source = &reader;

    asio::signal_set signals(io);
    boost::system::error_code ignored;
    if (thread) {
      signals.add(SIGINT, ignored);
      signals.add(SIGTERM, ignored);
    } else {
      std::signal(SIGINT, endAtOnce);
      std::signal(SIGTERM, endAtOnce);
    }
    signals.async_wait([&](const boost::system::error_code &failed, int signal) {
      if (!failed) {
        signalCode = 128 + signal;
        stop();
      }
    });

    io.run();
    exitCode = connection.exitCode();
    connection.session().disconnect();
    scheduler.shutdown();
  }
  const int code = signalCode != 0 ? signalCode : exitCode.value_or(1);
  // A job's end is posted to a loop that no longer runs. A job that does not end would keep the process for ever, and
  // nothing can be torn down under it: what is to be written has been written, so the process leaves as it stands.
  if (thread && !thread->finish(options.patience)) {
    log(LogLevel::Warning, "transport", "a compile job did not stop in time: leaving without it");
    ::_exit(code);
  }
  return code;
}

} // namespace placid::server
