// SPDX-License-Identifier: Apache-2.0
// Shape of a text: symbols of a document and of the workspace, folding, selection ranges. Compile
// thread.
#include "server/handlers/modules.h"
#include "server/handlers/query.h"

#include <algorithm>
#include <cctype>

namespace placid::server {

namespace {

lsp::SymbolKind kindOf(index::SymbolKind kind) {
  switch (kind) {
  case index::SymbolKind::Import:
    return lsp::SymbolKind::Module;
  case index::SymbolKind::Class:
  case index::SymbolKind::Program:
    return lsp::SymbolKind::Class;
  case index::SymbolKind::Function:
  case index::SymbolKind::Kernel:
    return lsp::SymbolKind::Function;
  case index::SymbolKind::Constant:
    return lsp::SymbolKind::Constant;
  case index::SymbolKind::Parameter:
  case index::SymbolKind::Variable:
    return lsp::SymbolKind::Variable;
  }
  return lsp::SymbolKind::Variable;
}

/// Imports and `self` say nothing in an outline.
bool outlined(const index::Symbol &symbol) {
  return symbol.kind != index::SymbolKind::Import &&
         !(symbol.kind == index::SymbolKind::Parameter && symbol.name == "self");
}

/// Letters of `query` in their order, case aside: `nzm` finds `NzMatmul`.
bool matches(const std::string &name, const std::string &query) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  size_t at = 0;
  for (char c : name) {
    at += at < query.size() && lower(c) == lower(query[at]) ? 1 : 0;
  }
  return at == query.size();
}

} // namespace

Result<std::vector<lsp::DocumentSymbol>> handleDocumentSymbol(const Snapshot &snapshot, const lsp::DocumentParams &,
                                                              const std::stop_token &) {
  const index::Index &index = indexOf(snapshot);
  std::vector<lsp::DocumentSymbol> made(index.symbols.size());
  std::vector<lsp::DocumentSymbol> out;
  // Children come after their parents, so from the back each is complete when it moves into its parent.
  for (size_t id = index.symbols.size(); id-- > 0;) {
    const index::Symbol &symbol = index.symbols[id];
    if (!outlined(symbol)) {
      continue;
    }
    lsp::DocumentSymbol &one = made[id];
    one.name = symbol.name;
    one.detail = symbol.detail;
    one.kind = kindOf(symbol.kind);
    one.range = rangeOf(*snapshot.text, symbol.range);
    one.selectionRange = rangeOf(*snapshot.text, symbol.nameRange);
    std::reverse(one.children.begin(), one.children.end());
    auto &home = symbol.parent == index::kNone ? out : made[symbol.parent].children;
    home.push_back(std::move(one));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<std::vector<lsp::WorkspaceSymbol>>
handleWorkspaceSymbol(const Snapshot &snapshot, const lsp::WorkspaceSymbolParams &params, const std::stop_token &stop) {
  constexpr size_t kMost = 512;
  std::vector<lsp::WorkspaceSymbol> out;
  Modules modules(snapshot);
  for (const std::string &path : modules.workspace()) {
    if (stop.stop_requested()) {
      return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
    }
    if (out.size() >= kMost) {
      break;
    }
    // Of other Python the servers for Python tell.
    const ModuleView *module = modules.withWord(path, "pypto");
    if (!module) {
      continue;
    }
    const index::Index &index = *module->index;
    for (const index::Symbol &symbol : index.symbols) {
      bool local = symbol.kind == index::SymbolKind::Parameter || symbol.kind == index::SymbolKind::Variable;
      if (local || !outlined(symbol) || !matches(symbol.name, params.query) || out.size() >= kMost) {
        continue;
      }
      std::string container = symbol.parent == index::kNone ? std::string() : qualifiedName(index, symbol.parent);
      out.push_back({symbol.name,
                     kindOf(symbol.kind),
                     {module->uri, rangeOf(*module->text, symbol.nameRange)},
                     std::move(container)});
    }
  }
  return out;
}

Result<std::vector<lsp::FoldingRange>> handleFoldingRange(const Snapshot &snapshot, const lsp::DocumentParams &,
                                                          const std::stop_token &) {
  std::vector<lsp::FoldingRange> out;
  for (const index::Fold &fold : indexOf(snapshot).folds) {
    lsp::Range range = rangeOf(*snapshot.text, fold.range);
    std::string kind = fold.kind == index::Fold::Kind::Comment   ? "comment"
                       : fold.kind == index::Fold::Kind::Imports ? "imports"
                                                                 : "";
    out.push_back({range.start.line, range.end.line, std::move(kind)});
  }
  return out;
}

Result<std::vector<lsp::SelectionRange>>
handleSelectionRange(const Snapshot &snapshot, const lsp::SelectionRangeParams &params, const std::stop_token &) {
  const index::Index &index = indexOf(snapshot);
  std::vector<lsp::SelectionRange> out;
  for (lsp::Position position : params.positions) {
    uint32_t offset = offsetOf(*snapshot.text, position);
    std::vector<source::ByteRange> around{{0, static_cast<uint32_t>(snapshot.text->text.size())}};
    for (source::ByteRange node : index.nodes) {
      // Outer ones come first; one that does not nest in the last is a sibling that ends at the cursor.
      bool holds = node.begin <= offset && offset <= node.end;
      if (holds && node.begin >= around.back().begin && node.end <= around.back().end && node != around.back()) {
        around.push_back(node);
      }
    }
    lsp::SelectionRange made;
    for (auto range = around.rbegin(); range != around.rend(); ++range) {
      made.ranges.push_back(rangeOf(*snapshot.text, *range));
    }
    out.push_back(std::move(made));
  }
  return out;
}

} // namespace placid::server
