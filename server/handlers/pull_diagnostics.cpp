// SPDX-License-Identifier: Apache-2.0
// textDocument/diagnostic and workspace/diagnostic, for clients that ask instead of being told. A result id is a digest
// of what was answered, so that an edit that changes nothing is answered with "unchanged". One document: compile
// thread. The workspace: io thread.
#include "server/handlers/query.h"
#include "server/session/session.h"

namespace placid::server {

Result<lsp::DiagnosticReport> handleDiagnostic(const Snapshot &snapshot, const lsp::PreviousResultParams &params,
                                               const std::stop_token &stop) {
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  lsp::DiagnosticReport out;
  out.items = toLsp((*known)->check.diagnostics, {snapshot.text, snapshot.uri}, snapshot.publish);
  out.resultId = resultIdOf(out.items);
  out.unchanged = out.resultId == params.previousResultId;
  return out;
}

void handleWorkspaceDiagnostic(Session &session, const lsp::WorkspaceDiagnosticParams &params, Reply reply) {
  session.askWorkspace(params, std::move(reply));
}

} // namespace placid::server
