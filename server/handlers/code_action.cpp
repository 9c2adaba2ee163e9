// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction: the compiler's own fixes, as edits. A way out that is only advice stays in the message. A
// fix is preferred, which editors apply unasked, only when the text with it was checked: the fault is gone and no error
// is new. That costs a check for each fix at the cursor and nothing anywhere else; the results are kept where all are.
// Compile thread.
#include "protocol/lsp/uri.h"
#include "server/handlers/query.h"

#include <algorithm>
#include <map>

namespace placid::server {

namespace {

constexpr std::string_view kQuickFix = "quickfix";
/// Checks that one request may cost. At a cursor stand one or two faults; who asks for a whole file gets the fixes of
/// the others without a preference.
constexpr int kMaxTried = 12;

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

/// The text of the document with the fix; nothing for one that edits other texts too.
std::optional<std::string> withFix(const source::SourceText &text, diag::Fix fix) {
  std::sort(fix.edits.begin(), fix.edits.end(),
            [](const diag::Edit &a, const diag::Edit &b) { return a.at.range > b.at.range; });
  std::string out = text.text;
  for (const diag::Edit &edit : fix.edits) {
    if (edit.at.path != text.path || edit.at.range.end > out.size() || edit.at.range.begin > edit.at.range.end) {
      return std::nullopt;
    }
    out.replace(edit.at.range.begin, edit.at.range.end - edit.at.range.begin, edit.newText);
  }
  return out;
}

using Tally = std::map<std::pair<diag::Code, bool>, int>;

/// How often each code is told, errors apart from the rest.
Tally tally(const std::vector<diag::Diagnostic> &diagnostics) {
  Tally out;
  for (const diag::Diagnostic &one : diagnostics) {
    ++out[{one.code, one.severity == diag::Severity::Error}];
  }
  return out;
}

/// Whether the fix takes its fault away and brings no error, not even one that its fault had hidden.
bool mends(const Snapshot &snapshot, const std::vector<diag::Diagnostic> &known, const diag::Diagnostic &fault,
           const diag::Fix &fix, const std::stop_token &stop) {
  std::optional<std::string> text = withFix(*snapshot.text, fix);
  if (!text) {
    return false;
  }
  auto edited = std::make_shared<source::SourceText>(snapshot.text->path, std::move(*text));
  compiler::CheckResult after = snapshot.compiler->check(edited, snapshot.options, stop);
  if (after.stopped) {
    return false;
  }
  Tally before = tally(known);
  --before[{fault.code, fault.severity == diag::Severity::Error}];
  Tally left = tally(after.diagnostics);
  return std::all_of(left.begin(), left.end(), [&](const auto &one) {
    const auto &[kind, count] = one;
    return (!kind.second && kind.first != fault.code) || count <= before[kind];
  });
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
  int tried = 0;
  for (const diag::Diagnostic &diagnostic : (*known)->check.diagnostics) {
    bool here = diagnostic.at.path == snapshot.text->path && touches(diagnostic.at.range, asked);
    bool blamed = diagnostic.annotation && diagnostic.annotation->path == snapshot.text->path &&
                  touches(diagnostic.annotation->range, asked);
    if (!here && !blamed) {
      continue;
    }
    bool found = false; // the fix to prefer
    for (const diag::Fix &fix : diagnostic.fixes) {
      std::optional<lsp::WorkspaceEdit> edit = fix.edits.empty() ? std::nullopt : editOf(snapshot, fix);
      if (!edit) {
        continue;
      }
      lsp::CodeAction action;
      action.title = fix.title;
      action.kind = kQuickFix;
      action.fixes = toLsp({diagnostic}, {snapshot.text, snapshot.uri}, snapshot.publish).front();
      action.preferred =
          !found && tried < kMaxTried && mends(snapshot, (*known)->check.diagnostics, diagnostic, fix, stop);
      tried += found ? 0 : 1;
      found |= action.preferred;
      action.edit = std::move(*edit);
      out.push_back(std::move(action));
    }
  }
  if (stop.stop_requested()) {
    return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
  }
  return out;
}

} // namespace placid::server
