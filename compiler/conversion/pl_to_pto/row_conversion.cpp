// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that loads into windows of tiles: rows that a program gathers one by one, and loads to
// Mat whose rows are too far apart for the field of the instruction that says how far. In Mat a row begins at a line of
// its fractal, so a window may begin at any row that is not a constant; the assembler refuses constants in between.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

bool KernelConverter::isFarApart(TensorType tensor) const {
  std::optional<int64_t> stride = tensor.getExtent(tensor.getRank() - 1);
  return stride && *stride > target_.nd2nzMaxStride;
}

bool KernelConverter::checkRowWindow(Operation *op, TileType tile, ArrayRef<OpFoldResult> begin,
                                     ArrayRef<int64_t> extents) {
  const int64_t line = *c0Elements(tile.getDtype());
  const bool boxed = tile.getMem() == Mem::Mat;
  const std::optional<int64_t> row = getConstantIntValue(begin[0]);
  const std::optional<int64_t> column = getConstantIntValue(begin[1]);
  for (unsigned axis : {0u, 1u}) {
    const std::optional<int64_t> first = axis == 0 ? row : column;
    if (first && (*first < 0 || *first + extents[axis] > tile.getShape()[axis])) {
      (void)notLowered(op, "a window that leaves the tile");
      return false;
    }
  }
  if (boxed && row && *row % kFractalRows != 0) {
    (void)notLowered(op, "a window of a Mat tile that begins at the constant row " + Twine(*row) +
                             ", which is not a multiple of " + Twine(kFractalRows) + ",");
    return false;
  }
  const bool whole = column == int64_t(0) && extents[1] == tile.getShape()[1];
  if (!whole && (column ? *column % line != 0 : !prover_.isMultiple(cast<Value>(begin[1]), line))) {
    (void)notLowered(op, "a window of a tile that does not provably begin at a multiple of " + Twine(line) +
                             " columns (32 bytes)");
    return false;
  }
  if (extents[1] % line != 0 && !(whole && !boxed)) {
    (void)notLowered(op,
                     "a window of a tile of " + Twine(extents[1]) + " columns, which are not whole 32-byte blocks,");
    return false;
  }
  if (!boxed && !whole && extents[0] > 1) {
    (void)notLowered(op, "a window of several rows that leaves out a part of each");
    return false;
  }
  return true;
}

Value KernelConverter::rowWindow(Operation *op, Value tile, Value row, Value column, ArrayRef<int64_t> extents,
                                 ArrayRef<Value> live) {
  auto whole = cast<pto::TileBufType>(tile.getType());
  const bool boxed = whole.getLoc() == pto::Loc::Mat;
  const int64_t sizes[] = {boxed ? target::roundUp(extents[0], kFractalRows) : extents[0], extents[1]};
  auto type = pto::makeTileType([&]() { return source_->emitOpError(); }, target_, whole.getLoc(), whole.getDtype(),
                                sizes[0], sizes[1], getConstantIntValue(live[0]).value_or(ShapedType::kDynamic),
                                getConstantIntValue(live[1]).value_or(ShapedType::kDynamic), false);
  return type ? pto::SubviewOp::create(kernel_->body(), namedLoc(locOf(op), "row", "_window"), type, tile,
                                       ValueRange{row, column}, sizes, live)
                    .getResult()
              : Value();
}

LogicalResult KernelConverter::convertRows(TileLoadOp load, Value tile, ArrayRef<Value> sizes) {
  TileType type = load.getResult().getType();
  TensorType tensor = load.getSource().getType();
  Location loc = locOf(load);
  OpBuilder &builder = kernel_->body();
  const unsigned rows = tensor.getRank() - 2;
  const int64_t extents[] = {1, type.getShape()[1]};
  if (extents[1] % *c0Elements(type.getDtype()) != 0) {
    return notLowered(load, "a load to Mat of rows that are more than " + Twine(target_.nd2nzMaxStride) +
                                " elements apart and are not whole 32-byte blocks");
  }
  std::string why;
  auto root = tensors_.find(load.getSource());
  Value view = root == tensors_.end() ? Value() : kernel_->view(root->second, tensor, why);
  if (!view) {
    return why.empty() ? failure() : notLowered(load, why);
  }
  SmallVector<Value> begins;
  SmallVector<int64_t> shape;
  SmallVector<Value> one(sizes);
  one[rows] = kernel_->constantIndex(1);
  for (auto [begin, size] :
       llvm::zip_equal(mixedList(load.getOffsets(), load.getStaticOffsets(), source_.getContext()), one)) {
    begins.push_back(offset(loc, begin, view, begins.size()));
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (!begins.back()) {
      return failure();
    }
  }
  Value zero = kernel_->constantIndex(0);
  auto loop = scf::ForOp::create(builder, loc, zero, sizes[rows], kernel_->constantIndex(1));
  Value row = loop.getInductionVar();
  row.setLoc(namedLoc(loc, "row", ""));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value window = rowWindow(load, tile, row, zero, extents, ArrayRef(one).take_back(2));
  if (!window) {
    return failure();
  }
  begins[rows] = arith::AddIOp::create(builder, loc, begins[rows], row);
  Type element = cast<pto::TensorViewType>(view.getType()).getElementType();
  auto part = pto::PartitionTensorViewType::get(source_.getContext(), shape, element);
  Location at = namedLoc(loc, nameOf(load.getResult(), "tile"), "_pview");
  Value line = pto::PartitionViewOp::create(builder, at, part, view, begins, one);
  pto::TLoadOp::create(builder, loc, line, window);
  return success();
}

LogicalResult KernelConverter::convertGatherRow(GenericOp op) {
  Value target = op.getArgument("dst");
  Value source = op.getArgument("src");
  auto tile = target ? dyn_cast<TileType>(target.getType()) : TileType();
  auto tensor = source ? dyn_cast<TensorType>(source.getType()) : TensorType();
  SmallVector<OpFoldResult> begin = op.getList("dst_offset");
  SmallVector<OpFoldResult> from = op.getList("src_offset");
  SmallVector<OpFoldResult> shape = op.getList("shapes");
  SmallVector<OpFoldResult> live = op.getList("valid_shape");
  if (!tile || !tensor || tensor.isNz() || (tile.getMem() != Mem::Mat && tile.getMem() != Mem::Vec) ||
      tile.getRank() != 2 || tile.getShape()[1] == 1 || tile.getTransposed() || tensor.getLayout() != Layout::ND) {
    return notLowered(op, "`pl.gather_row` of these operands");
  }
  if (op.getFlag("transpose")) {
    return notLowered(op, "`pl.gather_row` with `transpose`");
  }
  if (begin.size() != 2 || shape.size() != 2 || from.size() != tensor.getRank() || from.size() < 2 ||
      (!live.empty() && live.size() != 2)) {
    return notLowered(op, "`pl.gather_row` of other than rows and columns");
  }
  int64_t extents[2];
  for (unsigned axis : {0u, 1u}) {
    std::optional<int64_t> size = getConstantIntValue(shape[axis]);
    if (!size || *size < 1) {
      return notLowered(op, "`pl.gather_row` of a window whose extents are not constants");
    }
    extents[axis] = *size;
  }
  if (extents[0] > 1 && tile.getMem() == Mem::Mat && isFarApart(tensor)) {
    return notLowered(op, "`pl.gather_row` of several rows that are more than " + Twine(target_.nd2nzMaxStride) +
                              " elements apart");
  }
  if (!checkRowWindow(op, tile, begin, extents)) {
    return failure();
  }
  noteCore(tile.getMem(), op);
  Location loc = locOf(op);
  Value buffer = handle(op->getResult(0));
  Value row = buffer ? extent(loc, begin[0]) : Value();
  Value column = row ? extent(loc, begin[1]) : Value();
  if (!column) {
    return failure();
  }
  SmallVector<Value> sizes(tensor.getRank(), kernel_->constantIndex(1));
  for (unsigned axis : {0u, 1u}) {
    sizes[tensor.getRank() - 2 + axis] = live.empty() ? kernel_->constantIndex(extents[axis]) : extent(loc, live[axis]);
  }
  if (llvm::is_contained(sizes, Value())) {
    return failure();
  }
  Value into = rowWindow(op, buffer, row, column, extents, ArrayRef(sizes).take_back(2));
  Value view = into ? window(op, source, from, sizes, nameOf(op->getResult(0), "tile")) : Value();
  if (!view) {
    return failure();
  }
  pto::TLoadOp::create(kernel_->body(), loc, view, into);
  return success();
}

} // namespace placid::conversion
