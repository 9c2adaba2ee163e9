// SPDX-License-Identifier: Apache-2.0
// An action in the words of the Remote Execution API: the command, the tree of its inputs, and both under one digest.
// Equal actions give equal bytes. Reads blobs, sends nothing. Any thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"

#include <build/bazel/remote/execution/v2/remote_execution.pb.h>

#include <map>
#include <optional>
#include <string>
#include <variant>

namespace placid::server {

namespace rx = build::bazel::remote::execution::v2;

/// Something that the server has to have.
struct RemoteBlob {
  rx::Digest digest;
  std::string bytes;            ///< Empty for what is too large to be held; then it is in the store.
  std::optional<Digest> stored; ///< Set when the store has it.
};

struct RemoteAction {
  rx::Digest action;
  std::vector<std::string> outputs;        ///< Sorted; with the make rule.
  std::map<std::string, RemoteBlob> blobs; ///< By hash.
};

/// `workerPath` of NAME, or nothing when nobody says where it is.
std::optional<std::string> workerPath(const Action &action, const ReapiOptions &options, const std::string &name);

std::variant<RemoteAction, InfraFailure> remoteAction(const Action &action, const ActionLimits &limits,
                                                      const ReapiOptions &options, ReapiBlobs &blobs);

rx::Digest remoteDigest(std::string_view bytes);

} // namespace placid::server
