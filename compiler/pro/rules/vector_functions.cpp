// SPDX-License-Identifier: Apache-2.0
// Bodies of `@pl.vector_function`: registers are bound by statements, come from and go to UB, and nothing but `vf`, its
// own kind and numbers belongs there.
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>

namespace placid::pro::rules {

namespace {

// Operations of `pl` whose result is a number.
constexpr std::array<std::string_view, 3> kScalars{"min", "max", "const"};

std::string shown(const Call &call) { return "`vf." + std::string(call.row->path.substr(3)) + "`"; }

} // namespace

void inVectorFunction(KernelReader &reader, const Call &call) {
  const OpRow &row = *call.row;
  if (!row.isVf()) {
    bool number =
        row.effect == Effect::Scalar || std::find(kScalars.begin(), kScalars.end(), row.path) != kScalars.end();
    if (!number) {
      reader.report(diag::ProVfBody, call.at,
                    "`pl." + std::string(row.path) +
                        "` in a vector function: its body is `vf` operations and loops over numbers; call it in the "
                        "kernel, before or after");
    }
    return;
  }
  if (row.results > 0 && !call.bound) {
    std::string names = row.results == 1 ? "reg" : "low, high";
    reader.report(diag::ProVfStatement, call.at,
                  shown(call) + " makes " + (row.results == 1 ? "a register" : "two registers") + ": bind " +
                      (row.results == 1 ? "it" : "them") + ", `" + names + " = vf." + std::string(row.path.substr(3)) +
                      "(…)`");
  }
  if (row.path == "Vf.astype" && !call.get("dtype").given() && !call.open) {
    reader.report(diag::ProVfDtype, call.at,
                  shown(call) + " needs `dtype=`: the type of its result follows from no operand");
  }
  bool loads = row.path == "Vf.load_align" || row.path == "Vf.load";
  bool stores = row.path == "Vf.store_align" || row.path == "Vf.store";
  const Argument *tileArgument = (loads || stores) && !call.arguments.empty() ? &call.arguments[0] : nullptr;
  const TileInfo *tile = tileArgument ? usable(reader, *tileArgument) : nullptr;
  if (tile && tile->type->space && *tile->type->space != Space::Vec) {
    reader
        .report(diag::ProVfTile, tileArgument->at,
                "`" + spelled(*tileArgument) + "` is in " + std::string(name(*tile->type->space)) +
                    ": registers are loaded from and stored to UB (Vec) only")
        .note(tile->type->at, "the tile type is made here");
  }
}

} // namespace placid::pro::rules
