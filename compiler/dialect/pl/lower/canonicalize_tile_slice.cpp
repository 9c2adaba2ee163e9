// SPDX-License-Identifier: Apache-2.0
// CanonicalizeTileSlice: see passes.td. One walk in program order, so what a window is cut from is settled before the
// window itself.
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_CANONICALIZETILESLICE
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

bool isStatic(TileType type) {
  return type.getRank() == 2 && !llvm::is_contained(type.getValidOrShape(), ShapedType::kDynamic);
}

/// Some operation writes into the tile's own buffer, so what it holds depends on when it is read.
bool isWrittenInPlace(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    return overwrittenOperand(user) == tile || isElementWrite(user) || isa<scf::YieldOp, scf::ForOp>(user);
  });
}

class Canonicalizer {
public:
  explicit Canonicalizer(func::FuncOp function) : function_(function) {}

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
    return success(ok_);
  }

private:
  /// The window of the same memory that `op` reads, where reading its source instead is the same.
  static TileExtractOp innerWindow(Operation *op) {
    auto inner = op->getOperand(0).getDefiningOp<TileExtractOp>();
    if (!inner || op->hasAttr(kWindowAttr) || inner->hasAttr(kWindowAttr)) {
      return {};
    }
    TileType whole = inner.getSource().getType();
    TileType part = inner.getResult().getType();
    const bool same = whole.getMem() == part.getMem() && whole.getTransposed() == part.getTransposed() &&
                      whole.getDtype() == part.getDtype();
    if (!same || !isStatic(whole) || !isStatic(part) || isWrittenInPlace(inner.getSource()) ||
        isWrittenInPlace(inner.getResult())) {
      return {};
    }
    // A copy inside the vector unit stays one; a move elsewhere becomes a window on the way, which only Mat has.
    if (!isa<TileExtractOp>(op) && part.getMem() != Mem::Mat) {
      return {};
    }
    if (isa<TileMoveOp>(op)) {
      const Mem to = cast<TileType>(op->getResult(0).getType()).getMem();
      return to == Mem::Left || to == Mem::Right ? inner : TileExtractOp();
    }
    return inner;
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

  void merge(Operation *op, TileExtractOp inner) {
    OpBuilder builder(op);
    SmallVector<OpFoldResult> offsets = offsetsOf(inner);
    auto result = cast<TileType>(op->getResult(0).getType());
    Value source = inner.getSource();
    if (auto view = dyn_cast<TileTransposeViewOp>(op)) {
      // The view of a window is a window of the view.
      TileType whole = inner.getSource().getType();
      SmallVector<int64_t> valid(llvm::reverse(whole.getValid()));
      SmallVector<int64_t> shape(llvm::reverse(whole.getShape()));
      auto type =
          TileType::get(op->getContext(), shape, whole.getDtype(), whole.getMem(), valid, result.getTransposed());
      source = TileTransposeViewOp::create(builder, view.getLoc(), type, source);
      std::swap(offsets[0], offsets[1]);
    } else if (auto extract = dyn_cast<TileExtractOp>(op)) {
      for (auto [offset, more] : llvm::zip_equal(offsets, offsetsOf(extract))) {
        offset = sum(builder, rangeLoc(op->getLoc()), offset, more);
      }
    }
    if (result.getMem() == Mem::Left || result.getMem() == Mem::Right) {
      checkStart(inner, cast<TileType>(source.getType()), offsets);
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    auto window = TileExtractOp::create(builder, op->getLoc(), result, source, dynamic, statics);
    for (NamedAttribute attr : op->getDiscardableAttrs()) {
      window->setAttr(attr.getName(), attr.getValue());
    }
    op->getResult(0).replaceAllUsesWith(window.getResult());
    op->erase();
  }

  /// Operands of products are read a fractal at a time. Told at the slice that asks for something else, once.
  void checkStart(TileExtractOp slice, TileType whole, ArrayRef<OpFoldResult> offsets) {
    const target::Box box = target::tileBox(target::Space::Mat, bitWidth(whole.getDtype()), whole.getTransposed());
    for (unsigned i : {0u, 1u}) {
      const std::string axis = i == 0 ? "row" : "column";
      const int64_t unit = i == 0 ? box.rows : box.columns;
      std::optional<int64_t> constant = getConstantIntValue(offsets[i]);
      if (constant ? *constant % unit == 0 : prover_.isMultiple(cast<Value>(offsets[i]), unit)) {
        continue;
      }
      ok_ = false;
      if (!reported_.insert(slice.getResult()).second) {
        return;
      }
      bridge::emitDiag(
          rangeLoc(slice.getLoc()), diag::TileSliceAlign,
          llvm::formatv(
              "the slice begins at {0} of Mat tile `{1}` {2} {3}{4}: an operand of a product begins at a whole "
              "fractal, and fractals of it are {5} by {6}",
              constant ? (axis + " " + std::to_string(*constant))
                       : ("a " + axis + " that is not provably a multiple of " + std::to_string(unit)),
              nameOf(slice.getSource(), "a tile"), shapeText(whole.getShape()), plName(whole.getDtype()),
              whole.getTransposed() ? ", transposed" : "", box.rows, box.columns)
              .str());
      return;
    }
  }

  func::FuncOp function_;
  OffsetProver prover_;
  llvm::DenseSet<Value> reported_;
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
