// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that deals with MX products. Scales lie in GM in pairs; the cube unit takes them in
// fractals of 16 rows of one pair. The assembler loads packed scales only, and so each fractal column is loaded as what
// it is as well: lines of 16 halves, of a matrix whose elements are the pairs.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

constexpr int64_t kPair = 2;
constexpr int64_t kScaled = 32; ///< Elements that share a scale.

TileType tileType(Value value) { return cast<TileType>(value.getType()); }

/// Pairs one after the other, whether or not the type spells its strides.
bool isMadeOfPairs(TensorType type) {
  if (type.getRank() != 3 || type.getExtent(2) != kPair || type.getLayout() != Layout::ND) {
    return false;
  }
  ArrayRef<Attribute> strides = type.getStrides();
  auto isOf = [](Attribute stride, int64_t elements) {
    auto known = dyn_cast<IntegerAttr>(stride);
    return known && known.getInt() == elements;
  };
  return strides.empty() || (type.getExtent(1) && isOf(strides[0], *type.getExtent(1) * kPair) &&
                             isOf(strides[1], kPair) && isOf(strides[2], 1));
}

} // namespace

LogicalResult KernelConverter::convertLoadScales(GenericOp op) {
  TileType tile = tileType(op->getResult(0));
  auto tensor = cast<TensorType>(op.getArgument("source").getType());
  SmallVector<OpFoldResult> offsets = op.getList("offsets");
  SmallVector<OpFoldResult> valid = op.getList("valid_shape");
  const bool isRight = tile.getTransposed(); // [scales, lanes], else [lanes, scales]
  if (!planned_) {
    return notLowered(op, "a load of MX scales where the assembler places tiles");
  }
  if (!isMadeOfPairs(tensor) || offsets.size() != 3 || getConstantIntValue(offsets[2]) != 0 || valid.size() != 2) {
    return notLowered(op, "a load of MX scales from a tensor that is not made of pairs");
  }
  const std::optional<int64_t> scales = getConstantIntValue(valid[isRight ? 0 : 1]);
  if (!scales || *scales % kPair != 0) {
    return notLowered(op, "a load of MX scales of which it is not known how many, or of half a pair");
  }
  noteCore(Mem::Mat, op);
  Value whole = handle(op->getResult(0));
  auto alloc = whole ? whole.getDefiningOp<pto::AllocTileOp>() : pto::AllocTileOp();
  std::optional<int64_t> base = alloc ? getConstantIntValue(alloc.getAddr()) : std::nullopt;
  auto root = tensors_.find(op.getArgument("source"));
  if (!base || root == tensors_.end()) {
    return failure();
  }
  // Rows are pairs, columns the lanes that they belong to; where GM has the lanes first, that is DN.
  const bool pairsFirst = op.getFlag("pairs_first");
  SmallVector<Attribute> dims{tensor.getDims()[0], tensor.getDims()[1]};
  if (!pairsFirst) {
    std::swap(dims[0], dims[1]);
  }
  auto pairs = TensorType::get(op.getContext(), dims, DType::I16, pairsFirst ? Layout::ND : Layout::DN);
  std::string why;
  Value view = kernel_->view(root->second, pairs, why);
  if (!view) {
    return notLowered(op, why);
  }
  OpBuilder &builder = kernel_->body();
  Location loc = locOf(op);
  Value first = offset(loc, offsets[pairsFirst ? 0 : 1], view, 0);
  Value lane = offset(loc, offsets[pairsFirst ? 1 : 0], view, 1);
  Value lanes = extent(loc, valid[isRight ? 1 : 0]);
  if (!first || !lane || !lanes) {
    return failure();
  }
  const std::optional<int64_t> knownLanes = getConstantIntValue(lanes);
  const int64_t count = *scales / kPair;
  const int64_t physical = tile.getShape()[isRight ? 0 : 1] / kPair;
  const int64_t columns = tile.getShape()[isRight ? 1 : 0];
  const int64_t bytes = columns * physical * kPair;
  for (int64_t at = 0; at < columns && (!knownLanes || at < *knownLanes); at += kFractalRows) {
    Value start = kernel_->constantIndex(at);
    OpBuilder::InsertionGuard guard(builder);
    if (!knownLanes && at > 0) {
      Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, start, lanes);
      auto branch = scf::IfOp::create(builder, loc, more, /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value each = kernel_->constantIndex(std::min(kFractalRows, knownLanes.value_or(at + kFractalRows) - at));
    if (!knownLanes) {
      Value rest = at > 0 ? arith::SubIOp::create(builder, loc, lanes, start).getResult() : lanes;
      each = arith::MinSIOp::create(builder, loc, rest, each);
    }
    std::optional<int64_t> knownEach = getConstantIntValue(each);
    Value from = at > 0 ? arith::AddIOp::create(builder, loc, lane, start).getResult() : lane;
    Type half = builder.getI16Type();
    auto windowType =
        pto::PartitionTensorViewType::get(op.getContext(), {count, knownEach.value_or(ShapedType::kDynamic)}, half);
    Location named = namedLoc(loc, nameOf(op->getResult(0), "scales"), "_pview");
    Value window = pto::PartitionViewOp::create(builder, named, windowType, view, ValueRange{first, from},
                                                ValueRange{kernel_->constantIndex(count), each});
    auto type = pto::makeTileType([&]() { return source_->emitOpError(); }, target_, pto::Loc::Mat, half,
                                  target::roundUp(count, kFractalRows), kFractalRows, count,
                                  knownEach.value_or(ShapedType::kDynamic), false);
    if (!type) {
      return failure();
    }
    // As the alloc_tile of the whole it stands at the address; what it counts as is the whole.
    const int64_t address = *base + at * physical * kPair;
    auto part = pto::AllocTileOp::create(builder, namedLoc(loc, nameOf(op->getResult(0), "scales"), "_pairs"), type,
                                         kernel_->constant(builder.getI64IntegerAttr(address)), Value(),
                                         knownEach ? Value() : each);
    if (Attribute buffer = alloc->getAttr(kBufferAttr)) {
      part->setAttr(kBufferAttr, buffer);
      part->setAttr(kSpanAttr, builder.getDenseI64ArrayAttr({*base, *base + bytes}));
    }
    pto::TLoadOp::create(builder, loc, window, part);
  }
  return success();
}

LogicalResult KernelConverter::convertMx(GenericOp op) {
  Value lhs = op.getArgument("lhs");
  Value rhs = op.getArgument("rhs");
  Value scales[] = {op.getArgument("lhs_scale"), op.getArgument("rhs_scale")};
  Value result = op->getResult(0);
  Value acc = op.getArgument("acc");
  auto isData = [](Value value) {
    const DType dtype = tileType(value).getDtype();
    return dtype == DType::F8E4M3FN || dtype == DType::F8E5M2;
  };
  if (target_.arch != target::Arch::A5 || tileType(lhs).getMem() != Mem::Left || tileType(rhs).getMem() != Mem::Right ||
      tileType(scales[0]).getMem() != Mem::LeftScale || tileType(scales[1]).getMem() != Mem::RightScale ||
      tileType(result).getMem() != Mem::Acc) {
    return notLowered(op, "an MX product of tiles in these memories on " + StringRef(target_.displayName));
  }
  if (!isData(lhs) || !isData(rhs)) {
    return notLowered(op, "an MX product of " + plName(tileType(lhs).getDtype()) + " and " +
                              plName(tileType(rhs).getDtype()));
  }
  const int64_t inner = tileType(lhs).getValidOrShape()[1];
  if (ShapedType::isDynamic(inner) || inner != tileType(rhs).getValidOrShape()[0]) {
    return notLowered(op, "an MX product whose operands are live over other numbers of elements, or over one that is "
                          "known at run time only");
  }
  noteCore(Mem::Acc, op);
  // As many scales as there are elements in use.
  Value shown[2];
  for (unsigned side : {0u, 1u}) {
    std::optional<View> view = viewOf(scales[side]);
    std::optional<View> data = viewOf(side == 0 ? lhs : rhs);
    if (!view || !data) {
      return failure();
    }
    SmallVector<int64_t> live(data->type.getValidOrShape());
    live[1 - side] = (inner + kScaled - 1) / kScaled;
    TileType type = view->type;
    view->type = TileType::get(op.getContext(), type.getShape(), type.getDtype(), type.getMem(),
                               ArrayRef<int64_t>(live) == type.getShape() ? ArrayRef<int64_t>() : live, false);
    view->live[side] = data->live[side];
    view->live[1 - side] = Value();
    shown[side] = handle(scales[side], *view);
  }
  Value left = handle(lhs);
  Value right = handle(rhs);
  Value made = handle(result);
  if (!left || !right || !made || !shown[0] || !shown[1]) {
    return failure();
  }
  if (acc && handle(acc) != made) {
    return notLowered(op, "an accumulation into a tile of another type");
  }
  if (acc) {
    pto::TMatmulMxAccOp::create(kernel_->body(), locOf(op), made, left, shown[0], right, shown[1], made);
  } else {
    pto::TMatmulMxOp::create(kernel_->body(), locOf(op), left, shown[0], right, shown[1], made);
  }
  return success();
}

} // namespace placid::conversion
