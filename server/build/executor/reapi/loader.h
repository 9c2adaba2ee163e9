// SPDX-License-Identifier: Apache-2.0
// Loads the remote execution module when it is first asked for. Apart from the module, so that a daemon that never asks
// has neither its code nor gRPC's in memory. Any thread.
#pragma once

#include "server/build/executor/reapi/reapi.h"

#include <memory>
#include <string>

namespace placid::server {

/// Null with the reason in `wrong`: the module was left out of this placid, is another's, or refuses the options.
std::unique_ptr<Executor> loadReapiExecutor(const ReapiOptions &options, Store &store, std::string &wrong);

/// Where it is; empty: it was left out of this placid.
std::string reapiModule();

} // namespace placid::server
