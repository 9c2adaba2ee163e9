// SPDX-License-Identifier: Apache-2.0
// The way to one server of the Remote Execution API: the channel with its credentials, what goes with every call, and
// calls made again when the failure is one that passes. Knows no action. Any thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"
#include "server/support/sync.h"

#include <build/bazel/remote/execution/v2/remote_execution.grpc.pb.h>
#include <google/bytestream/bytestream.grpc.pb.h>
#include <google/longrunning/operations.grpc.pb.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace placid::server {

namespace rx = build::bazel::remote::execution::v2;

/// On whose behalf a call is made.
struct Caller {
  std::string actionId; ///< Hash of the action, for the server's logs.
  std::string step;
  std::stop_token stop;
};

/// Another try may well succeed.
bool isPassing(grpc::StatusCode code);
/// "UNAVAILABLE: connection refused".
std::string textOf(const grpc::Status &status);
InfraFailure failureOf(const grpc::Status &status, const std::string &what);

class Connection {
public:
  /// Null with the reason in `wrong`. Connects when something is called.
  static std::unique_ptr<Connection> open(const ReapiOptions &options, std::string &wrong);

  /// `once` until it succeeds, fails for good, or patience is at its end.
  grpc::Status call(const Caller &caller, std::chrono::milliseconds time,
                    const std::function<grpc::Status(grpc::ClientContext &)> &once);
  /// What goes with every call.
  void prepare(grpc::ClientContext &context, const Caller &caller);
  /// Waits before try number `tries`, the first being 0; false when `stop` was requested.
  bool pause(const Caller &caller, int tries) const;
  std::chrono::milliseconds patience() const { return reached_ ? options_.patience : options_.firstPatience; }
  const ReapiOptions &options() const { return options_; }

  std::unique_ptr<rx::Capabilities::Stub> capabilities;
  std::unique_ptr<rx::ActionCache::Stub> actionCache;
  std::unique_ptr<rx::ContentAddressableStorage::Stub> storage;
  std::unique_ptr<rx::Execution::Stub> execution;
  std::unique_ptr<google::bytestream::ByteStream::Stub> byteStream;
  std::unique_ptr<google::longrunning::Operations::Stub> operations;

private:
  explicit Connection(const ReapiOptions &options) : options_(options) {}
  std::string token();
  /// True when the file holds another token than the one refused.
  bool readTokenAgain();

  const ReapiOptions options_;
  std::string invocation_;
  std::atomic<bool> reached_ = false;
  Mutex mutex_;
  std::string token_ PLACID_GUARDED_BY(mutex_);
};

} // namespace placid::server
