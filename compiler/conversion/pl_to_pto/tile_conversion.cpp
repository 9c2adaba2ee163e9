// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that moves data: windows of GM, loads and stores, tiles from memory to memory, products.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

TileType tileType(Value value) { return cast<TileType>(value.getType()); }

} // namespace

//===-- Windows of GM ---------------------------------------------------------------------------------------------===//

Value KernelConverter::extent(Location loc, OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return kernel_->constantIndex(*constant);
  }
  return indexScalar(loc, cast<Value>(value));
}

Value KernelConverter::offset(Location loc, OpFoldResult value, Value view, unsigned axis) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return kernel_->constantIndex(std::max<int64_t>(0, *constant));
  }
  OpBuilder &builder = kernel_->body();
  Value index = indexScalar(loc, cast<Value>(value));
  auto whole = view.getDefiningOp<pto::MakeTensorViewOp>();
  if (!index || !whole || getConstantIntValue(whole.getStrides()[axis]) != int64_t(1)) {
    return index ? arith::MaxSIOp::create(builder, loc, index, kernel_->constantIndex(0)).getResult() : Value();
  }
  // The assembler adds such an offset to others as it stands, and puts no parentheses around what it writes with `?:`.
  Operation *maker = index.getDefiningOp();
  while (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
      maker)) {
    maker = maker->getOperand(0).getDefiningOp();
  }
  const bool chooses =
      isa_and_nonnull<arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::SelectOp>(maker);
  if (!chooses && prover_.isNonNegative(cast<Value>(value))) {
    return index;
  }
  Value positive =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, index, kernel_->constantIndex(0)).getResult();
  return arith::MulIOp::create(builder, loc, index, convertScalar(builder, loc, positive, builder.getIndexType()));
}

Value KernelConverter::window(Operation *op, Value tensor, ArrayRef<OpFoldResult> offsets, ArrayRef<Value> sizes,
                              StringRef name) {
  auto root = tensors_.find(tensor);
  if (root == tensors_.end()) {
    return {};
  }
  std::string why;
  Value view = kernel_->view(root->second, cast<TensorType>(tensor.getType()), why);
  if (!view) {
    (void)notLowered(op, why);
    return {};
  }
  return windowOf(op, view, cast<TensorType>(tensor.getType()), offsets, sizes, name);
}

Value KernelConverter::windowOf(Operation *op, Value view, TensorType tensor, ArrayRef<OpFoldResult> offsets,
                                ArrayRef<Value> sizes, StringRef name) {
  Location loc = locOf(op);
  SmallVector<Value> begins;
  SmallVector<int64_t> shape;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    std::optional<int64_t> whole = tensor.getExtent(axis);
    std::optional<int64_t> part = size ? getConstantIntValue(size) : std::nullopt;
    if (whole && part && *part > *whole) {
      (void)notLowered(op, "a window of " + Twine(*part) + " along an axis of " + Twine(*whole));
      return {};
    }
    std::optional<int64_t> begin = getConstantIntValue(offsets[axis]);
    if (whole && part && begin && *begin > *whole - *part) {
      (void)notLowered(op, "a window that ends at " + Twine(*begin + *part) + " along an axis of " + Twine(*whole));
      return {};
    }
  }
  for (auto [begin, size] : llvm::zip_equal(offsets, sizes)) {
    begins.push_back(offset(loc, begin, view, begins.size()));
    if (!begins.back() || !size) {
      return {};
    }
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  Type element = cast<pto::TensorViewType>(view.getType()).getElementType();
  auto type = pto::PartitionTensorViewType::get(source_.getContext(), shape, element);
  return pto::PartitionViewOp::create(kernel_->body(), namedLoc(loc, name, "_pview"), type, view, begins, sizes);
}

LogicalResult KernelConverter::checkLoad(TileLoadOp load) {
  TensorType tensor = load.getSource().getType();
  TileType tile = load.getResult().getType();
  if (tensor.getDtype() != tile.getDtype()) {
    return notLowered(load, "a load that converts " + plName(tensor.getDtype()) + " to " + plName(tile.getDtype()));
  }
  if (tile.getMem() != Mem::Mat && tile.getMem() != Mem::Vec) {
    return notLowered(load, "a load to " + plName(tile.getMem()));
  }
  if (tile.getMem() != Mem::Mat || tensor.isNz()) {
    return success();
  }
  if (tensor.getLayout() != Layout::ND) {
    return notLowered(load, "a load of a " + plName(tensor.getLayout()) + " tensor to Mat");
  }
  ArrayRef<int64_t> sizes = load.getSizes();
  if (llvm::any_of(sizes.drop_back(std::min<size_t>(2, sizes.size())), [](int64_t extent) { return extent != 1; })) {
    return notLowered(load, "a load of several planes of an ND tensor to Mat");
  }
  if (sizes.size() >= 2 && sizes[sizes.size() - 2] > target_.nd2nzMaxRows) {
    return notLowered(load, "a load of more than " + Twine(target_.nd2nzMaxRows) + " rows of an ND tensor to Mat");
  }
  return success();
}

LogicalResult KernelConverter::convertLoad(TileLoadOp load) {
  if (failed(checkLoad(load))) {
    return failure();
  }
  noteCore(load.getResult().getType().getMem(), load);
  Value tile = handle(load.getResult());
  if (!tile) {
    return failure();
  }
  Location loc = locOf(load);
  SmallVector<Value> sizes;
  if (load.getStaticValid().empty()) {
    for (int64_t size : load.getSizes()) {
      sizes.push_back(kernel_->constantIndex(size));
    }
  } else {
    for (OpFoldResult size : mixedList(load.getValid(), load.getStaticValid(), source_.getContext())) {
      sizes.push_back(extent(loc, size));
    }
  }
  TensorType source = load.getSource().getType();
  const unsigned rank = source.getRank();
  if (load.getResult().getType().getMem() == Mem::Mat && !source.isNz() && rank >= 2 && isFarApart(source) &&
      load.getSizes()[rank - 2] > 1) {
    return llvm::is_contained(sizes, Value()) ? failure() : convertRows(load, tile, sizes);
  }
  Value view =
      window(load, load.getSource(), mixedList(load.getOffsets(), load.getStaticOffsets(), source_.getContext()), sizes,
             nameOf(load.getResult(), "tile"));
  if (!view) {
    return failure();
  }
  pto::TLoadOp::create(kernel_->body(), loc, view, tile);
  return success();
}

/// What the fixpipe does on the way out of an accumulator, and what it makes of which elements.
LogicalResult KernelConverter::checkFixpipe(TileStoreOp store) {
  TileType tile = store.getTile().getType();
  DType to = store.getDest().getType().getDtype();
  if (store.getPreQuant()) {
    return notLowered(store, "`pre_quant`");
  }
  if (tile.getMem() != Mem::Acc) {
    return store.getPreRelu() || store.getScale() ? notLowered(store, "a scale or relu of a tile that is not in Acc")
                                                  : success();
  }
  const bool a5 = target_.arch == target::Arch::A5;
  const bool real = tile.getDtype() == DType::F32;
  bool known = to == tile.getDtype() || (real ? to == DType::F16 || to == DType::BF16 : to == DType::UI32);
  if (store.getScale()) {
    const bool bytes = to == DType::I8 || to == DType::UI8;
    known = real ? bytes || (a5 && (to == DType::F16 || to == DType::BF16 || to == DType::F32))
                 : bytes || to == DType::F16 || (a5 && to == DType::BF16);
  }
  return known ? success()
               : notLowered(store, "a store of " + plName(tile.getDtype()) + " from Acc as " + plName(to) +
                                       (store.getScale() ? " with a scale" : " without a scale"));
}

LogicalResult KernelConverter::convertStore(TileStoreOp store) {
  TileType tile = store.getTile().getType();
  TensorType dest = store.getDest().getType();
  if (failed(joinTensor(store, store.getResult(), {store.getDest()}))) {
    return failure();
  }
  if (tile.getMem() != Mem::Acc && tile.getMem() != Mem::Vec) {
    return notLowered(store, "a store from " + plName(tile.getMem()));
  }
  if (tile.getMem() == Mem::Acc && dest.getLayout() == Layout::DN) {
    return notLowered(store, "a store from Acc to a DN tensor");
  }
  if (failed(checkFixpipe(store))) {
    return failure();
  }
  pto::StPhaseAttr phase;
  if (std::optional<StringRef> name = store.getStPhase()) {
    std::optional<pto::StPhase> value = pto::symbolizeStPhase(name->lower());
    if (!value) {
      return notLowered(store, "`st_phase` = " + *name);
    }
    phase = pto::StPhaseAttr::get(store.getContext(), *value);
  }
  pto::AtomicTypeAttr atomic;
  if (std::optional<StringRef> name = store.getAtomic(); name && !name->equals_insensitive("none")) {
    if (!name->equals_insensitive("add")) {
      return notLowered(store, "`atomic` = " + *name);
    }
    atomic = pto::AtomicTypeAttr::get(store.getContext(), pto::AtomicType::Add);
  }
  noteCore(tile.getMem(), store);
  Value buffer = handle(store.getTile());
  Value scale = store.getScale();
  const bool row = scale && isa<TileType>(scale.getType());
  Value scales = row ? handle(scale) : Value();
  Value word = scale && !row ? scalar(scale) : Value();
  if (!buffer || (scale && !scales && !word)) {
    return failure();
  }
  Location loc = locOf(store);
  SmallVector<Value> sizes;
  if (std::optional<ArrayRef<int64_t>> given = store.getSizes()) {
    for (int64_t size : *given) {
      sizes.push_back(kernel_->constantIndex(size));
    }
  } else {
    // Leading axes count one; a rank-1 window is the tile's row.
    for (unsigned axis = 0; axis < dest.getRank(); ++axis) {
      const int fromEnd = static_cast<int>(dest.getRank() - axis);
      sizes.push_back(fromEnd > 2 ? kernel_->constantIndex(1) : validOf(store.getTile(), 2 - fromEnd));
    }
  }
  Value view =
      window(store, store.getDest(), mixedList(store.getOffsets(), store.getStaticOffsets(), source_.getContext()),
             sizes, nameOf(store.getTile(), "tile"));
  if (!view) {
    return failure();
  }
  auto relu = store.getPreRelu() ? pto::ReluPreModeAttr::get(store.getContext(), pto::ReluPreMode::NormalRelu)
                                 : pto::ReluPreModeAttr();
  pto::TStoreOp::create(kernel_->body(), loc, buffer, view, scales, word, phase, atomic, relu);
  publish(store, store.getDest(), view);
  return success();
}

//===-- Between tiles ---------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::convertMove(TileMoveOp move) {
  TileType from = move.getSource().getType();
  TileType to = move.getResult().getType();
  const bool a5 = target_.arch == target::Arch::A5;
  const bool table = from.getMem() == Mem::Mat && (to.getMem() == Mem::Bias || to.getMem() == Mem::Scaling);
  const bool scales = from.getMem() == Mem::Mat && from.getDtype() == DType::F8E8M0 &&
                      to.getMem() == (from.getTransposed() ? Mem::RightScale : Mem::LeftScale);
  const bool known = table || scales ||
                     (from.getMem() == Mem::Mat && (to.getMem() == Mem::Left || to.getMem() == Mem::Right)) ||
                     (from.getMem() == Mem::Vec && (to.getMem() == Mem::Vec || (a5 && to.getMem() == Mem::Mat))) ||
                     (from.getMem() == Mem::Acc && (to.getMem() == Mem::Mat || (a5 && to.getMem() == Mem::Vec)));
  if (!known && refused_ && (from.getMem() == Mem::Vec) != (to.getMem() == Mem::Vec)) {
    return failure(); // between the cores of a kernel that could not be split: said
  }
  if (!known) {
    return notLowered(move, "a move from " + plName(from.getMem()) + " to " + plName(to.getMem()) + " on " +
                                StringRef(target_.displayName));
  }
  if (table && !isLine(from)) {
    return notLowered(move, "a move to " + plName(to.getMem()) + " of other than one row");
  }
  const bool widens = to.getMem() == Mem::Bias && to.getDtype() == DType::F32 &&
                      (from.getDtype() == DType::F16 || (from.getDtype() == DType::BF16 && a5));
  if (from.getShape() != to.getShape() || (from.getDtype() != to.getDtype() && from.getMem() != Mem::Acc && !widens)) {
    return notLowered(move, "a move that changes the tile's shape or dtype");
  }
  noteCore(from.getMem(), move);
  noteCore(to.getMem(), move);
  if (from.getMem() == Mem::Vec && to.getMem() == Mem::Vec) {
    return convertVectorMove(move);
  }
  Value source = handle(move.getSource());
  Value result = handle(move.getResult());
  if (!source || !result) {
    return failure();
  }
  pto::TMovOp::create(kernel_->body(), locOf(move), source, result);
  return success();
}

LogicalResult KernelConverter::convertExtract(TileExtractOp extract) {
  TileType from = extract.getSource().getType();
  TileType to = extract.getResult().getType();
  if (from.getMem() == Mem::Vec && to.getMem() == Mem::Vec) {
    return convertWindowCopy(extract);
  }
  if (from.getMem() != Mem::Mat || (to.getMem() != Mem::Left && to.getMem() != Mem::Right)) {
    return notLowered(extract, "an extract from " + plName(from.getMem()) + " to " + plName(to.getMem()));
  }
  noteCore(from.getMem(), extract);
  Location loc = locOf(extract);
  SmallVector<Value> indices;
  for (OpFoldResult index : mixedList(extract.getOffsets(), extract.getStaticOffsets(), source_.getContext())) {
    indices.push_back(this->extent(loc, index));
  }
  Value source = handle(extract.getSource());
  Value result = handle(extract.getResult());
  if (!source || !result || indices.size() != 2 || !indices[0] || !indices[1]) {
    return failure();
  }
  pto::TExtractOp::create(kernel_->body(), loc, source, indices[0], indices[1], result);
  return success();
}

LogicalResult KernelConverter::convertMatmul(Operation *op, Value acc, Value lhs, Value rhs, Value bias) {
  if (tileType(lhs).getMem() != Mem::Left || tileType(rhs).getMem() != Mem::Right ||
      tileType(op->getResult(0)).getMem() != Mem::Acc) {
    return notLowered(op, "a matmul of tiles in " + plName(tileType(lhs).getMem()) + " and " +
                              plName(tileType(rhs).getMem()));
  }
  const int64_t liveLeft = tileType(lhs).getValidOrShape()[1];
  const int64_t liveRight = tileType(rhs).getValidOrShape()[0];
  if (!ShapedType::isDynamic(liveLeft) && !ShapedType::isDynamic(liveRight) && liveLeft != liveRight) {
    return notLowered(op, "a matmul whose operands are live over " + Twine(liveLeft) + " and over " + Twine(liveRight) +
                              " elements of the axis they share");
  }
  noteCore(Mem::Acc, op);
  Value left = handle(lhs);
  Value right = handle(rhs);
  Value result = handle(op->getResult(0));
  if (!left || !right || !result) {
    return failure();
  }
  auto spelling = [](Value tile) {
    std::string out;
    llvm::raw_string_ostream(out) << cast<pto::TileBufType>(tile.getType()).getDtype();
    return out;
  };
  if (!target_.hasMatmul(spelling(left), spelling(right), spelling(result))) {
    return bridge::emitDiag(rangeLoc(op->getLoc()), diag::MatmulDtype,
                            llvm::formatv("{0} has no matmul of {1} and {2} into {3}", target_.displayName,
                                          plName(tileType(lhs).getDtype()), plName(tileType(rhs).getDtype()),
                                          plName(tileType(op->getResult(0)).getDtype()))
                                .str());
  }
  if (acc && handle(acc) != result) {
    return notLowered(op, "an accumulation into a tile of another type");
  }
  Location loc = locOf(op);
  if (bias) {
    // As much of the row as there are columns in use.
    std::optional<View> view = viewOf(bias);
    TileType type = tileType(bias);
    TileType made = tileType(op->getResult(0));
    if (view && made.getValidOrShape()[1] != type.getValidOrShape()[1]) {
      view->type = TileType::get(op->getContext(), type.getShape(), type.getDtype(), type.getMem(),
                                 {1, made.getValidOrShape()[1]}, false);
      view->live[1] = ShapedType::isDynamic(made.getValidOrShape()[1]) ? validOf(op->getResult(0), 1) : Value();
    }
    Value row = view ? handle(bias, *view) : Value();
    if (row) {
      pto::TMatmulBiasOp::create(kernel_->body(), loc, left, right, row, result);
    }
    return success(static_cast<bool>(row));
  }
  if (acc) {
    pto::TMatmulAccOp::create(kernel_->body(), loc, result, left, right, result);
  } else {
    pto::TMatmulOp::create(kernel_->body(), loc, left, right, result);
  }
  return success();
}

/// A product on top of a row of the bias table.
LogicalResult KernelConverter::convertBiased(GenericOp op) {
  Value bias = op.getArgument("bias");
  TileType row = tileType(bias);
  TileType result = tileType(op->getResult(0));
  if (row.getMem() != Mem::Bias || row.getShape()[0] != 1 || row.getShape()[1] != result.getShape()[1] ||
      row.getDtype() != result.getDtype()) {
    return notLowered(op,
                      "a bias that is not one row of " + plName(result.getDtype()) + " in Bias, as wide as the result");
  }
  return convertMatmul(op, {}, op.getArgument("lhs"), op.getArgument("rhs"), bias);
}

} // namespace placid::conversion
