// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/daemon.h"

#include "server/cache/caching_service.h"
#include "server/commands/command.h"
#include "server/daemon/instance.h"
#include "server/daemon/predecessors.h"
#include "server/daemon/roles.h"
#include "server/scheduler/thread_runner.h"
#include "server/store/disk_sources.h"
#include "server/store/limited_service.h"
#include "server/support/heap_trim.h"
#include "server/support/log.h"
#include "server/support/process.h"
#include "server/support/slow_disk.h"
#include "server/transport/asio_loop.h"
#include "server/worker/worker_service.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <list>
#include <thread>

namespace placid::server {

namespace asio = boost::asio;
using protocol::Json;

namespace {

constexpr std::chrono::seconds kTick{1};
/// Of workers in the background and of commands' threads: beside anyone else they get a tenth of a core.
constexpr int kBackgroundNiceness = 10;
/// A call there may take so many times longer: it gets what others leave.
constexpr int kBackgroundPatience = 4;
/// A worker in the background that has had nothing to do for so long ends.
constexpr std::chrono::seconds kRest{10};
/// How often freed memory is looked for, while nobody waits for anything.
constexpr std::chrono::seconds kTrim{10};
/// With files that lie behind a network: everybody waits for the thread that serves them.
constexpr std::chrono::milliseconds kIoPatience{250};

/// A thread, its worker, and what stands between them.
struct DaemonLane {
  DaemonLane(WorkerHost &host, Quarantine &quarantine, const WorkerPolicy &policy, ResultCache &cache)
      : background(policy.niceness > 0), worker(host, quarantine, policy),
        caching(worker, cache, CachingService::Keep::Memory),
        limited(caching, LimitedService::Crashes::Elsewhere, LimitedService::Settings::FindForAbsolutePaths) {}
  bool background;
  WorkerService worker;
  CachingService caching;
  LimitedService limited;
  ThreadRunner thread;
};

class Daemon {
public:
  Daemon(DaemonOptions options, Instance &instance, WorkerHost &host, protocol::Welcome welcome);
  int run();

private:
  void accept();
  void admit(asio::local::stream_protocol::socket socket);
  protocol::Result<std::unique_ptr<PeerRole>> makeRole(const protocol::Hello &hello, Peer &peer);
  void tick();
  void drain();
  void leave(int code);
  Json status() const;
  bool busy() const;

  DaemonOptions options_;
  Instance &instance_;
  protocol::Welcome welcome_;
  asio::io_context io_{1};
  AsioLoop loop_{io_};
  Quarantine quarantine_;
  ResultCache cache_;
  std::list<DaemonLane> lanes_;
  std::optional<Scheduler> scheduler_;
  std::optional<CommandRunner> commands_;
  std::optional<BuildFront> builds_;
  asio::local::stream_protocol::acceptor acceptor_{io_};
  asio::steady_timer timer_{io_};
  std::list<std::shared_ptr<Peer>> peers_;
  TimePoint startedAt_ = std::chrono::steady_clock::now();
  TimePoint lastBusy_ = startedAt_;
  TimePoint trimmedAt_ = startedAt_;
  HeapTrim trim_;
  bool draining_ = false;
  int exitCode_ = 0;
};

Daemon::Daemon(DaemonOptions options, Instance &instance, WorkerHost &host, protocol::Welcome welcome)
    : options_(std::move(options)), instance_(instance), welcome_(std::move(welcome)),
      cache_(welcome_.buildId, options_.cacheFolder) {
  size_t count = options_.workers > 0 ? static_cast<size_t>(options_.workers)
                                      : std::max<size_t>(2, std::thread::hardware_concurrency());
  WorkerPolicy policy;
  policy.callDeadline = options_.callDeadline;
  std::vector<Lane> lanes;
  for (size_t i = 0; i < count; ++i) {
    DaemonLane &lane = lanes_.emplace_back(host, quarantine_, policy, cache_);
    lanes.push_back({lane.limited, lane.thread});
    lane.thread.run([&lane] { lane.worker.warm(); });
  }
  // What commands compile while somebody edits; started when there is such work. A single worker was asked for: it has
  // to do.
  policy.niceness = kBackgroundNiceness;
  policy.callDeadline *= kBackgroundPatience; // giving way is no hang
  for (size_t i = 1; i < count; ++i) {
    DaemonLane &lane = lanes_.emplace_back(host, quarantine_, policy, cache_);
    lanes.push_back({lane.limited, lane.thread, true});
    // Digests and results of such work are made on this thread: on Linux a thread has a priority of its own.
    lane.thread.run([] { ::setpriority(PRIO_PROCESS, 0, kBackgroundNiceness); });
  }
  scheduler_.emplace(lanes, loop_);
  CommandContext context;
  context.importsPl = options_.importsPl;
  context.version = options_.version;
  commands_.emplace(*scheduler_, loop_, cache_, std::move(context));
  builds_.emplace(loop_, *commands_,
                  BuildFront::Setup{options_.version, options_.environment, options_.listenToOthers,
                                    [this](const std::string &why) {
                                      log(LogLevel::Error, "daemon", why);
                                      leave(ExitCode::kUsage);
                                    }});
}

protocol::Result<std::unique_ptr<PeerRole>> Daemon::makeRole(const protocol::Hello &hello, Peer &peer) {
  using protocol::ErrorCode;
  using protocol::RpcError;
  if (hello.role == protocol::Role::Admin) {
    return std::unique_ptr<PeerRole>(std::make_unique<AdminRole>(
        peer, AdminActions{[this] { return status(); }, [this] { drain(); }, [this] { leave(0); }}));
  }
  if (draining_) {
    return RpcError{ErrorCode::RequestFailed, "this daemon is ending and takes no more work"};
  }
  lastBusy_ = loop_.now();
  if (hello.role == protocol::Role::Build) {
    return std::unique_ptr<PeerRole>(std::make_unique<CommandRole>(peer, *commands_, &*builds_));
  }
  SessionConfig config;
  config.version = options_.version;
  config.links = options_.links;
  config.importsPl = options_.importsPl;
  config.watchesWorkspace = true;
  config.options.sources = std::make_shared<DiskSources>(hello.cwd);
  // As if in the editor's own place; a client that does not say which has the daemon's.
  protocol::Surroundings place = hello.place.value_or(protocol::Surroundings{});
  if (!hello.place) {
    for (const auto &[name, value] : options_.environment.all()) {
      place.environment[name] = value;
    }
  }
  config.startBuild = [this, place = std::move(place)](EditorBuildRun run, std::stop_token stop) {
    protocol::CommandRun command;
    static_cast<protocol::Surroundings &>(command) = place;
    command.words = std::move(run.words);
    command.cwd = std::move(run.folder);
    commands_->run(
        std::move(command), std::move(stop),
        {[output = std::move(run.output)](const protocol::CommandOutput &part) { output(part.error, part.text); },
         std::move(run.done)});
  };
  Arguments arguments = parseArguments(hello.arguments, lspOptions());
  std::string wrong = arguments.error.empty() ? readCommonOptions(arguments, config.options) : arguments.error;
  if (wrong.empty() && !arguments.positional.empty()) {
    wrong = "takes no file";
  }
  if (!wrong.empty()) {
    return RpcError{ErrorCode::InvalidParams, wrong};
  }
  return std::unique_ptr<PeerRole>(std::make_unique<LspRole>(*scheduler_, peer, std::move(config)));
}

void Daemon::admit(asio::local::stream_protocol::socket socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0 ||
      credentials.uid != ::geteuid()) {
    log(LogLevel::Warning, "daemon", "a connection of another user was closed");
    return;
  }
  auto peer =
      std::make_shared<Peer>(std::move(socket), loop_, welcome_,
                             [this](const protocol::Hello &hello, Peer &self) { return makeRole(hello, self); });
  auto where = peers_.insert(peers_.end(), peer);
  peer->setOnClosed([this, where] {
    peers_.erase(where);
    if (draining_ && peers_.empty()) {
      leave(0);
    }
  });
  peer->start();
}

void Daemon::accept() {
  acceptor_.async_accept([this](const boost::system::error_code &error, asio::local::stream_protocol::socket socket) {
    if (!error) {
      admit(std::move(socket));
    } else if (!acceptor_.is_open()) {
      return;
    }
    accept();
  });
}

bool Daemon::busy() const {
  // Somebody who only asks how things are keeps nothing alive.
  return commands_->running() > 0 || builds_->busy() ||
         std::any_of(peers_.begin(), peers_.end(), [](const std::shared_ptr<Peer> &peer) {
           return !peer->role() || peer->role()->name() != "admin";
         });
}

void Daemon::tick() {
  timer_.expires_after(kTick);
  timer_.async_wait([this](const boost::system::error_code &error) {
    if (error) {
      return;
    }
    std::vector<std::shared_ptr<Peer>> now(peers_.begin(), peers_.end());
    for (const std::shared_ptr<Peer> &peer : now) {
      peer->tick();
    }
    if (busy()) {
      lastBusy_ = loop_.now();
    } else if (draining_ || (options_.idle.count() > 0 && loop_.now() - lastBusy_ >= options_.idle)) {
      log(LogLevel::Info, "daemon", draining_ ? "drained" : "idle for long");
      leave(0);
    }
    for (DaemonLane &lane : lanes_) {
      if (lane.worker.status().pid > 0) {
        lane.thread.run([&lane] { lane.background ? lane.worker.retire(kRest) : lane.worker.retireLarge(kRest); });
      }
    }
    bool quiet = scheduler_->idle() && !scheduler_->editing() && commands_->running() == 0;
    if (quiet && loop_.now() - trimmedAt_ >= kTrim) {
      trimmedAt_ = loop_.now();
      trim_.look();
    }
    tick();
  });
}

void Daemon::drain() {
  draining_ = true;
  builds_->drain();
  instance_.withdraw();
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  if (!busy()) {
    leave(0);
  }
}

void Daemon::leave(int code) {
  exitCode_ = code;
  instance_.unlinkSocket();
  // After what is queued: the answer to whoever asked for this goes out first.
  loop_.post([this] { loop_.post([this] { io_.stop(); }); });
}

Json Daemon::status() const {
  compiler::Counters total;
  total.cacheHit = cache_.hits();
  Json workers = Json::array();
  for (const DaemonLane &lane : lanes_) {
    compiler::Counters counters = lane.worker.counters();
    total.parse += counters.parse;
    total.evaluate += counters.evaluate;
    total.check += counters.check;
    total.lower += counters.lower;
    total.cacheHit += counters.cacheHit;
    WorkerStatus state = lane.worker.status();
    if (lane.background && state.pid <= 0) {
      continue; // there is none
    }
    uint64_t memory = state.pid > 0 ? residentBytes(state.pid) : 0; // none: it was killed while it had nothing to do
    workers.push_back({{"pid", memory > 0 ? state.pid : -1},
                       {"age", state.ageSeconds},
                       {"memory", memory},
                       {"calls", state.calls},
                       {"busy", state.busy},
                       {"background", lane.background},
                       {"restarts", state.restarts},
                       {"crashes", state.crashes}});
  }
  Json sessions = Json::array();
  for (const std::shared_ptr<Peer> &peer : peers_) {
    if (peer->role()) {
      int64_t age = std::chrono::duration_cast<std::chrono::seconds>(loop_.now() - peer->since()).count();
      sessions.push_back({{"role", peer->role()->name()},
                          {"age", age},
                          {"pending", peer->role()->pending()},
                          {"unsentBytes", peer->unsent()}});
    }
  }
  return {{"running", true},
          {"pid", ::getpid()},
          {"version", options_.version},
          {"buildId", welcome_.buildId},
          {"protocol", welcome_.protocol},
          {"socket", instance_.path()},
          {"age", std::chrono::duration_cast<std::chrono::seconds>(loop_.now() - startedAt_).count()},
          {"memory", residentBytes(::getpid())},
          {"draining", draining_},
          {"sessions", std::move(sessions)},
          {"builds", builds_->pending()},
          {"listen", builds_->addresses()},
          {"commands", {{"running", commands_->running()}, {"waiting", commands_->waiting()}}},
          {"queue", scheduler_->waiting()},
          {"quarantined", quarantine_.size()},
          {"cacheBytes", cache_.bytes()},
          {"workers", std::move(workers)},
          {"counters",
           {{"parse", total.parse},
            {"evaluate", total.evaluate},
            {"check", total.check},
            {"lower", total.lower},
            {"cacheHit", total.cacheHit}}}};
}

int Daemon::run() {
  boost::system::error_code error;
  acceptor_.assign(asio::local::stream_protocol(), instance_.releaseListener(), error);
  if (error) {
    log(LogLevel::Error, "daemon", "cannot accept: " + error.message());
    return ExitCode::kInternal;
  }
  asio::signal_set signals(io_);
  signals.add(SIGINT, error);
  signals.add(SIGTERM, error);
  signals.async_wait([this](const boost::system::error_code &failed, int signal) {
    if (!failed) {
      leave(128 + signal);
    }
  });
  accept();
  tick();
  if (options_.readyFd >= 0) {
    ::close(options_.readyFd);
  }
  SlowDisk::setPatience(kIoPatience);
  io_.run();
  instance_.unlinkSocket();
  return exitCode_;
}

} // namespace

int runDaemon(compiler::CompilerService &compiler, DaemonOptions options) {
  protocol::DaemonFacts facts = ownFacts();
  std::string key = protocol::daemonKey(facts);
  if (!options.expectKey.empty() && options.expectKey != key) {
    log(LogLevel::Error, "daemon", "the program was replaced while it was being started");
    return ExitCode::kUsage;
  }
  Instance instance;
  std::string error;
  const char *runtime = std::getenv("XDG_RUNTIME_DIR");
  std::string folder = protocol::socketFolder(runtime ? runtime : "", facts.uid);
  Instance::Start start = options.listen.empty() ? instance.start(folder, key, error)
                                                 : instance.startAt(options.listen, options.listen + ".lock", error);
  if (start != Instance::Start::Listening) {
    log(LogLevel::Error, "daemon", error);
    return start == Instance::Start::Busy ? ExitCode::kOk : ExitCode::kUsage;
  }
  instance.nameProgram(facts.program, protocol::buildId(facts));
  WorkerHost host({facts.program, "worker"});
  host.fork(compiler);
  protocol::Welcome welcome{protocol::kDaemonProtocol, protocol::buildId(facts), options.version, ::getpid()};
  if (options.listen.empty()) {
    std::thread([folder, path = instance.path(), program = facts.program, build = protocol::buildId(facts)] {
      drainPredecessors(folder, path, program, build);
    }).detach();
  }
  // Never destroyed: what still runs at the end belongs to clients that are gone, and workers end with this process.
  auto *daemon = new Daemon(std::move(options), instance, host, std::move(welcome));
  ::_exit(daemon->run());
}

} // namespace placid::server
