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

bool Scheduler::overdue(const Document &document) const {
  return document.unansweredSince && loop_.now() - *document.unansweredSince >= policy_.maxWait;
}

void Scheduler::update(DocumentId id, CheckJob job) {
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
  auto found = documents_.find(id);
  if (found == documents_.end()) {
    return;
  }
  if (found->second.running) {
    found->second.running->request_stop();
  }
  std::erase(waiting_, id);
  documents_.erase(found);
}

void Scheduler::request(RequestJob job) {
  requests_.push_back(std::move(job));
  startNext();
}

void Scheduler::shutdown() {
  for (auto &[id, document] : documents_) {
    if (document.running) {
      document.running->request_stop();
    }
  }
  documents_.clear();
  waiting_.clear();
  requests_.clear();
}

void Scheduler::startNext() {
  if (busy_) {
    return;
  }
  bool checkIsDue = !waiting_.empty() && (requests_.empty() || requestsSinceCheck_ >= policy_.requestsInARow);
  if (checkIsDue) {
    DocumentId id = waiting_.front();
    waiting_.pop_front();
    requestsSinceCheck_ = 0;
    startCheck(id);
  } else if (!requests_.empty()) {
    ++requestsSinceCheck_;
    startRequest();
  }
}

void Scheduler::startCheck(DocumentId id) {
  Document &document = documents_.at(id);
  busy_ = true;
  document.running.emplace();
  runner_.run([this, id, number = document.latest, job = *std::exchange(document.pending, std::nullopt),
               stop = document.running->get_token()]() mutable {
    auto result = std::make_shared<compiler::CheckResult>(guardedCheck(compiler_, job, std::move(stop)));
    loop_.post([this, id, number, job = std::move(job), result]() mutable {
      busy_ = false;
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

void Scheduler::startRequest() {
  auto job = std::make_shared<RequestJob>(std::move(requests_.front()));
  requests_.pop_front();
  busy_ = true;
  runner_.run([this, job] {
    if (!job->stop.stop_requested()) {
      try {
        job->work(compiler_, job->stop);
      } catch (const std::exception &fault) {
        log(LogLevel::Error, "scheduler", std::string("request failed: ") + fault.what());
      }
    }
    loop_.post([this, job] {
      busy_ = false;
      job->done();
      startNext();
    });
  });
}

} // namespace placid::server
