// SPDX-License-Identifier: Apache-2.0
// The job table among the tables of other daemons that share its journal: builds of daemons that are gone are taken
// over, what clients want of builds elsewhere goes through the journal. Apart from what the table does with its own.
#include "server/build/jobs/job.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

/// After that a daemon that cannot be seen is taken for dead.
constexpr int64_t kSilence = int64_t{120} * 1000000000;

} // namespace

void JobTable::adopt() {
  journal_.beat(owner_, systemNow());
  for (const JournalBuild &build :
       journal_.adopt(owner_, [this](const std::string &owner) { return !isGone(owner); })) {
    protocol::Result<BuildRequest> request =
        buildRequestFromJson(protocol::Json::parse(build.request, nullptr, /*allow_exceptions=*/false));
    JobPtr job = take(build, request ? *request : BuildRequest());
    ++counters_.resumed;
    append(job, {{"type", "buildResumed"}});
    if (!request) {
      finish(job, "internal", {{"message", request.error().message}}, Ordered::object());
    }
  }
  pump();
}

/// It was taken over by a daemon that took us for dead, or has ended: there is nothing to be written any more.
bool JobTable::dropIfOthers(const End &end) {
  if (!journal_.isOthers(end.job->id, owner_)) {
    return false;
  }
  log(LogLevel::Warning, "builds", "build " + end.job->id + " is another daemon's by now");
  --open_;
  for (Listener &listener : end.job->listeners) {
    watches_.push_back({end.job->id, end.job->events, std::move(listener)});
  }
  end.job->listeners.clear();
  return true;
}

bool JobTable::isGone(const std::string &owner) {
  if (!isElsewhere(owner)) {
    return !processAlive(owner);
  }
  // Its processes cannot be seen from here: it is there as long as it says so.
  std::optional<int64_t> seen = journal_.beatOf(owner);
  return !seen || systemNow() - *seen > kSilence;
}

void JobTable::lookAtOthers() {
  for (auto at = watches_.begin(); at != watches_.end();) {
    bool over = false;
    for (std::vector<std::string> lines; !over && !(lines = journal_.events(at->id, at->next, kListenBatch)).empty();) {
      for (const std::string &line : lines) {
        over = over || !at->listener(at->next++, line);
      }
    }
    if (!over) {
      std::optional<JournalBuild> known = journal_.find(at->id);
      over = !known || (known->state != "accepted" && known->events <= at->next);
    }
    at = over ? watches_.erase(at) : std::next(at);
  }
}

bool JobTable::renew(const std::string &client, const std::string &id, int64_t leaseMs) {
  JobPtr job = live(id);
  if (!job) { // perhaps another daemon's by now
    std::optional<JournalBuild> known = journal_.find(id);
    return known && sees(client, known->client) && known->state == kAccepted && journal_.wish(id, leaseMs, false);
  }
  if (!sees(client, job->client)) {
    return false;
  }
  if (job->lease) {
    job->lease = loop_.now() + std::chrono::milliseconds(leaseMs > 0 ? leaseMs : job->leaseMs);
  }
  return true;
}

bool JobTable::cancel(const std::string &client, const std::string &id) {
  if (JobPtr job = live(id); job && sees(client, job->client)) {
    stop(job, "cancelled");
    return true;
  }
  std::optional<JournalBuild> known = journal_.find(id);
  if (!known || !sees(client, known->client)) {
    return false;
  }
  return known->state != kAccepted || journal_.wish(id, 0, true);
}

/// What clients of other daemons want of the builds that this one carries out.
void JobTable::obeyWishes() {
  for (const JournalWish &wish : journal_.takeWishes(owner_)) {
    if (JobPtr job = live(wish.id); job && wish.cancel) {
      stop(job, "cancelled");
    } else if (job && job->lease) {
      int64_t lease = wish.leaseMs > 0 ? wish.leaseMs : job->leaseMs;
      job->lease = std::max(*job->lease, loop_.now() + std::chrono::milliseconds(lease));
    }
  }
}

} // namespace placid::server
