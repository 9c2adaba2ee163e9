// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction: the compiler's own fixes, as edits. A way out that is only advice stays in the message.
// Compile thread.
#include "protocol/lsp/uri.h"
#include "server/handlers/query.h"

#include <algorithm>

namespace placid::server {

namespace {

constexpr std::string_view kQuickFix = "quickfix";

bool wanted(const std::vector<std::string> &only) {
  // "" asks for all kinds; a kind includes those below it.
  return only.empty() || std::any_of(only.begin(), only.end(),
                                     [](const std::string &kind) { return kind.empty() || kind == kQuickFix; });
}

bool touches(source::ByteRange a, source::ByteRange b) { return a.begin <= b.end && b.begin <= a.end; }

/// Null where an edit lies in a text that is not here.
std::optional<lsp::WorkspaceEdit> editOf(const Snapshot &snapshot, const diag::Fix &fix) {
  lsp::WorkspaceEdit out;
  for (const diag::Edit &edit : fix.edits) {
    const source::SourceText *text = nullptr;
    std::string uri;
    if (edit.at.path == snapshot.text->path) {
      text = snapshot.text.get();
      uri = snapshot.uri;
    }
    for (const OpenDocument &document : snapshot.open) {
      if (!text && document.text->path == edit.at.path) {
        text = document.text.get();
        uri = document.uri;
      }
    }
    if (!text) {
      return std::nullopt;
    }
    out.changes[uri].push_back({rangeOf(*text, edit.at.range), edit.newText});
  }
  return out;
}

} // namespace

Result<std::vector<lsp::CodeAction>> handleCodeAction(const Snapshot &snapshot, const lsp::CodeActionParams &params,
                                                      const std::stop_token &stop) {
  std::vector<lsp::CodeAction> out;
  if (!wanted(params.only)) {
    return out;
  }
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  source::ByteRange asked{offsetOf(*snapshot.text, params.range.start), offsetOf(*snapshot.text, params.range.end)};
  for (const diag::Diagnostic &diagnostic : (*known)->check.diagnostics) {
    bool here = diagnostic.at.path == snapshot.text->path && touches(diagnostic.at.range, asked);
    bool blamed = diagnostic.annotation && diagnostic.annotation->path == snapshot.text->path &&
                  touches(diagnostic.annotation->range, asked);
    if (!here && !blamed) {
      continue;
    }
    bool first = true;
    for (const diag::Fix &fix : diagnostic.fixes) {
      std::optional<lsp::WorkspaceEdit> edit = fix.edits.empty() ? std::nullopt : editOf(snapshot, fix);
      if (!edit) {
        continue;
      }
      lsp::CodeAction action;
      action.title = fix.title;
      action.kind = kQuickFix;
      action.fixes = toLsp({diagnostic}, {snapshot.text, snapshot.uri}, snapshot.publish).front();
      action.preferred = first;
      action.edit = std::move(*edit);
      out.push_back(std::move(action));
      first = false;
    }
  }
  return out;
}

} // namespace placid::server
