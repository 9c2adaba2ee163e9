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

std::string extentsText(ArrayRef<int64_t> shape) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::interleave(shape, stream, " x ");
  return out;
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

Value TileConverter::comparable(OpBuilder &builder, GenericOp generic, Value side, TileType whole) {
  Location loc = generic.getLoc();
  auto tile = dyn_cast<TileType>(side.getType());
  if (!tile) {
    return side;
  }
  if (tile.getDtype() != whole.getDtype()) {
    side = makeTile(builder, loc, "tile.cast", vecTile(tile, whole.getDtype()), {side}, {"tile"})->getResult(0);
    tile = cast<TileType>(side.getType());
  }
  ArrayRef<int64_t> shape = whole.getShape();
  if (tile.getRank() == 2 && tile.getShape() != shape) {
    const bool column = tile.getShape()[1] == 1 && tile.getShape()[0] == shape[0];
    const bool row = tile.getShape()[0] == 1 && tile.getShape()[1] == shape[1];
    if (column || row) {
      SmallVector<int64_t> live(shape);
      live[column ? 0 : 1] = tile.getValidOrShape()[column ? 0 : 1];
      const TileType spread = whole.withShape(shape, live == shape ? ArrayRef<int64_t>() : ArrayRef(live));
      Value target = TileCreateOp::create(builder, loc, spread);
      return makeTile(builder, loc, column ? "tile.row_expand" : "tile.col_expand", spread, {target, side},
                      {"target", column ? "row_vec" : "col_vec"})
          ->getResult(0);
    }
  }
  if (tile.getShape() != shape) {
    notLowered(loc,
               "a comparison of a tile of " + extentsText(tile.getShape()) + " beside one of " + extentsText(shape));
    return {};
  }
  return side;
}

TileType TileConverter::commonPart(GenericOp generic, ArrayRef<Value> sides, TileType whole) {
  SmallVector<int64_t> live(whole.getShape());
  bool open = false;
  for (Value side : sides) {
    auto tile = dyn_cast<TileType>(side.getType());
    ArrayRef<int64_t> extents = tile ? tile.getValidOrShape() : live;
    open |= ShapedType::isDynamic(extents[0]);
    if (ShapedType::isDynamic(extents[1])) {
      notLowered(generic.getLoc(), "a comparison of tiles whose live columns are known at run time only");
      return {};
    }
    live[1] = std::min(live[1], extents[1]);
    live[0] = ShapedType::isDynamic(extents[0]) ? live[0] : std::min(live[0], extents[0]);
  }
  for (Value side : sides) {
    auto tile = dyn_cast<TileType>(side.getType());
    if (open && tile && (!ShapedType::isDynamic(tile.getValidOrShape()[0]) || tile.getValidOrShape()[1] != live[1])) {
      notLowered(generic.getLoc(), "a comparison of tiles of which different parts are live, one of as many rows as a "
                                   "run says,");
      return {};
    }
  }
  live[0] = open ? ShapedType::kDynamic : live[0];
  return whole.withShape(whole.getShape(), ArrayRef(live) == whole.getShape() ? ArrayRef<int64_t>() : ArrayRef(live));
}

bool TileConverter::convertCompare(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  auto tensor = cast<TensorType>(generic->getResult(0).getType());
  std::optional<SmallVector<int64_t>> shape = staticShape(tensor);
  if (!shape || shape->size() != 2 || operands.size() != 2) {
    notLowered(generic.getLoc(), "a comparison of tensors of rank " + std::to_string(tensor.getRank()));
    return true;
  }
  Location loc = generic.getLoc();
  TileType whole = TileType::get(builder.getContext(), *shape, tensor.getDtype(), Mem::Vec);
  SmallVector<Value> sides(operands);
  for (auto [number, side] : llvm::enumerate(sides)) {
    if (auto inMemory = dyn_cast<TensorType>(side.getType())) {
      if (inMemory.isNz()) {
        return false; // BlockNzTensorViews refuses it
      }
      side = loadWhole(builder, side, Mem::Vec, argLoc(generic, kOperandsArg, number).range);
    }
    side = side ? comparable(builder, generic, side, whole) : side;
    if (!side) {
      return true; // said
    }
  }
  // A column lies as a row does, and in rows the bits of the mask are those of many elements.
  const bool column = (*shape)[0] > 1 && (*shape)[1] == 1;
  auto turned = [&](Value tile) -> Value {
    auto type = cast<TileType>(tile.getType());
    return TileReshapeOp::create(
        builder, loc,
        type.withShape({type.getShape()[1], type.getShape()[0]}, SmallVector<int64_t>(llvm::reverse(type.getValid()))),
        tile);
  };
  if (column) {
    whole = whole.withShape({1, (*shape)[0]});
    for (Value &side : sides) {
      side = isa<TileType>(side.getType()) ? turned(side) : side;
    }
  }
  const bool tiles = isa<TileType>(sides[1].getType());
  if (!isa<TileType>(sides[0].getType())) {
    notLowered(loc, "a comparison whose left side is a number");
    return true;
  }
  const TileType result = commonPart(generic, sides, whole);
  if (!result) {
    return true; // said
  }
  for (Value &side : sides) {
    auto tile = dyn_cast<TileType>(side.getType());
    if (!tile || tile.getValidOrShape() == result.getValidOrShape()) {
      continue;
    }
    GenericOp part = makeTile(builder, loc, "tile.set_validshape", vecTile(result, tile.getDtype()), {side}, {"tile"});
    part->setDiscardableAttr("valid_rows", builder.getI64IntegerAttr(result.getValidOrShape()[0]));
    part->setDiscardableAttr("valid_cols", builder.getI64IntegerAttr(result.getValidOrShape()[1]));
    side = part->getResult(0);
  }
  auto arch = function_->getParentOfType<ModuleOp>()->getAttrOfType<StringAttr>(kArchAttr);
  const TileType bits = predicateOf(result, tiles && arch && arch.getValue() == "a5");
  if (!bits) {
    notLowered(loc, "on this chip, a comparison of tensors whose rows are not a multiple of 32 elements");
    return true;
  }
  GenericOp mask = makeTile(builder, loc, tiles ? "tile.cmp" : "tile.cmps", bits, sides, {"lhs", "rhs"});
  if (Attribute kind = generic.getConfig("cmp_type")) {
    mask->setDiscardableAttr("cmp_type", kind);
  }
  auto filled = [&](int64_t value) {
    GenericOp full = makeTile(builder, loc, "tile.full", whole, {}, {});
    full->setDiscardableAttr("value", builder.getI64IntegerAttr(value));
    return full->getResult(0);
  };
  Value one = filled(1);
  Value zero = filled(0);
  GenericOp chosen =
      makeTile(builder, loc, "tile.sel", result, {mask->getResult(0), one, zero}, {"mask", "lhs", "rhs"});
  becomes(generic, column ? turned(chosen->getResult(0)) : chosen->getResult(0));
  return true;
}

} // namespace placid::pl
