// SPDX-License-Identifier: Apache-2.0
// textDocument/prepareRename and textDocument/rename. Either every use is changed and every name means what it meant,
// or the request is refused with a reason. Compile thread.
#include "compiler/source/words.h"
#include "server/handlers/position_walk.h"
#include "server/handlers/rename_checks.h"
#include "server/settings/project_settings.h"

#include <algorithm>

namespace placid::server {

namespace {

protocol::RpcError refused(std::string why) { return {protocol::ErrorCode::RequestFailed, std::move(why)}; }

/// Whether the project's settings or the client's override the constant by its name.
bool isDefined(const Snapshot &snapshot, const std::string &path, const std::string &name) {
  std::map<std::string, source::SourcePtr> open;
  for (const OpenDocument &document : snapshot.open) {
    if (isSettingsFile(document.text->path)) {
      open.emplace(document.text->path, document.text);
    }
  }
  SettingsFinder finder(std::move(open));
  const SettingsFinder::Found *found = finder.find(path);
  return snapshot.options.defines.contains(name) || (found && found->settings.defines.contains(name));
}

/// What can be renamed at the cursor, or why nothing can. Where an import gives another name, the name under the cursor
/// is meant: `T` of `from cfg import TILE as T` stays apart from `TILE`, wherever `T` goes from there.
Result<Target> renamed(Modules &modules, const Snapshot &snapshot, lsp::Position position) {
  const index::Index &index = *modules.here().index;
  uint32_t offset = offsetOf(*snapshot.text, position);
  const index::Occurrence *occurrence = occurrenceAt(index, offset);
  const index::Member *member = occurrence ? nullptr : memberAt(index, offset);
  std::optional<Target> target = occurrence ? std::optional(Target{&modules.here(), occurrence->symbol})
                                 : member   ? modules.memberTarget(member->path, modules.here())
                                            : std::nullopt;
  if (!target) {
    return refused("there is no name to rename here");
  }
  if (target->symbol == index::kNone) {
    return refused("a module is renamed with its file");
  }
  const std::string name = target->module->index->symbols[target->symbol].name;
  constexpr int kMaxSteps = 8;
  for (int count = 0; count < kMaxSteps; ++count) {
    const index::Symbol &symbol = target->module->index->symbols[target->symbol];
    if (symbol.kind != index::SymbolKind::Import) {
      break;
    }
    if (symbol.member.empty() && symbol.module == symbol.name) {
      return refused("`" + name + "` is the name of a module: give it another one with `as`");
    }
    std::optional<Target> next = modules.step(*target);
    bool alias = symbol.member != symbol.name;
    if (!next && !alias) {
      return refused("`" + name + "` is defined outside this workspace");
    }
    if (next && next->symbol == index::kNone && !alias) {
      return refused("a module is renamed with its file");
    }
    if (alias || next->module->index->symbols[next->symbol].name != name) {
      break;
    }
    target = next;
  }
  if (name.starts_with("__")) {
    return refused("`" + name + "` is special: names that begin with two underscores mean more than they say");
  }
  return *target;
}

} // namespace

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
  std::string name(source::slice(snapshot.text->text, range));
  return std::optional(lsp::PrepareRename{rangeOf(*snapshot.text, range), std::move(name)});
}

Result<lsp::WorkspaceEdit> handleRename(const Snapshot &snapshot, const lsp::RenameParams &params,
                                        const std::stop_token &stop) {
  if (std::string why = nameFault(*snapshot.compiler, params.newName); !why.empty()) {
    return refused(why);
  }
  Modules modules(snapshot);
  Result<Target> target = renamed(modules, snapshot, params.position);
  if (target.has_error()) {
    return target.error();
  }
  RenamePlan plan;
  plan.target = *target;
  plan.from = target->module->index->symbols[target->symbol].name;
  plan.to = params.newName;
  bool global = target->module->index->symbols[target->symbol].parent == index::kNone;
  if (global && isDefined(snapshot, target->module->text->path, plan.from)) {
    return refused("the settings define `" + plan.from + "`");
  }
  plan.found = modules.search(plan.target, stop, plan.to);
  for (const Modules::Use &use : plan.found.uses) {
    // Where an import gives it another name, that one stays.
    if (source::slice(use.module->text->text, use.occurrence.range) == plan.from) {
      plan.edits[use.module].push_back(use.occurrence.range);
    }
  }
  lsp::WorkspaceEdit out;
  if (plan.from == plan.to) {
    return out;
  }
  for (auto &[module, ranges] : plan.edits) {
    std::sort(ranges.begin(), ranges.end());
    PositionWalk walk(*module->text);
    for (source::ByteRange range : ranges) {
      out.changes[module->uri].push_back({walk.range(range), plan.to});
    }
  }
  for (std::string why : {missedUse(modules, plan), changedMeaning(*snapshot.compiler, plan)}) {
    if (!why.empty() && !stop.stop_requested()) {
      return refused(std::move(why));
    }
  }
  if (stop.stop_requested()) {
    return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
  }
  return out;
}

} // namespace placid::server
