// SPDX-License-Identifier: Apache-2.0
// The builds that clients have asked for: accepted once, queued fairly, carried out, cancelled when their lease or
// deadline passes, and ended with exactly one last event. Keeps everything that matters in the journal, so that a
// daemon that dies loses none. What carries a build out is handed in. One thread: that of its loop, for calls and
// callbacks.
#pragma once

#include "protocol/jsonrpc/error.h"
#include "server/build/build_service.h"
#include "server/build/jobs/fair_queue.h"
#include "server/build/jobs/journal.h"
#include "server/build/jobs/request.h"
#include "server/scheduler/event_loop.h"

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace placid::server {

struct JobLimits {
  size_t running = 4;                       ///< Builds at once; their tools share the host's budget.
  size_t queuedPerClient = 2000;            ///< And running.
  uint64_t eventBytes = uint64_t{32} << 20; ///< Of one build; then `log` events are left out.
  size_t keptBuilds = 2000;
  std::chrono::milliseconds tick{500};
};

/// One build as it is carried out: a command line in a folder.
struct JobCommand {
  std::string folder;
  std::vector<std::string> words;
};
struct JobSink {
  std::function<void(bool error, const std::string &text)> output;
  std::function<void(std::optional<int> exitCode)> done; ///< Once. Nothing: there was no place for it now.
};
using JobRunFunction = std::function<void(JobCommand, std::stop_token, JobSink)>;

struct JobStatus {
  std::string id, client, state; ///< "queued", "running", or how it ended.
  int64_t created = 0;
  uint64_t events = 0;
  std::string result; ///< JSON; of one that has ended.
};

struct JobCounters {
  uint64_t accepted = 0, succeeded = 0, failed = 0, cancelled = 0, internal = 0, resumed = 0;
};

class JobTable {
public:
  /// A line of a build's events with its number; false: nobody listens any more.
  using Listener = std::function<bool(uint64_t number, const std::string &line)>;

  /// `folder` holds the journal and the folders of running builds.
  JobTable(std::shared_ptr<BuildService> service, std::string folder, EventLoop &loop, JobRunFunction run,
           JobLimits limits = {});
  ~JobTable();
  JobTable(const JobTable &) = delete;
  JobTable &operator=(const JobTable &) = delete;

  bool ok() const { return journal_.ok(); }
  /// Takes up what dead daemons have left, and begins to keep clocks.
  void start();

  struct Submitted {
    std::string id;
    bool isNew = false;
  };
  protocol::Result<Submitted> submit(const std::string &client, const BuildRequest &request);
  /// Whether this client has said that idempotency key.
  bool isKnown(const std::string &client, const std::string &key);
  /// False: there is no such build of this client that has not ended. One that another daemon carries out is renewed
  /// and cancelled through the journal.
  bool renew(const std::string &client, const std::string &id, int64_t leaseMs);
  bool cancel(const std::string &client, const std::string &id);
  std::optional<JobStatus> status(const std::string &client, const std::string &id);
  std::vector<JobStatus> list(const std::string &client, size_t most);
  /// Tells `listener` all events from number `from` on, those that are there at once. False: no such build.
  bool listen(const std::string &client, const std::string &id, uint64_t from, Listener listener);
  /// Takes no more builds; those that are there are carried out.
  void drain() { draining_ = true; }

  Store &store() { return service_->store(); }
  /// Keeps the store for who has something of it open.
  std::shared_ptr<Store> sharedStore() const { return service_->sharedStore(); }
  ExecutorCaps executor() const { return service_->caps(); }
  Broker &broker() { return service_->broker(); }
  Journal &journal() { return journal_; }
  JobCounters counters() const { return counters_; }
  size_t queued() const { return queue_.size(); }
  size_t running() const { return running_; }
  /// Not ended yet. Any thread.
  size_t open() const { return open_; }
  /// Whose builds a client may see: its own, and the machine's own socket all.
  static bool sees(const std::string &client, const std::string &owner) { return client == kLocal || client == owner; }
  static constexpr const char *kLocal = "local";

private:
  struct Job;
  using JobPtr = std::shared_ptr<Job>;
  /// How a build has ended, to be written.
  struct End {
    JobPtr job;
    std::string status, result, line;
  };

  std::string missingBlob(const std::string &client, const BuildRequest &request);
  JobPtr take(const JournalBuild &build, const BuildRequest &request);
  void enqueue(const JobPtr &job);
  void pump();
  /// After what is being done now.
  void pumpSoon();
  void begin(const JobPtr &job);
  std::string recallRequest(Job &job);
  std::string materialise(const Job &job);
  void onOutput(const JobPtr &job, bool error, const std::string &text);
  void onEvent(const JobPtr &job, const std::string &line);
  void onDone(const JobPtr &job, std::optional<int> exitCode);
  void append(const JobPtr &job, nlohmann::ordered_json event);
  void finish(const JobPtr &job, const std::string &status, nlohmann::ordered_json last, nlohmann::ordered_json result);
  bool write(const End &end);
  bool dropIfOthers(const End &end);
  bool isGone(const std::string &owner);
  void obeyWishes();
  void lookAtOthers();
  void stop(const JobPtr &job, const std::string &why);
  void tick();
  void adopt();
  JobPtr live(const std::string &id) const;
  std::string folderOf(const Job &job) const { return folder_ + "/jobs/" + owner_ + "/" + nameOf(job); }
  static std::string nameOf(const Job &job);

  std::shared_ptr<BuildService> service_;
  std::string folder_, owner_;
  EventLoop &loop_;
  JobRunFunction run_;
  const JobLimits limits_;
  Journal journal_;
  /// By id.
  struct ById {
    using is_transparent = void;
    static const std::string &idOf(const std::string &id) { return id; }
    static const std::string &idOf(const JobPtr &job);
    template <class A, class B> bool operator()(const A &a, const B &b) const { return idOf(a) < idOf(b); }
  };
  std::set<JobPtr, ById> jobs_; ///< Not ended.
  FairQueue queue_;
  std::map<uint64_t, JobPtr> waiting_; ///< By order.
  uint64_t orders_ = 0;
  std::deque<std::pair<TimePoint, std::shared_ptr<Store::Pin>>> keptResults_;
  std::vector<End> unwritten_; ///< The disk being full.
  /// Who listens to a build that another daemon carries out.
  struct Watch {
    std::string id;
    uint64_t next = 0;
    Listener listener;
  };
  std::list<Watch> watches_;
  size_t running_ = 0;
  std::atomic<size_t> open_ = 0;
  JobCounters counters_;
  bool draining_ = false, willPump_ = false;
  uint64_t ticks_ = 0, ended_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

} // namespace placid::server
