// SPDX-License-Identifier: Apache-2.0
// BlockNzTensorViews: judge first (analysis/nz_checker.h), then rewrite. Nothing is changed unless everything is
// accepted. Ops keep their identity, attributes and result types; only windows and NZ types change. A type's blocked
// form depends on the type alone, so signatures, calls, loops and declarations are replaced value by value and stay
// consistent.
#include "compiler/dialect/pl/analysis/nz_checker.h"
#include "compiler/dialect/pl/transforms/fold_offsets.h"
#include "compiler/dialect/pl/transforms/passes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {
#define GEN_PASS_DEF_BLOCKNZTENSORVIEWS
#include "compiler/dialect/pl/transforms/passes.h.inc"
} // namespace placid::pl

using namespace mlir;

namespace placid::pl {

namespace {

/// Rewrites the window of one access. The tensor still has its logical type.
class WindowRewriter {
public:
  WindowRewriter(Operation *op, TensorType logical)
      : op_(op), logical_(logical), plane_(*nzPlane(logical)), builder_(op) {}

  SmallVector<OpFoldResult> offsets(ArrayRef<OpFoldResult> offsets) {
    unsigned rank = offsets.size();
    SmallVector<int64_t> extents;
    for (unsigned axis = 0; axis + 2 < rank; ++axis) {
      extents.push_back(logical_.getExtent(axis).value_or(1)); // a dynamic one is the first, which the fold ignores
    }
    OpFoldResult batch = foldOffsets(builder_, op_->getLoc(), offsets.drop_back(2), extents);
    OpFoldResult col = divideWhole(builder_, at(kOffsetsArg, rank - 1), offsets[rank - 1], plane_.c0);
    OpFoldResult row = divideWhole(builder_, at(kOffsetsArg, rank - 2), offsets[rank - 2], kFractalRows);
    return {batch, col, row, builder_.getIndexAttr(0), builder_.getIndexAttr(0)};
  }

  SmallVector<OpFoldResult> extents(ArrayRef<OpFoldResult> sizes, StringRef list) {
    unsigned rank = sizes.size();
    int64_t batch = 1;
    OpFoldResult symbolic;
    for (OpFoldResult size : sizes.drop_back(2)) {
      if (std::optional<int64_t> constant = getConstantIntValue(size)) {
        batch *= *constant;
      } else {
        symbolic = size; // at most one spans; the axes below it are whole
      }
    }
    OpFoldResult folded = builder_.getIndexAttr(batch);
    if (symbolic) {
      folded = foldOffsets(builder_, op_->getLoc(), {symbolic, builder_.getIndexAttr(0)}, {1, batch});
    }
    OpFoldResult col = divideWhole(builder_, at(list, rank - 1), sizes[rank - 1], plane_.c0);
    OpFoldResult row = divideWhole(builder_, at(list, rank - 2), sizes[rank - 2], kFractalRows);
    return {folded, col, row, builder_.getIndexAttr(kFractalRows), builder_.getIndexAttr(plane_.c0)};
  }

private:
  Location at(StringRef list, unsigned index) { return argLoc(op_, list, index).range; }

  Operation *op_;
  TensorType logical_;
  NzPlane plane_;
  OpBuilder builder_;
};

template <class Assign> void assign(ArrayRef<OpFoldResult> list, MutableOperandRange operands, Assign setStatics) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  splitMixedList(list, dynamic, statics);
  operands.assign(dynamic);
  setStatics(statics);
}

SmallVector<int64_t> constants(ArrayRef<OpFoldResult> list) {
  SmallVector<int64_t> out;
  for (OpFoldResult entry : list) {
    out.push_back(*getConstantIntValue(entry));
  }
  return out;
}

/// Argument locations follow their entries: batch, columns, rows.
void reorderLocations(Operation *op, unsigned rank) {
  auto fused = dyn_cast<FusedLoc>(op->getLoc());
  auto lists = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : DictionaryAttr();
  if (!lists) {
    return;
  }
  NamedAttrList out(lists);
  for (StringRef list : {StringRef(kOffsetsArg), StringRef(kSizesArg), StringRef(kValidArg)}) {
    auto entries = lists.getAs<ArrayAttr>(list);
    if (entries && entries.size() == rank) {
      Attribute batch = rank > 2 ? entries[rank - 3] : Attribute(LocationAttr(fused.getLocations().front()));
      out.set(list, ArrayAttr::get(op->getContext(), {batch, entries[rank - 1], entries[rank - 2]}));
    }
  }
  op->setLoc(FusedLoc::get(op->getContext(), fused.getLocations(), out.getDictionary(op->getContext())));
}

void rewrite(TileLoadOp load) {
  TensorType logical = load.getSource().getType();
  MLIRContext *context = load.getContext();
  WindowRewriter window(load, logical);
  auto offsets = window.offsets(mixedList(load.getOffsets(), load.getStaticOffsets(), context));
  auto sizes = window.extents(mixedList({}, load.getSizes(), context), kSizesArg);
  SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), context);
  if (!valid.empty()) {
    valid = window.extents(valid, kValidArg);
    assign(valid, load.getValidMutable(), [&](ArrayRef<int64_t> statics) { load.setStaticValid(statics); });
  }
  assign(offsets, load.getOffsetsMutable(), [&](ArrayRef<int64_t> statics) { load.setStaticOffsets(statics); });
  load.setSizes(constants(sizes));
  reorderLocations(load, logical.getRank());
}

void rewrite(TileStoreOp store) {
  TensorType logical = store.getDest().getType();
  MLIRContext *context = store.getContext();
  WindowRewriter window(store, logical);
  SmallVector<int64_t> partition(logical.getRank() - 2, 1);
  partition.append(store.getTile().getType().getShape().begin(), store.getTile().getType().getShape().end());
  if (store.getSizes()) {
    partition.assign(store.getSizes()->begin(), store.getSizes()->end());
  }
  auto offsets = window.offsets(mixedList(store.getOffsets(), store.getStaticOffsets(), context));
  auto sizes = window.extents(mixedList({}, partition, context), kSizesArg);
  assign(offsets, store.getOffsetsMutable(), [&](ArrayRef<int64_t> statics) { store.setStaticOffsets(statics); });
  store.setSizes(constants(sizes));
  reorderLocations(store, logical.getRank());
}

void rewrite(TensorSliceOp slice) {
  TensorType logical = slice.getSource().getType();
  MLIRContext *context = slice.getContext();
  WindowRewriter window(slice, logical);
  auto offsets = window.offsets(mixedList(slice.getOffsets(), slice.getStaticOffsets(), context));
  auto sizes = window.extents(mixedList(slice.getSizes(), slice.getStaticSizes(), context), kSizesArg);
  assign(offsets, slice.getOffsetsMutable(), [&](ArrayRef<int64_t> statics) { slice.setStaticOffsets(statics); });
  assign(sizes, slice.getSizesMutable(), [&](ArrayRef<int64_t> statics) { slice.setStaticSizes(statics); });
  slice.getValidMutable().clear(); // equal to the window, as checked
  slice.setStaticValid({});
  slice.setDropDims({}); // the fold took every leading axis
  reorderLocations(slice, logical.getRank());
}

/// Extents mean the logical tensor's. Static ones become constants; a dynamic one is the batch, which stays axis 0.
void rewriteDims(func::FuncOp function) {
  function.walk([](DimOp dim) {
    TensorType type = dim.getSource().getType();
    std::optional<int64_t> extent = type.isNz() ? type.getExtent(dim.getAxis()) : std::nullopt;
    if (extent) {
      OpBuilder builder(dim);
      dim.replaceAllUsesWith(arith::ConstantIndexOp::create(builder, dim.getLoc(), *extent).getResult());
      dim.erase();
    }
  });
}

/// Replaces the NZ types of one function; true when there were any.
bool blockTypes(func::FuncOp function) {
  bool any = false;
  auto block = [&](Type type) {
    any |= isNz(type);
    return blockType(type);
  };
  auto set = [&](Value value) { value.setType(block(value.getType())); };
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (isNz(type) && !function.isDeclaration()) {
      auto shape = ArrayAttr::get(function.getContext(), cast<TensorType>(type).getDims());
      function.setArgAttr(index, kLogicalShapeAttr, shape); // what callers allocate
    }
  }
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), set);
    for (Region &region : op->getRegions()) {
      for (Block &inner : region) {
        llvm::for_each(inner.getArguments(), set);
      }
    }
  });
  SmallVector<Type> inputs;
  SmallVector<Type> results;
  llvm::transform(function.getArgumentTypes(), std::back_inserter(inputs), block);
  llvm::transform(function.getResultTypes(), std::back_inserter(results), block);
  function.setType(FunctionType::get(function.getContext(), inputs, results));
  return any;
}

struct BlockNzTensorViews : impl::BlockNzTensorViewsBase<BlockNzTensorViews> {
  explicit BlockNzTensorViews(NzReport *report = nullptr) : report_(report) {}

  void runOnOperation() override {
    NzChecker checker(getOperation(), report_);
    if (failed(checker.run())) {
      signalPassFailure();
      return;
    }
    for (Operation *op : checker.accesses()) {
      llvm::TypeSwitch<Operation *>(op).Case<TileLoadOp, TileStoreOp, TensorSliceOp>(
          [](auto access) { rewrite(access); });
    }
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (function->hasAttr(kNzBlockedAttr)) {
        continue;
      }
      rewriteDims(function);
      if (blockTypes(function)) {
        function->setAttr(kNzBlockedAttr, UnitAttr::get(&getContext()));
      }
    }
  }

private:
  NzReport *report_;
};

} // namespace

std::unique_ptr<Pass> createBlockNzTensorViewsPass(NzReport *report) {
  return std::make_unique<BlockNzTensorViews>(report);
}

} // namespace placid::pl
