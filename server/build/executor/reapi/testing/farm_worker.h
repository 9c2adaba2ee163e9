// SPDX-License-Identifier: Apache-2.0
// The worker of the tests' farm: an action from the blobs that it is made of, carried out in a folder of its own, to
// what a worker answers. Knows no transport. Any thread.
#pragma once

#include <build/bazel/remote/execution/v2/remote_execution.pb.h>

#include <map>
#include <set>
#include <stop_token>
#include <string>

namespace placid::server {

namespace rx = build::bazel::remote::execution::v2;

using FarmBlobs = std::map<std::string, std::string>; ///< By hash.

/// Everything that an action is made of, itself included, as far as it is there.
std::set<std::string> inputsOf(const rx::Digest &action, const FarmBlobs &blobs);

/// What was written goes to `made`.
rx::ExecuteResponse runOnWorker(const rx::Digest &action, const FarmBlobs &blobs, bool keepsTime,
                                const std::stop_token &stop, FarmBlobs &made);

} // namespace placid::server
