// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/job_table.h"

#include "server/build/jobs/job.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

namespace placid::server {

namespace fs = std::filesystem;
using Ordered = nlohmann::ordered_json;
using protocol::ErrorCode;
using protocol::RpcError;

namespace {

/// How long a result's files are kept from being evicted after its build.
constexpr std::chrono::seconds kResultPin{600};
constexpr uint64_t kAdoptEvery = 20; ///< Ticks.
constexpr uint64_t kPinEvery = 120;  ///< Ticks.
constexpr uint64_t kTrimEvery = 256; ///< Builds.
constexpr size_t kErrorText = size_t{256} << 10;
constexpr int kLateExit = 124; ///< As timeout(1) has it.
constexpr const char *kLate = "its deadline has passed";
constexpr const char *kTaken = "another daemon has taken it over";

std::string newId(const std::string &client, const std::string &key) {
  std::random_device random;
  Hasher hasher;
  hasher.addField(client);
  hasher.addField(key);
  for (int i = 0; i < 8; ++i) {
    hasher.addField(std::to_string(random()));
  }
  return hasher.finish().hex.substr(0, 24);
}

/// What is wrong, or empty. Folders on the way are made; nothing that is there is written over or followed.
std::string writeNew(const std::string &path, std::string_view bytes) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  while (fd >= 0 && !bytes.empty()) {
    ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      break;
    }
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  std::string wrong = fd < 0 || !bytes.empty() ? std::string("cannot write a source: ") + std::strerror(errno) : "";
  if (fd >= 0) {
    ::close(fd);
  }
  return wrong;
}

std::string timeText(int64_t nanoseconds) {
  auto seconds = static_cast<std::time_t>(nanoseconds / 1000000000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[40];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

} // namespace

int64_t systemNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string JobTable::nameOf(const Job &job) { return job.id; }

const std::string &JobTable::ById::idOf(const JobPtr &job) { return job->id; }

JobTable::JobTable(std::shared_ptr<BuildService> service, std::string folder, EventLoop &loop, JobRunFunction run,
                   JobLimits limits)
    : service_(std::move(service)), folder_(std::move(folder)), owner_(processName()), loop_(loop),
      run_(std::move(run)), limits_(limits), journal_(folder_.empty() ? std::string() : folder_ + "/builds.sqlite") {}

JobTable::~JobTable() {
  *alive_ = false;
  for (const JobPtr &job : jobs_) {
    if (job->run) {
      job->run->stop.request_stop();
    }
    job->sources.reset(); // somebody may still hold the job, and the store goes with us
  }
}

void JobTable::start() {
  if (!journal_.ok()) {
    log(LogLevel::Error, "builds", "there is no journal in " + folder_ + ": no build is accepted");
    return;
  }
  // Folders of builds whose daemon is gone.
  std::error_code error;
  fs::directory_iterator entries(folder_ + "/jobs", error);
  for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    std::error_code ignored;
    if (isGone(entries->path().filename().string())) {
      fs::remove_all(entries->path(), ignored);
    }
  }
  journal_.trim(limits_.keptBuilds);
  adopt();
  tick();
}

std::string JobTable::missingBlob(const std::string &client, const BuildRequest &request) {
  for (const BuildRequest::Source &source : request.sources) {
    // One that belongs to somebody else is as absent as one that nobody has.
    bool mine = client == kLocal || journal_.granted(client, source.digest);
    if (!mine || !service_->store().has(source.digest)) {
      return source.path + ": blob " + source.digest.hex + " is not here: blob/missing and blob/put come first";
    }
  }
  return {};
}

JobTable::JobPtr JobTable::take(const JournalBuild &build, const BuildRequest &request) {
  auto job = std::make_shared<Job>();
  job->id = build.id;
  job->client = build.client;
  job->events = build.events;
  job->priority = request.priority;
  job->leaseMs = request.leaseMs;
  job->order = ++orders_;
  TimePoint now = loop_.now();
  if (request.leaseMs > 0) {
    job->lease = now + std::chrono::milliseconds(request.leaseMs);
  }
  if (request.deadlineMs > 0) {
    // Of the request, also for a daemon that took it over later.
    int64_t passed = std::max<int64_t>(0, systemNow() - build.created) / 1000000;
    job->deadline = now + std::chrono::milliseconds(std::max<int64_t>(0, request.deadlineMs - passed));
  }
  std::vector<Digest> digests;
  digests.reserve(request.sources.size());
  for (const BuildRequest::Source &source : request.sources) {
    digests.push_back(source.digest);
  }
  job->sources.emplace(service_->store(), digests);
  jobs_.insert(job);
  enqueue(job);
  ++open_;
  return job;
}

protocol::Result<JobTable::Submitted> JobTable::submit(const std::string &client, const BuildRequest &request) {
  std::string text = toJson(request).dump(-1, ' ', false, protocol::Json::error_handler_t::replace);
  if (text.size() > RequestLimits::kBytes) {
    return RpcError{ErrorCode::InvalidParams,
                    "build/submit: expected a request of at most " + std::to_string(RequestLimits::kBytes) + " bytes"};
  }
  if (std::optional<JournalBuild> known = journal_.find(client, request.idempotencyKey)) {
    if (known->request != text) {
      return RpcError{ErrorCode::Conflict,
                      "idempotencyKey `" + request.idempotencyKey + "` belongs to another request of this client"};
    }
    return Submitted{known->id, false};
  }
  if (draining_) {
    return RpcError{ErrorCode::RequestFailed, "this daemon is ending and takes no more work"};
  }
  if (!journal_.ok()) {
    return RpcError{ErrorCode::StoreFull, "there is no journal: no build can be accepted"};
  }
  if (client != kLocal && request.leaseMs == 0) {
    return RpcError{ErrorCode::InvalidParams, "build/submit: expected a `leaseMs`: only this machine needs none"};
  }
  size_t theirs = 0;
  for (const JobPtr &job : jobs_) {
    theirs += job->client == client ? 1 : 0;
  }
  if (theirs >= limits_.queuedPerClient) {
    return RpcError{ErrorCode::Quota, "there are " + std::to_string(theirs) +
                                          " builds of this client that have not ended: wait for some of them"};
  }
  if (std::string missing = missingBlob(client, request); !missing.empty()) {
    return RpcError{ErrorCode::NotFound, missing};
  }
  JournalBuild build{
      newId(client, request.idempotencyKey), client, request.idempotencyKey, text, "accepted", {}, systemNow(), 0};
  if (!journal_.accept(build, owner_)) {
    return RpcError{ErrorCode::StoreFull, "the journal cannot be written: the build was not accepted"};
  }
  ++counters_.accepted;
  log(LogLevel::Info, "builds", "build " + build.id + " of " + client + " accepted");
  Submitted out{build.id, true};
  JobPtr job = take(build, request);
  append(job, {{"type", "buildAccepted"}, {"queued", queued() - 1}});
  // After the answer: the client knows the id before anything is said of it.
  pumpSoon();
  return out;
}

JobTable::JobPtr JobTable::live(const std::string &id) const {
  auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : *found;
}

void JobTable::enqueue(const JobPtr &job) {
  queue_.push(job->client, job->priority, job->order);
  waiting_[job->order] = job;
}

void JobTable::pumpSoon() {
  if (std::exchange(willPump_, true)) {
    return; // however many ask
  }
  loop_.post([this, alive = alive_] {
    if (*alive) {
      willPump_ = false;
      pump();
    }
  });
}

void JobTable::pump() {
  while (running_ < limits_.running) {
    std::optional<uint64_t> ticket = queue_.pop();
    if (!ticket) {
      return;
    }
    JobPtr next = std::move(waiting_[*ticket]);
    waiting_.erase(*ticket);
    begin(next);
  }
}

/// What is wrong, or empty. Those that wait are many, and their requests are where they are written.
std::string JobTable::recallRequest(Job &job) {
  std::optional<JournalBuild> known = journal_.find(job.id);
  protocol::Result<BuildRequest> request = buildRequestFromJson(
      protocol::Json::parse(known ? known->request : std::string(), nullptr, /*allow_exceptions=*/false));
  if (!request) {
    return "its request cannot be read: " + request.error().message;
  }
  job.run->request = std::move(*request);
  return {};
}

std::string JobTable::materialise(const Job &job) {
  std::string root = folderOf(job);
  std::error_code error;
  fs::remove_all(root, error);
  fs::create_directories(root, error);
  if (error) {
    return "cannot make a folder: " + error.message();
  }
  ::chmod((folder_ + "/jobs").c_str(), 0700);
  bool settings = false;
  for (const BuildRequest::Source &source : job.run->request.sources) {
    StoreResult<std::string> bytes = service_->store().get(source.digest);
    if (!bytes) {
      return source.path + ": " + bytes.error().detail;
    }
    if (std::string wrong = writeNew(root + "/" + source.path, *bytes); !wrong.empty()) {
      return wrong;
    }
    // A pyproject.toml without our table does not end the search.
    settings = settings || source.path == "placid.toml" ||
               (source.path == "pyproject.toml" && bytes->find("tool.placid") != std::string::npos);
  }
  // Settings are those of the request, never those of a folder around this one.
  return settings ? std::string() : writeNew(root + "/placid.toml", "");
}

void JobTable::begin(const JobPtr &job) {
  job->run = std::make_unique<JobRun>();
  ++running_;
  std::string wrong = recallRequest(*job);
  wrong = wrong.empty() ? materialise(*job) : wrong;
  if (!wrong.empty()) {
    finish(job, "internal", {{"message", wrong}}, {{"err", "placid: " + wrong + "\n"}});
    return;
  }
  JobSink sink;
  sink.output = [this, alive = alive_, job](bool error, const std::string &text) {
    if (*alive) {
      onOutput(job, error, text);
    }
  };
  sink.done = [this, alive = alive_, job](std::optional<int> exitCode) {
    if (*alive) {
      onDone(job, exitCode);
    }
  };
  run_({folderOf(*job), commandLine(job->run->request)}, job->run->stop.get_token(), std::move(sink));
}

void JobTable::onOutput(const JobPtr &job, bool error, const std::string &text) {
  if (!job->run) { // it is in the queue again
    return;
  }
  JobRun &run = *job->run;
  if (error) {
    run.errorText += text.substr(0, kErrorText - std::min(kErrorText, run.errorText.size()));
    return;
  }
  run.rest += text;
  size_t at = 0;
  for (size_t end = 0; (end = run.rest.find('\n', at)) != std::string::npos; at = end + 1) {
    onEvent(job, run.rest.substr(at, end - at));
  }
  run.rest.erase(0, at);
}

void JobTable::onEvent(const JobPtr &job, const std::string &line) {
  Ordered event = Ordered::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object() || !event.contains("type") || !event["type"].is_string()) {
    return;
  }
  for (const char *name : {"v", "seq", "t", "id"}) {
    event.erase(name);
  }
  std::string type = event["type"].get<std::string>();
  if (type == "buildFinished") {
    job->run->last = std::make_shared<const Ordered>(std::move(event)); // said when its files are in the store
    return;
  }
  if (type == "log" && job->bytes > limits_.eventBytes) {
    if (!job->logsCut) {
      job->logsCut = true;
      append(job, {{"type", "logsCut"}, {"bytes", job->bytes}});
    }
    return;
  }
  append(job, std::move(event));
}

void JobTable::append(const JobPtr &job, Ordered event) {
  Ordered whole = {{"v", 1}, {"seq", job->events}, {"t", timeText(systemNow())}, {"id", job->id}};
  whole.update(event);
  std::string line = whole.dump(-1, ' ', false, Ordered::error_handler_t::replace);
  job->bytes += line.size();
  if (!journal_.append(job->id, owner_, job->events, line)) {
    if (journal_.isOthers(job->id, owner_)) {
      stop(job, kTaken);
    }
    return; // or the disk is full: the event is lost, the number is not used
  }
  uint64_t number = job->events++;
  job->listeners.remove_if([&](const Listener &listener) { return !listener(number, line); });
}

void JobTable::onDone(const JobPtr &job, std::optional<int> exitCode) {
  if (!exitCode && job->why.empty()) { // no place now: it stays in the queue
    job->run.reset();
    --running_;
    enqueue(job);
    return;
  }
  Ordered result = {{"exitCode", job->why == kLate ? kLateExit : exitCode.value_or(3)},
                    {"err", job->run->errorText},
                    {"artifacts", Ordered::array()}};
  std::vector<Digest> made;
  std::string wrong;
  fs::path out = fs::path(folderOf(*job)) / job->run->request.out;
  std::set<std::string> names;
  std::error_code error;
  bool good = exitCode == 0 && job->why.empty();
  if (good) {
    fs::directory_iterator entries(out, error);
    for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
      std::error_code ignored;
      if (!entries->is_symlink(ignored) && entries->is_regular_file(ignored)) {
        names.insert(entries->path().filename().string());
      }
    }
  }
  for (const BuildRequest::Source &source : job->run->request.sources) { // made by nobody here
    fs::path path(source.path);
    if (path.parent_path() == fs::path(job->run->request.out)) {
      names.erase(path.filename().string());
    }
  }
  for (const std::string &name : names) {
    int fd = ::open((out / name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    uint64_t size = 0;
    StoreResult<Digest> kept = fd >= 0 ? service_->store().putFile(fd, RequestLimits::kArtifact, &size)
                                       : StoreFault{StoreFault::Kind::Io, std::strerror(errno)};
    if (fd >= 0) {
      ::close(fd);
    }
    if (!kept) {
      wrong = name + " cannot be kept: " + kept.error().detail;
      break;
    }
    made.push_back(*kept);
    journal_.grant(job->client, *kept, systemNow());
    result["artifacts"].push_back({{"name", name}, {"digest", kept->hex}, {"size", size}});
  }
  Ordered last = job->run->last ? *job->run->last : Ordered::object();
  std::string status = "failed";
  if (!job->why.empty()) {
    status = "cancelled";
    result["reason"] = job->why;
  } else if (!wrong.empty()) {
    status = "internal";
    result["err"] = job->run->errorText + "placid: " + wrong + "\n";
    result["exitCode"] = 3;
    result["artifacts"] = Ordered::array();
  } else if (auto said = last.find("status"); said != last.end() && said->is_string()) {
    status = said->get<std::string>();
  } else if (exitCode == 2) {
    status = "failed"; // a wrong wish: nothing was begun
  } else {
    status = exitCode == 0 ? "succeeded" : "internal";
  }
  if (!made.empty()) {
    keptResults_.emplace_back(loop_.now() + kResultPin,
                              std::make_shared<Store::Pin>(service_->store(), std::move(made)));
  }
  finish(job, status, std::move(last), std::move(result));
}

void JobTable::finish(const JobPtr &job, const std::string &status, Ordered last, Ordered result) {
  if (std::exchange(job->over, true)) {
    return;
  }
  Ordered whole = {
      {"v", 1}, {"seq", job->events}, {"t", timeText(systemNow())}, {"id", job->id}, {"type", "buildFinished"}};
  last.erase("type");
  whole.update(last);
  whole["status"] = status;
  for (const auto &[name, value] : result.items()) {
    if (name != "err") {
      whole[name] = value;
    }
  }
  result["status"] = status;
  if (!result.contains("exitCode")) {
    result["exitCode"] = 3;
  }
  End end{job, status, result.dump(-1, ' ', false, Ordered::error_handler_t::replace),
          whole.dump(-1, ' ', false, Ordered::error_handler_t::replace)};
  std::error_code error;
  fs::remove_all(folderOf(*job), error);
  if (job->run) {
    --running_;
  } else {
    queue_.remove(job->client, job->priority, job->order);
    waiting_.erase(job->order);
  }
  job->sources.reset();
  jobs_.erase(job);
  if (!write(end) && !dropIfOthers(end)) {
    log(LogLevel::Error, "builds", "the end of build " + job->id + " cannot be written yet");
    unwritten_.push_back(std::move(end));
  }
  if (++ended_ % kTrimEvery == 0) {
    journal_.trim(limits_.keptBuilds);
  }
  pumpSoon();
}

bool JobTable::write(const End &end) {
  if (!journal_.finish(end.job->id, owner_, end.status, end.result, end.job->events, end.line)) {
    return false;
  }
  --open_;
  log(LogLevel::Info, "builds", "build " + end.job->id + " of " + end.job->client + " " + end.status);
  for (const Listener &listener : end.job->listeners) {
    listener(end.job->events, end.line);
  }
  end.job->listeners.clear();
  uint64_t &count = end.status == "succeeded"   ? counters_.succeeded
                    : end.status == "failed"    ? counters_.failed
                    : end.status == "cancelled" ? counters_.cancelled
                                                : counters_.internal;
  ++count;
  return true;
}

void JobTable::stop(const JobPtr &job, const std::string &why) {
  if (!job->why.empty()) {
    return;
  }
  job->why = why;
  if (job->run) {
    job->run->stop.request_stop();
  } else {
    finish(job, "cancelled", Ordered::object(),
           {{"reason", why}, {"exitCode", why == kLate ? kLateExit : 3}, {"artifacts", Ordered::array()}});
  }
}

bool JobTable::isKnown(const std::string &client, const std::string &key) {
  return journal_.find(client, key).has_value();
}

std::optional<JobStatus> JobTable::status(const std::string &client, const std::string &id) {
  std::optional<JournalBuild> known = journal_.find(id);
  if (!known || !sees(client, known->client)) {
    return std::nullopt;
  }
  JobPtr job = live(id);
  std::string state = known->state != "accepted" ? known->state : job && job->run ? "running" : "queued";
  return JobStatus{known->id, known->client, state, known->created, known->events, known->result};
}

std::vector<JobStatus> JobTable::list(const std::string &client, size_t most) {
  std::vector<JobStatus> out;
  for (const JournalBuild &known : client == kLocal ? journal_.list(most) : journal_.listOf(client, most)) {
    JobPtr job = live(known.id);
    std::string state = known.state != "accepted" ? known.state : job && job->run ? "running" : "queued";
    out.push_back({known.id, known.client, state, known.created, known.events, known.result});
  }
  return out;
}

bool JobTable::listen(const std::string &client, const std::string &id, uint64_t from, Listener listener) {
  std::optional<JournalBuild> known = journal_.find(id);
  if (!known || !sees(client, known->client)) {
    return false;
  }
  for (std::vector<std::string> lines; !(lines = journal_.events(id, from, kListenBatch)).empty();) {
    for (const std::string &line : lines) {
      if (!listener(from++, line)) {
        return true;
      }
    }
  }
  if (JobPtr job = live(id)) {
    job->listeners.push_back(std::move(listener));
  } else if (known->state == "accepted") {
    watches_.push_back({id, from, std::move(listener)});
  }
  return true;
}

void JobTable::tick() {
  // First, so that a fault in what follows is no end of all clocks.
  loop_.after(limits_.tick, [this, alive = alive_] {
    if (*alive) {
      tick();
    }
  });
  TimePoint now = loop_.now();
  std::vector<std::pair<JobPtr, std::string>> over;
  for (const JobPtr &job : jobs_) {
    if (job->deadline && now >= *job->deadline) {
      over.emplace_back(job, kLate);
    } else if (job->lease && now >= *job->lease) {
      over.emplace_back(job, "its lease was not renewed");
    }
  }
  for (const auto &[job, why] : over) {
    stop(job, why);
  }
  obeyWishes();
  while (!keptResults_.empty() && keptResults_.front().first <= now) {
    keptResults_.pop_front();
  }
  std::erase_if(unwritten_, [this](const End &end) { return write(end) || dropIfOthers(end); });
  lookAtOthers();
  if (++ticks_ % kAdoptEvery == 0) {
    adopt();
  }
  if (ticks_ % kPinEvery == 0) {
    store().renewPins();
  }
  pump();
}

} // namespace placid::server
