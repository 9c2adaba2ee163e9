// SPDX-License-Identifier: Apache-2.0
// textDocument/diagnostic and workspace/diagnostic, for clients that ask instead of being told. A result id is a digest
// of what was answered, so that an edit that changes nothing is answered with "unchanged". Compile thread.
#include "protocol/lsp/features_codec.h"
#include "server/handlers/query.h"

#include <nlohmann/json.hpp>

namespace placid::server {

namespace {

/// FNV-1a over the answer's bytes: no secret, but the same everywhere.
std::string digest(const std::vector<lsp::Diagnostic> &items) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const lsp::Diagnostic &item : items) {
    for (char c : lsp::toJson(item).dump(-1, ' ', false, protocol::Json::error_handler_t::replace)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) {
    out += kDigits[(hash >> shift) & 15U];
  }
  return out;
}

Result<lsp::DiagnosticReport> reportOf(const Snapshot &snapshot, const std::string &previous,
                                       const std::stop_token &stop) {
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  lsp::DiagnosticReport out;
  out.items = toLsp((*known)->check.diagnostics, {snapshot.text, snapshot.uri}, snapshot.publish);
  out.resultId = digest(out.items);
  out.unchanged = out.resultId == previous;
  return out;
}

} // namespace

Result<lsp::DiagnosticReport> handleDiagnostic(const Snapshot &snapshot, const lsp::PreviousResultParams &params,
                                               const std::stop_token &stop) {
  return reportOf(snapshot, params.previousResultId, stop);
}

Result<lsp::WorkspaceDiagnosticReport> handleWorkspaceDiagnostic(const Snapshot &snapshot,
                                                                 const lsp::WorkspaceDiagnosticParams &params,
                                                                 const std::stop_token &stop) {
  lsp::WorkspaceDiagnosticReport out;
  for (const OpenDocument &document : snapshot.open) {
    Snapshot one = snapshot;
    one.uri = document.uri;
    one.text = document.text;
    one.memo = document.memo;
    auto previous = params.previousResultIds.find(document.uri);
    Result<lsp::DiagnosticReport> report =
        reportOf(one, previous == params.previousResultIds.end() ? std::string() : previous->second, stop);
    if (report.has_error()) {
      return report.error();
    }
    out.items.push_back({document.uri, document.version, std::move(*report)});
  }
  return out;
}

} // namespace placid::server
