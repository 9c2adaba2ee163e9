// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/reapi_executor.h"

#include "compiler/toolchain/toolchain.h"
#include "server/build/executor/reapi/execution.h"
#include "server/build/executor/tool_answer.h"
#include "server/build/store/store_limits.h"

#include <google/protobuf/util/time_util.h>
#include <google/rpc/error_details.pb.h>

#include <algorithm>
#include <csignal>

namespace placid::server {

namespace {

using Clock = std::chrono::steady_clock;
using google::protobuf::util::TimeUtil;

constexpr auto kMostOutput = static_cast<int64_t>(kMaxBlob);
/// Executions of one call, each for a reason that another one can cure.
constexpr int kRounds = 8;
/// Of these, those after an answer that may mean that it will never be otherwise.
constexpr int kDoubtfulRounds = 3;
/// A worker that could not start the program at all, in the words of some.
constexpr int kNotStarted = -1;

/// Statuses of a tool that a signal ended, by the convention of shells; none of them is a tool's own.
int signalOf(int exitCode) {
  static constexpr int kFatal[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ};
  int signal = exitCode < kNotStarted ? -exitCode : exitCode - kShellSignal;
  bool known = std::find(std::begin(kFatal), std::end(kFatal), signal) != std::end(kFatal);
  return known || exitCode < kNotStarted ? signal : 0;
}

/// The inputs that the server says it lacks are named in the status, if it keeps to the protocol.
bool saysMissing(const google::rpc::Status &status) {
  if (status.code() == static_cast<int>(grpc::StatusCode::NOT_FOUND)) {
    return true;
  }
  if (status.code() != static_cast<int>(grpc::StatusCode::FAILED_PRECONDITION)) {
    return false;
  }
  return std::any_of(status.details().begin(), status.details().end(), [](const google::protobuf::Any &detail) {
    google::rpc::PreconditionFailure failure;
    return detail.UnpackTo(&failure) &&
           std::any_of(failure.violations().begin(), failure.violations().end(),
                       [](const auto &violation) { return violation.type() == "MISSING"; });
  });
}

/// Workers have no status for this, only words.
bool saysNotStarted(std::string_view message, std::string_view program) {
  auto says = [&](std::string_view words) { return message.find(words) != std::string_view::npos; };
  return says(program) && (says("o such file or directory") || says("ermission denied") || says("xec format error") ||
                           says("not found in $PATH"));
}

/// A make rule without the files of the worker's own: those are not to be looked for here. What they are is what the
/// tools of the action stand for.
std::string ownFilesOf(std::string_view rule) {
  std::string out;
  for (size_t at = 0; at < rule.size();) {
    size_t end = std::min(rule.find_first_of(" \n", at), rule.size());
    std::string_view word = rule.substr(at, end - at);
    bool elsewhere = word.starts_with("/");
    out += elsewhere ? std::string_view() : word;
    out += rule.substr(end, end < rule.size() ? 1 : 0);
    at = end + 1;
    // A space in a name is written with a backslash before it: the rest of it goes too.
    while (elsewhere && word.ends_with("\\") && at < rule.size() && rule[end] == ' ') {
      end = std::min(rule.find_first_of(" \n", at), rule.size());
      word = rule.substr(at, end - at);
      at = end + 1;
    }
  }
  return out;
}

void show(const ActionWatcher &watcher, Stream stream, std::string_view text) {
  if (watcher.log && !text.empty()) {
    watcher.log(stream, 0, text);
  }
}

std::string kept(std::string_view text) {
  StreamText out;
  out.add(text);
  return out.text();
}

} // namespace

/// One call of run(), behind the wait for a place.
class ReapiExecutor::Attempt {
public:
  Attempt(ReapiExecutor &executor, const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
          RemoteAction remote, Caller caller, int64_t queueMs)
      : executor_(executor), action_(action), limits_(limits), watcher_(watcher), remote_(std::move(remote)),
        caller_(std::move(caller)), queueMs_(queueMs),
        program_(toolchain::expand(action.argv.front(), [&](const std::string &name) {
          return workerPath(action, executor.options_, name);
        })) {}

  Outcome run() {
    for (int round = 0; round < kRounds; ++round) {
      if (round != 0 && !executor_.connection_->pause(caller_, round - 1)) {
        break;
      }
      std::optional<Outcome> outcome = once();
      if (caller_.stop.stop_requested()) {
        break;
      }
      if (outcome) {
        return std::move(*outcome);
      }
    }
    if (caller_.stop.stop_requested()) {
      return Cancelled{};
    }
    return InfraFailure{InfraFailure::Code::Remote, "given up after " + std::to_string(kRounds) + " tries: " + why_,
                        true};
  }

private:
  /// Nothing: once more, with what has been learnt.
  std::optional<Outcome> once() {
    if (!skipCache_) {
      if (std::optional<Outcome> known = recall()) {
        return known;
      }
    }
    std::string lost;
    grpc::Status sent = executor_.storage_.upload(caller_, remote_, sendAll_, lost);
    if (!lost.empty()) {
      return InfraFailure{InfraFailure::Code::MissingInput, lost, false};
    }
    if (!sent.ok()) {
      return failureOf(sent, "its inputs cannot be sent");
    }
    rx::ExecuteRequest request;
    request.set_instance_name(executor_.options_.instance);
    request.set_skip_cache_lookup(skipCache_);
    *request.mutable_action_digest() = remote_.action;
    ExecutionEnd end = execute(*executor_.connection_, caller_, request, limits_, [this] {
      began_ = Clock::now();
      if (watcher_.started && !std::exchange(started_, true)) {
        watcher_.started();
      }
    });
    switch (end.kind) {
    case ExecutionEnd::Kind::Cancelled:
      return Cancelled{};
    case ExecutionEnd::Kind::RunClock:
      return ToolStopped{ToolStopped::Clock::Run, {}, {}, elapsed()};
    case ExecutionEnd::Kind::QueueClock:
      return InfraFailure{InfraFailure::Code::QueueTimeout,
                          "no worker began with it within " + std::to_string(limits_.queue.count()) + " ms", false};
    case ExecutionEnd::Kind::Forgotten:
      return again("the server had forgotten it");
    case ExecutionEnd::Kind::Refused: {
      google::rpc::Status status;
      status.set_code(end.status.error_code());
      status.set_message(end.status.error_message());
      if (google::rpc::Status detailed; detailed.ParseFromString(end.status.error_details()) && detailed.code() != 0) {
        status = detailed; // the same, with its details
      }
      return judgeRefusal(status, "it cannot be carried out");
    }
    case ExecutionEnd::Kind::Answered:
      break;
    }
    return judge(end.response);
  }

  std::nullopt_t again(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }

  std::optional<Outcome> judgeRefusal(const google::rpc::Status &status, const std::string &what) {
    grpc::Status plain(static_cast<grpc::StatusCode>(status.code()), status.message());
    if (saysMissing(status)) {
      // A server that finds nothing missing and lacks it all the same gets everything.
      sendAll_ = std::exchange(missed_, true);
      return again("the server lacks an input: " + textOf(plain));
    }
    if (saysNotStarted(status.message(), program_)) {
      return InfraFailure{InfraFailure::Code::NoProgram, what + ": " + textOf(plain), false};
    }
    bool doubtful = plain.error_code() == grpc::StatusCode::INTERNAL || plain.error_code() == grpc::StatusCode::UNKNOWN;
    if (isPassing(plain.error_code()) && (!doubtful || ++doubts_ < kDoubtfulRounds)) {
      return again(textOf(plain));
    }
    return failureOf(plain, what);
  }

  std::optional<Outcome> judge(const rx::ExecuteResponse &response) {
    if (response.status().code() == static_cast<int>(grpc::StatusCode::DEADLINE_EXCEEDED) && limits_.run.count() != 0) {
      return stopped(response.result(), ToolStopped::Clock::Run);
    }
    if (response.status().code() != 0) {
      return judgeRefusal(response.status(), "the worker could not carry it out");
    }
    return take(response.result());
  }

  /// A result that the server knows and can still give. Refusals of a tool are remembered here, and not for long.
  std::optional<Outcome> recall() {
    rx::GetActionResultRequest request;
    request.set_instance_name(executor_.options_.instance);
    *request.mutable_action_digest() = remote_.action;
    request.set_inline_stdout(true);
    request.set_inline_stderr(true);
    rx::ActionResult result;
    grpc::Status status =
        executor_.connection_->call(caller_, executor_.options_.callTime, [&](grpc::ClientContext &context) {
          return executor_.connection_->actionCache->GetActionResult(&context, request, &result);
        });
    if (status.ok() && result.exit_code() == 0) {
      // One without all that was to be written is of no use, and would be so each time.
      skipCache_ = !isWhole(result);
      return skipCache_ ? std::nullopt : take(result);
    }
    if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
        status.error_code() == grpc::StatusCode::UNAVAILABLE) {
      return failureOf(status, "the server does not answer");
    }
    return std::nullopt; // no result, or no cache that we may read
  }

  bool isWhole(const rx::ActionResult &result) const {
    return std::all_of(remote_.outputs.begin(), remote_.outputs.end(), [&](const std::string &name) {
      return std::any_of(result.output_files().begin(), result.output_files().end(),
                         [&](const rx::OutputFile &file) { return file.path() == name; });
    });
  }

  int64_t elapsed() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_).count();
  }

  struct Log {
    std::string text;
    uint64_t total = 0;
    std::optional<size_t> fetched; ///< Its place among what is fetched.
  };

  static void want(Log &log, const std::string &raw, const rx::Digest &digest, uint64_t most,
                   std::vector<rx::Digest> &digests) {
    log.text = raw;
    log.total = raw.size();
    if (raw.empty() && digest.size_bytes() > 0) {
      log.total = static_cast<uint64_t>(digest.size_bytes());
      if (most == 0 || log.total <= most) {
        log.fetched = digests.size();
        digests.push_back(digest);
      }
    }
  }

  static InfraFailure unkept(const std::string &name, const StoreFault &fault) {
    bool full = fault.kind == StoreFault::Kind::Full;
    return {full ? InfraFailure::Code::Space : InfraFailure::Code::System, name + " cannot be kept: " + fault.detail,
            full};
  }

  std::string contentOf(Fetched &fetched) {
    StoreResult<std::string> read = fetched.stored ? executor_.blobs_.get(*fetched.stored) : std::move(fetched.bytes);
    return read ? std::move(*read) : std::string();
  }

  /// What is fetched of a result, all of it good; nothing: once more.
  std::optional<std::vector<Fetched>> fetch(const std::vector<rx::Digest> &digests, std::optional<Outcome> &failure) {
    std::vector<Fetched> all = executor_.storage_.fetch(caller_, digests);
    for (const Fetched &one : all) {
      // A server that looks at what it reads says in its own way that it is damaged.
      const grpc::StatusCode code = one.status.error_code();
      bool unfit = code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::UNKNOWN ||
                   code == grpc::StatusCode::DATA_LOSS;
      if (one.unkept) {
        failure = unkept("an output", *one.unkept);
        return std::nullopt;
      }
      if (one.kind == Fetched::Kind::Failed && !unfit) {
        failure = failureOf(one.status, "its outputs cannot be fetched");
        return std::nullopt;
      }
      if (one.kind == Fetched::Kind::Good) {
        continue;
      }
      skipCache_ = true;
      bool gone = one.kind == Fetched::Kind::Gone;
      again(gone ? "the server no longer has what it made" : "the server gives other bytes than it made");
      // One that keeps a blob as it is when it is made anew has to be rid of it by its own people.
      if (!gone && ++damaged_ >= kDoubtfulRounds) {
        failure = InfraFailure{InfraFailure::Code::Remote,
                               why_ + ", each time anew: blob " +
                                   digests[static_cast<size_t>(&one - all.data())].hash() + " is damaged there",
                               false};
      }
      return std::nullopt;
    }
    return all;
  }

  std::optional<Outcome> stopped(const rx::ActionResult &result, ToolStopped::Clock clock) {
    std::vector<rx::Digest> digests;
    Log out, err;
    want(out, result.stdout_raw(), result.stdout_digest(), limits_.logBytes, digests);
    want(err, result.stderr_raw(), result.stderr_digest(), limits_.logBytes, digests);
    // Its words are welcome, the outcome does not hang on them.
    std::vector<Fetched> all = executor_.storage_.fetch(caller_, digests);
    for (Log *log : {&out, &err}) {
      if (log->fetched) {
        log->text = contentOf(all[*log->fetched]);
      }
    }
    show(watcher_, Stream::Out, out.text);
    show(watcher_, Stream::Err, err.text);
    return ToolStopped{clock, kept(out.text), kept(err.text), elapsed()};
  }

  std::optional<Outcome> take(const rx::ActionResult &result) {
    std::vector<rx::Digest> digests;
    std::vector<std::string> names;
    std::map<std::string, Fetched> files;
    for (const rx::OutputFile &file : result.output_files()) {
      // Links and folders are in other lists: only plain files are outputs.
      if (!std::binary_search(remote_.outputs.begin(), remote_.outputs.end(), file.path())) {
        continue;
      }
      if (!parseDigest(file.digest().hash()) || file.digest().size_bytes() < 0) {
        return InfraFailure{InfraFailure::Code::Remote, "the server names " + file.path() + " by no digest", false};
      }
      if (file.digest().size_bytes() > kMostOutput) {
        return InfraFailure{InfraFailure::Code::Space,
                            file.path() + " has more than " + std::to_string(kMostOutput >> 20) + " MiB", false};
      }
      if (!file.contents().empty() && digestOf(file.contents()).hex == file.digest().hash()) {
        files[file.path()].bytes = file.contents();
        continue;
      }
      names.push_back(file.path());
      digests.push_back(file.digest());
    }
    Log out, err;
    want(out, result.stdout_raw(), result.stdout_digest(), limits_.logBytes, digests);
    want(err, result.stderr_raw(), result.stderr_digest(), limits_.logBytes, digests);
    std::optional<Outcome> failure;
    std::optional<std::vector<Fetched>> all = fetch(digests, failure);
    if (!all) {
      return failure;
    }
    for (Log *log : {&out, &err}) {
      if (log->fetched) {
        log->text = contentOf((*all)[*log->fetched]);
      }
    }
    show(watcher_, Stream::Out, out.text);
    show(watcher_, Stream::Err, err.text);
    if (limits_.logBytes != 0 && (out.total > limits_.logBytes || err.total > limits_.logBytes)) {
      return ToolStopped{ToolStopped::Clock::Log, kept(out.text), kept(err.text), elapsed()};
    }
    for (size_t i = 0; i < names.size(); ++i) {
      files[names[i]] = std::move((*all)[i]);
    }
    return conclude(result, files, kept(out.text), kept(err.text));
  }

  std::optional<Outcome> conclude(const rx::ActionResult &result, std::map<std::string, Fetched> &files,
                                  std::string out, std::string err) {
    ToolRun run;
    run.exitCode = result.exit_code();
    run.signal = signalOf(run.exitCode);
    if (run.exitCode == kNotStarted) {
      return InfraFailure{InfraFailure::Code::NoProgram, "the worker could not start the program", false};
    }
    if (std::optional<InfraFailure> around = run.signal != 0 ? std::nullopt : aroundTheTool(run.exitCode, err)) {
      return *around;
    }
    if (run.signal == SIGKILL || run.signal == SIGTERM) {
      return InfraFailure{InfraFailure::Code::Killed, "it was killed on the worker", true};
    }
    if (auto rule = files.find(action_.depFile); rule != files.end()) {
      rule->second.bytes = ownFilesOf(contentOf(rule->second));
      rule->second.stored.reset();
    }
    for (const auto &[name, file] : files) {
      StoreResult<Digest> digest = file.stored ? *file.stored : executor_.blobs_.put(file.bytes);
      if (!digest) {
        return unkept(name, digest.error());
      }
      run.outputs[name] = *digest;
    }
    run.out = std::move(out);
    run.err = std::move(err);
    // Times and names are for people: a server may leave out any of them.
    const rx::ExecutedActionMetadata &metadata = result.execution_metadata();
    run.worker = metadata.worker();
    run.queueMs = queueMs_;
    if (metadata.has_queued_timestamp() && metadata.has_worker_start_timestamp()) {
      run.queueMs += std::max<int64_t>(
          0, TimeUtil::DurationToMilliseconds(metadata.worker_start_timestamp() - metadata.queued_timestamp()));
    }
    bool timed = metadata.has_execution_start_timestamp() && metadata.has_execution_completed_timestamp();
    run.runMs = timed ? std::max<int64_t>(0, TimeUtil::DurationToMilliseconds(metadata.execution_completed_timestamp() -
                                                                              metadata.execution_start_timestamp()))
                      : elapsed();
    return run;
  }

  ReapiExecutor &executor_;
  const Action &action_;
  const ActionLimits &limits_;
  const ActionWatcher &watcher_;
  RemoteAction remote_;
  const Caller caller_;
  const int64_t queueMs_;
  const std::string program_;
  int doubts_ = 0, damaged_ = 0;
  Clock::time_point began_ = Clock::now();
  bool started_ = false;
  bool skipCache_ = false; ///< What the server remembers is of no use.
  bool missed_ = false, sendAll_ = false;
  std::string why_; ///< The last reason for another round.
};

std::unique_ptr<ReapiExecutor> ReapiExecutor::make(const ReapiOptions &options, ReapiBlobs &blobs, std::string &wrong) {
  std::unique_ptr<Connection> connection = Connection::open(options, wrong);
  return connection ? std::unique_ptr<ReapiExecutor>(new ReapiExecutor(options, blobs, std::move(connection)))
                    : nullptr;
}

ExecutorCaps ReapiExecutor::caps() const {
  ExecutorCaps caps;
  caps.name = "reapi";
  caps.slots = std::max<size_t>(1, options_.jobs);
  caps.ownProcesses = false;
  return caps;
}

std::optional<InfraFailure> ReapiExecutor::checkServer(const Caller &caller) {
  {
    MutexLock lock(mutex_);
    if (checked_) {
      return std::nullopt;
    }
  }
  rx::GetCapabilitiesRequest request;
  request.set_instance_name(options_.instance);
  rx::ServerCapabilities can;
  grpc::Status status = connection_->call(caller, options_.callTime, [&](grpc::ClientContext &context) {
    return connection_->capabilities->GetCapabilities(&context, request, &can);
  });
  if (!status.ok()) {
    InfraFailure failure = failureOf(status, options_.address + " does not answer");
    failure.retryable = false; // patience has been had already
    return failure;
  }
  auto unfit = [&](const std::string &why) {
    return InfraFailure{InfraFailure::Code::Remote, options_.address + " " + why, false};
  };
  if (can.has_low_api_version() && can.low_api_version().major() > 2) {
    return unfit("speaks version " + std::to_string(can.low_api_version().major()) + " and later of the protocol");
  }
  if (can.has_high_api_version() && can.high_api_version().major() < 2) {
    return unfit("speaks version " + std::to_string(can.high_api_version().major()) + " of the protocol only");
  }
  const rx::CacheCapabilities &cache = can.cache_capabilities();
  const auto &functions = cache.digest_function();
  if (!functions.empty() &&
      std::find(functions.begin(), functions.end(), rx::DigestFunction::SHA256) == functions.end()) {
    return unfit("does not name content by SHA-256");
  }
  if (!can.has_execution_capabilities() || !can.execution_capabilities().exec_enabled()) {
    return unfit("keeps content only: it carries nothing out");
  }
  if (can.execution_capabilities().digest_function() != rx::DigestFunction::UNKNOWN &&
      can.execution_capabilities().digest_function() != rx::DigestFunction::SHA256) {
    return unfit("does not carry out what is named by SHA-256");
  }
  storage_.setBatchLimit(cache.max_batch_total_size_bytes());
  MutexLock lock(mutex_);
  checked_ = true;
  return std::nullopt;
}

Outcome ReapiExecutor::run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
                           std::stop_token stop) {
  const Clock::time_point asked = Clock::now();
  std::variant<RemoteAction, InfraFailure> remote = remoteAction(action, limits, options_, blobs_);
  if (const InfraFailure *failure = std::get_if<InfraFailure>(&remote)) {
    return *failure;
  }
  {
    std::stop_callback wake(stop, [this] {
      MutexLock lock(mutex_); // or the notice could fall between a look and a wait
      changed_.notifyAll();
    });
    MutexLock lock(mutex_);
    while (busy_ >= std::max<size_t>(1, options_.jobs) && !stop.stop_requested()) {
      if (limits.queue.count() == 0) {
        changed_.wait(mutex_);
      } else if (!changed_.waitUntil(mutex_, asked + limits.queue)) {
        return InfraFailure{InfraFailure::Code::QueueTimeout,
                            "no place to run came free within " + std::to_string(limits.queue.count()) + " ms", false};
      }
    }
    if (stop.stop_requested()) {
      return Cancelled{};
    }
    ++busy_;
  }
  int64_t queueMs = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - asked).count();
  Caller caller{std::get<RemoteAction>(remote).action.hash(), action.step, stop};
  std::optional<Outcome> outcome;
  if (std::optional<InfraFailure> unfit = checkServer(caller)) {
    outcome = stop.stop_requested() ? Outcome(Cancelled{}) : Outcome(*unfit);
  } else {
    outcome = Attempt(*this, action, limits, watcher, std::move(std::get<RemoteAction>(remote)), caller, queueMs).run();
  }
  MutexLock lock(mutex_);
  --busy_;
  changed_.notifyAll();
  return std::move(*outcome);
}

} // namespace placid::server
