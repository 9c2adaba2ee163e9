// SPDX-License-Identifier: Apache-2.0
// What all builds of a process share: the store, this machine's budget of compilers, the executor, the broker that runs
// equal actions once. Made when a build needs it. Any thread.
#pragma once

#include "server/build/executor/host_budget.h"
#include "server/build/executor/local_executor.h"
#include "server/build/graph/broker.h"
#include "server/build/store/store.h"
#include "server/build/toolchains/discovery.h"

#include <memory>
#include <string>

namespace placid::server {

class BuildService {
public:
  /// `folder` of the store; empty: one that ends with the service. `jobs` 0: one a core.
  BuildService(std::string folder, size_t jobs);
  ~BuildService();
  BuildService(const BuildService &) = delete;
  BuildService &operator=(const BuildService &) = delete;

  Store &store() { return *store_; }
  Broker &broker() { return *broker_; }
  ExecutorCaps caps() const { return executor_->caps(); }

private:
  std::string ownFolder_; ///< To be removed.
  std::unique_ptr<Store> store_;
  std::unique_ptr<HostBudget> budget_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Broker> broker_;
};

/// Where the store of a client with these variables is; empty: nowhere that stays.
std::string storeFolder(const ToolEnvironment &environment);

/// The service for a client with these variables: builds that run at the same time share one.
std::shared_ptr<BuildService> buildService(const ToolEnvironment &environment);

} // namespace placid::server
