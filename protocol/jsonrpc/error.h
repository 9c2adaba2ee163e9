// SPDX-License-Identifier: Apache-2.0
// Error codes of JSON-RPC 2.0 and the Language Server Protocol, and the Result that carries one. Standard library and
// Boost.System only. Plain values; any thread.
#pragma once

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>

namespace placid::protocol {

enum class ErrorCode : int32_t {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  RequestCancelled = -32800,
  // The daemon's own.
  Unauthorized = -32001,
  NotFound = -32004,
  Conflict = -32009,      ///< The key of a request belongs to another one.
  Unsatisfiable = -32011, ///< It can never be carried out here.
  StoreFull = -32028,
  Quota = -32029,
};

struct RpcError {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
  bool operator==(const RpcError &) const = default;
};

template <class T> using Result = boost::system::result<T, RpcError>;

} // namespace placid::protocol
