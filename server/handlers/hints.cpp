// SPDX-License-Identifier: Apache-2.0
// textDocument/inlayHint and textDocument/codeLens: what the compiler found, beside the text it found it for.
// Compile thread.
#include "server/handlers/position_walk.h"
#include "server/handlers/query.h"
#include "server/render/expr.h"
#include "server/render/hover_text.h"

#include <algorithm>
#include <array>

namespace placid::server {

namespace {

/// A shared function is inspected once for each kernel that inlines it; a place has one hint.
void add(std::vector<lsp::InlayHint> &out, lsp::InlayHint hint) {
  bool known = std::any_of(out.begin(), out.end(), [&](const lsp::InlayHint &other) {
    return other.position == hint.position && other.label == hint.label;
  });
  if (!known) {
    out.push_back(std::move(hint));
  }
}

/// Behind the name that an expression is bound to: its last binding on the line where the expression begins.
std::optional<uint32_t> boundBefore(const index::Index &index, const source::SourceText &text,
                                    const compiler::InspectValue &value) {
  uint32_t line = text.lines.lineColumn(value.range.begin).line;
  std::optional<uint32_t> out;
  for (const index::Occurrence &one : index.occurrences) {
    bool here = one.write && one.range.end <= value.range.begin && text.lines.lineColumn(one.range.begin).line == line;
    if (here && index.symbols[one.symbol].name == value.name) {
      out = one.range.end;
    }
  }
  return out;
}

std::string product(const std::array<int64_t, 3> &extents) {
  return std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " + std::to_string(extents[2]);
}

std::string planTip(const compiler::TilePlan &plan) {
  return "The product of M x N x K = " + product(plan.shape) + " runs through L0 in tiles of " + product(plan.tile) +
         "; " + plan.stationary + " stays.";
}

/// `L0C 16 of 128 KiB, L1 10 of 512 KiB`; what is not used is left out.
std::string memoryTitle(const std::vector<compiler::MemoryUse> &uses) {
  std::string out;
  for (const compiler::MemoryUse &use : uses) {
    constexpr int64_t kKiB = 1024;
    if (use.used > 0) {
      out += (out.empty() ? "" : ", ") + use.hardware + " " + std::to_string((use.used + kKiB - 1) / kKiB) + " of " +
             std::to_string(use.capacity / kKiB) + " KiB";
    }
  }
  return out;
}

/// `: [32, 64] FP16 Mat`.
std::string typeLabel(const compiler::InspectValue &value) {
  return ": " + show(value.shape) + " " + value.dtype + (value.place.empty() ? "" : " " + value.place);
}

/// The types that readings of one binding gave its name: one hint, whoever has them.
class Bindings {
public:
  void add(lsp::Position at, const compiler::InspectValue &value, const std::string &kernel) {
    auto one = std::find_if(all_.begin(), all_.end(), [&](const Binding &other) { return other.at == at; });
    if (one == all_.end()) {
      one = all_.insert(all_.end(), {at, {}});
    }
    bool told =
        std::any_of(one->types.begin(), one->types.end(), [&](const Type &other) { return other.type == value.type; });
    if (!told) {
      one->types.push_back({typeLabel(value), value.type, kernel});
    }
  }

  void show(std::vector<lsp::InlayHint> &out) const {
    for (const Binding &one : all_) {
      bool many = one.types.size() > 1;
      std::string label = many ? ": " + std::to_string(one.types.size()) + " types" : one.types[0].label;
      std::string tip = many ? "" : "`" + one.types[0].type + "`";
      for (size_t i = 0; many && i < one.types.size(); ++i) {
        tip += (i == 0 ? "`" : "\n\n`") + one.types[i].type + "` in " + one.types[i].kernel;
      }
      out.push_back({one.at, std::move(label), std::move(tip), true});
    }
  }

private:
  struct Type {
    std::string label;
    std::string type;
    std::string kernel; ///< The first one that has it.
  };
  struct Binding {
    lsp::Position at;
    std::vector<Type> types;
  };
  std::vector<Binding> all_;
};

bool before(lsp::Position a, lsp::Position b) { return a.line != b.line ? a.line < b.line : a.character < b.character; }

/// False for a kernel whose tensors are all known to be none of NZ.
bool mayHaveNz(const compiler::InspectResult &known, const std::string &name) {
  bool seen = false;
  for (const compiler::InspectKernel &kernel : known.kernels) {
    for (const compiler::InspectTensor &tensor : kernel.tensors) {
      seen = seen || kernel.entry == name;
      if (kernel.entry == name && tensor.layout != "ND" && tensor.layout != "DN") {
        return true;
      }
    }
  }
  return !seen;
}

} // namespace

Result<std::vector<lsp::InlayHint>> handleInlayHint(const Snapshot &snapshot, const lsp::RangeParams &params,
                                                    const std::stop_token &stop) {
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  const source::SourceText &text = *snapshot.text;
  PositionWalk walk(text);
  std::vector<lsp::InlayHint> out;
  auto asked = [&](lsp::Position at) { return !before(at, params.range.start) && !before(params.range.end, at); };
  for (const compiler::InspectKernel &kernel : (*known)->kernels) {
    for (const compiler::InspectTensor &tensor : kernel.tensors) {
      lsp::Position at = walk.range(tensor.annotation).end;
      if (!tensor.blocked.empty() && asked(at)) {
        add(out, {at, show(tensor.blocked), hoverText(tensor, {}, true), true});
      }
    }
    for (const compiler::InspectAccess &access : kernel.accesses) {
      lsp::Position at = walk.range(access.range).end;
      if (!access.offsets.empty() && asked(at)) {
        std::string label = "at " + show(access.offsets) + " size " + show(access.sizes);
        add(out, {at, std::move(label), hoverText(access, {}, true), true});
      }
    }
  }
  const index::Index &index = indexOf(snapshot);
  Bindings bindings;
  for (const compiler::InspectKernel &kernel : (*known)->kernels) {
    for (const compiler::TilePlan &plan : kernel.tiles) {
      lsp::Position at = walk.range(plan.range).end;
      if (asked(at)) {
        add(out, {at, "L0 tile " + product(plan.tile), planTip(plan), true});
      }
    }
    for (const compiler::InspectValue &value : kernel.values) {
      std::optional<uint32_t> bound = boundBefore(index, text, value);
      lsp::Position at = bound ? walk.range({*bound, *bound}).start : lsp::Position{};
      if (bound && asked(at)) {
        bindings.add(at, value, kernel.entry);
      }
    }
  }
  bindings.show(out);
  std::sort(out.begin(), out.end(), [](const lsp::InlayHint &a, const lsp::InlayHint &b) {
    return a.position == b.position ? a.label < b.label : before(a.position, b.position);
  });
  return out;
}

Result<std::vector<lsp::CodeLens>> handleCodeLens(const Snapshot &snapshot, const lsp::DocumentParams &,
                                                  const std::stop_token &stop) {
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  // From names: a lens stays where it is while the kernel is being broken and mended.
  const index::Index &index = indexOf(snapshot);
  std::vector<lsp::CodeLens> out;
  for (uint32_t id = 0; id < index.symbols.size(); ++id) {
    const index::Symbol &symbol = index.symbols[id];
    if (symbol.kind != index::SymbolKind::Kernel) {
      continue;
    }
    lsp::Range range = rangeOf(*snapshot.text, symbol.nameRange);
    std::string name = qualifiedName(index, id);
    out.push_back({range, "Show PTO IR", "placid.showPto", {snapshot.uri, name}});
    out.push_back({range, "Show IR after a pass", "placid.showIr", {snapshot.uri, name}});
    if (mayHaveNz(**known, name)) {
      out.push_back({range, "Show NZ layout", "placid.showPicture", {snapshot.uri, name}});
    }
    for (const compiler::InspectKernel &kernel : (*known)->kernels) {
      if (std::string title = memoryTitle(kernel.memory); kernel.entry == name && !title.empty()) {
        out.push_back({range, std::move(title), "", {}}); // text alone
      }
    }
  }
  return out;
}

} // namespace placid::server
