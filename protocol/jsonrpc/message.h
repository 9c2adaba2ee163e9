// SPDX-License-Identifier: Apache-2.0
// One frame body as JSON-RPC 2.0: requests, notifications, responses and batches, each checked for its shape but not
// for its method. Separate from framing (bytes) and from lsp (meaning). Every malformed part becomes an Invalid item
// that carries the error to answer, so that a receiver answers bad input instead of ending. Any thread; nothing throws.
#pragma once

#include "protocol/json.h"
#include "protocol/jsonrpc/error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace placid::protocol {

/// Request id; monostate stands for `null`, the id of an answer to something unreadable.
using Id = std::variant<std::monostate, int64_t, std::string>;
Json toJson(const Id &id);
/// Nothing for what is neither an integer nor a string.
std::optional<Id> idFromJson(const Json &value);

/// A request when `id` is set, else a notification. `params` is null where the member is missing.
struct Call {
  std::optional<Id> id;
  std::string method;
  Json params;
};

/// Answer to a request of ours.
struct Response {
  Id id;
  Json result;
  std::optional<RpcError> error;
};

/// What cannot be understood, with what to answer.
struct Invalid {
  Id id;
  RpcError error;
};

using Message = std::variant<Call, Response, Invalid>;

struct Incoming {
  bool batch = false; ///< Answers go out as one array.
  std::vector<Message> messages;
};

Incoming decodeMessage(std::string_view body);

/// Bodies, ready to be framed. Invalid UTF-8 in strings is replaced, never thrown at.
Json resultMessage(const Id &id, Json result);
Json errorMessage(const Id &id, const RpcError &error);
Json notificationMessage(std::string_view method, Json params);
std::string encode(const Json &message);

} // namespace placid::protocol
