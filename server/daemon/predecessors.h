// SPDX-License-Identifier: Apache-2.0
// Daemons of earlier builds of the same program: told to take no more clients and to end with their last one. Nothing
// of theirs is interrupted. Blocking; a thread of its own.
#pragma once

#include <string>

namespace placid::server {

/// Every other daemon in `folder` whose lock names `program`, and a build of it that is not `buildId`: one of this
/// build serves clients of another environment.
void drainPredecessors(const std::string &folder, const std::string &ownSocket, const std::string &program,
                       const std::string &buildId);

} // namespace placid::server
