// SPDX-License-Identifier: Apache-2.0
// The executor that needs no set-up: tools run as processes of this machine, each in a folder made for it that holds
// its inputs and nothing else, with the environment of the action and nothing else, under the machine's budget of
// compilers. Any thread.
#pragma once

#include "server/build/executor/executor.h"
#include "server/build/executor/host_budget.h"
#include "server/build/store/store.h"

#include <string>

namespace placid::server {

class LocalExecutor final : public Executor {
public:
  /// `scratch` is a folder below which one folder an action is made and removed.
  LocalExecutor(Store &store, HostBudget &budget, std::string scratch);

  ExecutorCaps caps() const override;
  Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
              std::stop_token stop) override;

private:
  Store &store_;
  HostBudget &budget_;
  std::string scratch_;
};

/// Removes the folders of actions whose process was killed: nobody holds their lock, and they have not changed for
/// `young` seconds.
void sweepScratch(const std::string &parent, int64_t young);

} // namespace placid::server
