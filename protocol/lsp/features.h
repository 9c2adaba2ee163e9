// SPDX-License-Identifier: Apache-2.0
// Parameters and results of the requests that editors make while a document is open: navigation, hints, actions,
// tokens, pulled diagnostics, and placid's own views. Plain structs beside types.h, which holds what every session
// needs. Positions are the protocol's. Any thread.
#pragma once

#include "protocol/lsp/types.h"

namespace placid::lsp {

// ---- parameters ----------------------------------------------------------------------------------------------------

struct DocumentParams {
  std::string uri;
};

struct PositionParams {
  std::string uri;
  Position position;
};

struct ReferenceParams {
  std::string uri;
  Position position;
  bool includeDeclaration = false;
};

struct RenameParams {
  std::string uri;
  Position position;
  std::string newName;
};

struct SelectionRangeParams {
  std::string uri;
  std::vector<Position> positions;
};

struct RangeParams {
  std::string uri;
  Range range;
};

struct CodeActionParams {
  std::string uri;
  Range range;
  std::vector<std::string> only; ///< Kinds; empty means all.
};

/// Semantic token deltas and pulled diagnostics.
struct PreviousResultParams {
  std::string uri;
  std::string previousResultId; ///< Empty when there is none.
};

struct WorkspaceDiagnosticParams {
  std::map<std::string, std::string> previousResultIds; ///< By URI, as the client spells it.
};

struct WatchedFilesParams {
  std::vector<std::string> uris; ///< Created, changed or deleted.
};

struct WorkspaceSymbolParams {
  std::string query;
};

/// The item of a call hierarchy that a client sends back.
struct CallHierarchyParams {
  std::string uri;
  Position position; ///< Start of its name.
};

/// placid/ir: the IR of an open document.
struct IrParams {
  std::string uri;
  std::string after; ///< Pass; empty: the last one.
  std::string emit;  ///< "pto" or empty.
  std::string kernel;
};

/// placid/picture: NZ tensors of an open document, drawn.
struct PictureParams {
  std::string uri;
  std::string format = "svg"; ///< "svg", "html" or "text".
  std::string tensor;         ///< Empty: all, or with a position those of that line.
  std::optional<Position> position;
};

// ---- results -------------------------------------------------------------------------------------------------------

struct TextEdit {
  Range range;
  std::string newText;
};

struct WorkspaceEdit {
  std::map<std::string, std::vector<TextEdit>> changes; ///< By URI.
};

struct CodeAction {
  std::string title;
  std::string kind; ///< "quickfix".
  std::optional<Diagnostic> fixes;
  bool preferred = false;
  WorkspaceEdit edit;
};

/// The protocol's numbers.
enum class SymbolKind : uint8_t { Module = 2, Class = 5, Function = 12, Variable = 13, Constant = 14 };

struct DocumentSymbol {
  std::string name;
  std::string detail;
  SymbolKind kind = SymbolKind::Variable;
  Range range;
  Range selectionRange;
  std::vector<DocumentSymbol> children;
};

struct WorkspaceSymbol {
  std::string name;
  SymbolKind kind = SymbolKind::Variable;
  Location location;
  std::string containerName;
};

enum class HighlightKind : uint8_t { Read = 2, Write = 3 };

struct DocumentHighlight {
  Range range;
  HighlightKind kind = HighlightKind::Read;
};

struct PrepareRename {
  Range range;
  std::string placeholder;
};

struct InlayHint {
  Position position;
  std::string label;
  std::string tooltip;
  bool type = true; ///< Kind Type, else Parameter.
};

enum class CompletionKind : uint8_t {
  Function = 3,
  Variable = 6,
  Class = 7,
  Module = 9,
  Keyword = 14,
  EnumMember = 20,
  Constant = 21
};

struct CompletionItem {
  std::string label;
  CompletionKind kind = CompletionKind::Variable;
  std::string detail;
  std::string documentation;
  std::string sortText;
};

struct CompletionList {
  std::vector<CompletionItem> items;
};

struct Signature {
  std::string label;
  std::string documentation;
  std::vector<std::string> parameters; ///< Substrings of the label, in order.
};

struct SignatureHelp {
  std::vector<Signature> signatures;
  uint32_t activeSignature = 0;
  uint32_t activeParameter = 0;
};

struct FoldingRange {
  uint32_t startLine = 0;
  uint32_t endLine = 0;
  std::string kind; ///< "comment", "imports" or empty.
};

struct SelectionRange {
  std::vector<Range> ranges; ///< Innermost first.
};

struct SemanticTokens {
  std::string resultId;
  std::vector<uint32_t> data;
};

struct SemanticTokensDelta {
  std::string resultId;
  std::optional<std::vector<uint32_t>> whole; ///< Set when no delta can be given.
  uint32_t start = 0;
  uint32_t deleteCount = 0;
  std::vector<uint32_t> data;
};

struct CodeLens {
  Range range;
  std::string title;
  std::string command; ///< Empty: text alone.
  std::vector<std::string> arguments;
};

struct DocumentLink {
  Range range;
  std::string target;
};

struct CallHierarchyItem {
  std::string name;
  std::string detail;
  std::string uri;
  Range range;
  Range selectionRange;
};

struct CallHierarchyCall {
  CallHierarchyItem item;
  std::vector<Range> fromRanges;
  bool incoming = true;
};

struct DiagnosticReport {
  std::string resultId;
  bool unchanged = false;
  std::vector<Diagnostic> items;
};

struct WorkspaceDiagnosticReport {
  struct Entry {
    std::string uri;
    std::optional<int64_t> version;
    DiagnosticReport report;
  };
  std::vector<Entry> items;
};

struct IrAnswer {
  std::string text;
  std::vector<std::string> passes; ///< Names that `after` takes, in pipeline order.
};

struct PictureAnswer {
  std::string text;
  std::vector<std::string> tensors; ///< What was drawn.
};

} // namespace placid::lsp
