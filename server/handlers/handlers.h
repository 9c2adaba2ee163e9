// SPDX-License-Identifier: Apache-2.0
// Declarations of all handlers, made from methods.def, and what a query sees. The kind of a row fixes the signature, so
// that a query, which runs on the compile thread, cannot reach the session.
#pragma once

#include "protocol/lsp/features.h"
#include "server/dispatch/reply.h"
#include "server/publish/publish.h"
#include "server/store/document_store.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>

namespace placid::server {

class Session;

using protocol::Result;

/// One document of the session, whichever the request is about.
struct OpenDocument {
  std::string uri;
  std::optional<int64_t> version;
  source::SourcePtr text; ///< Never null.
  std::shared_ptr<InspectMemo> memo;
};

/// Modules that queries have read from disk, with the names in them. One for a session, which has one query at a time.
struct ModuleShelf {
  struct Entry {
    source::SourcePtr text;
    std::shared_ptr<const index::Index> index;
  };
  static constexpr size_t kMaxBytes = size_t{8} << 20; ///< Of texts; beyond it everything is forgotten.

  std::map<std::string, Entry> entries; ///< By path.
  size_t bytes = 0;
};

/// One document as it was when the request was admitted. A request about the whole workspace has no text of its own.
struct Snapshot {
  std::string uri;
  source::SourcePtr text;
  std::vector<OpenDocument> open;
  PublishOptions publish;
  std::shared_ptr<TokensMemo> tokens;
  std::shared_ptr<ModuleShelf> shelf; ///< May be null.
  compiler::Options options;
  lsp::ClientCapabilities client;
  std::shared_ptr<InspectMemo> memo;
  compiler::CompilerService *compiler = nullptr;
};

#define LSP_REQUEST(method, name, Params, R, capability) Result<R> handle##name(Session &, const Params &);
#define LSP_QUERY(method, name, Params, R, capability)                                                                 \
  Result<R> handle##name(const Snapshot &, const Params &, const std::stop_token &);
#define LSP_ASYNC(method, name, Params, capability) void handle##name(Session &, const Params &, Reply);
#define LSP_NOTIFY(method, name, Params) void handle##name(Session &, const Params &);
#include "server/handlers/methods.def"
#undef LSP_REQUEST
#undef LSP_QUERY
#undef LSP_ASYNC
#undef LSP_NOTIFY

} // namespace placid::server
