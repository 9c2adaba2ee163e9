// SPDX-License-Identifier: Apache-2.0
// Where a session's messages go. An interface, so that sessions know no transport. Implementations never block the
// caller: a slow reader makes messages wait, and replaceable ones replace each other while they wait.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

class Outbox {
public:
  virtual ~Outbox() = default;
  /// Queues one message body. With a `key`, a message of the same key that still waits is replaced, in its place.
  virtual void send(std::string body, std::string_view key) = 0;
};

} // namespace placid::server
