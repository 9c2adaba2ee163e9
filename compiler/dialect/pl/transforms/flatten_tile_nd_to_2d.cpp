// SPDX-License-Identifier: Apache-2.0
// FlattenTileNdTo2D: partition shapes for stores, batched matmuls unrolled, then every tile type replaced by its 2-D
// form at once (the form is a function of the type alone, so loops and branches stay consistent), then what became an
// identity folded, and last the 2-D views that ND to NZ conversion needs.
#include "compiler/dialect/pl/analysis/nz_layout.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/transforms/fold_offsets.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/dialect/pl/transforms/unroll_batch_matmul.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {
#define GEN_PASS_DEF_FLATTENTILENDTO2D
#include "compiler/dialect/pl/transforms/passes.h.inc"
} // namespace placid::pl

using namespace mlir;

namespace placid::pl {

namespace {

/// Saturates: an absurd shape is refused where capacities are known, not here.
int64_t product(ArrayRef<int64_t> extents) {
  int64_t out = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(out) || ShapedType::isDynamic(extent)) {
      return ShapedType::kDynamic;
    }
    if (llvm::MulOverflow(out, extent, out)) {
      return INT64_MAX;
    }
  }
  return out;
}

} // namespace

TileType flattenedTile(TileType type) {
  if (type.getRank() == 2 || type.getRank() == 0) {
    return type;
  }
  auto two = [](ArrayRef<int64_t> extents) -> SmallVector<int64_t> {
    return {product(extents.drop_back()), extents.back()};
  };
  SmallVector<int64_t> shape = two(type.getShape());
  SmallVector<int64_t> valid = two(type.getValidOrShape());
  return TileType::get(type.getContext(), shape, type.getDtype(), type.getMem(),
                       ArrayRef(valid) == ArrayRef(shape) ? ArrayRef<int64_t>() : ArrayRef(valid),
                       type.getTransposed());
}

namespace {

Type flattened(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile ? Type(flattenedTile(tile)) : type;
}

/// The partition of a store in the destination's rank; nothing where the tile's own extents say it already.
void setPartition(TileStoreOp store) {
  TileType tile = store.getTile().getType();
  unsigned rank = store.getDest().getType().getRank();
  SmallVector<int64_t> extents(tile.getValidOrShape());
  if (store.getSizes() || (rank == 2 && extents.size() == 2) || llvm::is_contained(extents, ShapedType::kDynamic)) {
    return;
  }
  while (extents.size() > rank && extents.front() == 1) {
    extents.erase(extents.begin());
  }
  if (extents.size() > rank) {
    bridge::emitDiag(store.getLoc(), diag::NotLowered, "a store of a tile of higher rank than its tensor");
    return;
  }
  extents.insert(extents.begin(), rank - extents.size(), 1);
  store.setSizes(extents);
}

/// How many rows of the flat window hold data. Nothing where the valid part of the window is not its first rows: the
/// last axes must be whole from the first one on that is not 1, else rows without data lie between rows with data.
std::optional<OpFoldResult> flatValidRows(OpBuilder &builder, TileLoadOp load) {
  SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), builder.getContext());
  ArrayRef<int64_t> sizes = load.getSizes();
  const size_t rows = sizes.size() - 2;
  size_t first = 0;
  while (first < rows && isConstantIntValue(valid[first], 1)) {
    ++first;
  }
  SmallVector<OpFoldResult> digits{valid[first]};
  for (size_t axis = first + 1; axis <= rows; ++axis) {
    if (!isConstantIntValue(valid[axis], sizes[axis])) {
      return std::nullopt;
    }
    digits.push_back(builder.getIndexAttr(0));
  }
  return foldOffsets(builder, load.getLoc(), digits, sizes.slice(first, digits.size()));
}

/// Reads an ND tensor of rank above 2 through a 2-D view of it: the conversion to NZ on the way to Mat knows rows and
/// columns only. A tensor with a dynamic extent keeps its shape.
void collapseMatLoad(TileLoadOp load) {
  TensorType source = load.getSource().getType();
  unsigned rank = source.getRank();
  if (source.getLayout() != Layout::ND || rank <= 2 || load.getType().getMem() != Mem::Mat ||
      !source.hasStaticShape() || !staticProduct(source.getDims()) || llvm::is_contained(load.getSizes(), 0)) {
    return;
  }
  ArrayRef<int64_t> sizes = load.getSizes();
  bool spans = false;
  int64_t allRows = 1;
  int64_t rows = 1;
  for (unsigned axis = 0; axis + 1 < rank; ++axis) {
    bool whole = sizes[axis] == *source.getExtent(axis);
    if (spans && !whole) {
      bridge::emitDiag(load.getLoc(), diag::NotLowered, "a load to Mat of a window that is not one run of rows");
      return;
    }
    spans = spans || sizes[axis] != 1;
    allRows *= *source.getExtent(axis);
    rows *= sizes[axis];
  }
  OpBuilder builder(load);
  MLIRContext *context = builder.getContext();
  std::optional<OpFoldResult> validRows;
  if (!load.getStaticValid().empty()) {
    validRows = flatValidRows(builder, load);
    if (!validRows) {
      bridge::emitDiag(load.getLoc(), diag::NotLowered,
                       "a load to Mat of several planes whose valid rows are not one run of rows");
      return;
    }
  }
  auto viewType = TensorType::get(context, {allRows, *source.getExtent(rank - 1)}, source.getDtype());
  Value view = TensorReshapeOp::create(builder, load.getLoc(), viewType, load.getSource());
  SmallVector<OpFoldResult> offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), context);
  SmallVector<int64_t> extents;
  for (unsigned axis = 0; axis + 1 < rank; ++axis) {
    extents.push_back(*source.getExtent(axis));
  }
  OpFoldResult row = foldOffsets(builder, load.getLoc(), ArrayRef(offsets).drop_back(), extents);
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  splitMixedList({row, offsets.back()}, dynamic, statics);
  load.getOffsetsMutable().assign(dynamic);
  load.setStaticOffsets(statics);
  load.setSizes({rows, sizes.back()});
  if (validRows) {
    SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), context);
    SmallVector<Value> dynamicValid;
    SmallVector<int64_t> staticValid;
    splitMixedList({*validRows, valid[rank - 1]}, dynamicValid, staticValid);
    load.getValidMutable().assign(dynamicValid);
    load.setStaticValid(staticValid);
  }
  load.getSourceMutable().assign(view);
}

struct FlattenTileNdTo2D : impl::FlattenTileNdTo2DBase<FlattenTileNdTo2D> {
  void runOnOperation() override {
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isDeclaration()) {
        flatten(function);
      }
    }
  }

  static void flatten(func::FuncOp function) {
    function.walk([](TileStoreOp store) { setPartition(store); });
    unrollBatchMatmuls(function);
    flattenTypes(function);
    function.walk([](TileReshapeOp reshape) {
      if (reshape.getSource().getType() == reshape.getType()) {
        Operation *source = reshape.getSource().getDefiningOp();
        if (source && !source->hasAttr(kResultNameAttr) && reshape->hasAttr(kResultNameAttr)) {
          source->setAttr(kResultNameAttr, reshape->getAttr(kResultNameAttr));
        }
        reshape.replaceAllUsesWith(reshape.getSource());
        reshape.erase();
      }
    });
    function.walk([](TileLoadOp load) { collapseMatLoad(load); });
  }

  static void flattenTypes(func::FuncOp function) {
    auto set = [](Value value) { value.setType(flattened(value.getType())); };
    function.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), set);
      for (Region &region : op->getRegions()) {
        for (Block &block : region) {
          llvm::for_each(block.getArguments(), set);
        }
      }
    });
    SmallVector<Type> inputs;
    SmallVector<Type> results;
    llvm::transform(function.getArgumentTypes(), std::back_inserter(inputs), flattened);
    llvm::transform(function.getResultTypes(), std::back_inserter(results), flattened);
    function.setType(FunctionType::get(function.getContext(), inputs, results));
  }
};

} // namespace

} // namespace placid::pl
