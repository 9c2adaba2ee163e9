// SPDX-License-Identifier: Apache-2.0
// Decides which compile job runs next and which is dropped. Knows documents as numbers and texts; knows nothing of LSP,
// URIs or JSON. All decisions are made on the io thread, one job is out at a time, and a job shares nothing with the io
// thread but the texts (immutable), its stop token and its own result.
//
//   update  a newer text replaces a waiting one; a running check of the same document is asked to stop. A document that
//           has gone without a result for `maxWait` is not stopped again: under steady typing results still appear.
//   request runs before waiting checks, at most `requestsInARow` of them while a check waits.
//   close   nothing is delivered for the document any more, whatever is running.
//
// Every accepted text is delivered exactly once, or replaced by a later text that is.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/scheduler/event_loop.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>

namespace placid::server {

/// One open document of one session; never reused.
enum class DocumentId : uint64_t {};

struct SchedulerPolicy {
  std::chrono::milliseconds maxWait{500};
  int requestsInARow = 4;
};

struct CheckJob {
  source::SourcePtr text;
  compiler::Options options;
  /// Io thread. Called at most once, and only while the document is open.
  std::function<void(compiler::CheckResult)> deliver;
};

struct RequestJob {
  /// Compile thread. Skipped when the token was stopped before it began.
  std::function<void(compiler::CompilerService &, std::stop_token)> work;
  /// Io thread, exactly once, also when `work` was skipped.
  std::function<void()> done;
  std::stop_token stop;
};

/// Io thread only. Outlives its jobs: destroy the runner first.
class Scheduler {
public:
  Scheduler(compiler::CompilerService &compiler, JobRunner &runner, EventLoop &loop, SchedulerPolicy policy = {})
      : compiler_(compiler), runner_(runner), loop_(loop), policy_(policy) {}

  DocumentId open() { return DocumentId{++lastId_}; }
  void update(DocumentId id, CheckJob job);
  void close(DocumentId id);
  void request(RequestJob job);

  bool idle() const { return !busy_ && requests_.empty() && waiting_.empty(); }
  /// Asks whatever runs to stop and forgets what waits. The answers of waiting requests are not sent.
  void shutdown();

private:
  struct Document {
    std::optional<CheckJob> pending;
    uint64_t latest = 0; ///< Number of the newest text.
    std::optional<TimePoint> unansweredSince;
    std::optional<std::stop_source> running;
  };

  void startNext();
  void startCheck(DocumentId id);
  void startRequest();
  void finishCheck(DocumentId id, uint64_t number, CheckJob job, compiler::CheckResult result);
  bool overdue(const Document &document) const;

  compiler::CompilerService &compiler_;
  JobRunner &runner_;
  EventLoop &loop_;
  SchedulerPolicy policy_;
  uint64_t lastId_ = 0;
  uint64_t lastNumber_ = 0; ///< Of texts, across documents: a reopened one never meets an old result.
  std::map<DocumentId, Document> documents_;
  std::deque<DocumentId> waiting_; ///< Documents with a pending text, oldest first, each once.
  std::deque<RequestJob> requests_;
  bool busy_ = false;
  int requestsSinceCheck_ = 0;
};

} // namespace placid::server
