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

struct JobTable::Job {
  JournalBuild build;                    ///< Without its request and result: the journal has them.
  std::unique_ptr<BuildRequest> request; ///< While it is carried out.
  int priority = 0;
  int64_t leaseMs = 0;
  uint64_t order = 0;
  std::stop_source stop{std::nostopstate}; ///< Of one that is carried out.
  bool isRunning = false;
  std::string why;                ///< It was stopped for this.
  std::optional<TimePoint> lease; ///< When it ends.
  std::optional<TimePoint> deadline;
  std::string rest; ///< Of the output, a line that has not ended.
  std::string errorText;
  std::shared_ptr<const nlohmann::ordered_json> last; ///< The command's own last event.
  uint64_t bytes = 0;                                 ///< Of events.
  bool logsCut = false;
  bool over = false; ///< finish() was called.
  std::unique_ptr<Store::Pin> sources;
  std::list<Listener> listeners;
};

} // namespace placid::server
