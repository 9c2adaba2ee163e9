// SPDX-License-Identifier: Apache-2.0
// What all builds of a process share: the store, this machine's budget of compilers, the executor, the broker that runs
// equal actions once. Made when a build needs it. Any thread.
#pragma once

#include "server/build/executor/host_budget.h"
#include "server/build/executor/local_executor.h"
#include "server/build/executor/reapi/settings.h"
#include "server/build/graph/broker.h"
#include "server/build/store/store.h"
#include "server/build/toolchains/discovery.h"

#include <memory>
#include <string>

namespace placid::server {

class BuildService {
public:
  /// `folder` of the store; empty: one that ends with the service. `jobs` 0: one a core.
  BuildService(std::string folder, size_t jobs, const ExecutorSettings &settings = {});
  ~BuildService();
  BuildService(const BuildService &) = delete;
  BuildService &operator=(const BuildService &) = delete;

  Store &store() { return *store_; }
  const std::shared_ptr<Store> &sharedStore() const { return store_; }
  Broker &broker() { return *broker_; }
  ExecutorCaps caps() const { return executor_->caps(); }
  /// Not empty: why the executor that the settings name cannot be used. Then every action fails with it.
  const std::string &fault() const { return fault_; }
  /// For actions: what was made elsewhere, with headers that nobody here has seen, is not given to builds here.
  /// Nor is what was made in one place elsewhere given to builds in another.
  std::string salt() const { return caps().ownProcesses ? std::string() : "elsewhere " + place_; }

private:
  std::string ownFolder_; ///< To be removed.
  std::string fault_, place_;
  std::shared_ptr<Store> store_; ///< One a folder in this process, so that all know what is pinned.
  std::unique_ptr<HostBudget> budget_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Broker> broker_;
};

/// Where the store of a client with these variables is; empty: nowhere that stays.
std::string storeFolder(const ToolEnvironment &environment);

/// The service for a client with these variables: builds that run at the same time share one. `executor` "local" or
/// "reapi"; empty: that of the user's settings.
std::shared_ptr<BuildService> buildService(const ToolEnvironment &environment, const std::string &executor = {});

} // namespace placid::server
