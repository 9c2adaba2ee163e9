// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/transforms/unroll_batch_matmul.h"

#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/transforms/fold_offsets.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr int64_t kMaxBatches = 1024;

int64_t batchesOf(TileType type) {
  int64_t out = 1;
  for (int64_t extent : type.getShape().drop_back(2)) {
    if (llvm::MulOverflow(out, extent, out)) {
      return INT64_MAX;
    }
  }
  return out;
}

/// The trailing two axes of a tile type.
TileType pageType(TileType type) {
  return type.withShape(type.getShape().take_back(2), type.getValidOrShape().take_back(2));
}

TileType keepTransposed(TileType page, bool transposed) {
  return TileType::get(page.getContext(), page.getShape(), page.getDtype(), page.getMem(), page.getValid(), transposed);
}

OpFoldResult plus(OpBuilder &builder, Location loc, OpFoldResult offset, int64_t constant) {
  if (std::optional<int64_t> value = getConstantIntValue(offset)) {
    return builder.getIndexAttr(*value + constant);
  }
  if (constant == 0) {
    return offset;
  }
  auto value = cast<Value>(offset);
  Value add = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(value.getType(), constant));
  return arith::AddIOp::create(builder, loc, value, add).getResult();
}

class BatchUnroller {
public:
  explicit BatchUnroller(TileBatchMatmulOp matmul) : matmul_(matmul), type_(matmul.getType()) {}

  void run() {
    if (batchesOf(type_) > kMaxBatches || !pagesFrom(matmul_.getLhs()) || !pagesFrom(matmul_.getRhs()) ||
        !onlyStored()) {
      bridge::emitDiag(matmul_.getLoc(), diag::NotLowered,
                       "a batched matmul whose operands are not loaded or whose result is not stored directly");
      return;
    }
    SmallVector<int64_t> index(type_.getRank() - 2, 0);
    for (int64_t batch = 0; batch < batchesOf(type_); ++batch) {
      unrollOne(index, batch);
      for (unsigned axis = index.size(); axis-- > 0;) {
        if (++index[axis] < type_.getShape()[axis]) {
          break;
        }
        index[axis] = 0;
      }
    }
    finish();
  }

private:
  static bool pagesFrom(Value operand) {
    if (batchesOf(cast<TileType>(operand.getType())) == 1) {
      return true;
    }
    if (auto view = operand.getDefiningOp<TileTransposeViewOp>()) {
      operand = view.getSource();
    }
    auto load = operand.getDefiningOp<TileLoadOp>();
    return load && load.getSizes().size() == load.getType().getShape().size();
  }

  /// Every use is a store, or a reshape that merges the batches into rows and is itself only stored.
  bool onlyStored() {
    for (Operation *user : matmul_->getUsers()) {
      auto reshape = dyn_cast<TileReshapeOp>(user);
      if (reshape && flattenedTile(type_).getShape() == reshape.getType().getShape()) {
        for (Operation *inner : reshape->getUsers()) {
          if (!isa<TileStoreOp>(inner)) {
            return false;
          }
          stores_.push_back(cast<TileStoreOp>(inner));
        }
      } else if (auto store = dyn_cast<TileStoreOp>(user)) {
        stores_.push_back(store);
      } else {
        return false;
      }
    }
    return true;
  }

  /// Page `index` of an operand as a 2-D tile. Axes of extent 1 are broadcast.
  Value page(OpBuilder &builder, Value operand, ArrayRef<int64_t> index) {
    auto type = cast<TileType>(operand.getType());
    if (batchesOf(type) == 1) {
      return operand; // flattened with its type
    }
    if (auto view = operand.getDefiningOp<TileTransposeViewOp>()) {
      Value source = page(builder, view.getSource(), index);
      return TileTransposeViewOp::create(builder, view.getLoc(), keepTransposed(pageType(type), type.getTransposed()),
                                         source);
    }
    auto load = operand.getDefiningOp<TileLoadOp>();
    SmallVector<OpFoldResult> offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), builder.getContext());
    SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), builder.getContext());
    SmallVector<int64_t> sizes(load.getSizes());
    unsigned leading = sizes.size() - 2;
    Location loc = load.getLoc();
    for (unsigned axis = 0; axis < leading; ++axis) {
      int64_t at = sizes[axis] == 1 ? 0 : index[index.size() - leading + axis];
      std::string spelling = argLoc(load, kOffsetsArg, axis).spelling;
      if (at != 0 && !spelling.empty()) {
        loc = withSpelling(loc, kOffsetsArg, axis, spelling + " + " + std::to_string(at));
      }
      offsets[axis] = plus(builder, load.getLoc(), offsets[axis], at);
      sizes[axis] = 1;
      if (!valid.empty()) {
        valid[axis] = builder.getIndexAttr(1);
      }
    }
    SmallVector<Value> dynamicOffsets;
    SmallVector<int64_t> staticOffsets;
    splitMixedList(offsets, dynamicOffsets, staticOffsets);
    SmallVector<Value> dynamicValid;
    SmallVector<int64_t> staticValid;
    splitMixedList(valid, dynamicValid, staticValid);
    auto copy = TileLoadOp::create(builder, loc, pageType(type), load.getSource(), dynamicOffsets, staticOffsets, sizes,
                                   dynamicValid, staticValid);
    copy->setDiscardableAttrs(load->getDiscardableAttrDictionary());
    return copy;
  }

  void unrollOne(ArrayRef<int64_t> index, int64_t batch) {
    OpBuilder builder(matmul_);
    Value lhs = page(builder, matmul_.getLhs(), index);
    Value rhs = page(builder, matmul_.getRhs(), index);
    auto result = TileMatmulOp::create(builder, matmul_.getLoc(), pageType(type_), lhs, rhs);
    result->setDiscardableAttrs(matmul_->getDiscardableAttrDictionary());
    for (TileStoreOp store : stores_) {
      storePage(store, result, index, batch);
    }
  }

  void storePage(TileStoreOp store, Value tile, ArrayRef<int64_t> index, int64_t batch) {
    OpBuilder builder(store);
    SmallVector<OpFoldResult> offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), builder.getContext());
    unsigned rank = offsets.size();
    ArrayRef<int64_t> extents = pageType(type_).getValidOrShape();
    if (store.getTile().getType().getRank() == 2) {
      offsets[rank - 2] =
          plus(builder, store.getLoc(), offsets[rank - 2], batch * type_.getShape()[type_.getRank() - 2]);
    } else {
      for (unsigned axis = 0; axis < index.size() && index.size() + 2 <= rank; ++axis) {
        unsigned at = rank - 2 - index.size() + axis;
        offsets[at] = plus(builder, store.getLoc(), offsets[at], index[axis]);
      }
    }
    DenseI64ArrayAttr sizes;
    if (rank != 2) {
      SmallVector<int64_t> partition(rank - 2, 1);
      partition.append(extents.begin(), extents.end());
      sizes = builder.getDenseI64ArrayAttr(partition);
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    auto copy = TileStoreOp::create(builder, store.getLoc(), store.getType(), tile, store.getDest(), dynamic, statics,
                                    sizes, store.getAtomicAttr(), store.getPreQuant(), store.getPreRelu(),
                                    store.getStPhaseAttr(), store.getScale());
    copy->setDiscardableAttrs(store->getDiscardableAttrDictionary());
    store.getDestMutable().assign(copy.getResult()); // the next page goes on from here
  }

  void finish() {
    for (TileStoreOp store : stores_) {
      Operation *tile = store.getTile().getDefiningOp();
      store.replaceAllUsesWith(store.getDest());
      store.erase();
      if (tile != matmul_ && tile->use_empty()) {
        tile->erase();
      }
    }
    SmallVector<Value> operands(matmul_->getOperands());
    matmul_.erase();
    while (!operands.empty()) {
      Operation *op = operands.pop_back_val().getDefiningOp();
      if (op && op->use_empty() && isa<TileLoadOp, TileTransposeViewOp>(op)) {
        operands.push_back(op->getOperand(0));
        op->erase();
      }
    }
  }

  TileBatchMatmulOp matmul_;
  TileType type_;
  SmallVector<TileStoreOp> stores_;
};

} // namespace

void unrollBatchMatmuls(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<TileBatchMatmulOp, TileBatchMatmulAccOp>(op)) {
      ops.push_back(op);
    }
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    auto type = cast<TileType>(op->getResult(0).getType());
    if (batchesOf(type) == 1) {
      Operation *plain = nullptr;
      if (auto acc = dyn_cast<TileBatchMatmulAccOp>(op)) {
        plain = TileMatmulAccOp::create(builder, op->getLoc(), flattenedTile(type), acc.getAcc(), acc.getLhs(),
                                        acc.getRhs());
      } else {
        plain = TileMatmulOp::create(builder, op->getLoc(), flattenedTile(type), op->getOperand(0), op->getOperand(1));
      }
      plain->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      op->replaceAllUsesWith(plain);
      op->erase();
    } else if (auto matmul = dyn_cast<TileBatchMatmulOp>(op)) {
      BatchUnroller(matmul).run();
    } else {
      bridge::emitDiag(op->getLoc(), diag::NotLowered, "a batched matmul_acc with more than one batch");
    }
  }
}

} // namespace placid::pl
