// SPDX-License-Identifier: Apache-2.0
// A build of the job table as it is carried out. For the table's own files: others know it by its id. The table's
// thread.
#pragma once

#include "server/build/jobs/job_table.h"

namespace placid::server {

constexpr const char *kAccepted = "accepted";
constexpr size_t kListenBatch = 1000; ///< Events that are read at once.

/// Nanoseconds of the system's clock.
int64_t systemNow();

/// What there is of a build while it is carried out.
struct JobRun {
  BuildRequest request;
  std::stop_source stop;
  std::string rest; ///< Of the output, a line that has not ended.
  std::string errorText;
  std::shared_ptr<const nlohmann::ordered_json> last; ///< The command's own last event.
};

/// Those that wait are many: of them only what is asked for at each tick is here, the rest in the journal.
struct JobTable::Job {
  std::string id, client;
  uint64_t events = 0; ///< The next one's number.
  uint64_t bytes = 0;  ///< Of events.
  uint64_t order = 0;
  int64_t leaseMs = 0;
  int priority = 0;
  bool logsCut = false;
  bool over = false;              ///< finish() was called.
  std::optional<TimePoint> lease; ///< When it ends.
  std::optional<TimePoint> deadline;
  std::string why;             ///< It was stopped for this.
  std::unique_ptr<JobRun> run; ///< While it is carried out.
  std::optional<Store::Pin> sources;
  std::list<Listener> listeners;
};

} // namespace placid::server
