// SPDX-License-Identifier: Apache-2.0
// The executor on a server of the Remote Execution API: looks for a known result, sends what is missing, has the action
// carried out, and takes nothing into the store whose digest does not fit. What servers do differently ends here. Any
// thread.
#pragma once

#include "server/build/executor/reapi/cas_client.h"
#include "server/build/executor/reapi/connection.h"
#include "server/build/executor/reapi/merkle.h"
#include "server/support/sync.h"

#include <memory>
#include <optional>
#include <string>

namespace placid::server {

class ReapiExecutor final : public Executor {
public:
  /// Null with the reason in `wrong`.
  static std::unique_ptr<ReapiExecutor> make(const ReapiOptions &options, ReapiBlobs &blobs, std::string &wrong);

  ExecutorCaps caps() const override;
  Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
              std::stop_token stop) override;

private:
  class Attempt;

  ReapiExecutor(const ReapiOptions &options, ReapiBlobs &blobs, std::unique_ptr<Connection> connection)
      : options_(options), blobs_(blobs), connection_(std::move(connection)), storage_(*connection_, blobs) {}
  /// Whether the server can do what is needed; asked once.
  std::optional<InfraFailure> checkServer(const Caller &caller);

  const ReapiOptions options_;
  ReapiBlobs &blobs_;
  std::unique_ptr<Connection> connection_;
  CasClient storage_;
  Mutex mutex_;
  Condition changed_;
  size_t busy_ PLACID_GUARDED_BY(mutex_) = 0;
  bool checked_ PLACID_GUARDED_BY(mutex_) = false;
};

} // namespace placid::server
