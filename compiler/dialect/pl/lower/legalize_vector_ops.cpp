// SPDX-License-Identifier: Apache-2.0
// LegalizeVectorOps: see passes.td. One walk in program order; what an operation is replaced by stands where it stood.
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/lower/live_extents.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/scratch_tiles.h"
#include "compiler/dialect/pl/lower/tile_casts.h"
#include "compiler/dialect/pl/lower/vector_ops.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

#include <algorithm>

namespace placid::pl {

#define GEN_PASS_DEF_LEGALIZEVECTOROPS
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

TileType tileOf(Value value) { return value ? dyn_cast<TileType>(value.getType()) : TileType(); }

/// The second halves of `row_expand_…` and `col_expand_…`; empty for operations that have none.
StringRef expandWord(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("tile.add", "add")
      .Case("tile.sub", "sub")
      .Case("tile.mul", "mul")
      .Case("tile.div", "div")
      .Case("tile.maximum", "max")
      .Case("tile.minimum", "min")
      .Default("");
}

/// Arithmetic whose instruction takes tiles of the result's element type alone.
bool hasOneDtype(StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {"adds",  "muls", "divs", "maximums", "minimums", "fmod",
                                                   "fmods", "exp",  "sqrt", "rsqrt",    "recip"};
  return !expandWord(name).empty() || name.starts_with("tile.row_expand_") || name.starts_with("tile.col_expand_") ||
         (name.consume_front("tile.") && llvm::is_contained(kWords, name));
}

class Legalizer {
public:
  explicit Legalizer(func::FuncOp function) : function_(function), target_(targetOf(function)) {}

  LogicalResult run() {
    dropHints();
    SmallVector<GenericOp> ops;
    function_.walk([&](GenericOp op) { ops.push_back(op); });
    for (GenericOp op : ops) {
      legalize(op);
    }
    SmallVector<TileExtractOp> windows;
    function_.walk([&](TileExtractOp window) { windows.push_back(window); });
    for (TileExtractOp window : windows) {
      columnByTransposition(window);
    }
    SmallVector<arith::AddFOp> sums;
    function_.walk([&](arith::AddFOp sum) { sums.push_back(sum); });
    for (arith::AddFOp sum : sums) {
      sumToDifference(sum);
    }
    return success(ok_);
  }

private:
  void legalize(GenericOp op) {
    if (op->getNumResults() > 0 && op->use_empty() && isMemoryEffectFree(op)) {
      op.erase(); // computed for nothing
      return;
    }
    if (hasOneDtype(op.getName())) {
      promoteOperands(op);
    }
    if (op.getName() == "tile.slice") {
      sliceToExtract(op);
    } else if (op.getName() == "tile.aiv_shard" || op.getName() == "tile.aic_gather") {
      crossToMove(op);
    } else if (op.getName() == "tile.cast" && tileOf(op.getArgument("tile"))) {
      castInSteps(op);
    } else if (!expandWord(op.getName()).empty()) {
      broadcast(op);
    } else {
      addScratch(op);
    }
  }

  GenericOp make(OpBuilder &builder, Location loc, StringRef name, Type result, ValueRange operands,
                 ArrayRef<StringRef> names) {
    return GenericOp::create(builder, loc, TypeRange{result}, builder.getStringAttr(name), operands,
                             builder.getStrArrayAttr(names));
  }

  void replace(GenericOp op, GenericOp by) {
    if (Attribute name = op->getAttr(kResultNameAttr)) {
      by->setAttr(kResultNameAttr, name);
    }
    op.replaceAllUsesWith(by->getResults());
    op.erase();
  }

  //===-- Hints
  //-----------------------------------------------------------------------------------------------------===//

  /// A prefetch asks for bytes to come closer, and changes none: a kernel computes the same without.
  void dropHints() {
    SmallVector<GenericOp> hints;
    function_.walk([&](GenericOp op) {
      if (op.getRow().category == ops::Category::Prefetch) {
        hints.push_back(op);
      }
    });
    std::optional<Location> first;
    for (GenericOp hint : llvm::reverse(hints)) {
      for (Value result : hint->getResults()) {
        if (result.getType().isInteger(1) && !result.use_empty()) {
          OpBuilder builder(hint);
          Value ended = arith::ConstantOp::create(builder, hint.getLoc(), builder.getBoolAttr(true));
          result.replaceAllUsesWith(ended);
        }
      }
      if (hint->use_empty()) {
        first = hint.getLoc();
        hint.erase();
      } // else the conversion names it
    }
    if (first) {
      bridge::emitDiag(rangeLoc(*first), diag::HintLeftOut,
                       "the prefetches of this kernel are left out: PTO IR has no instruction for them");
    }
  }

  //===-- Windows -------------------------------------------------------------------------------------------------===//

  void sliceToExtract(GenericOp op) {
    OpBuilder builder(op);
    SmallVector<OpFoldResult> offsets = op.getList("offset");
    Value source = op.getArgument("tile");
    auto result = dyn_cast<TileType>(op->getResult(0).getType());
    if (!tileOf(source) || !result || result.getRank() != 2 || offsets.size() != 2 || tileOf(source).getRank() != 2) {
      return; // the conversion names it
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    auto extract = TileExtractOp::create(builder, op.getLoc(), result, source, dynamic, statics);
    extract->setAttrs(extract->getAttrDictionary());
    for (StringRef key : {StringRef(kResultNameAttr)}) {
      if (Attribute value = op->getAttr(key)) {
        extract->setAttr(key, value);
      }
    }
    op.replaceAllUsesWith(ValueRange{extract.getResult()});
    op.erase();
  }

  /// The vector unit cannot begin inside of a line of 32 bytes. One column of a wider tile is a row of the line that
  /// it is in, turned; that row is the column's bytes.
  void columnByTransposition(TileExtractOp extract) {
    TileType whole = extract.getSource().getType();
    TileType part = extract.getResult().getType();
    if (whole.getRank() != 2 || part.getRank() != 2 || whole.getShape()[1] == 1 || part.getShape()[1] != 1 ||
        !llvm::is_contained({Mem::Vec, Mem::Unset, Mem::Acc}, part.getMem())) { // a product's goes to the vector core
      return;
    }
    const int64_t rows = part.getShape()[0];
    const int64_t line = *c0Elements(part.getDtype());
    const int64_t live = part.getValidOrShape()[0];
    const int64_t columns = whole.getValidOrShape()[1];
    SmallVector<OpFoldResult> begin = mixedList(extract.getOffsets(), extract.getStaticOffsets(), extract.getContext());
    std::optional<int64_t> column = getConstantIntValue(begin[1]);
    const bool known = columns == whole.getShape()[1] || (column && !ShapedType::isDynamic(columns));
    if (rows % line != 0 || whole.getShape()[1] % line != 0 || ShapedType::isDynamic(live) || !known) {
      return; // the conversion names it
    }
    OpBuilder builder(extract);
    Location loc = extract.getLoc();
    OpFoldResult first = column ? OpFoldResult(builder.getIndexAttr(*column / line * line)) : OpFoldResult();
    OpFoldResult within = column ? OpFoldResult(builder.getIndexAttr(*column % line)) : OpFoldResult();
    if (!column) {
      auto value = cast<Value>(begin[1]);
      Value length = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(value.getType(), line));
      Value lines = arith::FloorDivSIOp::create(builder, loc, value, length);
      Value start = arith::MulIOp::create(builder, loc, lines, length);
      within = arith::SubIOp::create(builder, loc, value, start).getResult();
      first = start;
    }
    auto window = [&](Value source, TileType type, ArrayRef<OpFoldResult> offsets) {
      SmallVector<Value> dynamic;
      SmallVector<int64_t> statics;
      splitMixedList(offsets, dynamic, statics);
      return TileExtractOp::create(builder, loc, type, source, dynamic, statics).getResult();
    };
    auto tile = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> valid) {
      return TileType::get(builder.getContext(), shape, part.getDtype(), Mem::Vec,
                           shape == valid ? ArrayRef<int64_t>() : valid, false);
    };
    const int64_t filled = column ? std::min(line, columns - *column / line * line) : line;
    Value lines = window(extract.getSource(), tile({rows, line}, {live, filled}), {begin[0], first});
    GenericOp turned = make(builder, loc, "tile.transpose", tile({line, rows}, {filled, live}), {lines}, {"tile"});
    turned->setAttr("axis1", builder.getI64IntegerAttr(0));
    turned->setAttr("axis2", builder.getI64IntegerAttr(1));
    addScratch(turned);
    Value row = window(turned->getResult(0), tile({1, rows}, {1, live}), {within, builder.getIndexAttr(0)});
    auto result = TileReshapeOp::create(builder, loc, part.withMem(Mem::Vec), row);
    if (Attribute name = extract->getAttr(kResultNameAttr)) {
      result->setAttr(kResultNameAttr, name);
    }
    extract.replaceAllUsesWith(result.getResult());
    extract.erase();
    showInVec(result);
  }

  /// Views of a tile are where it is.
  static void showInVec(Value tile) {
    for (Operation *user : tile.getUsers()) {
      if (isa<TileReshapeOp>(user) && tileOf(user->getResult(0)).getMem() == Mem::Acc) {
        user->getResult(0).setType(tileOf(user->getResult(0)).withMem(Mem::Vec));
        showInVec(user->getResult(0));
      }
    }
  }

  /// What goes from one core to the other is a move; it keeps the axis along which the lanes divide it.
  static void crossToMove(GenericOp op) {
    Value source = op.getArgument("x");
    auto result = op->getNumResults() == 1 ? tileOf(op->getResult(0)) : TileType();
    if (!tileOf(source) || !result) {
      return; // the conversion names it
    }
    OpBuilder builder(op);
    Mem mem = op.getName() == "tile.aiv_shard" ? Mem::Vec : Mem::Mat;
    auto move = TileMoveOp::create(builder, op.getLoc(), result.withMem(mem), source);
    for (StringRef key : {StringRef(kResultNameAttr), StringRef(kLaneAxisAttr)}) {
      if (Attribute value = op->getAttr(key)) {
        move->setAttr(key, value);
      }
    }
    op.replaceAllUsesWith(ValueRange{move.getResult()});
    op.erase();
  }

  //===-- Broadcasts ----------------------------------------------------------------------------------------------===//

  static bool isColumn(TileType type) { return type.getShape()[1] == 1; }
  static bool isRow(TileType type) { return type.getShape()[0] == 1; }

  /// A tile repeated up to the shape of `result`.
  Value spread(OpBuilder &builder, GenericOp op, Value tile, TileType result, Value target) {
    if (!target) {
      target = TileCreateOp::create(builder, op.getLoc(), result);
    }
    const bool column = isColumn(tileOf(tile));
    return make(builder, op.getLoc(), column ? "tile.row_expand" : "tile.col_expand", result, {target, tile},
                {"target", column ? "row_vec" : "col_vec"})
        ->getResult(0);
  }

  void broadcast(GenericOp op) {
    Value lhs = op.getArgument("lhs");
    Value rhs = op.getArgument("rhs");
    TileType left = tileOf(lhs);
    TileType right = tileOf(rhs);
    if (!left || !right || left.getRank() != 2 || right.getRank() != 2 || left.getShape() == right.getShape()) {
      return;
    }
    auto result = cast<TileType>(op->getResult(0).getType());
    auto fits = [&](TileType type) {
      return type.getShape() != result.getShape() && ((isColumn(type) && type.getShape()[0] == result.getShape()[0]) ||
                                                      (isRow(type) && type.getShape()[1] == result.getShape()[1]));
    };
    OpBuilder builder(op);
    StringRef word = expandWord(op.getName());
    const bool commutes = word != "sub" && word != "div";
    if (left.getShape() != result.getShape()) {
      if (!fits(left)) {
        return;
      }
      if (commutes && right.getShape() == result.getShape()) {
        std::swap(lhs, rhs);
        std::swap(left, right);
      } else {
        lhs = spread(builder, op, lhs, result, right.getShape() == result.getShape() ? rhs : Value());
        left = tileOf(lhs);
      }
    }
    if (right.getShape() == result.getShape()) {
      replace(op, make(builder, op.getLoc(), op.getName(), result, {lhs, rhs}, {"lhs", "rhs"}));
      return;
    }
    if (!fits(right)) {
      return;
    }
    const bool column = isColumn(right);
    const std::string name = (column ? "tile.row_expand_" : "tile.col_expand_") + word.str();
    replace(op, make(builder, op.getLoc(), name, result, {lhs, rhs}, {"tile", column ? "row_vec" : "col_vec"}));
  }

  //===-- Conversions ---------------------------------------------------------------------------------------------===//

  void castInSteps(GenericOp op) {
    Value value = op.getArgument("tile");
    auto result = cast<TileType>(op->getResult(0).getType());
    const DType from = tileOf(value).getDtype();
    std::optional<SmallVector<DType>> steps = castSteps(target_, from, result.getDtype());
    if (!steps) {
      bridge::emitDiag(rangeLoc(op.getLoc()), diag::VectorDtype,
                       llvm::formatv("{0} has no conversion of a tile from {1} to {2}", target_.displayName,
                                     plName(from), plName(result.getDtype()))
                           .str());
      op->setAttr(kNotLoweredAttr, StringAttr::get(op.getContext(), ""));
      ok_ = false;
      return;
    }
    OpBuilder builder(op);
    if (steps->empty()) {
      op.replaceAllUsesWith(ValueRange{value});
      op.erase();
      return;
    }
    for (size_t i = 0; i + 1 < steps->size(); ++i) {
      auto type = TileType::get(op.getContext(), result.getShape(), (*steps)[i], result.getMem(), result.getValid(),
                                result.getTransposed());
      GenericOp step = make(builder, op.getLoc(), "tile.cast", type, {value}, {"tile"});
      if (Attribute mode = op->getAttr("mode")) {
        step->setAttr("mode", mode);
      }
      value = addScratch(step);
    }
    op->setOperand(0, value);
    addScratch(op);
  }

  /// `pl.mul(x, 0.5)` of an integer is FP32, as is a half plus a FP32 tensor: the operand is converted before.
  void promoteOperands(GenericOp op) {
    auto result = op->getNumResults() == 1 ? tileOf(op->getResult(0)) : TileType();
    for (OpOperand &operand : op->getOpOperands()) {
      TileType type = tileOf(operand.get());
      if (!result || !type || type.getDtype() == result.getDtype() || type.getMem() != Mem::Vec) {
        continue;
      }
      OpBuilder builder(op);
      auto wide = TileType::get(op.getContext(), type.getShape(), result.getDtype(), type.getMem(), type.getValid(),
                                type.getTransposed());
      GenericOp cast = make(builder, op.getLoc(), "tile.cast", wide, {operand.get()}, {"tile"});
      operand.set(cast->getResult(0));
      castInSteps(cast);
    }
  }

  //===-- Scalars -------------------------------------------------------------------------------------------------===//

  /// The assembler takes all arithmetic of floating-point scalars but sums; `a - (-b)` is `a + b` to the last bit.
  static void sumToDifference(arith::AddFOp sum) {
    OpBuilder builder(sum);
    Value minus = arith::NegFOp::create(builder, rangeLoc(sum.getLoc()), sum.getRhs());
    auto difference = arith::SubFOp::create(builder, sum.getLoc(), sum.getLhs(), minus);
    if (Attribute name = sum->getAttr(kResultNameAttr)) {
      difference->setAttr(kResultNameAttr, name);
    }
    sum.replaceAllUsesWith(difference.getResult());
    sum.erase();
  }

  //===-- Scratch tiles -------------------------------------------------------------------------------------------===//

  /// A conversion by way of scratch is of a part that the assembler knows. Where it does not, the rest of the tile is
  /// filled, all of it converted, and the part shown of that. Null when nobody says how much that is.
  Value castWhole(GenericOp op) {
    Value tile = op.getArgument("tile");
    TileType from = tileOf(tile);
    TileType to = tileOf(op->getResult(0));
    OpBuilder builder(op);
    SmallVector<Value> operands{Value()};
    SmallVector<StringRef> names{"tile"};
    SmallVector<NamedAttribute> known;
    for (unsigned axis : {0u, 1u}) {
      StringRef name = axis == 0 ? "valid_rows" : "valid_cols";
      const int64_t live = to.getValidOrShape()[axis];
      if (!ShapedType::isDynamic(live)) {
        known.emplace_back(builder.getStringAttr(name), builder.getI64IntegerAttr(live));
        continue;
      }
      operands.push_back(liveExtentBefore(tile, axis, op));
      names.push_back(name);
      if (!operands.back()) {
        return {};
      }
    }
    Location loc = op.getLoc();
    GenericOp filled = make(builder, loc, "tile.fillpad", from.withShape(from.getShape()), {tile}, {"tile"});
    filled->setAttr("pad_value", builder.getStringAttr("zero"));
    GenericOp all = make(builder, loc, "tile.cast", to.withShape(to.getShape()), {filled->getResult(0)}, {"tile"});
    if (Attribute mode = op->getAttr("mode")) {
      all->setAttr("mode", mode);
    }
    operands[0] = addScratch(all);
    GenericOp part = make(builder, loc, "tile.set_validshape", to, operands, names);
    for (NamedAttribute extent : known) {
      part->setAttr(extent.getName(), extent.getValue());
    }
    Value result = part->getResult(0);
    replace(op, part);
    return result;
  }

  /// What `op` results in, which may be another operation's result now.
  Value addScratch(GenericOp op) {
    Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
    const VectorOp *row = findVectorOp(op.getName());
    const bool merges = op.getName() == "tile.mrgsort" && op.getArgument("src1");
    if (!row || (row->scratch == Scratch::None && !merges) || op->getNumResults() != 1) {
      return result;
    }
    StringRef parameter = merges ? StringRef("tmp") : scratchParameter(*row);
    if (op.getArgument(parameter)) {
      return result; // the user gave one
    }
    // Several sorted rows are merged by way of one that is as long as all of them.
    TileType type = merges ? tileOf(op->getResult(0)) : scratchTile(op, row->scratch, target_);
    if (!type) {
      return result;
    }
    if (row->scratch == Scratch::Cast && llvm::any_of(op->getOperands(), isOpenEnded)) {
      if (Value whole = castWhole(op)) {
        return whole;
      }
      op->setAttr(kNotLoweredAttr,
                  StringAttr::get(op.getContext(), "a conversion by way of a scratch tile, of a part whose extent is "
                                                   "known at run time only,"));
      return result;
    }
    OpBuilder builder(op);
    Value tile = TileCreateOp::create(builder, namedLoc(op.getLoc(), nameOf(op->getResult(0), "tile"), "_tmp"), type);
    SmallVector<Value> operands(op.getOperands());
    SmallVector<Attribute> names(op.getOperandNames().getAsRange<Attribute>());
    operands.push_back(tile);
    names.push_back(builder.getStringAttr(parameter));
    op->setOperands(operands);
    op.setOperandNamesAttr(builder.getArrayAttr(names));
    return result;
  }

  static bool isOpenEnded(Value value) {
    TileType type = tileOf(value);
    return type && llvm::is_contained(type.getValid(), ShapedType::kDynamic);
  }

  func::FuncOp function_;
  const target::Target &target_;
  bool ok_ = true;
};

struct LegalizeVectorOps : impl::LegalizeVectorOpsBase<LegalizeVectorOps> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) {
      if (failed(Legalizer(function).run())) {
        markFailed(function);
      }
    });
  }
};

} // namespace

} // namespace placid::pl
