// SPDX-License-Identifier: Apache-2.0
// initialize, initialized, shutdown, exit, and the `$/` notifications. Which of them is acceptable when is the
// session's business; here is what each does. Io thread.
#include "compiler/target/arch.h"
#include "server/dispatch/dispatch.h"
#include "server/session/session.h"

namespace placid::server {

Result<lsp::InitializeResult> handleInitialize(Session &session, const lsp::InitializeParams &params) {
  const std::string &arch = params.options.arch;
  if (!arch.empty() && !target::parseArch(arch)) {
    return protocol::RpcError{protocol::ErrorCode::InvalidParams, "initialize: initializationOptions.arch: expected " +
                                                                      std::string(target::kArchChoices) + ", not `" +
                                                                      arch + "`"};
  }
  session.initialize(params);
  std::vector<std::string> providers = advertisedProviders();
  if (!params.capabilities.pullsDiagnostics) {
    std::erase(providers, "diagnosticProvider"); // they are pushed
  }
  return lsp::InitializeResult{params.capabilities.offersPositionEncodings, std::move(providers), "placid",
                               session.config().version};
}

void handleInitialized(Session &session, const lsp::InitializedParams &) { session.watchFiles(); }

void handleDidChangeWorkspaceFolders(Session &session, const lsp::WorkspaceFoldersParams &params) {
  session.changeFolders(params.added, params.removed);
}

Result<lsp::NoResult> handleShutdown(Session &session, const lsp::NoParams &) {
  session.shutdown();
  return lsp::NoResult{};
}

void handleExit(Session &session, const lsp::NoParams &) { session.exit(); }

// Nothing is traced: log lines on standard error serve that purpose. Accepted, because clients send it unasked.
void handleSetTrace(Session &, const lsp::SetTraceParams &) {}

void handleCancelRequest(Session &session, const lsp::CancelParams &params) { session.cancel(params.id); }

} // namespace placid::server
