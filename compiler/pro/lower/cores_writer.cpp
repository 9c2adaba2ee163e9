// SPDX-License-Identifier: Apache-2.0
// The part of OperationWriter for kernels of both cores: flags, and tiles of the other core's memory.
#include "compiler/dialect/pl/ir/core_ops.h"
#include "compiler/pro/lower/operation_writer.h"

using namespace mlir;

namespace placid::pro {

namespace {

pl::TileType tileOf(mlir::Value value) { return cast<pl::TileType>(value.getType()); }

/// The next multiple of `unit`.
Index roundedUp(const Index &extent, int64_t unit) {
  Index more = makeIndex(IndexNode::Kind::Add, extent, constantIndex(unit - 1));
  Index times = more ? makeIndex(IndexNode::Kind::FloorDiv, more, constantIndex(unit)) : nullptr;
  return times ? makeIndex(IndexNode::Kind::Mul, times, constantIndex(unit)) : nullptr;
}

} // namespace

void OperationWriter::flag(const TraceNode &node, Location loc) {
  // Units that raise no flags, and those of the other core: all of them have come here when one says so.
  constexpr std::array<std::string_view, 2> kCube{"FIX", "MTE1"};
  constexpr std::array<std::string_view, 2> kVector{"MTE3", "V"};
  const bool cube = side_ == Side::Cube;
  const bool own = node.mode == "MTE2" || llvm::is_contained(cube ? kCube : kVector, std::string_view(node.mode));
  llvm::StringRef pipe = own ? llvm::StringRef(node.mode) : llvm::StringRef(cube ? "FIX" : "MTE3");
  constexpr int64_t kFlagsOfALane = 16;
  SmallVector<Value> flags{index(*node.value, loc)};
  if (cube && !node.oneLane) { // those of the second vector core come behind those of the first
    const Extent known = node.value->range && node.value->range->isSingle() ? Extent(node.value->range->low) : Extent();
    Value more = number(known.value_or(0) + kFlagsOfALane, loc);
    flags.push_back(known ? more : Value(arith::AddIOp::create(builder_, loc, flags.front(), more)));
  }
  for (Value flag : flags) {
    if (node.op == "core.set") {
      pl::CoreSetOp::create(builder_, loc, builder_.getStringAttr(pipe), flag);
    } else {
      pl::CoreWaitOp::create(builder_, loc, builder_.getStringAttr(pipe), flag);
    }
  }
}

void OperationWriter::put(Value source, Value target, llvm::StringRef how, Location loc, Value scratch,
                          ArrayRef<Value> offsets, bool relu, Value scale) {
  pl::SharedPutOp::create(builder_, loc, source, target, scratch, offsets, builder_.getStringAttr(how),
                          relu ? builder_.getUnitAttr() : UnitAttr(), scale);
}

void OperationWriter::toLanes(const TraceNode &node, Value source, Value target, Value scales, Location loc) {
  const bool rows = node.mode == "split_m";
  const bool columns = node.mode == "split_n";
  pl::TileType from = tileOf(source);
  pl::TileType to = tileOf(target);
  if (from.getShape()[0] != to.getShape()[0] * (rows ? 2 : 1) ||
      from.getShape()[1] != to.getShape()[1] * (columns ? 2 : 1)) {
    return refuse(node.at, "a move from Acc to UB of another shape, or of which each vector core has other than half, "
                           "is not lowered");
  }
  constexpr int64_t kRowsOfBoth = 2;
  constexpr int64_t kColumnsOfBoth = 32;
  if (columns && from.getShape()[1] % kColumnsOfBoth != 0) {
    return refuse(node.at, "columns that are no multiple of 32 are not divided between the vector cores");
  }
  if ((rows || columns) && !node.parts[0].empty()) {
    // Both get as much: what one of them has too much holds nothing.
    std::vector<Index> part = node.parts[0];
    Index &extent = part[rows ? 0 : 1];
    extent = roundedUp(extent, rows ? kRowsOfBoth : kColumnsOfBoth);
    if (!extent) {
      return refuse(node.at, "the part of this accumulator in use is not known while compiling");
    }
    source = narrowed(source, part, loc);
  }
  Value scale = scales;
  if (node.scaled && !scale) {
    scale = scaleWord(node, to.getDtype(), loc);
  }
  if (scale && (rows || columns || !scales)) {
    // Of a number the assembler reads no form that it would print.
    return refuse(node.at, scales ? "a scale of what both vector cores get a half of is not lowered"
                                  : "a scale of a move from Acc to UB that is no row of numbers has no form that the "
                                    "assembler takes");
  }
  put(source, target, node.mode, loc, {}, {}, node.relu, scale);
}

void OperationWriter::insert(const TraceNode &node, Value source, Value target, Location loc) {
  pl::TileType from = tileOf(source);
  pl::TileType to = tileOf(target);
  const int64_t line = 256 / pl::bitWidth(from.getDtype()); // a line of a fractal has 32 bytes
  constexpr int64_t kRows = 16;
  const bool fits = from.getShape()[0] <= to.getShape()[0] && from.getShape()[1] <= to.getShape()[1];
  if (from.getDtype() != to.getDtype() || !fits || from.getShape()[0] % kRows != 0 || from.getShape()[1] % line != 0) {
    return refuse(node.at,
                  "a tile of UB that is no whole fractals, or not of the type and within the tile of L1, is not "
                  "inserted");
  }
  SmallVector<Value> offsets;
  for (const Index &offset : node.offsets) {
    offsets.push_back(index(*offset, loc));
  }
  const IndexNode &column = *node.offsets[1];
  if (column.range && column.range->isSingle() && column.range->low % line != 0) {
    return refuse(node.at, "a tile of UB is inserted at columns that are multiples of " + std::to_string(line));
  }
  Value scratch = pl::TileCreateOp::create(builder_, loc, withValid(from, {}));
  put(source, target, "insert", loc, scratch, offsets);
}

} // namespace placid::pro
