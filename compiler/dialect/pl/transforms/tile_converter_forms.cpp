// SPDX-License-Identifier: Apache-2.0
// The part of TileConverter for operations whose tile form is not the tensor form on other operands: tensors made in
// L1, rows that are gathered into a tile, comparisons, which give an element an element where tiles give a bit.
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/transforms/tile_converter.h"

using namespace mlir;

namespace placid::pl {

namespace {

GenericOp makeTile(OpBuilder &builder, Location loc, StringRef name, TileType type, ArrayRef<Value> operands,
                   ArrayRef<StringRef> names) {
  return GenericOp::create(builder, loc, TypeRange{type}, builder.getStringAttr(name), operands,
                           builder.getStrArrayAttr(names));
}

TileType vecTile(TileType like, DType dtype) {
  return TileType::get(like.getContext(), like.getShape(), dtype, Mem::Vec, like.getValid(), false);
}

/// One bit an element, in rows of whole 32-byte lines. A5 wants a mask of the operands' extents, of whose rows the bits
/// are the beginning; null when those rows are no whole lines.
TileType predicateOf(TileType type, bool isA5) {
  constexpr int64_t kBits = 8;
  constexpr int64_t kLine = 32;
  if (isA5) {
    return type.getShape()[1] % kLine == 0 ? vecTile(type, DType::UI8) : TileType();
  }
  const int64_t bytes = (type.getShape()[1] + kBits - 1) / kBits;
  SmallVector<int64_t> shape{type.getShape()[0], (bytes + kLine - 1) / kLine * kLine};
  SmallVector<int64_t> valid{type.getValidOrShape()[0], (type.getValidOrShape()[1] + kBits - 1) / kBits};
  return TileType::get(type.getContext(), shape, DType::UI8, Mem::Vec, valid, false);
}

} // namespace

bool TileConverter::convertToTileForm(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  if (generic->getNumResults() != 1) {
    return false;
  }
  switch (generic.getRow().tensor->rule) {
  case ops::Rule::CreateL1:
    return convertCreateL1(builder, generic);
  case ops::Rule::GatherRow:
    return convertGatherRow(builder, generic, operands);
  case ops::Rule::Compare:
    return generic.getRow().tensor->parameters.size() == 3 && convertCompare(builder, generic, operands);
  default:
    return false;
  }
}

bool TileConverter::convertCreateL1(OpBuilder &builder, GenericOp generic) {
  auto tensor = cast<TensorType>(generic->getResult(0).getType());
  std::optional<SmallVector<int64_t>> shape = staticShape(tensor);
  if (!shape || generic.getFlag("transpose")) {
    return false; // the conversion names it
  }
  auto tile = TileCreateOp::create(builder, generic.getLoc(),
                                   TileType::get(builder.getContext(), *shape, tensor.getDtype(), Mem::Mat));
  if (Attribute name = generic->getAttr(kResultNameAttr)) {
    tile->setAttr(kResultNameAttr, name);
  }
  becomes(generic, tile);
  return true;
}

bool TileConverter::convertGatherRow(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  auto target = dyn_cast<TileType>(operands[0].getType());
  if (!target || !isa<TensorType>(operands[1].getType())) {
    return false;
  }
  SmallVector<StringRef> names;
  for (StringAttr name : generic.getOperandNames().getAsRange<StringAttr>()) {
    names.push_back(name.getValue() == "acc" ? StringRef("dst") : name.getValue());
  }
  GenericOp tile = makeTile(builder, generic.getLoc(), "tile.gather_row", target, operands, names);
  tile->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  becomes(generic, tile->getResult(0));
  return true;
}

bool TileConverter::convertCompare(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  auto tensor = cast<TensorType>(generic->getResult(0).getType());
  std::optional<SmallVector<int64_t>> shape = staticShape(tensor);
  if (!shape || shape->size() != 2 || operands.size() != 2) {
    return false;
  }
  Location loc = generic.getLoc();
  SmallVector<Value> sides(operands);
  for (auto [number, side] : llvm::enumerate(sides)) {
    if (auto inMemory = dyn_cast<TensorType>(side.getType())) {
      if (inMemory.isNz()) {
        return false; // BlockNzTensorViews refuses it
      }
      side = loadWhole(builder, side, Mem::Vec, argLoc(generic, kOperandsArg, number).range);
      if (!side) {
        return true; // said
      }
    }
    auto tile = dyn_cast<TileType>(side.getType());
    if (tile && tile.getShape() != ArrayRef(*shape)) {
      return false;
    }
    if (tile && ShapedType::isDynamic(tile.getValidOrShape()[1])) {
      return false; // how many bytes of bits are live is not known
    }
    if (tile && tile.getDtype() != tensor.getDtype()) {
      side = makeTile(builder, loc, "tile.cast", vecTile(tile, tensor.getDtype()), {side}, {"tile"})->getResult(0);
    }
  }
  auto left = dyn_cast<TileType>(sides[0].getType());
  auto right = dyn_cast<TileType>(sides[1].getType());
  if (!left || (right && right.getValidOrShape() != left.getValidOrShape())) {
    return false;
  }
  const TileType result = vecTile(left, tensor.getDtype());
  auto arch = function_->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(kArchAttr);
  const TileType bits = predicateOf(left, right && arch && arch.getValue() == "a5");
  if (!bits) {
    notLowered(loc, "on this chip, a comparison of tensors whose rows are not a multiple of 32 elements");
    return true;
  }
  GenericOp mask = makeTile(builder, loc, right ? "tile.cmp" : "tile.cmps", bits, sides, {"lhs", "rhs"});
  if (Attribute kind = generic.getConfig("cmp_type")) {
    mask->setDiscardableAttr("cmp_type", kind);
  }
  auto filled = [&](int64_t value) {
    GenericOp full = makeTile(builder, loc, "tile.full", vecTile(result.withShape(*shape), tensor.getDtype()), {}, {});
    full->setDiscardableAttr("value", builder.getI64IntegerAttr(value));
    return full->getResult(0);
  };
  Value one = filled(1);
  Value zero = filled(0);
  GenericOp chosen =
      makeTile(builder, loc, "tile.sel", result, {mask->getResult(0), one, zero}, {"mask", "lhs", "rhs"});
  becomes(generic, chosen->getResult(0));
  return true;
}

} // namespace placid::pl
