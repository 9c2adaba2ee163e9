// SPDX-License-Identifier: Apache-2.0
// One execution on the server, from Execute to its end: the stream of what is known of it, taken up again when it
// breaks, ended when a clock runs out or nobody wants the result any more. Blocking; any thread.
#pragma once

#include "server/build/executor/reapi/connection.h"

#include <functional>
#include <string>

namespace placid::server {

struct ExecutionEnd {
  enum class Kind : uint8_t {
    Answered,  ///< `response`.
    Forgotten, ///< The server knows nothing of it (any more).
    Refused,   ///< `status`.
    RunClock,
    QueueClock,
    Cancelled
  };
  Kind kind = Kind::Refused;
  rx::ExecuteResponse response;
  grpc::Status status;
};

/// `started` is called when a worker begins with it, at the latest when it is over; never twice.
ExecutionEnd execute(Connection &connection, const Caller &caller, const rx::ExecuteRequest &request,
                     const ActionLimits &limits, const std::function<void()> &started);

} // namespace placid::server
