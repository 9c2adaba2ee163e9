// SPDX-License-Identifier: Apache-2.0
// The part of TileConverter that deals with compute: products, windows that are written, operations of the table.
#include "compiler/dialect/pl/analysis/tile_demand.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/dialect/pl/transforms/tile_converter.h"

using namespace mlir;

namespace placid::pl {

namespace {

DType accumulatorDtype(DType operand) { return isFloat(operand) ? DType::F32 : DType::I32; }

TileType swapped(TileType type) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> valid(type.getValidOrShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  std::swap(valid[valid.size() - 1], valid[valid.size() - 2]);
  return TileType::get(type.getContext(), shape, type.getDtype(), type.getMem(),
                       ArrayRef(valid) == ArrayRef(shape) ? ArrayRef<int64_t>() : ArrayRef(valid),
                       !type.getTransposed());
}

/// True for rows whose two forms take the same operands in the same order.
bool hasParallelForms(const ops::OpRow &row) {
  switch (row.tensor ? row.tensor->rule : ops::Rule::None) {
  case ops::Rule::FillPad:
  case ops::Rule::SetValidShape:
  case ops::Rule::Concat:
  case ops::Rule::Transpose:
  case ops::Rule::Sort32:
  case ops::Rule::MrgSort:
    return row.tile != nullptr;
  case ops::Rule::Compare: // one element an element; on tiles one bit
    return false;
  default:
    break;
  }
  switch (row.category) {
  case ops::Category::Elementwise:
  case ops::Category::ScalarOperand:
  case ops::Category::Bitwise:
  case ops::Category::Unary:
  case ops::Category::Reduction:
  case ops::Category::Expand:
    return row.tensor && row.tile;
  default:
    return false;
  }
}

/// The tile type of a tensor result. Along each axis the live part is that of an operand of the same length. Null
/// when the shape is dynamic.
TileType tileResult(GenericOp generic, ValueRange operands) {
  Type type = generic->getResult(0).getType();
  auto tensor = dyn_cast<TensorType>(type);
  std::optional<SmallVector<int64_t>> shape = tensor ? staticShape(tensor) : std::nullopt;
  if (!shape) {
    return {};
  }
  SmallVector<int64_t> valid(*shape);
  const ops::Rule rule = generic.getRow().tensor->rule;
  if (rule == ops::Rule::SetValidShape && shape->size() == 2) {
    for (unsigned axis : {0u, 1u}) {
      auto constant = dyn_cast_or_null<IntegerAttr>(generic.getConfig(axis == 0 ? "valid_rows" : "valid_cols"));
      valid[axis] = constant ? constant.getInt() : ShapedType::kDynamic;
    }
  } else if (rule == ops::Rule::Transpose) {
    auto source = dyn_cast<TileType>(operands[0].getType());
    auto first = dyn_cast_or_null<IntegerAttr>(generic.getConfig("axis1"));
    auto second = dyn_cast_or_null<IntegerAttr>(generic.getConfig("axis2"));
    if (source && source.getRank() == shape->size() && first && second) {
      auto at = [&](int64_t axis) { return axis < 0 ? axis + static_cast<int64_t>(shape->size()) : axis; };
      valid = SmallVector<int64_t>(source.getValidOrShape());
      std::swap(valid[at(first.getInt())], valid[at(second.getInt())]);
    }
  } else if (rule != ops::Rule::FillPad && rule != ops::Rule::Concat) {
    for (unsigned axis = 0; axis < shape->size(); ++axis) {
      for (Value operand : operands) {
        auto tile = dyn_cast<TileType>(operand.getType());
        if (tile && tile.getRank() == shape->size() && tile.getShape()[axis] == (*shape)[axis]) {
          valid[axis] = tile.getValidOrShape()[axis];
          break;
        }
      }
    }
  }
  // Which part is live is said of a tile where it is, also of an accumulator.
  auto viewed = rule == ops::Rule::SetValidShape ? dyn_cast<TileType>(operands[0].getType()) : TileType();
  return TileType::get(type.getContext(), *shape, tensor.getDtype(), viewed ? viewed.getMem() : Mem::Vec,
                       ArrayRef(valid) == ArrayRef(*shape) ? ArrayRef<int64_t>() : ArrayRef(valid),
                       viewed && viewed.getTransposed());
}

GenericOp makeTile(OpBuilder &builder, Location loc, StringRef name, TileType type, ArrayRef<Value> operands,
                   ArrayRef<StringRef> names) {
  return GenericOp::create(builder, loc, TypeRange{type}, builder.getStringAttr(name), operands,
                           builder.getStrArrayAttr(names));
}

} // namespace

//===-- Products and windows --------------------------------------------------------------------------------------===//

Value TileConverter::matmulOperand(OpBuilder &builder, Operation *op, unsigned number, bool transposed) {
  Value tensor = op->getOperand(number);
  Value tile = tileOf(tensor);
  if (!tile) {
    tile = loadWhole(builder, tensor, Mem::Mat, argLoc(op, kOperandsArg, number).range);
  }
  if (!tile || !transposed) {
    return tile;
  }
  auto type = cast<TileType>(tile.getType());
  if (type.getMem() == Mem::Vec) {
    type = type.withMem(Mem::Mat);
    tile = TileMoveOp::create(builder, op->getLoc(), type, tile);
  }
  return TileTransposeViewOp::create(builder, op->getLoc(), swapped(type), tile);
}

bool TileConverter::isOnlyStored(Value product) const {
  return llvm::all_of(product.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto assemble = dyn_cast<TensorAssembleOp>(user)) {
      Value target = operand(assemble, 0);
      return use.getOperandNumber() == 1 && !isOnChip(target) && !target.getDefiningOp<TensorCreateOp>();
    }
    if (isa<TensorSliceOp, TensorReshapeOp>(user)) {
      return isOnlyStored(user->getResult(0));
    }
    return isa<func::ReturnOp>(user);
  });
}

GenericOp TileConverter::roundProduct(TensorMatmulOp matmul, DType accumulated) {
  TensorType type = matmul.getType();
  OpBuilder builder(matmul.getContext());
  builder.setInsertionPointAfter(matmul);
  auto rounded = GenericOp::create(builder, matmul.getLoc(), TypeRange{type}, builder.getStringAttr("tensor.cast"),
                                   ValueRange{matmul.getResult()}, builder.getStrArrayAttr({"input"}));
  rounded->setDiscardableAttr("target_type", builder.getStringAttr(stringifyDType(type.getDtype())));
  rounded->setDiscardableAttr("mode", builder.getStringAttr("rint"));
  if (Attribute name = matmul->getDiscardableAttr(kResultNameAttr)) {
    rounded->setDiscardableAttr(kResultNameAttr, name);
  }
  matmul.getResult().replaceAllUsesExcept(rounded->getResult(0), rounded);
  matmul.getResult().setType(TensorType::get(type.getContext(), type.getDims(), accumulated));
  return rounded;
}

void TileConverter::convertMatmul(OpBuilder &builder, TensorMatmulOp matmul) {
  Value lhs = matmulOperand(builder, matmul, 0, matmul.getATrans());
  Value rhs = matmulOperand(builder, matmul, 1, matmul.getBTrans());
  std::optional<SmallVector<int64_t>> shape = staticShape(matmul.getType());
  if (!lhs || !rhs || !shape) {
    return;
  }
  auto lhsType = cast<TileType>(lhs.getType());
  auto rhsType = cast<TileType>(rhs.getType());
  const DType accumulated = accumulatorDtype(lhsType.getDtype());
  GenericOp rounded;
  if (matmul.getType().getDtype() != accumulated && !isOnlyStored(matmul.getResult())) {
    rounded = roundProduct(matmul, accumulated);
  }
  SmallVector<int64_t> valid(*shape);
  unsigned rank = shape->size();
  valid[rank - 2] = lhsType.getValidOrShape()[lhsType.getRank() - 2];
  valid[rank - 1] = rhsType.getValidOrShape()[rhsType.getRank() - 1];
  auto type = TileType::get(builder.getContext(), *shape, accumulated, Mem::Acc,
                            ArrayRef(valid) == ArrayRef(*shape) ? ArrayRef<int64_t>() : ArrayRef(valid), false);
  Operation *tile = rank == 2 ? TileMatmulOp::create(builder, matmul.getLoc(), type, lhs, rhs).getOperation()
                              : TileBatchMatmulOp::create(builder, matmul.getLoc(), type, lhs, rhs).getOperation();
  tile->setDiscardableAttrs(matmul->getDiscardableAttrDictionary());
  becomes(matmul, tile->getResult(0));
  if (rounded) {
    builder.setInsertionPoint(rounded);
    convertGeneric(builder, rounded);
  }
}

void TileConverter::convertMatmulAcc(OpBuilder &builder, TensorMatmulAccOp matmul) {
  Value acc = tileOf(operand(matmul, 0));
  if (!acc) {
    notLowered(matmul.getLoc(), "a matmul_acc into a tensor in GM");
    return;
  }
  Value lhs = matmulOperand(builder, matmul, 1, matmul.getATrans());
  Value rhs = matmulOperand(builder, matmul, 2, matmul.getBTrans());
  if (!lhs || !rhs) {
    return;
  }
  auto type = cast<TileType>(acc.getType());
  Operation *tile = type.getRank() == 2
                        ? TileMatmulAccOp::create(builder, matmul.getLoc(), type, acc, lhs, rhs).getOperation()
                        : TileBatchMatmulAccOp::create(builder, matmul.getLoc(), type, acc, lhs, rhs).getOperation();
  tile->setDiscardableAttrs(matmul->getDiscardableAttrDictionary());
  becomes(matmul, tile->getResult(0));
}

/// Whether the axes of the target that the source lacks are its first ones, where extents of 1 go without saying.
static bool lacksLeadingAxes(ArrayRef<int64_t> covered, unsigned sourceRank) {
  return llvm::all_of(covered.drop_back(std::min<size_t>(covered.size(), sourceRank)),
                      [](int64_t extent) { return extent == 1; });
}

/// The partition of a store that leaves out an axis between others; nullopt where no run of rows is one.
static std::optional<DenseI64ArrayAttr> partitionOf(DenseI64ArrayAttr covered, TileType tile) {
  auto plane = [](ArrayRef<int64_t> shape) {
    int64_t rows = 1;
    for (int64_t extent : shape.drop_back()) {
      rows *= extent;
    }
    return std::pair(rows, shape.back());
  };
  const bool known = tile.getValid().empty() && !llvm::is_contained(covered.asArrayRef(), ShapedType::kDynamic);
  return known && plane(covered.asArrayRef()) == plane(tile.getShape()) ? std::optional(covered) : std::nullopt;
}

void TileConverter::convertAssemble(OpBuilder &builder, TensorAssembleOp assemble) {
  Value source = tileOf(operand(assemble, 1));
  auto covered = assemble->getAttrOfType<DenseI64ArrayAttr>(kCoveredAttr);
  if (covered && lacksLeadingAxes(covered.asArrayRef(), cast<TensorType>(assemble.getSource().getType()).getRank())) {
    covered = {};
  }
  assemble->removeAttr(kCoveredAttr);
  if (covered && tileOf(operand(assemble, 0))) {
    notLowered(assemble.getLoc(), "a write into a tile whose index drops an axis behind others");
    return;
  }
  if (Value target = tileOf(operand(assemble, 0))) {
    if (!source) {
      source = loadWhole(builder, operand(assemble, 1), Mem::Vec, argLoc(assemble, kOperandsArg, 1).range);
    }
    if (source) {
      becomes(assemble, assembleTile(builder, assemble, target, source));
    }
    return;
  }
  if (!source) {
    source = loadWhole(builder, operand(assemble, 1), Mem::Vec, argLoc(assemble, kOperandsArg, 1).range);
    if (!source) {
      return;
    }
  }
  std::optional<DenseI64ArrayAttr> sizes = DenseI64ArrayAttr();
  if (covered) {
    sizes = partitionOf(covered, cast<TileType>(source.getType()));
  }
  if (!sizes) {
    notLowered(assemble.getLoc(), "a write whose index drops the last axis, or an axis behind others where not all is "
                                  "known and live");
    return;
  }
  auto store = TileStoreOp::create(builder, assemble.getLoc(), assemble.getType(), source, operand(assemble, 0),
                                   assemble.getOffsets(), assemble.getStaticOffsets(), *sizes, assemble.getAtomicAttr(),
                                   false, false, StringAttr(), Value());
  store->setDiscardableAttrs(assemble->getDiscardableAttrDictionary());
  assemble.replaceAllUsesWith(store.getResult());
  dead_.insert(assemble);
}

Value TileConverter::assembleTile(OpBuilder &builder, TensorAssembleOp assemble, Value target, Value source) {
  SmallVector<Value> operands{target, source};
  SmallVector<StringRef> names{"target", "source"};
  for (Value offset : assemble.getOffsets()) {
    operands.push_back(offset);
    names.push_back("offset");
  }
  auto tile = GenericOp::create(builder, assemble.getLoc(), TypeRange{target.getType()},
                                builder.getStringAttr("tile.assemble"), operands, builder.getStrArrayAttr(names));
  tile->setDiscardableAttr("offset", assemble.getStaticOffsetsAttr());
  return tile->getResult(0);
}

//===-- Operations of the table -----------------------------------------------------------------------------------===//

void TileConverter::convertGeneric(OpBuilder &builder, GenericOp generic) {
  SmallVector<Value> operands;
  bool onChip = false;
  for (Value operand : generic.getOperands()) {
    Value tile = tileOf(operand);
    onChip |= static_cast<bool>(tile);
    operands.push_back(tile ? tile : operand);
  }
  const ops::OpRow &row = generic.getRow();
  const bool tensors = generic.getFormKind() == ops::FormKind::Tensor;
  if (tensors && row.tensor->rule == ops::Rule::Gather && generic->getNumResults() == 1) {
    convertGather(builder, generic, operands);
    return;
  }
  if (tensors && convertToTileForm(builder, generic, operands)) {
    return;
  }
  if (llvm::is_contained({"pld.tensor.remote_store", "pld.tensor.put", "pld.tensor.get"}, generic.getName()) &&
      convertRemoteCopy(builder, generic, operands)) {
    return;
  }
  if (generic.getName() == "pld.tensor.barrier" && operands.size() == 1 && isa<TensorType>(operands[0].getType())) {
    convertBarrier(builder, generic);
    return;
  }
  if (tensors && row.category == ops::Category::Split && onChip && generic->getNumResults() == 1) {
    convertCrossing(builder, generic, operands.front());
    return;
  }
  const bool parallel = tensors && generic->getNumResults() == 1 &&
                        (hasParallelForms(row) || (row.tensor->rule == ops::Rule::Write && !operands.empty() &&
                                                   isa<TileType>(operands.front().getType())));
  // What is made from nothing is made where it is read.
  // No more is there a place in GM for what only windows are written of, unless another kernel is given it.
  const bool generates = tensors && generic->getNumResults() == 1 &&
                         (row.tensor->rule == ops::Rule::Full || row.tensor->rule == ops::Rule::Arange);
  bool made = generates &&
              (wantsTile(generic) || (!generic->use_empty() && llvm::none_of(generic->getUsers(), [](Operation *user) {
                 return isa<func::CallOp>(user);
               })));
  // An NZ operand is BlockNzTensorViews' to refuse.
  if (llvm::any_of(operands, [](Value operand) {
        auto tensor = dyn_cast<TensorType>(operand.getType());
        return tensor && tensor.isNz();
      })) {
    generic->setOperands(operands);
    return;
  }
  if (!onChip && !made && !parallel) {
    return;
  }
  if (parallel) {
    // The unit reads no GM: what is still there comes whole, once for all operands that are the same.
    DenseMap<Value, Value> loaded;
    for (auto [number, operand] : llvm::enumerate(operands)) {
      if (isa<TensorType>(operand.getType())) {
        Value &tile = loaded[operand];
        tile = tile ? tile : loadWhole(builder, operand, Mem::Vec, argLoc(generic, kOperandsArg, number).range);
        if (!tile) {
          return;
        }
        operand = tile;
      }
    }
  }
  TileType type = generic->getNumResults() == 1 && tensors ? tileResult(generic, operands) : TileType();
  if ((!parallel && !made) || !type) {
    generic->setOperands(operands);
    return;
  }
  // Tiles have an operation of its own for a number on the right where tensors take either.
  std::string tileName = ops::irName(row, ops::FormKind::Tile);
  const ops::Form *form = row.tile;
  for (auto [name, operand] : llvm::zip(generic.getOperandNames().getAsRange<StringAttr>(), operands)) {
    ops::OpMatch scalar = ops::findIrName(ops::irNameWithScalar(tileName));
    if (name.getValue() == "rhs" && !isa<TileType, TensorType>(operand.getType()) && scalar.row) {
      tileName = ops::irNameWithScalar(tileName);
      form = scalar.row->tile;
      break;
    }
  }
  // A parameter keeps its name where the tile form has one of that name, else it is the one at its place.
  auto renamed = [&](StringRef name) -> StringRef {
    if (form->find(std::string_view(name.data(), name.size()))) {
      return name;
    }
    for (size_t i = 0; i < row.tensor->parameters.size() && i < form->parameters.size(); ++i) {
      if (row.tensor->parameters[i].name == std::string_view(name.data(), name.size())) {
        std::string_view tile = form->parameters[i].name;
        return {tile.data(), tile.size()};
      }
    }
    return name;
  };
  SmallVector<StringRef> names;
  for (StringAttr name : generic.getOperandNames().getAsRange<StringAttr>()) {
    names.push_back(renamed(name.getValue()));
  }
  auto tile = GenericOp::create(builder, generic.getLoc(), type ? TypeRange(ArrayRef<Type>(type)) : TypeRange(),
                                builder.getStringAttr(tileName), operands, builder.getStrArrayAttr(names));
  for (NamedAttribute attribute : generic->getDiscardableAttrs()) {
    StringRef name = attribute.getName().getValue();
    if (name.contains('.') || form->find(std::string_view(name.data(), name.size()))) {
      tile->setDiscardableAttr(attribute.getName(), attribute.getValue());
    }
  }
  if (type) {
    becomes(generic, tile->getResult(0));
  } else {
    dead_.insert(generic);
  }
}

void TileConverter::convertCrossing(OpBuilder &builder, GenericOp generic, Value tile) {
  auto result = cast<TensorType>(generic->getResult(0).getType());
  std::optional<SmallVector<int64_t>> shape = staticShape(result);
  if (!shape) {
    generic->setOperands(tile);
    return; // the conversion names it
  }
  // Live parts are those of the tile that crosses, as far as the lanes do not divide them.
  auto from = cast<TileType>(tile.getType());
  auto axis = generic->getAttrOfType<IntegerAttr>(kLaneAxisAttr);
  SmallVector<int64_t> valid(*shape);
  for (unsigned i = 0; i < shape->size() && shape->size() == from.getRank(); ++i) {
    if (!axis || axis.getInt() != static_cast<int64_t>(i)) {
      valid[i] = from.getValidOrShape()[i];
    }
  }
  const Mem mem = generic.getRow().tensor->rule == ops::Rule::AivShard ? Mem::Vec : Mem::Mat;
  auto type = TileType::get(builder.getContext(), *shape, from.getDtype(), mem,
                            ArrayRef(valid) == ArrayRef(*shape) ? ArrayRef<int64_t>() : ArrayRef(valid), false);
  auto move = TileMoveOp::create(builder, generic.getLoc(), type, tile);
  move->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  becomes(generic, move);
}

void TileConverter::convertGather(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  auto result = dyn_cast<TensorType>(generic->getResult(0).getType());
  std::optional<SmallVector<int64_t>> shape = result ? staticShape(result) : std::nullopt;
  auto given = [&](StringRef name) -> Value {
    for (auto [parameter, value] : llvm::zip(generic.getOperandNames().getAsRange<StringAttr>(), operands)) {
      if (parameter.getValue() == name) {
        return isa<TensorType>(value.getType()) && !cast<TensorType>(value.getType()).isNz()
                   ? loadWhole(builder, value, Mem::Vec, generic.getLoc())
                   : value;
      }
    }
    return {};
  };
  auto dim = dyn_cast_or_null<IntegerAttr>(generic.getConfig("dim"));
  const bool byMask = generic.getConfig("mask_pattern") != nullptr;
  const bool byIndex = !byMask && generic.getArgument("index") && !generic.getConfig("kvalue") &&
                       !generic.getArgument("kvalue") && dim && (dim.getInt() == -1 || dim.getInt() == 1);
  if (!shape || shape->size() != 2 || (!byMask && !byIndex)) {
    generic->setOperands(operands);
    return; // the conversion names it
  }
  Value source = given("input");
  Value index = byIndex ? given("index") : Value();
  if (!source || !isa<TileType>(source.getType()) || (byIndex && !isa_and_nonnull<TileType>(index.getType()))) {
    return;
  }
  auto from = cast<TileType>(source.getType());
  Location loc = generic.getLoc();
  auto type = TileType::get(builder.getContext(), *shape, result.getDtype(), Mem::Vec);
  if (byMask) {
    GenericOp mask = makeTile(builder, loc, "tile.gather_mask", type, {source}, {"src"});
    mask->setDiscardableAttr("mask_pattern", generic.getConfig("mask_pattern"));
    becomes(generic, mask->getResult(0));
    return;
  }
  const int64_t rows = (*shape)[0];
  auto indexType = cast<TileType>(index.getType());
  const std::optional<int64_t> perLine = c0Elements(indexType.getDtype());
  if (rows > 1 && perLine && rows % *perLine != 0) {
    // A column of that many rows would end within a line of 32 bytes: row by row.
    TileType row = indexType.withShape({1, indexType.getShape()[1]});
    index = TileMoveOp::create(builder, loc, indexType.withMem(Mem::Vec), index); // others may read it as it is
    indexType = cast<TileType>(index.getType());
    for (int64_t i = 1; i < rows; ++i) {
      Value begin = arith::ConstantOp::create(
          builder, loc,
          builder.getIntegerAttr(scalarType(builder.getContext(), indexType.getDtype()), i * from.getShape()[1]));
      Value window = TileExtractOp::create(builder, loc, row, index, ValueRange(), ArrayRef<int64_t>{i, 0});
      GenericOp moved = makeTile(builder, loc, "tile.adds", row, {window, begin}, {"lhs", "rhs"});
      GenericOp placed =
          makeTile(builder, loc, "tile.assemble", indexType, {index, moved->getResult(0)}, {"target", "source"});
      placed->setDiscardableAttr("offset", builder.getDenseI64ArrayAttr({i, 0}));
      index = placed->getResult(0);
    }
  } else if (rows > 1) {
    auto line = TileType::get(builder.getContext(), {1, rows}, indexType.getDtype(), Mem::Vec);
    GenericOp count = makeTile(builder, loc, "tile.arange", line, {}, {});
    count->setDiscardableAttr("start", builder.getI64IntegerAttr(0));
    Value length = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(scalarType(builder.getContext(), indexType.getDtype()), from.getShape()[1]));
    GenericOp begin = makeTile(builder, loc, "tile.muls", line, {count->getResult(0), length}, {"lhs", "rhs"});
    Value column = TileReshapeOp::create(builder, loc, line.withShape({rows, 1}), begin->getResult(0));
    index =
        makeTile(builder, loc, "tile.row_expand_add", indexType, {index, column}, {"tile", "row_vec"})->getResult(0);
  }
  Value tmp = TileCreateOp::create(builder, loc, indexType.withShape(indexType.getShape()));
  becomes(generic,
          makeTile(builder, loc, "tile.gather", type, {source, index, tmp}, {"src", "indices", "tmp"})->getResult(0));
}

} // namespace placid::pl
