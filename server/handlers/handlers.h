// SPDX-License-Identifier: Apache-2.0
// Declarations of all handlers, made from methods.def, and what a query sees. The kind of a row fixes the signature, so
// that a query, which runs on the compile thread, cannot reach the session.
#pragma once

#include "protocol/lsp/types.h"
#include "server/store/document_store.h"

#include <optional>
#include <stop_token>

namespace placid::server {

class Session;

using protocol::Result;

/// One document as it was when the request was admitted.
struct Snapshot {
  source::SourcePtr text;
  compiler::Options options;
  lsp::ClientCapabilities client;
  std::shared_ptr<InspectMemo> memo;
  compiler::CompilerService *compiler = nullptr;
};

#define LSP_REQUEST(method, name, Params, R, capability) Result<R> handle##name(Session &, const Params &);
#define LSP_QUERY(method, name, Params, R, capability)                                                                 \
  Result<R> handle##name(const Snapshot &, const Params &, const std::stop_token &);
#define LSP_NOTIFY(method, name, Params) void handle##name(Session &, const Params &);
#include "server/handlers/methods.def"
#undef LSP_REQUEST
#undef LSP_QUERY
#undef LSP_NOTIFY

} // namespace placid::server
