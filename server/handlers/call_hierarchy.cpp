// SPDX-License-Identifier: Apache-2.0
// Who calls a kernel or a helper, and whom it calls: by the names in the texts, across the modules of the workspace,
// whether they are open or not. Compile thread.
#include "protocol/lsp/uri.h"
#include "server/handlers/modules.h"
#include "server/handlers/query.h"

#include <algorithm>
#include <tuple>

namespace placid::server {

namespace {

using Item = lsp::CallHierarchyItem;
using Call = lsp::CallHierarchyCall;

bool callable(const Target &target) {
  if (!target.module || target.symbol == index::kNone) {
    return false;
  }
  index::SymbolKind kind = target.module->index->symbols[target.symbol].kind;
  return kind == index::SymbolKind::Function || kind == index::SymbolKind::Kernel;
}

bool same(const std::optional<Target> &a, const Target &b) {
  return a && a->module == b.module && a->symbol == b.symbol;
}

Item itemOf(const Target &target) {
  const ModuleView &module = *target.module;
  const index::Symbol &symbol = module.index->symbols[target.symbol];
  return {qualifiedName(*module.index, target.symbol), symbol.detail, module.uri, rangeOf(*module.text, symbol.range),
          rangeOf(*module.text, symbol.nameRange)};
}

/// The function that an item stands for, as its file is now.
std::optional<Target> selfOf(Modules &modules, const lsp::CallHierarchyParams &params) {
  const ModuleView *module = modules.at(lsp::displayPath(params.uri));
  if (!module) {
    return std::nullopt;
  }
  const index::Occurrence *found = occurrenceAt(*module->index, offsetOf(*module->text, params.position));
  Target self{module, found ? found->symbol : index::kNone};
  return callable(self) ? std::optional(self) : std::nullopt;
}

/// The other ends of calls, each once, in the order of files and of the text.
class Ends {
public:
  explicit Ends(bool incoming) : incoming_(incoming) {}

  void add(const Target &end, lsp::Range at) {
    auto found = std::find_if(ends_.begin(), ends_.end(), [&](const End &one) { return same(one.target, end); });
    if (found == ends_.end()) {
      found = ends_.insert(ends_.end(), {end, {}});
    }
    found->at.push_back(at);
  }

  std::vector<Call> take() {
    std::sort(ends_.begin(), ends_.end(), [](const End &a, const End &b) {
      return std::tie(a.target.module->text->path, a.target.symbol) <
             std::tie(b.target.module->text->path, b.target.symbol);
    });
    std::vector<Call> out;
    for (End &end : ends_) {
      out.push_back({itemOf(end.target), std::move(end.at), incoming_});
    }
    return out;
  }

private:
  struct End {
    Target target;
    std::vector<lsp::Range> at;
  };
  bool incoming_;
  std::vector<End> ends_;
};

} // namespace

Result<std::vector<Item>> handlePrepareCallHierarchy(const Snapshot &snapshot, const lsp::PositionParams &params,
                                                     const std::stop_token &) {
  Modules modules(snapshot);
  std::optional<Target> found = modules.targetAt(offsetOf(*snapshot.text, params.position));
  return found && callable(*found) ? std::vector<Item>{itemOf(*found)} : std::vector<Item>{};
}

Result<std::vector<Call>> handleIncomingCalls(const Snapshot &snapshot, const lsp::CallHierarchyParams &params,
                                              const std::stop_token &stop) {
  Modules modules(snapshot);
  std::optional<Target> self = selfOf(modules, params);
  if (!self) {
    return std::vector<Call>{};
  }
  const std::string name = self->module->index->symbols[self->symbol].name;
  Ends callers(true);
  for (const std::string &path : modules.workspace()) {
    if (stop.stop_requested()) {
      break;
    }
    const ModuleView *module = path == self->module->text->path ? self->module : modules.withWord(path, name);
    if (!module) {
      continue;
    }
    for (const index::Call &call : module->index->calls) {
      Target caller{module, call.caller};
      if (callable(caller) && same(modules.called(*module, call), *self)) {
        callers.add(caller, rangeOf(*module->text, call.callee));
      }
    }
  }
  return callers.take();
}

Result<std::vector<Call>> handleOutgoingCalls(const Snapshot &snapshot, const lsp::CallHierarchyParams &params,
                                              const std::stop_token &) {
  Modules modules(snapshot);
  std::optional<Target> self = selfOf(modules, params);
  if (!self) {
    return std::vector<Call>{};
  }
  Ends callees(false);
  for (const index::Call &call : self->module->index->calls) {
    std::optional<Target> callee = call.caller == self->symbol ? modules.called(*self->module, call) : std::nullopt;
    if (callee && callable(*callee)) {
      callees.add(*callee, rangeOf(*self->module->text, call.callee));
    }
  }
  return callees.take();
}

} // namespace placid::server
