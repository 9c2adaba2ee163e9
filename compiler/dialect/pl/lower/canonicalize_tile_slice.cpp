// SPDX-License-Identifier: Apache-2.0
// CanonicalizeTileSlice: see passes.td. One walk in program order, so what a window is cut from is settled before the
// window itself; then what is left is held against the ways that the hardware has.
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/tile_writes.h"
#include "compiler/mlir_bridge/emit_diag.h"
#include "compiler/target/transfer.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

#include <array>

namespace placid::pl {

#define GEN_PASS_DEF_CANONICALIZETILESLICE
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

bool isStatic(TileType type) {
  return type.getRank() == 2 && !llvm::is_contained(type.getValidOrShape(), ShapedType::kDynamic);
}

bool isWindow(Operation *op) { return isa<TileExtractOp>(op) && !op->hasAttr(kWindowAttr); }

bool goesToL0(Value tile) {
  const Mem mem = cast<TileType>(tile.getType()).getMem();
  return mem == Mem::Left || mem == Mem::Right;
}

/// A slice as the user wrote it. Names no operation: the ones it came from may be gone.
struct Slice {
  Location loc;
  std::array<OpFoldResult, 2> offsets; ///< In the tile that it is a slice of.
  std::string tile;                    ///< That tile: "`w` [64, 128] FP16".
  bool exchanged = false;              ///< A transposed view came behind it: rows are the columns of the window.
};

class Canonicalizer {
public:
  explicit Canonicalizer(func::FuncOp function) : function_(function), writes_(function) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function_.walk([&](Operation *op) {
      if (isa<TileExtractOp, TileMoveOp, TileTransposeViewOp>(op)) {
        ops.push_back(op);
      }
    });
    for (Operation *op : ops) {
      if (TileExtractOp inner = innerWindow(op)) {
        merge(op, inner);
      }
    }
    SmallVector<Operation *> windows;
    function_.walk([&](Operation *op) {
      if (isa<TileExtractOp, TileTransposeViewOp>(op)) {
        windows.push_back(op);
      }
    });
    for (Operation *op : llvm::reverse(windows)) {
      if (op->use_empty()) {
        op->erase();
      }
    }
    function_.walk([&](Operation *op) { checkTransfer(op); });
    return success(ok_);
  }

private:
  /// The window of the same memory that `op` reads, where reading its source instead is the same and costs nothing.
  TileExtractOp innerWindow(Operation *op) const {
    auto inner = op->getOperand(0).getDefiningOp<TileExtractOp>();
    if (!inner || op->hasAttr(kWindowAttr) || inner->hasAttr(kWindowAttr)) {
      return {};
    }
    TileType whole = inner.getSource().getType();
    TileType part = inner.getResult().getType();
    const bool same = whole.getMem() == part.getMem() && whole.getTransposed() == part.getTransposed() &&
                      whole.getDtype() == part.getDtype();
    if (!same || !isStatic(whole) || !isStatic(part) || writes_.isWrittenBetween(inner.getSource(), inner, op) ||
        writes_.isWrittenBetween(inner.getResult(), inner, op)) {
      return {};
    }
    // A copy inside the vector unit stays one; a move elsewhere becomes a window on the way, which only Mat has.
    if (part.getMem() != Mem::Mat) {
      return isa<TileExtractOp>(op) && isFree(op, inner) ? inner : TileExtractOp();
    }
    return !isa<TileMoveOp>(op) || goesToL0(op->getResult(0)) ? inner : TileExtractOp();
  }

  /// The copy in between goes, and the source takes no memory that something else could have had.
  bool isFree(Operation *op, TileExtractOp inner) const {
    return llvm::all_of(inner.getResult().getUsers(), isWindow) &&
           (writes_.isAliveAfter(inner.getSource(), op) ||
            !TileWrites::isTileMadeBetween(inner.getResult().getType().getMem(), inner, op));
  }

  static SmallVector<OpFoldResult> offsetsOf(TileExtractOp extract) {
    return mixedList(extract.getOffsets(), extract.getStaticOffsets(), extract.getContext());
  }

  static OpFoldResult sum(OpBuilder &builder, Location loc, OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> left = getConstantIntValue(a);
    std::optional<int64_t> right = getConstantIntValue(b);
    if (left && right) {
      return builder.getIndexAttr(*left + *right);
    }
    if (left == 0 || right == 0) {
      return left == 0 ? b : a;
    }
    auto value = [&](OpFoldResult offset, std::optional<int64_t> number) -> Value {
      Value out = number ? arith::ConstantIndexOp::create(builder, loc, *number).getResult() : cast<Value>(offset);
      return out.getType().isIndex() ? out : CastOp::create(builder, loc, builder.getIndexType(), out).getResult();
    };
    Value lhs = value(a, left);
    Value rhs = value(b, right);
    return arith::AddIOp::create(builder, loc, lhs, rhs).getResult();
  }

  bool isMultiple(OpFoldResult offset, int64_t unit) {
    std::optional<int64_t> constant = getConstantIntValue(offset);
    return constant ? *constant % unit == 0 : prover_.isMultiple(cast<Value>(offset), unit);
  }

  /// The slices that a window came to be from, first to last.
  SmallVector<Slice, 2> slicesOf(TileExtractOp extract) const {
    if (auto known = slices_.find(extract.getResult()); known != slices_.end()) {
      return known->second;
    }
    SmallVector<OpFoldResult> offsets = offsetsOf(extract);
    return {Slice{extract.getLoc(), {offsets[0], offsets[1]}, describe(extract.getSource())}};
  }

  /// "`w` [64, 128] FP16, transposed"
  static std::string describe(Value tile) {
    auto type = cast<TileType>(tile.getType());
    const std::string name = valueName(tile).str();
    return (name.empty() ? "" : "`" + name + "` ") + shapeText(type.getShape()) + " " + plName(type.getDtype()).str() +
           (type.getTransposed() ? ", transposed" : "");
  }

  void merge(Operation *op, TileExtractOp inner) {
    OpBuilder builder(op);
    SmallVector<OpFoldResult> offsets = offsetsOf(inner);
    auto result = cast<TileType>(op->getResult(0).getType());
    Value source = inner.getSource();
    SmallVector<Slice, 2> slices = slicesOf(inner);
    if (auto view = dyn_cast<TileTransposeViewOp>(op)) {
      // The view of a window is a window of the view.
      TileType whole = inner.getSource().getType();
      SmallVector<int64_t> valid(llvm::reverse(whole.getValid()));
      SmallVector<int64_t> shape(llvm::reverse(whole.getShape()));
      auto type =
          TileType::get(op->getContext(), shape, whole.getDtype(), whole.getMem(), valid, result.getTransposed());
      source = TileTransposeViewOp::create(builder, view.getLoc(), type, source);
      writes_.addView(source, inner.getSource());
      std::swap(offsets[0], offsets[1]);
      for (Slice &slice : slices) {
        slice.exchanged = !slice.exchanged;
      }
    } else if (auto extract = dyn_cast<TileExtractOp>(op)) {
      slices.append(slicesOf(extract));
      for (auto [offset, more] : llvm::zip_equal(offsets, offsetsOf(extract))) {
        offset = sum(builder, rangeLoc(op->getLoc()), offset, more);
      }
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    auto window = TileExtractOp::create(builder, op->getLoc(), result, source, dynamic, statics);
    for (NamedAttribute attr : op->getDiscardableAttrs()) {
      window->setAttr(attr.getName(), attr.getValue());
    }
    writes_.replace(op, window);
    slices_.erase(op->getResult(0));
    slices_[window.getResult()] = std::move(slices);
    op->getResult(0).replaceAllUsesWith(window.getResult());
    op->erase();
  }

  /// Operands of products are read some fractals at a time.
  void checkTransfer(Operation *op) {
    if (!isa<TileExtractOp, TileMoveOp>(op) || !goesToL0(op->getResult(0))) {
      return;
    }
    auto whole = cast<TileType>(op->getOperand(0).getType());
    if (whole.getMem() != Mem::Mat || whole.getRank() != 2 || bitWidth(whole.getDtype()) < 8) {
      return;
    }
    const target::Space to = *spaceOf(cast<TileType>(op->getResult(0).getType()).getMem());
    const target::Box unit = target::transferUnit(to, bitWidth(whole.getDtype()), whole.getTransposed());
    if (auto extract = dyn_cast<TileExtractOp>(op)) {
      checkStart(extract, whole, unit);
    }
    if (target::transposesOnTheWay(to, whole.getTransposed())) {
      checkShape(op, whole, unit);
    }
  }

  /// Told at the slice that asks for something else, once.
  void checkStart(TileExtractOp window, TileType whole, const target::Box &unit) {
    SmallVector<OpFoldResult> offsets = offsetsOf(window);
    const std::array<int64_t, 2> units = {unit.rows, unit.columns};
    for (unsigned i : {0u, 1u}) {
      if (isMultiple(offsets[i], units[i])) {
        continue;
      }
      ok_ = false;
      // To blame is the last slice that begins inside a fractal of its own.
      SmallVector<Slice, 2> slices = slicesOf(window);
      auto at = llvm::find_if(llvm::reverse(slices), [&](const Slice &slice) {
        return !isMultiple(slice.offsets[slice.exchanged ? 1 - i : i], units[i]);
      });
      const Slice &slice = at == slices.rend() ? slices.back() : *at;
      if (!reported_.insert(slice.loc).second) {
        return;
      }
      const unsigned axis = slice.exchanged ? 1 - i : i;
      std::optional<int64_t> constant = getConstantIntValue(slice.offsets[axis]);
      const std::string name = axis == 0 ? "row" : "column";
      bridge::emitDiag(
          rangeLoc(slice.loc), diag::TileSliceAlign,
          llvm::formatv("the slice begins at {0} of Mat tile {1}: an operand of a product begins at whole fractals, "
                        "here at blocks of {2} by {3}",
                        constant ? (name + " " + std::to_string(*constant))
                                 : ("a " + name + " that is not provably a multiple of " + std::to_string(units[i])),
                        slice.tile, slice.exchanged ? unit.columns : unit.rows,
                        slice.exchanged ? unit.rows : unit.columns)
              .str());
      return;
    }
  }

  /// What is transposed on the way is made of whole blocks, also the tile that the window is a part of.
  void checkShape(Operation *op, TileType whole, const target::Box &unit) {
    auto part = cast<TileType>(op->getResult(0).getType());
    for (TileType type : {whole, part}) {
      if (type.getShape()[0] % unit.rows == 0 && type.getShape()[1] % unit.columns == 0) {
        continue;
      }
      Value tile = type == whole ? op->getOperand(0) : op->getResult(0);
      const std::string text = describe(tile);
      if (isImpliedOperand(op->getOperand(0))) {
        op->setAttr(kNotLoweredAttr,
                    StringAttr::get(op->getContext(), "the operand " + text +
                                                          ", which is read transposed and not made of whole blocks,"));
        function_->setAttr(kLeftAttr, UnitAttr::get(op->getContext()));
        return;
      }
      ok_ = false;
      if (reported_.insert(op->getLoc()).second) {
        bridge::emitDiag(rangeLoc(op->getLoc()), diag::OperandBlocks,
                         llvm::formatv("the operand is read transposed from tile {0}, which then is made of blocks "
                                       "of {1} by {2}",
                                       text, unit.rows, unit.columns)
                             .str())
            .help(
                llvm::formatv("make both extents multiples of {0} and say with `valid_shape=` what is live", unit.rows)
                    .str());
      }
      return;
    }
  }

  func::FuncOp function_;
  TileWrites writes_;
  OffsetProver prover_{OffsetProver::Casts::Transparent};
  llvm::DenseMap<Value, SmallVector<Slice, 2>> slices_; ///< Of merged windows.
  llvm::DenseSet<Location> reported_;
  bool ok_ = true;
};

struct CanonicalizeTileSlice : impl::CanonicalizeTileSliceBase<CanonicalizeTileSlice> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) {
      if (failed(Canonicalizer(function).run())) {
        markFailed(function);
      }
    });
  }
};

} // namespace

} // namespace placid::pl
