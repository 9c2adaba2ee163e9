// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/build_front.h"

#include "server/gateway/gateway.h"
#include "server/support/log.h"
#include "server/support/sync.h"
#include "server/transport/asio_loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include <sys/utsname.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

namespace placid::server {

using protocol::Json;

namespace {

constexpr size_t kMostRunning = 8; ///< Of the commands that may run at once, the rest is for clients that wait.

} // namespace

/// What lives on the build thread, and the loop that both sides post to.
struct BuildFront::State {
  State(EventLoop &ioLoop, CommandRunner &runner, Setup given)
      : io(ioLoop), commands(runner), setup(std::move(given)), environment(setup.environment) {}

  EventLoop &io;
  CommandRunner &commands;
  const Setup setup;
  const ToolEnvironment &environment;
  boost::asio::io_context context{1};
  AsioLoop loop{context};
  std::optional<JobTable> jobs;
  std::optional<BuildApi> api;
  std::optional<Gateway> gateway;
  std::atomic<bool> ready = false;    ///< `jobs` and `api` are there.
  std::atomic<bool> expected = false; ///< They are being made: somebody may have left builds.
  bool draining = false;
  Mutex mutex;
  std::map<std::string, std::string> addresses PLACID_GUARDED_BY(mutex);

  void listen();
  /// Makes the job table when it is first needed: most daemons only ever check.
  void ensure();

  void run();
  void carryOut(JobCommand command, std::stop_token stop, JobSink sink);
  LabelOffer offer() const;
};

LabelOffer BuildFront::State::offer() const {
  LabelOffer out;
  utsname names{};
  ::uname(&names);
  out.machine = names.machine;
  UserSettings settings = readUserSettings(environment);
  for (const toolchain::Toolchain &one : toolchain::toolchains()) {
    ToolchainTools tools = findTools(one, environment, settings);
    if (tools.ptoas && tools.isa && tools.cxx) {
      out.toolchains.emplace(one.name);
    }
  }
  return out;
}

void BuildFront::State::carryOut(JobCommand command, std::stop_token stop, JobSink sink) {
  protocol::CommandRun run;
  run.words = std::move(command.words);
  run.cwd = std::move(command.folder);
  run.umask = 077;
  for (const auto &[name, value] : environment.all()) {
    run.environment[name] = value;
  }
  auto shared = std::make_shared<JobSink>(std::move(sink));
  CommandRunner::Sink onIo;
  onIo.output = [this, shared](const protocol::CommandOutput &output) {
    loop.post([shared, output] { shared->output(output.error, output.text); });
  };
  onIo.done = [this, shared](std::optional<int> exitCode) {
    loop.post([shared, exitCode] { shared->done(exitCode); });
  };
  io.post([this, run = std::move(run), stop = std::move(stop), onIo = std::move(onIo)]() mutable {
    commands.run(std::move(run), std::move(stop), std::move(onIo));
  });
}

void BuildFront::State::listen() {
  UserSettings settings = readUserSettings(environment);
  std::string wrong = settings.faults.empty() ? std::string() : settings.faults.front();
  if (wrong.empty() && settings.serve.any()) {
    ensure();
    gateway.emplace(context, *api, settings.serve);
    wrong = gateway->start();
  }
  if (!wrong.empty()) {
    io.post([this, wrong] { setup.onFault(wrong); });
    return;
  }
  if (gateway) {
    MutexLock lock(mutex);
    if (std::string at = gateway->tlsAddress(); !at.empty()) {
      addresses["tls"] = at;
    }
    if (std::string at = gateway->httpAddress(); !at.empty()) {
      addresses["http"] = at;
      addresses["page"] = gateway->pageAddress();
    }
  }
}

void BuildFront::State::ensure() {
  if (ready) {
    return;
  }
  std::shared_ptr<BuildService> service = buildService(environment);
  JobLimits limits;
  limits.running = std::clamp<size_t>(2 * service->caps().slots, 2, kMostRunning);
  jobs.emplace(
      service, service->store().folder(), loop,
      [this](JobCommand command, std::stop_token stop, JobSink sink) {
        carryOut(std::move(command), std::move(stop), std::move(sink));
      },
      limits);
  api.emplace(*jobs, loop, setup.version, [this] { return offer(); });
  jobs->start();
  if (draining) {
    jobs->drain();
  }
  ready = true;
}

void BuildFront::State::run() {
  auto work = boost::asio::make_work_guard(context);
  try {
    if (expected) {
      ensure();
    }
    if (setup.listen) {
      listen();
    }
  } catch (const std::exception &fault) {
    std::string wrong = std::string("builds cannot be served: ") + fault.what();
    log(LogLevel::Error, "builds", wrong);
    if (setup.listen) {
      io.post([this, wrong] { setup.onFault(wrong); });
    }
  }
  for (;;) {
    try {
      context.run();
      return;
    } catch (const std::exception &fault) { // a handler's; the others go on
      log(LogLevel::Error, "builds", std::string("internal error: ") + fault.what());
    }
  }
}

BuildFront::BuildFront(EventLoop &io, CommandRunner &commands, Setup setup)
    : state_(std::make_shared<State>(io, commands, std::move(setup))) {
  std::error_code error;
  std::string folder = storeFolder(state_->environment);
  state_->expected = !folder.empty() && std::filesystem::exists(folder + "/builds.sqlite", error);
  std::thread([state = state_] { state->run(); }).detach();
}

std::shared_ptr<BuildSession> BuildFront::open(std::string client, std::function<void(const Json &)> notify) {
  auto alive = std::make_shared<std::function<void(const Json &)>>(std::move(notify));
  return std::make_shared<BuildSession>(std::move(client), [state = state_, alive](const Json &message) {
    state->io.post([alive, message] { (*alive)(message); });
    return true;
  });
}

void BuildFront::close(std::shared_ptr<BuildSession> session) {
  // Let go where it is used.
  state_->loop.post([session = std::move(session)]() mutable { session.reset(); });
}

void BuildFront::call(const std::shared_ptr<BuildSession> &session, std::string method, Json params,
                      std::function<void(ApiAnswer)> answer) {
  state_->loop.post([state = state_, session, method = std::move(method), params = std::move(params),
                     answer = std::move(answer)]() mutable {
    auto got = std::make_shared<ApiAnswer>(protocol::RpcError{protocol::ErrorCode::InternalError, "internal error"});
    try {
      state->ensure();
      *got = state->api->call(session, method, params);
    } catch (const std::exception &fault) { // there is an answer all the same
      log(LogLevel::Error, "builds", std::string("internal error: ") + fault.what());
    }
    state->io.post([got, answer = std::move(answer)] { answer(std::move(*got)); });
  });
}

void BuildFront::drain() {
  state_->loop.post([state = state_] {
    state->draining = true;
    if (state->ready) {
      state->jobs->drain();
    }
  });
}

std::map<std::string, std::string> BuildFront::addresses() const {
  MutexLock lock(state_->mutex);
  return state_->addresses;
}

size_t BuildFront::pending() const { return state_->ready ? state_->jobs->open() : state_->expected ? 1 : 0; }

} // namespace placid::server
