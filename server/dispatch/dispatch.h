// SPDX-License-Identifier: Apache-2.0
// From a method name to its handler: the table made of handlers/methods.def, with decoding before and encoding after.
// Knows no lifecycle rules (session) and no transport. Io thread.
#pragma once

#include "protocol/json.h"
#include "server/dispatch/reply.h"

#include <span>
#include <string_view>
#include <vector>

namespace placid::server {

class Session;

enum class MethodKind { Request, Query, Notification };

struct MethodRow {
  std::string_view method;
  MethodKind kind;
  std::string_view capability;
  /// Exactly one of the two is set.
  void (*request)(Session &, const protocol::Json &params, Reply reply);
  void (*notify)(Session &, const protocol::Json &params);
};

std::span<const MethodRow> methodTable();
/// Null for a method that is not in the table.
const MethodRow *findMethod(std::string_view method);
/// Provider flags of all rows, each once, in table order.
std::vector<std::string> advertisedProviders();

} // namespace placid::server
