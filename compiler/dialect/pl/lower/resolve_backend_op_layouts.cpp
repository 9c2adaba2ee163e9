// SPDX-License-Identifier: Apache-2.0
// ResolveBackendOpLayouts: see passes.td. Which instructions read lines is a column of vector_ops.def; this file only
// changes what they are shown. One walk in program order, so that what an operation makes is known as a row to the
// next.
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/scratch_tiles.h"

#include "llvm/ADT/StringSwitch.h"
#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_RESOLVEBACKENDOPLAYOUTS
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// The type when it is a column in the vector memory, which lies there as a row does; null for all others.
TileType columnOf(Value value) {
  auto type = value ? dyn_cast<TileType>(value.getType()) : TileType();
  const bool column = type && type.getMem() == Mem::Vec && type.getRank() == 2 && type.getShape()[0] > 1 &&
                      type.getShape()[1] == 1 && !type.getTransposed();
  return column ? type : TileType();
}

TileType turned(TileType type) {
  SmallVector<int64_t> valid(llvm::reverse(type.getValid()));
  return type.withShape({type.getShape()[1], type.getShape()[0]}, valid);
}

/// What a reduction makes of rows that hold one element each.
enum class OneElement { NoReduction, Itself, FirstPlace };

OneElement ofOneElement(StringRef name) {
  return llvm::StringSwitch<OneElement>(name)
      .Cases({"tile.row_sum", "tile.row_max", "tile.row_min", "tile.row_prod"}, OneElement::Itself)
      .Cases({"tile.row_argmax", "tile.row_argmin"}, OneElement::FirstPlace)
      .Default(OneElement::NoReduction);
}

class Resolver {
public:
  explicit Resolver(func::FuncOp function) : function_(function), target_(targetOf(function)) {}

  void run() {
    SmallVector<GenericOp> ops;
    function_.walk([&](GenericOp op) { ops.push_back(op); });
    for (GenericOp op : ops) {
      const VectorOp *row = op->hasAttr(kNotLoweredAttr) ? nullptr : findVectorOp(op.getName());
      if (!row || op->getNumResults() != 1) {
        continue;
      }
      if (ofOneElement(op.getName()) != OneElement::NoReduction) {
        foldReduction(op);
      } else if (row->form == VectorForm::Flat) {
        showRows(op, *row);
      }
    }
    for (Operation *view : llvm::reverse(views_)) {
      if (view->use_empty()) {
        view->erase();
      }
    }
  }

private:
  /// The sum of one element is that element, and its place is the first: the instruction would not take a column.
  void foldReduction(GenericOp op) {
    Value tile = op.getArgument("tile");
    const TileType from = columnOf(tile);
    auto to = cast<TileType>(op->getResult(0).getType());
    if (!from || tile.getDefiningOp<PipePopOp>() || to.getShape() != from.getShape() ||
        to.getValidOrShape() != from.getValidOrShape()) {
      return;
    }
    OpBuilder builder(op);
    Value result = tile;
    if (ofOneElement(op.getName()) == OneElement::FirstPlace) {
      auto zeros = GenericOp::create(builder, op.getLoc(), TypeRange{to}, builder.getStringAttr("tile.full"),
                                     ValueRange(), builder.getArrayAttr({}));
      zeros->setDiscardableAttr("value", builder.getI64IntegerAttr(0));
      result = zeros->getResult(0);
    } else if (from != to) {
      return;
    }
    SmallVector<Value> operands(op.getOperands());
    op.replaceAllUsesWith(ValueRange{result});
    op.erase();
    for (Value operand : operands) {
      if (auto scratch = operand.getDefiningOp<TileCreateOp>(); scratch && scratch->use_empty()) {
        scratch->erase();
      }
    }
    if (auto zeros = result.getDefiningOp<GenericOp>(); zeros && result != tile) {
      showRows(zeros, *findVectorOp(zeros.getName()));
    }
  }

  void showRows(GenericOp op, const VectorOp &row) {
    if (llvm::none_of(op.getOperands(), columnOf) && !columnOf(op->getResult(0))) {
      return;
    }
    if (op.getName() == "tile.cmp" || op.getName() == "tile.cmps") {
      op->setAttr(kNotLoweredAttr,
                  StringAttr::get(op.getContext(), "a comparison of columns, whose mask has a row for every element,"));
      return;
    }
    StringRef name = scratchParameter(row);
    Value scratch = name.empty() ? Value() : op.getArgument(name);
    auto create = scratch ? scratch.getDefiningOp<TileCreateOp>() : TileCreateOp();
    const bool ours = create && scratch.hasOneUse() && scratchTile(op, row.scratch, target_) == scratch.getType();
    for (OpOperand &operand : op->getOpOperands()) {
      if (columnOf(operand.get()) && !(ours && operand.get() == scratch)) {
        operand.set(rowOf(operand.get()));
      }
    }
    Value result = op->getResult(0);
    if (TileType column = columnOf(result)) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      result.setType(turned(column));
      auto view = TileReshapeOp::create(builder, op.getLoc(), column, result);
      if (Attribute shown = op->getAttr(kResultNameAttr)) {
        view->setAttr(kResultNameAttr, shown);
      }
      result.replaceAllUsesExcept(view.getResult(), view);
      rows_[view.getResult()] = result;
      views_.push_back(view);
    }
    if (ours) {
      scratch.setType(scratchTile(op, row.scratch, target_));
    }
  }

  /// The bytes of a column as a row; made once, where the column is made.
  Value rowOf(Value column) {
    Value &row = rows_[column];
    if (row) {
      return row;
    }
    const TileType type = turned(columnOf(column));
    auto view = column.getDefiningOp<TileReshapeOp>();
    if (view && view.getSource().getType() == type) {
      return row = view.getSource();
    }
    OpBuilder builder(column.getContext());
    builder.setInsertionPointAfterValue(column);
    Location loc =
        column.getDefiningOp() ? column.getDefiningOp()->getLoc() : column.getParentRegion()->getParentOp()->getLoc();
    auto made = TileReshapeOp::create(builder, namedLoc(loc, nameOf(column, "tile"), "_row"), type, column);
    views_.push_back(made);
    return row = made.getResult();
  }

  func::FuncOp function_;
  const target::Target &target_;
  llvm::DenseMap<Value, Value> rows_;
  SmallVector<Operation *> views_; ///< In the order they were made: a later one may show an earlier.
};

struct ResolveBackendOpLayouts : impl::ResolveBackendOpLayoutsBase<ResolveBackendOpLayouts> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) { Resolver(function).run(); });
  }
};

} // namespace

} // namespace placid::pl
