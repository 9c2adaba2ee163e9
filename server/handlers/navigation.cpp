// SPDX-License-Identifier: Apache-2.0
// Definition, references, highlights and links of imports. Compile thread.
#include "protocol/lsp/uri.h"
#include "server/handlers/modules.h"
#include "server/handlers/position_walk.h"

#include <optional>
#include <utility>

namespace placid::server {

namespace {

protocol::RpcError cancelled() { return {protocol::ErrorCode::RequestCancelled, "cancelled"}; }
lsp::Location locationOf(const Target &target) {
  if (target.symbol == index::kNone) {
    return {target.module->uri, {}};
  }
  return {target.module->uri, rangeOf(*target.module->text, target.module->index->symbols[target.symbol].nameRange)};
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
