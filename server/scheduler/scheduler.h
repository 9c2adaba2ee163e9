// SPDX-License-Identifier: Apache-2.0
// Decides which compile job runs next, where, and which is dropped. Knows documents as numbers and texts; knows nothing
// of LSP, URIs or JSON. All decisions are made on the io thread; each lane (a thread with a compiler) has one job at a
// time, and a job shares nothing with the io thread but the texts (immutable), its stop token and its own result.
//
//   update  a newer text replaces a waiting one; a running check of the same document is asked to stop. A document that
//           has gone without a result for `maxWait` is not stopped again: under steady typing results still appear.
//   request runs before waiting checks, at most `requestsInARow` of them while a check waits.
//   batch   runs when nothing of the above can: while somebody edits on background lanes alone, and never on the last
//           other lane while a document is open.
//   close   nothing is delivered for the document any more, whatever is running.
//
// A document has one job at a time, a session one request (what it keeps between requests is touched by one thread at a
// time; of those that wait the urgent ones go first), and a document stays with the lane that holds it, unless that
// lane is busy for long. An urgent request runs beside all that where a lane is free, one of a session at a time.
// Within a class the session that was served longest ago comes first. Every accepted text is delivered exactly once, or
// replaced by a later text that is.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/scheduler/event_loop.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>

namespace placid::server {

/// One open document of one session; never reused.
enum class DocumentId : uint64_t {};
/// Who asks: a session or a command. Never reused; 0 is nobody in particular.
enum class ClientId : uint64_t {};

struct SchedulerPolicy {
  std::chrono::milliseconds maxWait{500};
  int requestsInARow = 4;
  std::chrono::milliseconds homeWait{50};  ///< A document leaves a lane that has been busy for longer.
  std::chrono::milliseconds editing{2000}; ///< For so long after an edit, somebody edits.
};

struct CheckJob {
  source::SourcePtr text;
  compiler::Options options;
  /// Io thread. Called at most once, and only while the document is open.
  std::function<void(compiler::CheckResult)> deliver;
  ClientId client{};
};

struct RequestJob {
  /// Compile thread. Skipped when the token was stopped before it began.
  std::function<void(compiler::CompilerService &, std::stop_token)> work;
  /// Io thread, exactly once, also when `work` was skipped.
  std::function<void()> done;
  std::stop_token stop;
  ClientId client{};
  DocumentId document{}; ///< Jobs of one document never overlap. 0: of none.
  /// Somebody types and waits: before what else this client has asked, and beside what runs of it and of the document.
  bool urgent = false;
};

/// A thread with its compiler.
struct Lane {
  compiler::CompilerService &compiler;
  JobRunner &runner;
  bool background = false; ///< For batch jobs while documents are open; its compiler gives way to all others.
};

/// Io thread only. Outlives its jobs: destroy the runners first.
class Scheduler {
public:
  Scheduler(compiler::CompilerService &compiler, JobRunner &runner, EventLoop &loop, SchedulerPolicy policy = {})
      : Scheduler({{compiler, runner}}, loop, policy) {}
  Scheduler(const std::vector<Lane> &lanes, EventLoop &loop, SchedulerPolicy policy = {});

  /// While one lives, jobs are taken but not begun: what arrives together is decided on together.
  class Gather {
  public:
    explicit Gather(Scheduler &scheduler) : scheduler_(scheduler) { ++scheduler_.gathering_; }
    ~Gather() {
      if (--scheduler_.gathering_ == 0) {
        scheduler_.startNext();
      }
    }
    Gather(const Gather &) = delete;
    Gather &operator=(const Gather &) = delete;

  private:
    Scheduler &scheduler_;
  };

  ClientId newClient() { return ClientId{++lastClient_}; }
  void forget(ClientId client) { servedAt_.erase(client); }
  DocumentId open();
  /// The document has a newer text that nothing is owed for: its client asks when it wants to know.
  void edited(DocumentId id);
  void update(DocumentId id, CheckJob job);
  void close(DocumentId id);
  void request(RequestJob job);
  void batch(RequestJob job);
  /// The newest text of the document has been delivered, or there is none.
  bool settled(DocumentId id) const;

  /// How long the document has gone without a result that it is owed; nothing when it is owed none.
  std::optional<std::chrono::milliseconds> unansweredFor(DocumentId id) const;
  EventLoop &loop() { return loop_; }

  bool idle() const;
  /// Somebody has edited a document a moment ago.
  bool editing() const;
  /// Those that are not in the background.
  size_t lanes() const;
  /// Jobs that wait, of all classes.
  size_t waiting() const { return requests_.size() + waiting_.size() + batch_.size(); }
  /// Asks whatever runs to stop and forgets what waits. The answers of waiting requests are not sent.
  void shutdown();

private:
  struct Document {
    std::optional<CheckJob> pending;
    uint64_t latest = 0; ///< Number of the newest text.
    std::optional<TimePoint> unansweredSince;
    std::optional<std::stop_source> running;
  };
  struct LaneState {
    Lane lane;
    bool busy = false;
    bool batch = false;
    TimePoint since{};
  };
  struct Home {
    size_t lane = 0;
    bool busy = false;
  };

  void startNext();
  bool startOne();
  bool startBestCheck();
  bool startBestRequest();
  bool startBatch();
  std::optional<size_t> batchLane() const;
  void lookAgainWhenQuiet();
  void startCheck(DocumentId id, size_t lane);
  enum class Manner : uint8_t { InTurn, Beside, Batch };
  void startRequest(RequestJob job, size_t lane, Manner manner);
  void finishCheck(DocumentId id, uint64_t number, CheckJob job, compiler::CheckResult result);
  bool overdue(const Document &document) const;
  /// Where the document's next job can run now; nothing when it has to wait.
  std::optional<size_t> laneFor(DocumentId id) const;
  /// Any that is free and not in the background.
  std::optional<size_t> freeLane() const;
  void occupy(size_t lane, DocumentId document, ClientId client, bool batch);
  void release(size_t lane, DocumentId document);
  bool earlier(ClientId a, ClientId b) const;

  std::vector<LaneState> lanes_;
  EventLoop &loop_;
  SchedulerPolicy policy_;
  uint64_t lastId_ = 0;
  uint64_t lastClient_ = 0;
  uint64_t lastNumber_ = 0; ///< Of texts, across documents: a reopened one never meets an old result.
  uint64_t served_ = 0;
  std::set<DocumentId> open_;
  std::map<DocumentId, Document> documents_; ///< Of those, with a text to be checked.
  std::map<DocumentId, Home> homes_;
  std::map<ClientId, uint64_t> servedAt_;
  std::set<ClientId> asking_;      ///< With a request that runs.
  std::set<ClientId> besides_;     ///< With an urgent one that runs beside it.
  std::deque<DocumentId> waiting_; ///< Documents with a pending text, oldest first, each once.
  std::deque<RequestJob> requests_;
  std::deque<RequestJob> batch_;
  int requestsSinceCheck_ = 0;
  std::optional<TimePoint> editedAt_; ///< The last edit of any document.
  bool awaitsQuiet_ = false;          ///< A timer looks again when nobody edits any more.
  int gathering_ = 0;
  bool starting_ = false;
  bool again_ = false;
};

} // namespace placid::server
