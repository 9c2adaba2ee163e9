// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/in_place.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/vector_ops.h"

using namespace mlir;

namespace placid::pl {

bool mayOverwrite(Operation *op, Value operand) {
  auto generic = dyn_cast<GenericOp>(op);
  const VectorOp *row = generic ? findVectorOp(generic.getName()) : nullptr;
  if (!row || op->getNumResults() != 1 || operand.getType() != op->getResult(0).getType()) {
    return false;
  }
  StringRef name = row->name;
  if (name.starts_with("tile.row_expand_") || name.starts_with("tile.col_expand_")) {
    return generic.getArgument("tile") == operand && generic.getArgument("row_vec") != operand &&
           generic.getArgument("col_vec") != operand;
  }
  return row->form == VectorForm::Flat && row->scratch == Scratch::None &&
         !llvm::is_contained({"tile.recip", "tile.rsqrt", "tile.fmod", "tile.fmods", "tile.fillpad",
                              "tile.fillpad_expand", "tile.cmp", "tile.cmps", "tile.axpy"},
                             name);
}

} // namespace placid::pl
