// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/operation_writer.h"

#include <array>

using namespace mlir;

namespace placid::pro {

namespace {

struct Named {
  std::string_view op;
  llvm::StringLiteral tile;
};
constexpr std::array<Named, 10> kTileTile{{{"add", "tile.add"},
                                           {"sub", "tile.sub"},
                                           {"mul", "tile.mul"},
                                           {"div", "tile.div"},
                                           {"maximum", "tile.maximum"},
                                           {"minimum", "tile.minimum"},
                                           {"and_", "tile.and_"},
                                           {"shl", "tile.shl"},
                                           {"shr", "tile.shr"},
                                           {"xor", "tile.xor"}}};
constexpr std::array<Named, 6> kTileScalar{{{"add", "tile.adds"},
                                            {"sub", "tile.subs"},
                                            {"mul", "tile.muls"},
                                            {"div", "tile.divs"},
                                            {"maximum", "tile.maximums"},
                                            {"minimum", "tile.minimums"}}};
constexpr std::array<Named, 5> kRows{{{"sum", "tile.row_sum"},
                                      {"maximum", "tile.row_max"},
                                      {"minimum", "tile.row_min"},
                                      {"argmax", "tile.row_argmax"},
                                      {"argmin", "tile.row_argmin"}}};
constexpr std::array<Named, 5> kColumns{{{"sum", "tile.col_sum"},
                                         {"maximum", "tile.col_max"},
                                         {"minimum", "tile.col_min"},
                                         {"argmax", "tile.col_argmax"},
                                         {"argmin", "tile.col_argmin"}}};
constexpr std::array<Named, 5> kRowExpand{{{"expand_mul", "tile.row_expand_mul"},
                                           {"expand_sub", "tile.row_expand_sub"},
                                           {"expand_div", "tile.row_expand_div"},
                                           {"expand_max", "tile.row_expand_max"},
                                           {"expand_min", "tile.row_expand_min"}}};
constexpr std::array<Named, 5> kColumnExpand{{{"expand_mul", "tile.col_expand_mul"},
                                              {"expand_sub", "tile.col_expand_sub"},
                                              {"expand_div", "tile.col_expand_div"},
                                              {"expand_max", "tile.col_expand_max"},
                                              {"expand_min", "tile.col_expand_min"}}};
// Of an operation of several instructions the one on `lhs` and `rhs`.
constexpr std::array<Named, 5> kFused{{{"add_relu", "tile.add"},
                                       {"sub_relu", "tile.sub"},
                                       {"add_relu_cast", "tile.add"},
                                       {"sub_relu_cast", "tile.sub"},
                                       {"mul_cast", "tile.mul"}}};
// What fills the rest of a tile, by the number of `pl.TilePad`.
constexpr std::array<llvm::StringLiteral, 4> kPads{"null", "zero", "max", "min"};
// Of arranged_writer.cpp.
constexpr std::array<std::string_view, 14> kArranged{"sort32",  "mrgsort", "mrgsort2", "histogram", "scatter",
                                                     "gatherb", "axpy",    "addc",     "partadd",   "partmul",
                                                     "partmax", "partmin", "quant",    "dequant"};
// Their names are those of `cmp_type`.
constexpr std::array<std::string_view, 6> kCompares{"eq", "ne", "lt", "le", "gt", "ge"};

template <size_t N> llvm::StringRef tileName(const std::array<Named, N> &rows, std::string_view op) {
  for (const Named &row : rows) {
    if (row.op == op) {
      return row.tile;
    }
  }
  return {};
}

pl::TileType tileOf(mlir::Value value) { return cast<pl::TileType>(value.getType()); }

bool isUnsigned(pl::DType dtype) {
  return dtype == pl::DType::UI8 || dtype == pl::DType::UI16 || dtype == pl::DType::UI32 || dtype == pl::DType::UI64;
}

} // namespace

mlir::Value OperationWriter::generic(llvm::StringRef op, Type type,
                                     ArrayRef<std::pair<llvm::StringRef, Value>> operands, Location loc) {
  SmallVector<Value> values;
  SmallVector<Attribute> names;
  for (const auto &[name, value] : operands) {
    names.push_back(builder_.getStringAttr(name));
    values.push_back(value);
  }
  return pl::GenericOp::create(builder_, loc, TypeRange{type}, builder_.getStringAttr(op), values,
                               builder_.getArrayAttr(names))
      .getResult(0);
}

mlir::Value OperationWriter::compute(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  if (node.op.starts_with("load")) {
    return load(node, type, loc);
  }
  if (node.op == "move") {
    return move(node, type, operands[0], loc);
  }
  return node.op.starts_with("matmul") ? product(node, type, operands, loc) : vector(node, type, operands, loc);
}

//===-- Transfers -------------------------------------------------------------------------------------------------===//

mlir::Value OperationWriter::load(const TraceNode &node, pl::TileType type, Location loc) {
  if (type.getDtype() == pl::DType::F8E8M0) {
    return loadScales(node, type, loc);
  }
  Value source = tensors_[*node.tensor];
  const TensorInfo &info = trace_.tensors[*node.tensor].info;
  bool turned = node.axes[0] > node.axes[1];
  const bool fractals = type.getMem() == pl::Mem::Mat && !pl::isLine(type);
  if (turned != type.getTransposed() || (info.layout == Layout::NZ && !fractals)) {
    return {};
  }
  SmallVector<int64_t> sizes(info.shape.size(), 1);
  sizes[static_cast<size_t>(node.axes[0])] = type.getShape()[0];
  sizes[static_cast<size_t>(node.axes[1])] = type.getShape()[1];
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  split(node.offsets, loc, dynamic, statics);
  pl::TileType read = type;
  if (turned) {
    SmallVector<int64_t> shape{type.getShape()[1], type.getShape()[0]};
    read = pl::TileType::get(builder_.getContext(), shape, type.getDtype(), type.getMem());
  }
  SmallVector<Value> live;
  SmallVector<int64_t> liveStatics;
  if (!node.valid.empty()) {
    std::vector<Index> wanted(info.shape.size(), constantIndex(1));
    wanted[static_cast<size_t>(node.axes[0])] = node.valid[0];
    wanted[static_cast<size_t>(node.axes[1])] = node.valid[1];
    split(wanted, loc, live, liveStatics);
    SmallVector<int64_t> part{liveStatics[static_cast<size_t>(node.axes[0])],
                              liveStatics[static_cast<size_t>(node.axes[1])]};
    type = withValid(type, part);
    if (turned) {
      std::swap(part[0], part[1]);
      read = withValid(read, part);
    } else {
      read = type;
    }
  }
  Value made = pl::TileLoadOp::create(builder_, loc, read, source, dynamic, statics, sizes, live, liveStatics);
  return turned ? Value(pl::TileTransposeViewOp::create(builder_, loc, type, made)) : made;
}

void OperationWriter::store(const TraceNode &node, Value tile, Value scales, Location loc) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  split(node.offsets, loc, dynamic, statics);
  pl::TileType type = tileOf(tile);
  size_t rank = statics.size();
  bool last = node.axes[0] + 1 == node.axes[1] && static_cast<size_t>(node.axes[1]) + 1 == rank;
  SmallVector<int64_t> sizes(rank, 1);
  sizes[static_cast<size_t>(node.axes[0])] = type.getShape()[0];
  sizes[static_cast<size_t>(node.axes[1])] = type.getShape()[1];
  DenseI64ArrayAttr partition = last && rank == 2 ? DenseI64ArrayAttr() : builder_.getDenseI64ArrayAttr(sizes);
  if (partition && !node.valid.empty()) {
    // The window is the part in use.
    for (size_t axis = 0; axis < 2; ++axis) {
      const Index &extent = node.valid[axis];
      bool known = extent->range && extent->range->isSingle();
      if (!known && !last) {
        return refuse(node.at, "a part of a tile in use, known at run time, is stored to the last two axes only");
      }
      sizes[static_cast<size_t>(node.axes[axis])] = known ? extent->range->low : 0;
    }
    bool open = llvm::is_contained(sizes, 0);
    partition = open ? DenseI64ArrayAttr() : builder_.getDenseI64ArrayAttr(sizes);
  }
  Value dest = tensors_[*node.tensor];
  Value scale = scales;
  if (node.scaled && !scale) {
    scale = scaleWord(node, cast<pl::TensorType>(dest.getType()).getDtype(), loc);
  }
  StringAttr atomic = node.mode.empty() ? StringAttr() : builder_.getStringAttr(node.mode);
  tensors_[*node.tensor] = pl::TileStoreOp::create(builder_, loc, dest.getType(), tile, dest, dynamic, statics,
                                                   partition, atomic, false, node.relu, StringAttr(), scale);
}

mlir::Value OperationWriter::move(const TraceNode &node, pl::TileType type, Value source, Location loc) {
  pl::TileType from = tileOf(source);
  bool same = from.getShape() == type.getShape();
  bool zero = llvm::all_of(node.offsets, [](const Index &offset) {
    return offset->range && offset->range->isSingle() && offset->range->low == 0;
  });
  if (same && zero) {
    return pl::TileMoveOp::create(builder_, loc, withValid(type, from.getValid()), source);
  }
  bool part = from.getShape()[0] >= type.getShape()[0] && from.getShape()[1] >= type.getShape()[1];
  if (!part || !node.valid.empty() || node.offsets.size() != 2 || from.getTransposed()) {
    return {};
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  split(node.offsets, loc, dynamic, statics);
  return pl::TileExtractOp::create(builder_, loc, type, source, dynamic, statics);
}

mlir::Value OperationWriter::product(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  bool adds = accumulates(node.op);
  pl::TileType left = tileOf(operands[adds ? 1 : 0]);
  pl::TileType right = tileOf(operands[adds ? 2 : 1]);
  // What is in use of the result follows from the operands.
  SmallVector<int64_t> live{left.getValidOrShape()[0], right.getValidOrShape()[1]};
  bool whole = llvm::equal(live, type.getShape());
  type = whole ? type : withValid(type, live);
  if (node.op.starts_with("matmul_mx")) {
    return scaledProduct(node, type, operands, loc);
  }
  if (adds) {
    return pl::TileMatmulAccOp::create(builder_, loc, type, operands[0], operands[1], operands[2]);
  }
  if (operands.size() == 3) {
    return generic("tile.matmul_bias", type, {{"lhs", operands[0]}, {"rhs", operands[1]}, {"bias", operands[2]}}, loc);
  }
  return pl::TileMatmulOp::create(builder_, loc, type, operands[0], operands[1]);
}

//===-- The vector unit -------------------------------------------------------------------------------------------===//

mlir::Value OperationWriter::vector(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  if (node.op == "expands") {
    if (!node.valid.empty()) {
      return {};
    }
    Value target = pl::TileCreateOp::create(builder_, loc, type);
    return generic("tile.expands", type, {{"target", target}, {"scalar", scalar(node, type.getDtype(), loc)}}, loc);
  }
  if (llvm::is_contained(kCompares, node.op)) {
    return compare(node, operands, loc);
  }
  if (node.op == "fillpad" || node.op == "gather" || node.op == "gathermask" || node.op == "fill_index") {
    return indexed(node, type, operands, loc);
  }
  if (llvm::is_contained(kArranged, node.op)) {
    return arranged(node, type, operands, loc);
  }
  pl::TileType from = tileOf(operands[0]);
  if (node.op == "select") {
    type = withValid(type, tileOf(operands[1]).getValid());
    // Scratch that the instruction names and, on this chip, does not use.
    Value scratch = pl::TileCreateOp::create(
        builder_, loc, pl::TileType::get(builder_.getContext(), {1, 16}, pl::DType::I32, pl::Mem::Vec));
    return operands.size() == 3
               ? generic("tile.sel", type,
                         {{"mask", operands[0]}, {"lhs", operands[1]}, {"rhs", operands[2]}, {"tmp", scratch}}, loc)
               : Value();
  }
  if (node.dim >= 0) {
    return along(node, type, operands, loc);
  }
  if (node.op == "transpose") {
    if (!node.valid.empty()) {
      return {};
    }
    Value made = generic("tile.transpose", type, {{"tile", operands[0]}}, loc);
    made.getDefiningOp()->setAttr("axis1", builder_.getI64IntegerAttr(0));
    made.getDefiningOp()->setAttr("axis2", builder_.getI64IntegerAttr(1));
    return made;
  }
  type = withValid(type, from.getValid());
  if (node.op == "cast") {
    return converted(node, type, operands[0], loc);
  }
  if (!tileName(kFused, node.op).empty() || node.op.find("mul_add") != std::string_view::npos) {
    return fused(node, type, operands, loc);
  }
  if (operands.size() == 2) {
    llvm::StringRef op = tileName(kTileTile, node.op);
    if (node.op != "xor") {
      return op.empty() ? Value() : generic(op, type, {{"lhs", operands[0]}, {"rhs", operands[1]}}, loc);
    }
    Value scratch = pl::TileCreateOp::create(builder_, loc, type);
    return generic(op, type, {{"lhs", operands[0]}, {"rhs", operands[1]}, {"tmp", scratch}}, loc);
  }
  if (node.number || node.value || node.real >= 0) {
    llvm::StringRef op = tileName(kTileScalar, node.op);
    return op.empty() ? Value()
                      : generic(op, type, {{"lhs", operands[0]}, {"rhs", scalar(node, type.getDtype(), loc)}}, loc);
  }
  return generic("tile." + std::string(node.op), type, {{"tile", operands[0]}}, loc);
}

mlir::Value OperationWriter::converted(const TraceNode &node, pl::TileType type, Value tile, Location loc) {
  Value made = generic("tile.cast", type, {{"tile", tile}}, loc);
  made.getDefiningOp()->setAttr("target_type", builder_.getStringAttr(pl::stringifyDType(type.getDtype())));
  made.getDefiningOp()->setAttr("mode", builder_.getStringAttr(node.mode));
  return made;
}

/// The instructions that the call is made of, one after the other.
mlir::Value OperationWriter::fused(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  pl::TileType inner = tileOf(operands[0]);
  auto binary = [&](llvm::StringRef op, Value lhs, Value rhs) {
    return generic(op, inner, {{"lhs", lhs}, {"rhs", rhs}}, loc);
  };
  Value made;
  if (llvm::StringRef op = tileName(kFused, node.op); !op.empty()) {
    made = binary(op, operands[0], operands[1]);
  } else if (node.op == "mul_add_dst") {
    made = binary("tile.add", binary("tile.mul", operands[0], operands[1]), operands[2]);
  } else {
    made = binary("tile.add", binary("tile.mul", operands[0], operands[2]), operands[1]);
  }
  if (node.op.find("relu") != std::string_view::npos) {
    made = generic("tile.relu", inner, {{"tile", made}}, loc);
  }
  return node.op.ends_with("_cast") ? converted(node, type, made, loc) : made;
}

/// What fills a tile around a part, by its index, or with its own numbers.
mlir::Value OperationWriter::indexed(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  if (!node.valid.empty()) {
    return {};
  }
  if (node.op == "fill_index") {
    return generic("tile.arange", type, {{"start", scalar(node, type.getDtype(), loc)}}, loc);
  }
  if (node.op == "gathermask") {
    pl::TileType from = tileOf(operands[0]);
    int64_t share = from.getShape()[1] / std::max<int64_t>(1, type.getShape()[1]);
    bool fits = from.getShape()[0] == type.getShape()[0] && from.getShape()[1] == share * type.getShape()[1] &&
                share == (node.mode == "P1111"                           ? 1
                          : node.mode == "P0101" || node.mode == "P1010" ? 2
                                                                         : 4);
    if (!fits || from.getDtype() != type.getDtype()) {
      return {};
    }
    Value made = generic("tile.gather_mask", type, {{"src", operands[0]}}, loc);
    made.getDefiningOp()->setAttr("mask_pattern", builder_.getStringAttr(node.mode));
    return made;
  }
  if (node.op == "gather") {
    Value scratch = pl::TileCreateOp::create(builder_, loc, tileOf(operands[1]));
    return generic("tile.gather", type, {{"src", operands[0]}, {"indices", operands[1]}, {"tmp", scratch}}, loc);
  }
  ArrayRef<int64_t> from = tileOf(operands[0]).getShape();
  bool same = from == type.getShape();
  bool fits = from[0] <= type.getShape()[0] && from[1] <= type.getShape()[1];
  if (!fits || type.getMem() != pl::Mem::Vec) {
    return {};
  }
  Value made = generic(same ? "tile.fillpad" : "tile.fillpad_expand", type, {{"tile", operands[0]}}, loc);
  if (!same) {
    made.getDefiningOp()->setAttr("shape", builder_.getDenseI64ArrayAttr(type.getShape()));
  }
  made.getDefiningOp()->setAttr("pad_value", builder_.getStringAttr(kPads[static_cast<size_t>(*node.whole)]));
  return made;
}

mlir::Value OperationWriter::narrowed(Value tile, const std::vector<Index> &part, Location loc) {
  SmallVector<int64_t> valid;
  for (const Index &extent : part) {
    bool known = extent->range && extent->range->isSingle();
    valid.push_back(known ? extent->range->low : ShapedType::kDynamic);
  }
  Value rows = index(*part[0], loc);
  Value columns = index(*part[1], loc);
  return generic("tile.set_validshape", withValid(tileOf(tile), valid),
                 {{"tile", tile}, {"valid_rows", rows}, {"valid_cols", columns}}, loc);
}

/// Reductions, and rows or columns repeated.
mlir::Value OperationWriter::along(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  if (operands.size() == 2) {
    llvm::StringRef op = node.dim == 0 ? tileName(kRowExpand, node.op) : tileName(kColumnExpand, node.op);
    llvm::StringRef second = node.dim == 0 ? "row_vec" : "col_vec";
    return op.empty() ? Value() : generic(op, type, {{"tile", operands[0]}, {second, operands[1]}}, loc);
  }
  llvm::StringRef op = node.dim == 0 ? tileName(kRows, node.op) : tileName(kColumns, node.op);
  if (op.empty()) {
    return {};
  }
  if (node.dim == 1) {
    return generic(op, type, {{"tile", operands[0]}}, loc);
  }
  Value scratch = pl::TileCreateOp::create(builder_, loc, tileOf(operands[0]));
  return generic(op, type, {{"tile", operands[0]}, {"tmp_tile", scratch}}, loc);
}

/// One bit an element, in rows of whole lines; nobody but `select` looks at it.
mlir::Value OperationWriter::compare(const TraceNode &node, ArrayRef<Value> operands, Location loc) {
  pl::TileType from = tileOf(operands[0]);
  if (!node.valid.empty()) {
    return {};
  }
  constexpr int64_t kBits = 8;
  constexpr int64_t kLine = 32;
  int64_t bytes = (from.getShape()[1] + kBits - 1) / kBits;
  int64_t whole = (bytes + kLine - 1) / kLine * kLine;
  SmallVector<int64_t> shape{from.getShape()[0], whole};
  SmallVector<int64_t> valid{from.getShape()[0], bytes};
  pl::TileType type = pl::TileType::get(builder_.getContext(), shape, pl::DType::UI8, pl::Mem::Vec,
                                        whole == bytes ? ArrayRef<int64_t>{} : ArrayRef<int64_t>(valid), false);
  Value made = operands.size() == 2 ? generic("tile.cmp", type, {{"lhs", operands[0]}, {"rhs", operands[1]}}, loc)
                                    : generic("tile.cmps", type,
                                              {{"lhs", operands[0]}, {"rhs", scalar(node, from.getDtype(), loc)}}, loc);
  made.getDefiningOp()->setAttr("cmp_type", builder_.getStringAttr(node.op));
  return made;
}

//===-- Numbers and elements --------------------------------------------------------------------------------------===//

mlir::Value OperationWriter::scalar(const TraceNode &node, pl::DType dtype, Location loc) {
  if (node.number) {
    return constant(node, dtype, loc);
  }
  Type element = pl::scalarType(builder_.getContext(), dtype);
  if (node.real >= 0) {
    Value value = variable(node.real, loc);
    if (value && value.getType() != element) {
      refuse(node.at, "a number of run time of another type than the elements is not lowered");
    }
    return value ? value : Value(arith::ConstantOp::create(builder_, loc, builder_.getZeroAttr(element)));
  }
  Value value = index(*node.value, loc);
  if (!isa<IntegerType>(element)) {
    refuse(node.at, "an integer of run time as an element of floating-point type is not lowered");
    return arith::ConstantOp::create(builder_, loc, builder_.getZeroAttr(element));
  }
  return arith::IndexCastOp::create(builder_, loc, element, value);
}

mlir::Value OperationWriter::constant(const TraceNode &node, pl::DType dtype, Location loc) {
  Type element = pl::scalarType(builder_.getContext(), dtype);
  if (isa<FloatType>(element)) {
    return arith::ConstantOp::create(builder_, loc, TypedAttr(builder_.getFloatAttr(element, *node.number)));
  }
  int64_t whole = node.whole.value_or(0);
  unsigned bits = element.getIntOrFloatBitWidth();
  bool fits = isUnsigned(dtype) ? whole >= 0 && (bits >= 64 || llvm::isUIntN(bits, static_cast<uint64_t>(whole)))
                                : bits >= 64 || llvm::isIntN(bits, whole);
  if (!node.whole || !fits) {
    refuse(node.at, "a number that the elements of an integer tile cannot hold is not lowered");
    whole = 0;
  }
  APInt held(bits, static_cast<uint64_t>(whole), /*isSigned=*/true, /*implicitTrunc=*/true);
  return arith::ConstantOp::create(builder_, loc, TypedAttr(builder_.getIntegerAttr(element, held)));
}

mlir::Value OperationWriter::scaleWord(const TraceNode &node, pl::DType stored, Location loc) {
  constexpr int64_t kSignedBytes = int64_t{1} << 46;
  const bool isSigned = stored == pl::DType::I8;
  if (node.number) {
    auto bits = static_cast<int64_t>(llvm::bit_cast<uint32_t>(static_cast<float>(*node.number)));
    return arith::ConstantIntOp::create(builder_, loc, bits | (isSigned ? kSignedBytes : 0), 64);
  }
  Value word;
  if (node.real >= 0) {
    Value real = variable(node.real, loc);
    if (!real || !real.getType().isF32()) {
      refuse(node.at, "a scale of run time that is not FP32 is not lowered");
      return arith::ConstantIntOp::create(builder_, loc, 0, 64);
    }
    Value bits = arith::BitcastOp::create(builder_, loc, builder_.getI32Type(), real);
    word = arith::ExtUIOp::create(builder_, loc, builder_.getI64Type(), bits);
  } else {
    Value given = index(*node.value, loc);
    word = arith::IndexCastOp::create(builder_, loc, builder_.getI64Type(), given);
  }
  if (!isSigned) {
    return word;
  }
  Value flag = arith::ConstantIntOp::create(builder_, loc, kSignedBytes, 64);
  return arith::OrIOp::create(builder_, loc, word, flag);
}

mlir::Value OperationWriter::element(const TraceNode &node, Value tile, Location loc) {
  Value source = tile ? tile : tensors_[*node.tensor];
  pl::DType dtype = tile ? tileOf(tile).getDtype() : cast<pl::TensorType>(source.getType()).getDtype();
  std::vector<Index> indices = node.indices;
  size_t rank = tile ? tileOf(tile).getRank() : cast<pl::TensorType>(source.getType()).getRank();
  if (indices.size() == 1 && rank > 1) {
    // One index through all elements: the rest of the axes follow from it.
    Index rest = indices[0];
    indices.assign(rank, nullptr);
    for (size_t axis = rank; axis-- > 0;) {
      std::optional<int64_t> extent =
          tile ? std::optional(tileOf(tile).getShape()[axis]) : cast<pl::TensorType>(source.getType()).getExtent(axis);
      if (axis > 0 && !extent) {
        refuse(node.at,
               "an element by its number, of a tensor whose extents are known at run time only, is not lowered");
        return {};
      }
      indices[axis] = axis == 0 ? rest : makeIndex(IndexNode::Kind::FloorMod, rest, constantIndex(*extent));
      rest = axis == 0 ? rest : makeIndex(IndexNode::Kind::FloorDiv, rest, constantIndex(*extent));
    }
  }
  if (llvm::any_of(indices, [](const Index &one) { return !one; })) {
    refuse(node.at, "the expression of this element's number is too large to be lowered");
    return {};
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  split(indices, loc, dynamic, statics);
  Type type = pl::scalarType(builder_.getContext(), dtype);
  if (node.op == "element.read") {
    Value read = pl::ReadOp::create(builder_, loc, type, source, dynamic, statics);
    if (isa<IntegerType>(type)) {
      read = isUnsigned(dtype) || dtype == pl::DType::Bool
                 ? Value(arith::IndexCastUIOp::create(builder_, loc, builder_.getIndexType(), read))
                 : Value(arith::IndexCastOp::create(builder_, loc, builder_.getIndexType(), read));
    }
    variables_[node.result] = read;
    return {};
  }
  SmallVector<Value> values{source, scalar(node, dtype, loc)};
  SmallVector<Attribute> names{builder_.getStringAttr(tile ? "tile" : "tensor"), builder_.getStringAttr("value")};
  for (Value one : dynamic) {
    values.push_back(one);
    names.push_back(builder_.getStringAttr("indices"));
  }
  auto made = pl::GenericOp::create(builder_, loc, TypeRange{source.getType()},
                                    builder_.getStringAttr(tile ? "tile.write" : "tensor.write"), values,
                                    builder_.getArrayAttr(names));
  made->setAttr("indices", builder_.getDenseI64ArrayAttr(statics));
  if (!tile) {
    tensors_[*node.tensor] = made.getResult(0);
    return {};
  }
  return made.getResult(0);
}

} // namespace placid::pro
