// SPDX-License-Identifier: Apache-2.0
// JSON <-> the structs of types.h. Decoding is strict where a value changes what is done and lenient where clients
// differ: missing `params`, null members, unknown members and misshapen capabilities are accepted. Any thread; nothing
// throws.
#pragma once

#include "protocol/json.h"
#include "protocol/lsp/decode_support.h"
#include "protocol/lsp/types.h"

#include <string>
#include <string_view>

namespace placid::lsp {

bool decode(const Json &value, Position &out, const Path &path);
bool decode(const Json &value, Range &out, const Path &path);
bool decode(const Json &value, ContentChange &out, const Path &path);
bool decode(const Json &value, SessionOptions &out, const Path &path);

bool decode(const Json &value, InitializeParams &out, const Path &path);
bool decode(const Json &value, WorkspaceFoldersParams &out, const Path &path);
bool decode(const Json &value, InitializedParams &out, const Path &path);
bool decode(const Json &value, NoParams &out, const Path &path);
bool decode(const Json &value, SetTraceParams &out, const Path &path);
bool decode(const Json &value, CancelParams &out, const Path &path);
bool decode(const Json &value, DidOpenParams &out, const Path &path);
bool decode(const Json &value, DidChangeParams &out, const Path &path);
bool decode(const Json &value, DidCloseParams &out, const Path &path);
bool decode(const Json &value, DidSaveParams &out, const Path &path);
bool decode(const Json &value, HoverParams &out, const Path &path);
bool decode(const Json &value, SettledParams &out, const Path &path);
bool decode(const Json &value, ExecuteCommandParams &out, const Path &path);
bool decode(const Json &value, CancelProgressParams &out, const Path &path);

Json toJson(const Position &value);
Json toJson(const Range &value);
Json toJson(const Location &value);
Json toJson(const InitializeResult &value);
Json toJson(const Hover &value);
Json toJson(const Diagnostic &value);
Json toJson(const PublishDiagnosticsParams &value);
Json toJson(const ShowMessageParams &value);

/// Parameters of `method`, or the -32602 error that names the member at fault.
template <class Params> protocol::Result<Params> decodeParams(std::string_view method, const Json &value) {
  Params params;
  std::string fault;
  if (!decode(value, params, Path(fault))) {
    return protocol::RpcError{protocol::ErrorCode::InvalidParams, std::string(method) + ": " + fault};
  }
  return params;
}

} // namespace placid::lsp
