// SPDX-License-Identifier: Apache-2.0
// What may happen to an NZ tensor that stays a tensor: leading-axis slices and the whole-tensor flatten; nothing else.
#include "compiler/dialect/pl/analysis/expr_text.h"
#include "compiler/dialect/pl/analysis/nz_checker.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

bool isWhole(OpFoldResult offset, OpFoldResult size, std::optional<int64_t> extent) {
  return getConstantIntValue(offset) == 0 && extent && getConstantIntValue(size) == *extent;
}

/// The op as users call it.
std::string consumerName(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](GenericOp generic) { return ops::shortPath(generic.getRow(), generic.getFormKind()); })
      .Case([](ReadOp) { return std::string("tensor.read"); })
      .Default([](Operation *other) {
        StringRef name = other->getName().getStringRef();
        name.consume_front("pl.");
        return name.str();
      });
}

} // namespace

NzChecker::Slug NzChecker::checkSlice(TensorSliceOp slice, Access &access) {
  MLIRContext *context = slice.getContext();
  SmallVector<OpFoldResult> offsets = mixedList(slice.getOffsets(), slice.getStaticOffsets(), context);
  SmallVector<OpFoldResult> sizes = mixedList(slice.getSizes(), slice.getStaticSizes(), context);
  SmallVector<OpFoldResult> valid = mixedList(slice.getValid(), slice.getStaticValid(), context);
  unsigned rank = offsets.size();
  const std::string &name = access.origin.name;
  access.fact.result = valueName(slice.getResult()).str();
  accesses_.push_back(slice);

  std::string plane = ": the window is not contiguous in NZ order, only leading axes may be narrowed";
  std::string planeHelp = rank > 2
                              ? "slice leading axes only, and take rows and columns inside the core scope"
                              : "declare the stacked axis as a leading axis ([LAYERS, R, C]) instead of stacking rows";
  for (int64_t axis : slice.getDropDims()) {
    if (axis >= static_cast<int64_t>(rank) - 2) {
      auto builder = refuse(access, argLoc(slice, kOffsetsArg, axis).range, diag::NzWindow,
                            "the slice drops axis " + std::to_string(axis) + " of NZ tensor `" + name +
                                "`, which is part of its fractal plane: only leading axes may be dropped");
      builder.help(planeHelp);
      return slugOf(diag::NzWindow);
    }
  }
  for (unsigned axis : {rank - 2, rank - 1}) {
    if (isWhole(offsets[axis], sizes[axis], access.type.getExtent(axis))) {
      continue;
    }
    bool sized = getConstantIntValue(sizes[axis]) != access.type.getExtent(axis);
    ArgLoc at = argLoc(slice, sized ? kSizesArg : kOffsetsArg, axis);
    auto builder =
        refuse(access, at.range, diag::NzWindow,
               std::string("the slice windows the ") + (axis == rank - 2 ? "rows, shape[-2]," : "cols, shape[-1],") +
                   " of NZ tensor `" + name + "`" + plane);
    bindings(builder, at, sized ? sizes[axis] : offsets[axis], nullptr);
    builder.help(planeHelp);
    return slugOf(diag::NzWindow);
  }
  // The fold is one run of batches only if, below the first axis that spans more than one element, every axis is whole.
  std::optional<unsigned> spanning;
  for (unsigned axis = 0; axis + 2 < rank; ++axis) {
    if (spanning && !isWhole(offsets[axis], sizes[axis], access.type.getExtent(axis))) {
      ArgLoc at = argLoc(slice, kSizesArg, axis);
      auto builder = refuse(
          access, at.range, diag::NzWindow,
          "the slice of NZ tensor `" + name + "` narrows shape[" + std::to_string(axis) + "] under shape[" +
              std::to_string(*spanning) + "], which spans " + argText(slice, kSizesArg, *spanning, sizes[*spanning]) +
              ": the batches are not contiguous; only one leading axis may be narrowed, with whole axes below it");
      builder.help("take shape[" + std::to_string(*spanning) + "] one element at a time, or shape[" +
                   std::to_string(axis) + "] whole");
      return slugOf(diag::NzWindow);
    }
    if (!spanning && getConstantIntValue(sizes[axis]) != 1) {
      spanning = axis;
    }
  }
  for (auto [axis, extent] : llvm::enumerate(valid)) {
    bool same = getConstantIntValue(extent) ? getConstantIntValue(extent) == getConstantIntValue(sizes[axis])
                                            : extent == sizes[axis];
    if (!same) {
      ArgLoc at = argLoc(slice, kValidArg, axis);
      auto builder =
          refuse(access, at.range, diag::NzValidShape,
                 "the slice of NZ tensor `" + name + "` has a valid_shape narrower than its window on axis " +
                     std::to_string(axis) + ": a partial NZ tensor has no blocked form");
      bindings(builder, at, extent, nullptr);
      builder.help("give valid_shape to the load");
      return slugOf(diag::NzValidShape);
    }
  }
  if (Slug slug = checkLeadingOffsets(access, offsets); !slug.empty()) {
    return slug;
  }

  int64_t batch = 1;
  std::string symbol;
  for (unsigned axis = 0; axis + 2 < rank; ++axis) {
    if (std::optional<int64_t> size = getConstantIntValue(sizes[axis])) {
      batch *= *size;
    } else {
      symbol = argText(slice, kSizesArg, axis, sizes[axis]);
    }
  }
  NzExpr extent = batch;
  if (!symbol.empty()) {
    std::string factor = isCompound(symbol) ? "(" + symbol + ")" : symbol;
    extent = batch == 1 ? symbol : factor + " * " + std::to_string(batch);
  }
  access.fact.offsets = blockedOffsets(access, offsets);
  access.fact.sizes =
      blockedSizes(access, extent, access.plane.rows / kFractalRows, access.plane.cols / access.plane.c0);
  return {};
}

NzChecker::Slug NzChecker::checkReshape(TensorReshapeOp reshape, Access &access) {
  TensorType result = reshape.getType();
  access.fact.result = valueName(reshape.getResult()).str();
  std::optional<int64_t> total = access.type.hasStaticShape() ? staticProduct(access.type.getDims()) : std::nullopt;
  if (total && result.getRank() == 1 && result.getExtent(0) == total && !result.isNz()) {
    access.fact.sizes = {*total};
    return {};
  }
  std::string flat = total ? std::to_string(*total) : "a static element count";
  auto builder = refuse(access, reshape.getLoc(), diag::NzReshape, access.origin.name, shapeText(access.type.getDims()),
                        shapeText(result.getDims()), flat);
  builder.help("declare the tensor with the shape that is needed, or flatten it whole to [" + flat + "]");
  return slugOf(diag::NzReshape);
}

NzChecker::Slug NzChecker::checkTileReshape(TileReshapeOp reshape, Access &access) {
  access.fact.result = valueName(reshape.getResult()).str();
  StringRef name = valueName(reshape.getSource());
  const std::string tile = name.empty() ? "a tile" : "tile `" + name.str() + "`";
  auto shapeOf = [&](TileType type) { return shapeText(extentAttrs(reshape.getContext(), type.getShape())); };
  // The catalogue's words are about tensors.
  failed_ = true;
  const diag::CatalogRow *row = diag::find(diag::NzReshape.code);
  bridge::DiagBuilder builder(
      reshape.getLoc(), row->code, row->severity,
      tile + " " + shapeOf(reshape.getSource().getType()) + ", loaded from NZ tensor `" + access.origin.name +
          "`, is reshaped to " + shapeOf(reshape.getResult().getType()) +
          ": in Mat its fractals stay, and under other rows and columns they are other elements");
  annotate(builder, access.origin);
  annotatePastes(builder, access.op);
  builder.help("load the rows and columns that are needed, or declare the tensor with the shape that is needed");
  return slugOf(diag::NzReshape);
}

NzChecker::Slug NzChecker::checkConsumer(Operation *op, OpOperand &operand, Access &access) {
  unsigned number = operand.getOperandNumber();
  auto builder = refuse(access, argLoc(op, kOperandsArg, number).range, diag::NzConsumer, consumerName(op),
                        access.origin.name, number + 1);
  const std::string name = consumerName(op);
  if (StringRef(name).contains("transpose")) {
    builder.help("multiply by the transposed operand: `pl.matmul(…, b_trans=True)`, or `pl.tile.transpose_view` of the "
                 "loaded tile");
  } else if (StringRef(name).contains("matmul")) {
    builder.help("load it to Mat first; a whole-tensor flatten gives its bytes as an ND tensor, in NZ order");
  } else {
    builder.help("declare the tensor ND: only the cube unit reads NZ; a whole-tensor flatten gives its bytes as an ND "
                 "tensor, in NZ order");
  }
  return slugOf(diag::NzConsumer);
}

} // namespace placid::pl
