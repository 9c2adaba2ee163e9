// SPDX-License-Identifier: Apache-2.0
// The part of OperationWriter that sorts, counts, places and scales: operations whose operands have parts and shapes of
// their own, and MX products with their scales.
#include "compiler/pro/lower/operation_writer.h"
#include "compiler/pro/lower/parts.h"

#include <array>

using namespace mlir;

namespace placid::pro {

namespace {

pl::TileType tileOf(mlir::Value value) { return cast<pl::TileType>(value.getType()); }

bool isWhole(const TraceNode &node) {
  return node.valid.empty() && llvm::all_of(node.parts, [](const std::vector<Index> &part) { return part.empty(); });
}

} // namespace

mlir::Value OperationWriter::arranged(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands,
                                      Location loc) {
  if (node.op.starts_with("part")) {
    return partly(node, type, operands, loc);
  }
  if (node.op == "axpy") {
    pl::TileType made = withValid(type, tileOf(operands[0]).getValid());
    Value alpha = scalar(node, tileOf(operands[0]).getDtype(), loc);
    return generic("tile.axpy", made, {{"out", operands[1]}, {"src", operands[0]}, {"alpha", alpha}}, loc);
  }
  if (node.op == "addc") {
    pl::TileType made = withValid(type, tileOf(operands[0]).getValid());
    Value sum = generic("tile.add", made, {{"lhs", operands[0]}, {"rhs", operands[1]}}, loc);
    return generic("tile.add", made, {{"lhs", sum}, {"rhs", operands[2]}}, loc);
  }
  if (node.op == "quant" || node.op == "dequant") {
    return scaledRows(node, type, operands, loc);
  }
  if (!isWhole(node)) {
    refuse(node.at, "a part of a tile in use is not lowered for `pl." + std::string(node.op) + "`");
    return placeholder(type, loc);
  }
  if (node.op == "sort32") {
    return generic("tile.sort32", type, {{"src", operands[0]}, {"idx", operands[1]}}, loc);
  }
  if (node.op == "mrgsort") {
    Value made = generic("tile.mrgsort", type, {{"src0", operands[0]}}, loc);
    made.getDefiningOp()->setAttr("block_len", builder_.getI64IntegerAttr(*node.whole));
    return made;
  }
  if (node.op == "mrgsort2") {
    constexpr llvm::StringLiteral kNames[] = {"src0", "src1", "src2", "src3"};
    SmallVector<std::pair<llvm::StringRef, Value>> named;
    int64_t length = 0;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      named.emplace_back(kNames[i], operand);
      length += tileOf(operand).getShape()[1];
    }
    // The program's own scratch may be shorter than what the unit needs.
    Value scratch = pl::TileCreateOp::create(
        builder_, loc, pl::TileType::get(builder_.getContext(), {1, length}, type.getDtype(), pl::Mem::Vec));
    named.emplace_back("tmp", scratch);
    return generic("tile.mrgsort", type, named, loc);
  }
  if (node.op == "histogram") {
    Value made = generic("tile.histogram", type, {{"src", operands[0]}, {"idx", operands[1]}}, loc);
    made.getDefiningOp()->setAttr("byte", builder_.getI64IntegerAttr(*node.whole));
    return made;
  }
  return node.op == "gatherb" ? generic("tile.gatherb", type, {{"src", operands[0]}, {"offset", operands[1]}}, loc)
                              : generic("tile.scatter_flat", type, {{"src", operands[0]}, {"idx", operands[1]}}, loc);
}

/// One of the two has what the result has, the other no more.
mlir::Value OperationWriter::partly(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands, Location loc) {
  constexpr std::array<std::pair<std::string_view, llvm::StringLiteral>, 4> kNames{{{"partadd", "tile.part_add"},
                                                                                    {"partmul", "tile.part_mul"},
                                                                                    {"partmax", "tile.part_max"},
                                                                                    {"partmin", "tile.part_min"}}};
  const Part &made = node.valid;
  bool first = samePart(node.parts[0], made);
  bool second = samePart(node.parts[1], made);
  bool within =
      (made.empty() || covers(made, node.parts[0]) || first) && (made.empty() || covers(made, node.parts[1]) || second);
  bool alike = llvm::all_of(operands, [&](Value operand) {
    return tileOf(operand).getShape() == type.getShape() && tileOf(operand).getDtype() == type.getDtype();
  });
  // Of two extents that are known at run time only nobody could tell which is that of the result.
  bool known = llvm::all_of(made, [](const Index &extent) { return extent->range && extent->range->isSingle(); });
  if ((!first && !second) || !within || !alike || !known) {
    refuse(node.at, "`pl." + std::string(node.op) +
                        "` is lowered where one operand surely has as much in use as the "
                        "result, and the other no more");
    return placeholder(type, loc);
  }
  pl::TileType shown = withValid(type, tileOf(operands[first ? 0 : 1]).getValid());
  for (const auto &[op, name] : kNames) {
    if (op == node.op) {
      return generic(name, shown, {{"src0", operands[0]}, {"src1", operands[1]}}, loc);
    }
  }
  return {};
}

/// The rows of a column go with the rows in use of what it scales.
mlir::Value OperationWriter::scaledRows(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands,
                                        Location loc) {
  pl::TileType from = tileOf(operands[0]);
  bool fits = from.getShape() == type.getShape() && samePart(node.parts[0], node.valid);
  for (auto [i, operand] : llvm::enumerate(operands.drop_front())) {
    pl::TileType column = tileOf(operand);
    const Part &part = node.parts[i + 1];
    Part rows{constantIndex(type.getShape()[0]), constantIndex(1)};
    if (!node.valid.empty()) {
      rows[0] = node.valid[0];
    }
    bool enough = part.empty() || covers(part, rows);
    fits = fits && enough && column.getDtype() == pl::DType::F32 && column.getShape()[1] == 1 &&
           column.getShape()[0] == type.getShape()[0];
  }
  bool dtypes = node.op == "quant" ? from.getDtype() == pl::DType::F32
                                   : type.getDtype() == pl::DType::F32 &&
                                         (from.getDtype() == pl::DType::I8 || from.getDtype() == pl::DType::I16);
  if (!fits || !dtypes) {
    refuse(node.at,
           "`pl." + std::string(node.op) +
               "` is lowered for tiles of one shape with an FP32 column of as many rows for each factor, from " +
               (node.op == "quant" ? "FP32" : "INT8 or INT16 to FP32"));
    return placeholder(type, loc);
  }
  SmallVector<std::pair<llvm::StringRef, Value>> named{{"src", operands[0]}, {"scale", operands[1]}};
  if (operands.size() > 2) {
    named.emplace_back("offset", operands[2]);
  }
  return generic(node.op == "quant" ? "tile.quant" : "tile.dequant", withValid(type, from.getValid()), named, loc);
}

//===-- MX products -----------------------------------------------------------------------------------------------===//

/// Scales lie in GM in pairs, the lanes that they belong to first or last.
mlir::Value OperationWriter::loadScales(const TraceNode &node, pl::TileType type, Location loc) {
  const TensorInfo &info = trace_.tensors[*node.tensor].info;
  bool right = type.getTransposed();
  constexpr size_t kRank = 3;
  bool pairs = info.shape.size() == kRank && info.shape[kRank - 1] == 2 && info.layout == Layout::ND &&
               node.axes[0] < 2 && node.axes[1] < 2;
  if (!pairs || node.op != "load" || type.getMem() != pl::Mem::Mat) {
    refuse(node.at, "MX scales are lowered where `pl.load` takes them from an ND tensor [lanes, pairs, 2] or "
                    "[pairs, lanes, 2]");
    return placeholder(type, loc);
  }
  SmallVector<Value> values{tensors_[*node.tensor]};
  SmallVector<Attribute> names{builder_.getStringAttr("source")};
  auto list = [&](llvm::StringRef name, const std::vector<Index> &numbers) {
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    split(numbers, loc, dynamic, statics);
    for (Value one : dynamic) {
      values.push_back(one);
      names.push_back(builder_.getStringAttr(name));
    }
    return builder_.getDenseI64ArrayAttr(statics);
  };
  Part valid = node.valid;
  if (valid.empty()) {
    valid = {constantIndex(type.getShape()[0]), constantIndex(type.getShape()[1])};
  }
  SmallVector<int64_t> live;
  for (const Index &extent : valid) {
    live.push_back(extent->range && extent->range->isSingle() ? extent->range->low : ShapedType::kDynamic);
  }
  DenseI64ArrayAttr offsets = list("offsets", node.offsets);
  DenseI64ArrayAttr extents = list("valid_shape", valid);
  bool whole = llvm::equal(live, type.getShape());
  auto made = pl::GenericOp::create(builder_, loc, TypeRange{whole ? type : withValid(type, live)},
                                    builder_.getStringAttr("tile.load_scales"), values, builder_.getArrayAttr(names));
  made->setAttr("offsets", offsets);
  made->setAttr("valid_shape", extents);
  made->setAttr("pairs_first", builder_.getBoolAttr(node.axes[right ? 0 : 1] < node.axes[right ? 1 : 0]));
  return made.getResult(0);
}

mlir::Value OperationWriter::scaledProduct(const TraceNode &node, pl::TileType type, ArrayRef<Value> operands,
                                           Location loc) {
  SmallVector<std::pair<llvm::StringRef, Value>> named;
  ArrayRef<Value> rest = operands;
  if (accumulates(node.op)) {
    named.emplace_back("acc", rest.front());
    rest = rest.drop_front();
  }
  for (Value operand : rest.take_front(2)) {
    pl::DType dtype = tileOf(operand).getDtype();
    if (dtype != pl::DType::F8E4M3FN && dtype != pl::DType::F8E5M2) {
      refuse(node.at, "an MX product of other than FP8 is not lowered");
      return placeholder(type, loc);
    }
  }
  named.emplace_back("lhs", rest[0]);
  named.emplace_back("lhs_scale", rest[2]);
  named.emplace_back("rhs", rest[1]);
  named.emplace_back("rhs_scale", rest[3]);
  return generic(accumulates(node.op) ? "tile.matmul_mx_acc" : "tile.matmul_mx", type, named, loc);
}

} // namespace placid::pro
