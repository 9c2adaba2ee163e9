// SPDX-License-Identifier: Apache-2.0
#include "server/scheduler/scheduler.h"

#include "server/support/log.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

namespace placid::server {

namespace {

/// The compiler throws nothing, but the library below it may run out of memory. The edge turns that into a diagnostic.
compiler::CheckResult guardedCheck(compiler::CompilerService &compiler, const CheckJob &job, std::stop_token stop) {
  try {
    return compiler.check(job.text, job.options, std::move(stop));
  } catch (const std::exception &fault) {
    compiler::CheckResult result;
    diag::Diagnostic internal;
    internal.code = diag::InternalError.code;
    internal.at.path = job.text->path;
    internal.message = diag::message(diag::InternalError, fault.what());
    result.diagnostics.push_back(std::move(internal));
    result.counts.errors = 1;
    return result;
  }
}

} // namespace

Scheduler::Scheduler(const std::vector<Lane> &lanes, EventLoop &loop, SchedulerPolicy policy)
    : loop_(loop), policy_(policy) {
  for (const Lane &lane : lanes) {
    lanes_.push_back({lane});
  }
}

bool Scheduler::overdue(const Document &document) const {
  return document.unansweredSince && loop_.now() - *document.unansweredSince >= policy_.maxWait;
}

DocumentId Scheduler::open() {
  DocumentId id{++lastId_};
  open_.insert(id);
  return id;
}

void Scheduler::edited(DocumentId id) {
  open_.insert(id);
  editedAt_ = loop_.now();
}

void Scheduler::update(DocumentId id, CheckJob job) {
  edited(id);
  Document &document = documents_[id];
  if (!document.pending) {
    waiting_.push_back(id);
  }
  document.pending = std::move(job);
  document.latest = ++lastNumber_;
  if (!document.unansweredSince) {
    document.unansweredSince = loop_.now();
  }
  if (document.running && !overdue(document)) {
    document.running->request_stop();
  }
  startNext();
}

void Scheduler::close(DocumentId id) {
  open_.erase(id);
  auto found = documents_.find(id);
  if (found != documents_.end()) {
    if (found->second.running) {
      found->second.running->request_stop();
    }
    std::erase(waiting_, id);
    documents_.erase(found);
  }
  auto home = homes_.find(id);
  if (home != homes_.end() && !home->second.busy) {
    homes_.erase(home);
  }
}

void Scheduler::request(RequestJob job) {
  requests_.push_back(std::move(job));
  startNext();
}

void Scheduler::batch(RequestJob job) {
  batch_.push_back(std::move(job));
  startNext();
}

bool Scheduler::settled(DocumentId id) const {
  auto found = documents_.find(id);
  return found == documents_.end() || !found->second.unansweredSince;
}

std::optional<std::chrono::milliseconds> Scheduler::unansweredFor(DocumentId id) const {
  auto found = documents_.find(id);
  if (found == documents_.end() || !found->second.unansweredSince) {
    return std::nullopt;
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now() - *found->second.unansweredSince);
}

size_t Scheduler::lanes() const {
  return static_cast<size_t>(
      std::count_if(lanes_.begin(), lanes_.end(), [](const LaneState &lane) { return !lane.lane.background; }));
}

bool Scheduler::idle() const {
  return waiting() == 0 && std::none_of(lanes_.begin(), lanes_.end(), [](const LaneState &lane) { return lane.busy; });
}

void Scheduler::shutdown() {
  for (auto &[id, document] : documents_) {
    if (document.running) {
      document.running->request_stop();
    }
  }
  open_.clear();
  documents_.clear();
  waiting_.clear();
  requests_.clear();
  batch_.clear();
}

// A job that ends where it was started comes back here while the loop below runs: it goes round once more instead of
// nesting.
void Scheduler::startNext() {
  again_ = true;
  if (starting_ || gathering_ > 0) {
    return;
  }
  starting_ = true;
  while (again_) {
    again_ = false;
    while (startOne()) {
    }
  }
  starting_ = false;
}

bool Scheduler::startOne() {
  if (std::all_of(lanes_.begin(), lanes_.end(), [](const LaneState &lane) { return lane.busy; })) {
    return false;
  }
  if (requestsSinceCheck_ >= policy_.requestsInARow && startBestCheck()) {
    return true;
  }
  return startBestRequest() || startBestCheck() || startBatch();
}

bool Scheduler::earlier(ClientId a, ClientId b) const {
  auto when = [&](ClientId client) {
    auto found = servedAt_.find(client);
    return found == servedAt_.end() ? uint64_t{0} : found->second;
  };
  return when(a) < when(b);
}

std::optional<size_t> Scheduler::laneFor(DocumentId id) const {
  auto home = homes_.find(id);
  if (home != homes_.end()) {
    if (home->second.busy) {
      return std::nullopt;
    }
    const LaneState &own = lanes_[home->second.lane];
    if (!own.busy) {
      return home->second.lane;
    }
    if (!own.batch && loop_.now() - own.since < policy_.homeWait) {
      return std::nullopt; // it will be free before another lane has read the text
    }
  }
  return freeLane();
}

std::optional<size_t> Scheduler::freeLane() const {
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (!lanes_[lane].busy && !lanes_[lane].lane.background) {
      return lane;
    }
  }
  return std::nullopt;
}

void Scheduler::occupy(size_t lane, DocumentId document, ClientId client, bool batch) {
  lanes_[lane].busy = true;
  lanes_[lane].batch = batch;
  lanes_[lane].since = loop_.now();
  if (document != DocumentId{}) {
    homes_[document] = {lane, true};
  }
  servedAt_[client] = ++served_;
}

void Scheduler::release(size_t lane, DocumentId document) {
  lanes_[lane].busy = false;
  lanes_[lane].batch = false;
  auto home = homes_.find(document);
  if (home != homes_.end()) {
    home->second.busy = false;
    if (!open_.contains(document)) {
      homes_.erase(home); // closed meanwhile
    }
  }
}

bool Scheduler::startBestCheck() {
  auto best = waiting_.end();
  size_t where = 0;
  for (auto candidate = waiting_.begin(); candidate != waiting_.end(); ++candidate) {
    if (best != waiting_.end() &&
        !earlier(documents_.at(*candidate).pending->client, documents_.at(*best).pending->client)) {
      continue;
    }
    if (std::optional<size_t> lane = laneFor(*candidate)) {
      best = candidate;
      where = *lane;
    }
  }
  if (best == waiting_.end()) {
    return false;
  }
  DocumentId id = *best;
  waiting_.erase(best);
  requestsSinceCheck_ = 0;
  startCheck(id, where);
  return true;
}

bool Scheduler::startBestRequest() {
  auto best = requests_.end();
  size_t where = 0;
  Manner manner = Manner::InTurn;
  for (auto candidate = requests_.begin(); candidate != requests_.end(); ++candidate) {
    bool before = best == requests_.end() || earlier(candidate->client, best->client) ||
                  (candidate->client == best->client && candidate->urgent && !best->urgent);
    if (!before) {
      continue;
    }
    std::optional<size_t> lane = asking_.contains(candidate->client) ? std::nullopt : laneFor(candidate->document);
    const bool beside = !lane && candidate->urgent && !besides_.contains(candidate->client);
    lane = beside ? freeLane() : lane;
    if (lane) {
      best = candidate;
      where = *lane;
      manner = beside ? Manner::Beside : Manner::InTurn;
    }
  }
  if (best == requests_.end()) {
    return false;
  }
  RequestJob job = std::move(*best);
  requests_.erase(best);
  ++requestsSinceCheck_;
  if (manner == Manner::Beside) {
    job.document = DocumentId{}; // which stays where it is
    besides_.insert(job.client);
  } else if (job.client != ClientId{}) {
    asking_.insert(job.client);
  }
  startRequest(std::move(job), where, manner);
  return true;
}

bool Scheduler::editing() const { return editedAt_ && loop_.now() - *editedAt_ < policy_.editing; }

/// Nothing else may happen when the time is over in which batch jobs keep away from other lanes.
void Scheduler::lookAgainWhenQuiet() {
  if (batch_.empty() || awaitsQuiet_ || !editing()) {
    return;
  }
  awaitsQuiet_ = true;
  auto left = std::chrono::ceil<std::chrono::milliseconds>(policy_.editing - (loop_.now() - *editedAt_));
  loop_.after(left, [this] {
    awaitsQuiet_ = false;
    startNext(); // waits once more where somebody has edited since
  });
}

/// Where the next batch job can run now.
std::optional<size_t> Scheduler::batchLane() const {
  std::optional<size_t> background;
  std::optional<size_t> other;
  size_t running = 0; // of batch, on lanes that are not in the background
  bool anyBackground = false;
  for (size_t lane = 0; lane < lanes_.size(); ++lane) {
    const LaneState &state = lanes_[lane];
    anyBackground = anyBackground || state.lane.background;
    if (!state.busy) {
      (state.lane.background ? background : other) = lane; // the last one: documents settle on the first
    } else if (state.batch && !state.lane.background) {
      ++running;
    }
  }
  if (open_.empty()) {
    return other; // nobody to give way to
  }
  if (background) {
    return background;
  }
  bool mayShare = anyBackground ? !editing() && running + 1 < lanes() : lanes() == 1 || running + 1 < lanes();
  return mayShare ? other : std::nullopt;
}

bool Scheduler::startBatch() {
  std::optional<size_t> where = batch_.empty() ? std::nullopt : batchLane();
  if (!where) {
    lookAgainWhenQuiet();
    return false;
  }
  auto best = batch_.begin();
  for (auto candidate = batch_.begin(); candidate != batch_.end(); ++candidate) {
    if (earlier(candidate->client, best->client)) {
      best = candidate;
    }
  }
  RequestJob job = std::move(*best);
  batch_.erase(best);
  startRequest(std::move(job), *where, Manner::Batch);
  return true;
}

void Scheduler::startCheck(DocumentId id, size_t lane) {
  Document &document = documents_.at(id);
  occupy(lane, id, document.pending->client, false);
  document.running.emplace();
  uint64_t number = document.latest;
  CheckJob job = std::move(*document.pending);
  document.pending.reset();
  std::stop_token stop = document.running->get_token();
  lanes_[lane].lane.runner.run([this, id, lane, number, job = std::move(job), stop = std::move(stop)]() mutable {
    auto result = std::make_shared<compiler::CheckResult>(guardedCheck(lanes_[lane].lane.compiler, job, stop));
    loop_.post([this, id, lane, number, job = std::move(job), result]() mutable {
      release(lane, id);
      finishCheck(id, number, std::move(job), std::move(*result));
      startNext();
    });
  });
}

void Scheduler::finishCheck(DocumentId id, uint64_t number, CheckJob job, compiler::CheckResult result) {
  auto found = documents_.find(id);
  if (found == documents_.end()) {
    return; // closed meanwhile
  }
  Document &document = found->second;
  document.running.reset();
  bool newest = number == document.latest;
  // A newer text is what stopped it, so that one owes the result now. The newest text is never stopped.
  if (!newest && (result.stopped || !overdue(document))) {
    return;
  }
  document.unansweredSince = newest ? std::nullopt : std::optional(loop_.now());
  job.deliver(std::move(result));
}

void Scheduler::startRequest(RequestJob given, size_t lane, Manner manner) {
  occupy(lane, given.document, given.client, manner == Manner::Batch);
  auto job = std::make_shared<RequestJob>(std::move(given));
  lanes_[lane].lane.runner.run([this, job, lane, manner] {
    if (!job->stop.stop_requested()) {
      try {
        job->work(lanes_[lane].lane.compiler, job->stop);
      } catch (const std::exception &fault) {
        log(LogLevel::Error, "scheduler", std::string("request failed: ") + fault.what());
      }
    }
    loop_.post([this, job, lane, manner] {
      release(lane, job->document);
      if (manner != Manner::Batch) {
        (manner == Manner::Beside ? besides_ : asking_).erase(job->client);
      }
      job->done();
      startNext();
    });
  });
}

} // namespace placid::server
