// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/fractal_views.h"

#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"
#include "compiler/dialect/pl/lower/vector_ops.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace placid::pl {

namespace {

TileType tileOf(Value value) { return dyn_cast<TileType>(value.getType()); }

bool isCut(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return isa<TileExtractOp>(op) || (generic && llvm::is_contained({"tile.slice", "tile.extract"}, generic.getName()));
}

/// The tile that was loaded or computed, behind views of it and, where wanted, windows.
Value sourceOf(Value tile, bool throughCuts) {
  for (Operation *op = tile.getDefiningOp();
       op && op->getNumOperands() > 0 && tileOf(op->getOperand(0)) && (isBufferView(op) || (throughCuts && isCut(op)));
       op = tile.getDefiningOp()) {
    tile = op->getOperand(0);
  }
  return tile;
}

std::string spelled(Value tile) {
  StringRef name = valueName(tile);
  return name.empty() ? std::string("a tile") : "tile `" + name.str() + "`";
}

} // namespace

Mem surelyIn(Value tile) {
  if (Mem mem = tileOf(tile).getMem(); mem != Mem::Unset) {
    return mem;
  }
  // All views of one buffer are in one memory, and what each of them is used for decides it.
  SmallVector<Value> open{sourceOf(tile, false)};
  Operation *maker = open.front().getDefiningOp();
  if (isa_and_nonnull<TileMatmulOp, TileMatmulAccOp>(maker)) {
    return Mem::Acc;
  }
  if (!isa_and_nonnull<TileLoadOp>(maker)) {
    return Mem::Unset;
  }
  bool multiplied = false;
  while (!open.empty()) {
    Value view = open.pop_back_val();
    for (Operation *user : view.getUsers()) {
      auto generic = dyn_cast<GenericOp>(user);
      if (generic && findVectorOp(generic.getName())) {
        return Mem::Unset;
      }
      multiplied |= isa<TileMatmulOp, TileMatmulAccOp>(user);
      if (isBufferView(user) && user->getOperand(0) == view) {
        open.push_back(user->getResult(0));
      }
    }
  }
  return multiplied ? Mem::Mat : Mem::Unset;
}

bool isLoadedFromNz(Value tile) {
  auto load = sourceOf(tile, true).getDefiningOp<TileLoadOp>();
  return load && load.getSource().getType().isNz();
}

bool keepsElements(TileReshapeOp reshape, Mem mem) {
  TileType from = tileOf(reshape.getSource());
  TileType to = tileOf(reshape.getResult());
  const bool fractals = mem == Mem::Mat || mem == Mem::Left || mem == Mem::Right || mem == Mem::Acc;
  if (!fractals || from.getRank() != 2 || to.getRank() != 2 || from.getShape() == to.getShape()) {
    return true;
  }
  const std::string what = llvm::formatv("{0} {1} in {2} is reshaped to {3}", spelled(reshape.getSource()),
                                         shapeText(from.getShape()), plName(mem), shapeText(to.getShape()));
  const bool accumulator = mem == Mem::Acc;
  bridge::emitDiag(rangeLoc(reshape.getLoc()), diag::ShapeMismatch, "the reshape",
                   what + ": there elements lie in fractals, and under other rows and columns the same bytes are other "
                          "elements")
      .help(accumulator ? "store the product as it is and reshape the tensor, or move it to Vec first: "
                          "`pl.move(…, target_memory=pl.Mem.Vec)`"
                        : "reshape the tensor before its rows and columns are loaded");
  return false;
}

} // namespace placid::pl
