// SPDX-License-Identifier: Apache-2.0
// Definition, references, highlights, rename and links of imports. Compile thread.
#include "protocol/lsp/uri.h"
#include "server/handlers/modules.h"
#include "server/handlers/position_walk.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

namespace placid::server {

namespace {

protocol::RpcError cancelled() { return {protocol::ErrorCode::RequestCancelled, "cancelled"}; }
protocol::RpcError refused(std::string why) { return {protocol::ErrorCode::RequestFailed, std::move(why)}; }

constexpr std::string_view kReserved[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                          "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                          "else",   "except", "finally", "for",      "from",     "global", "if",
                                          "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                          "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

bool isName(const std::string &text) {
  auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & '\x80') != 0; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), good) &&
         std::find(std::begin(kReserved), std::end(kReserved), text) == std::end(kReserved);
}

std::string_view wordAt(const source::SourceText &text, source::ByteRange range) {
  return std::string_view(text.text).substr(range.begin, range.end - range.begin);
}

lsp::Location locationOf(const Target &target) {
  if (target.symbol == index::kNone) {
    return {target.module->uri, {}};
  }
  return {target.module->uri, rangeOf(*target.module->text, target.module->index->symbols[target.symbol].nameRange)};
}

/// What can be renamed at the cursor, or why nothing can.
Result<Target> renamed(Modules &modules, const Snapshot &snapshot, lsp::Position position) {
  const index::Index &index = *modules.here().index;
  uint32_t offset = offsetOf(*snapshot.text, position);
  const index::Occurrence *occurrence = occurrenceAt(index, offset);
  std::optional<Target> target = modules.targetAt(offset);
  if (occurrence && index.symbols[occurrence->symbol].kind == index::SymbolKind::Import &&
      index.symbols[occurrence->symbol].member.empty()) {
    const index::Symbol &symbol = index.symbols[occurrence->symbol];
    if (symbol.module == symbol.name) {
      return refused("`" + symbol.name + "` is the name of a module: give it another one with `as`");
    }
    target = Target{&modules.here(), occurrence->symbol}; // the alias is this file's own
  }
  if (!target) {
    return refused(occurrence ? "`" + index.symbols[occurrence->symbol].name + "` is defined outside this workspace"
                              : "there is no name to rename here");
  }
  if (target->symbol == index::kNone) {
    return refused("a module is renamed with its file");
  }
  return *target;
}

} // namespace

Result<std::vector<lsp::Location>> handleDefinition(const Snapshot &snapshot, const lsp::PositionParams &params,
                                                    const std::stop_token &) {
  Modules modules(snapshot);
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  std::optional<Target> target = modules.targetAt(offset);
  if (!target) {
    // An import that leads out of what is known: its own line is the best place there is.
    const index::Occurrence *occurrence = occurrenceAt(*modules.here().index, offset);
    target = occurrence ? std::optional(Target{&modules.here(), occurrence->symbol}) : std::nullopt;
  }
  return target ? std::vector{locationOf(*target)} : std::vector<lsp::Location>();
}

Result<std::vector<lsp::Location>> handleReferences(const Snapshot &snapshot, const lsp::ReferenceParams &params,
                                                    const std::stop_token &stop) {
  Modules modules(snapshot);
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  std::optional<Target> target = modules.targetAt(offset);
  std::vector<lsp::Location> out;
  if (!target || target->symbol == index::kNone) {
    const index::Occurrence *occurrence = occurrenceAt(*modules.here().index, offset);
    if (!occurrence) {
      return out;
    }
    target = Target{&modules.here(), occurrence->symbol};
  }
  const index::Symbol &symbol = target->module->index->symbols[target->symbol];
  std::optional<PositionWalk> walk;
  const ModuleView *walked = nullptr;
  for (const Modules::Use &use : modules.usesOf(*target, stop)) {
    if (stop.stop_requested()) {
      break;
    }
    if (std::exchange(walked, use.module) != use.module) {
      walk.emplace(*use.module->text);
    }
    bool declaration = use.module == target->module && use.occurrence.range == symbol.nameRange;
    if (params.includeDeclaration || !declaration) {
      out.push_back({use.module->uri, walk->range(use.occurrence.range)});
    }
  }
  if (stop.stop_requested()) {
    return cancelled();
  }
  return out;
}

Result<std::vector<lsp::DocumentHighlight>>
handleDocumentHighlight(const Snapshot &snapshot, const lsp::PositionParams &params, const std::stop_token &stop) {
  const index::Index &index = indexOf(snapshot);
  const index::Occurrence *at = occurrenceAt(index, offsetOf(*snapshot.text, params.position));
  std::vector<lsp::DocumentHighlight> out;
  PositionWalk walk(*snapshot.text);
  for (const index::Occurrence &one : index.occurrences) {
    if (stop.stop_requested()) {
      return cancelled();
    }
    if (at && one.symbol == at->symbol) {
      out.push_back({walk.range(one.range), one.write ? lsp::HighlightKind::Write : lsp::HighlightKind::Read});
    }
  }
  return out;
}

Result<std::optional<lsp::PrepareRename>>
handlePrepareRename(const Snapshot &snapshot, const lsp::PositionParams &params, const std::stop_token &) {
  Modules modules(snapshot);
  Result<Target> target = renamed(modules, snapshot, params.position);
  if (target.has_error()) {
    return target.error();
  }
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  const index::Occurrence *occurrence = occurrenceAt(*modules.here().index, offset);
  const index::Member *member = occurrence ? nullptr : memberAt(*modules.here().index, offset);
  source::ByteRange range = occurrence ? occurrence->range : member->range;
  return std::optional(lsp::PrepareRename{rangeOf(*snapshot.text, range), std::string(wordAt(*snapshot.text, range))});
}

Result<lsp::WorkspaceEdit> handleRename(const Snapshot &snapshot, const lsp::RenameParams &params,
                                        const std::stop_token &stop) {
  if (!isName(params.newName)) {
    return refused("`" + params.newName + "` is no name");
  }
  Modules modules(snapshot);
  Result<Target> target = renamed(modules, snapshot, params.position);
  if (target.has_error()) {
    return target.error();
  }
  const index::Symbol symbol = target->module->index->symbols[target->symbol];
  std::vector<Modules::Use> uses = modules.usesOf(*target, stop);
  if (stop.stop_requested()) {
    return cancelled();
  }
  for (const index::Symbol &other : target->module->index->symbols) {
    if (other.name == params.newName && other.parent == symbol.parent) {
      return refused("`" + params.newName + "` is another name of the same scope");
    }
  }
  lsp::WorkspaceEdit out;
  for (const Modules::Use &use : uses) {
    if (!use.module->index->whole) {
      return refused(use.module->text->path + " has lines that do not parse: uses in them would be missed");
    }
    source::ByteRange range = use.occurrence.range;
    if (wordAt(*use.module->text, range) != symbol.name) {
      // Another name by `as`: that stays, and the imported one in its statement changes.
      const index::Symbol &alias = use.module->index->symbols[use.occurrence.symbol];
      if (range != alias.nameRange || &alias == &symbol) {
        continue;
      }
      size_t at = use.module->text->text.rfind(symbol.name, range.begin);
      if (at == std::string::npos || at < alias.range.begin) {
        continue;
      }
      range = {static_cast<uint32_t>(at), static_cast<uint32_t>(at + symbol.name.size())};
    }
    out.changes[use.module->uri].push_back({rangeOf(*use.module->text, range), params.newName});
  }
  return out;
}

Result<std::vector<lsp::DocumentLink>> handleDocumentLink(const Snapshot &snapshot, const lsp::DocumentParams &,
                                                          const std::stop_token &) {
  Modules modules(snapshot);
  std::vector<lsp::DocumentLink> out;
  for (const index::Import &import : modules.here().index->imports) {
    const ModuleView *module = modules.imported(import.module, modules.here());
    if (module && import.range.begin < import.range.end) {
      out.push_back({rangeOf(*snapshot.text, import.range), module->uri});
    }
  }
  return out;
}

} // namespace placid::server
