// SPDX-License-Identifier: Apache-2.0
#include "server/worker/worker_service.h"

#include "compiler/support/sha256.h"
#include "server/support/log.h"
#include "server/support/wake_fd.h"
#include "server/worker/wire.h"

#include <functional>
#include <utility>

namespace placid::server {

namespace {

using Clock = std::chrono::steady_clock;

compiler::Counters sum(const compiler::Counters &a, const compiler::Counters &b) {
  return {a.parse + b.parse, a.evaluate + b.evaluate, a.check + b.check, a.lower + b.lower, a.cacheHit + b.cacheHit};
}

compiler::CheckResult &checkOf(compiler::CheckResult &result) { return result; }
template <class R> compiler::CheckResult &checkOf(R &result) { return result.check; }

WorkerCall callOf(WorkerMethod method, const compiler::Options &options, const compiler::IrRequest &request = {}) {
  WorkerCall out;
  out.method = method;
  out.options = options;
  out.request = request;
  return out;
}

std::string quarantineKey(const WorkerCall &head, const source::SourcePtr &text) {
  return support::sha256Hex(wireBytes(head.method, head.options, head.request, text->path, text->text));
}

} // namespace

bool Quarantine::holds(const std::string &key) const {
  MutexLock lock(mutex_);
  auto found = strikes_.find(key);
  return found != strikes_.end() && found->second >= kStrikes;
}

bool Quarantine::strike(const std::string &key, int strikes) {
  MutexLock lock(mutex_);
  if (strikes_.size() >= kMaxEntries) {
    strikes_.clear(); // what is still bad will show again
  }
  return (strikes_[key] += strikes) >= kStrikes;
}

size_t Quarantine::size() const {
  MutexLock lock(mutex_);
  size_t count = 0;
  for (const auto &[key, strikes] : strikes_) {
    count += strikes >= kStrikes ? 1 : 0;
  }
  return count;
}

compiler::CheckResult internalFault(const std::string &path, const std::string &why) {
  compiler::CheckResult result;
  diag::Diagnostic fault;
  fault.code = diag::InternalError.code;
  fault.at.path = path;
  fault.message = diag::message(diag::InternalError, why);
  result.diagnostics.push_back(std::move(fault));
  result.counts.errors = 1;
  return result;
}

bool WorkerService::start() {
  process_ = host_.spawn(policy_.niceness);
  texts_.clear();
  modules_.clear();
  startedAt_ = Clock::now();
  usedAt_ = startedAt_;
  MutexLock lock(mutex_);
  status_.pid = process_ ? process_->pid() : -1;
  status_.calls = 0;
  shownStart_ = startedAt_;
  return process_ != nullptr;
}

void WorkerService::end(bool crashed) {
  gone();
  MutexLock lock(mutex_);
  ++status_.restarts;
  status_.crashes += crashed ? 1 : 0;
}

void WorkerService::gone() {
  process_.reset();
  texts_.clear();
  modules_.clear();
  MutexLock lock(mutex_);
  past_ = sum(past_, live_);
  live_ = {};
  status_.pid = -1;
  status_.rssBytes = 0;
}

void WorkerService::retire(std::chrono::seconds unused) {
  if (process_ && Clock::now() - usedAt_ >= unused) {
    gone();
  }
}

void WorkerService::retireLarge(std::chrono::seconds unused) {
  if (status().rssBytes > policy_.largeRssBytes || texts_.bytes() + modules_.bytes() > policy_.largeTextBytes) {
    retire(unused);
  }
}

void WorkerService::note(const WorkerState &state) {
  MutexLock lock(mutex_);
  live_ = state.counters;
  status_.rssBytes = state.rssBytes;
  ++status_.calls;
}

bool WorkerService::worn() const {
  MutexLock lock(mutex_);
  return status_.calls >= policy_.maxCalls || status_.rssBytes > policy_.maxRssBytes ||
         Clock::now() - startedAt_ >= policy_.maxAge;
}

void WorkerService::warm() {
  if (!process_) {
    start();
  }
}

WorkerStatus WorkerService::status() const {
  MutexLock lock(mutex_);
  WorkerStatus out = status_;
  if (out.pid > 0) {
    out.ageSeconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - shownStart_).count();
  }
  return out;
}

compiler::Counters WorkerService::counters() const {
  MutexLock lock(mutex_);
  return sum(past_, live_);
}

SourceAnswer WorkerService::answer(const SourceQuestion &question, source::SourceProvider *sources) {
  SourceAnswer out{question, false, {}};
  if (!sources) {
    return out;
  }
  if (!question.load) {
    out.found = sources->exists(question.path);
  } else if (source::SourcePtr text = sources->load(question.path)) {
    out.found = true;
    out.text = modules_.encode(text);
  }
  return out;
}

WorkerService::Answer WorkerService::attempt(WorkerCall &head, const source::SourcePtr &text,
                                             const std::stop_token &stop, bool &lost) {
  WakeFd stopped;
  std::stop_callback tell(stop, [&] { stopped.signal(); });
  head.text = texts_.encode(text);
  source::SourceProvider *sources = head.options.sources.get();
  head.hasSources = sources != nullptr;
  head.foreseen.clear();
  if (auto before = asked_.find(text->path); sources && before != asked_.end()) {
    for (const SourceQuestion &question : before->second) {
      head.foreseen.push_back(answer(question, sources));
    }
  }
  Clock::time_point deadline = Clock::now() + policy_.callDeadline;
  bool stopping = false;
  if (!process_->channel().send(FrameKind::Call, wireBytes(head))) {
    lost = true;
    end(false);
    return {Outcome::Failed, "the compiler process went away"};
  }
  while (true) {
    WorkerFrame frame;
    switch (process_->channel().receive(frame, stopping ? -1 : stopped.fd(), deadline)) {
    case Channel::Wait::Frame:
      if (frame.kind == FrameKind::Result) {
        WorkerState state;
        WireReader reader(frame.payload);
        reader.get(state);
        note(state);
        if (asked_.size() >= TextShelf::kMaxTexts) {
          asked_.clear(); // it is learnt again
        }
        asked_[text->path] = std::move(state.asked);
        return {Outcome::Answered, std::string(reader.rest())};
      }
      if (frame.kind == FrameKind::Want) {
        SourceQuestion question;
        if (!fromWire(frame.payload, question)) {
          question = {};
        }
        process_->channel().send(FrameKind::Texts, wireBytes(answer(question, sources)));
        break;
      }
      end(true);
      return {stopping ? Outcome::Stopped : Outcome::Failed, "the compiler crashed on this file"};
    case Channel::Wait::Interrupted:
      stopping = true;
      deadline = Clock::now() + policy_.stopPatience;
      process_->channel().send(FrameKind::Stop, {});
      break;
    case Channel::Wait::TimedOut:
      end(!stopping);
      if (stopping) {
        return {Outcome::Stopped, {}};
      }
      log(LogLevel::Error, "worker", "a compile did not end in time and was killed: " + text->path);
      return {Outcome::Refused, "the compiler did not finish this file within " +
                                    std::to_string(policy_.callDeadline.count() / 1000) + " s"};
    case Channel::Wait::Closed:
      lost = true;
      end(false);
      return {stopping ? Outcome::Stopped : Outcome::Failed, "the compiler process went away"};
    }
  }
}

WorkerService::Answer WorkerService::exchange(WorkerCall head, const source::SourcePtr &text,
                                              const std::stop_token &stop) {
  std::string key; // made only when something has gone wrong
  if (quarantine_.size() > 0) {
    key = quarantineKey(head, text);
    if (quarantine_.holds(key)) {
      return {Outcome::Refused,
              "the compiler crashed on this file twice; it is not tried again until the text changes"};
    }
  }
  int losses = 0;
  while (true) {
    if (stop.stop_requested()) {
      return {Outcome::Stopped, {}};
    }
    if (process_ && worn()) {
      end(false);
    }
    if (!process_ && !start()) {
      return {Outcome::Failed, "no compiler process can be started"};
    }
    bool lost = false;
    Answer answer = attempt(head, text, stop, lost);
    if (answer.outcome == Outcome::Answered || answer.outcome == Outcome::Stopped) {
      return answer;
    }
    if (lost && ++losses < policy_.maxLosses) {
      continue;
    }
    if (key.empty()) {
      key = quarantineKey(head, text);
    }
    bool refused = quarantine_.strike(key, answer.outcome == Outcome::Refused || lost ? Quarantine::kStrikes : 1);
    log(LogLevel::Error, "worker", answer.bytes + ": " + text->path);
    if (refused) {
      return {Outcome::Refused, answer.bytes + "; it is not tried again until the text changes"};
    }
  }
}

template <class R> R WorkerService::call(WorkerCall head, const source::SourcePtr &text, const std::stop_token &stop) {
  {
    MutexLock lock(mutex_);
    status_.busy = true;
  }
  R result;
  Answer answer = exchange(std::move(head), text, stop);
  usedAt_ = Clock::now();
  if (answer.outcome == Outcome::Stopped) {
    checkOf(result).stopped = true;
  } else if (answer.outcome != Outcome::Answered) {
    checkOf(result) = internalFault(text->path, answer.bytes);
  } else if (!fromWire(answer.bytes, result)) {
    result = R();
    checkOf(result) = internalFault(text->path, "the compiler process answered nonsense");
  }
  MutexLock lock(mutex_);
  status_.busy = false;
  return result;
}

compiler::CheckResult WorkerService::check(const source::SourcePtr &text, const compiler::Options &options,
                                           std::stop_token stop) {
  return call<compiler::CheckResult>(callOf(WorkerMethod::Check, options), text, stop);
}

compiler::InspectResult WorkerService::inspect(const source::SourcePtr &text, const compiler::Options &options,
                                               std::stop_token stop) {
  return call<compiler::InspectResult>(callOf(WorkerMethod::Inspect, options), text, stop);
}

compiler::IrResult WorkerService::ir(const source::SourcePtr &text, const compiler::Options &options,
                                     const compiler::IrRequest &request, std::stop_token stop) {
  return call<compiler::IrResult>(callOf(WorkerMethod::Ir, options, request), text, stop);
}

compiler::LowerResult WorkerService::lower(const source::SourcePtr &text, const compiler::Options &options,
                                           std::stop_token stop) {
  return call<compiler::LowerResult>(callOf(WorkerMethod::Lower, options), text, stop);
}

index::Index WorkerService::index(const source::SourcePtr &text) {
  index::Index out;
  Answer answer = exchange(callOf(WorkerMethod::Index, {}), text, {});
  if (answer.outcome != Outcome::Answered || !fromWire(answer.bytes, out)) {
    out = {};
    out.whole = false; // nothing is known of the text
  }
  return out;
}

template <class R> const R &WorkerService::once(WorkerMethod method, R &known) const {
  if (known.empty()) {
    auto *self =
        const_cast<WorkerService *>(this); // NOLINT(cppcoreguidelines-pro-type-const-cast): asking is no change
    Answer answer = self->exchange(callOf(method, {}), std::make_shared<source::SourceText>("", ""), {});
    if (answer.outcome == Outcome::Answered && !fromWire(answer.bytes, known)) {
      known.clear();
    }
  }
  return known;
}

std::vector<index::OpInfo> WorkerService::ops() const { return once(WorkerMethod::Ops, ops_); }
std::vector<std::string> WorkerService::passNames() const { return once(WorkerMethod::PassNames, passNames_); }

} // namespace placid::server
