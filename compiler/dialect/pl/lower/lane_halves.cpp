// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lane_halves.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/vector_ops.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr int64_t kRows = 0;
constexpr int64_t kColumns = 1;

TileType tileOf(Value value) { return value ? dyn_cast<TileType>(value.getType()) : TileType(); }

StringRef axisName(int64_t axis) { return axis == kRows ? "rows" : "columns"; }

/// How an instruction goes through its tiles.
enum class Way : uint8_t {
  Elements,  ///< Each element of the result follows from those at its place.
  Bits,      ///< … where some tile has one bit an element: its columns are not those of the others.
  RowReduce, ///< Each row becomes one element.
  ColReduce, ///< Each column does.
  RowSpread, ///< A column is repeated along the rows.
  ColSpread, ///< A row is repeated along the columns.
  EachRow,   ///< The rows of all tiles correspond; within a row anything may happen.
  Generate,  ///< One value everywhere.
  Whole,     ///< Anything else.
};

Way wayOf(GenericOp op) {
  StringRef name = op.getName();
  if (!name.consume_front("tile.")) {
    return Way::Whole;
  }
  const Way special =
      llvm::StringSwitch<Way>(name)
          .Cases({"cmp", "cmps", "sel", "sels", "prelu"}, Way::Bits)
          .Cases({"full", "expands"}, Way::Generate)
          .Cases({"row_expand", "row_expand_add", "row_expand_sub", "row_expand_mul"}, Way::RowSpread)
          .Cases({"row_expand_div", "row_expand_max", "row_expand_min", "row_expand_expdif"}, Way::RowSpread)
          .Cases({"col_expand", "col_expand_add", "col_expand_sub", "col_expand_mul"}, Way::ColSpread)
          .Cases({"col_expand_div", "col_expand_max", "col_expand_min", "col_expand_expdif"}, Way::ColSpread)
          .Cases({"concat", "gather_mask", "sort32"}, Way::EachRow)
          .Case("fillpad", Way::Elements)
          .Default(Way::Whole);
  if (special != Way::Whole) {
    return special;
  }
  switch (op.getRow().category) {
  case ops::Category::Elementwise:
  case ops::Category::ScalarOperand:
  case ops::Category::Bitwise:
  case ops::Category::Unary:
    return Way::Elements;
  case ops::Category::Reduction:
    return name.starts_with("row_") ? Way::RowReduce : name.starts_with("col_") ? Way::ColReduce : Way::Whole;
  default:
    return Way::Whole;
  }
}

/// The scratch tile of an instruction; null for one without.
Value scratchOf(GenericOp op) {
  const VectorOp *row = findVectorOp(op.getName());
  StringRef name = row ? scratchParameter(*row) : StringRef();
  return name.empty() ? Value() : op.getArgument(name);
}

/// The value is a multiple of `divisor`, as far as sums, products and loops show it. An offset that wraps is outside of
/// its tensor in any case. `looks` bounds the sub-expressions that are looked at, because they may be shared.
bool isMultiple(Value value, int64_t divisor, int &looks) {
  if (--looks < 0) {
    return false;
  }
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return *constant % divisor == 0;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && value == loop.getInductionVar() && isMultiple(loop.getLowerBound(), divisor, looks) &&
           isMultiple(loop.getStep(), divisor, looks);
  }
  Operation *op = value.getDefiningOp();
  if (auto cast = dyn_cast<CastOp>(op)) {
    return isa<IndexType, IntegerType>(cast.getInput().getType()) && isMultiple(cast.getInput(), divisor, looks);
  }
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    return isMultiple(op->getOperand(0), divisor, looks) && isMultiple(op->getOperand(1), divisor, looks);
  }
  return isa<arith::MulIOp>(op) &&
         (isMultiple(op->getOperand(0), divisor, looks) || isMultiple(op->getOperand(1), divisor, looks));
}

/// Nothing but an instruction's scratch, which is as large as the instruction wants it in the end.
bool isScratch(TileCreateOp create) {
  auto user = create->hasOneUse() ? dyn_cast<GenericOp>(*create->user_begin()) : GenericOp();
  return user && scratchOf(user) == create.getResult();
}

} // namespace

LaneHalves::LaneHalves(func::FuncOp function, int64_t axis) : axis_(axis) {
  block(function.getBody().front());
  if (!refusal_) {
    checkTensors(function);
  }
}

std::optional<int64_t> LaneHalves::axisOf(Value tile) const {
  auto found = halves_.find(tile);
  return found == halves_.end() ? std::nullopt : std::optional(found->second);
}

TileType LaneHalves::halved(TileType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> valid(type.getValid());
  shape[axis] /= 2;
  if (!valid.empty()) {
    valid[axis] = shape[axis];
  }
  return type.withShape(shape, valid);
}

std::optional<unsigned> LaneHalves::windowAxis(ArrayRef<int64_t> sizes, int64_t axis) {
  if (sizes.empty()) {
    return std::nullopt;
  }
  if (axis == kColumns) {
    return sizes.back() % 2 == 0 ? std::optional<unsigned>(sizes.size() - 1) : std::nullopt;
  }
  for (auto [i, size] : llvm::enumerate(sizes.drop_back())) {
    if (size != 1) {
      return size % 2 == 0 ? std::optional<unsigned>(i) : std::nullopt;
    }
  }
  return std::nullopt;
}

void LaneHalves::refuse(Operation *op, std::string why) {
  if (!refusal_) {
    refusal_ = {op, std::move(why)};
  }
}

bool LaneHalves::halves(TileType type, int64_t axis) {
  if (type.getRank() != 2 || type.getTransposed() || type.getShape()[axis] % 2 != 0 ||
      type.getValidOrShape()[axis] != type.getShape()[axis]) {
    return false;
  }
  ArrayRef<int64_t> half = halved(type, axis).getShape();
  return half[half[1] == 1 ? 0 : 1] * static_cast<int64_t>(bitWidth(type.getDtype())) % (8 * target::kLineBytes) == 0;
}

bool LaneHalves::isVector(Value value) {
  TileType type = tileOf(value);
  return type && type.getMem() == Mem::Vec;
}

LaneHalves::Axis LaneHalves::made(Value tile) const {
  return isVector(tile) && halves(tileOf(tile), axis_) ? Axis(axis_) : std::nullopt;
}

void LaneHalves::set(Value value, Axis axis) {
  if (!axis || !isVector(value)) {
    halves_.erase(value);
    return;
  }
  TileType type = tileOf(value);
  Operation *op = value.getDefiningOp() ? value.getDefiningOp() : value.getParentRegion()->getParentOp();
  if (type.getRank() != 2 || type.getShape()[*axis] % 2 != 0) {
    return refuse(op,
                  "a tile of an odd number of " + axisName(*axis).str() + " of which each vector lane has its half");
  }
  if (type.getValidOrShape()[*axis] != type.getShape()[*axis]) {
    return refuse(op, "a tile that is live only in part of the " + axisName(*axis).str() +
                          " of which each vector lane has its half");
  }
  if (!halves(type, *axis)) {
    return refuse(op, "a tile of " + shapeText(type.getShape()) + " " + plName(type.getDtype()).str() +
                          ", whose half is not whole 32-byte blocks, for each vector lane");
  }
  halves_[value] = *axis;
}

void LaneHalves::want(OpOperand &operand, Axis axis) {
  if (!isVector(operand.get())) {
    return;
  }
  const Axis has = axisOf(operand.get());
  if (has == axis) {
    cuts_.erase(&operand);
    return;
  }
  if (has) {
    return refuse(operand.getOwner(), "an operation that needs all of a tile of which each vector lane has its half");
  }
  if (!halves(tileOf(operand.get()), *axis)) {
    return refuse(operand.getOwner(), "an operation on a tile that does not halve for the vector lanes");
  }
  cuts_[&operand] = *axis;
}

//===-- Control flow ----------------------------------------------------------------------------------------------===//

void LaneHalves::block(Block &source) {
  for (Operation &op : source.without_terminator()) {
    if (refusal_) {
      return;
    }
    visit(&op);
  }
}

void LaneHalves::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitFor(loop); })
      .Case([&](scf::IfOp branch) { visitIf(branch); })
      .Case([&](TileLoadOp load) { visitLoad(load); })
      .Case([&](TileStoreOp store) { visitStore(store); })
      .Case([&](TileMoveOp move) { visitMove(move); })
      .Case([&](TileReshapeOp reshape) { visitReshape(reshape); })
      .Case([&](TileCreateOp create) { set(create.getResult(), isScratch(create) ? std::nullopt : made(create)); })
      .Case([&](TileExtractOp extract) {
        visitWindow(extract, extract.getSource(), extract.getResult(),
                    mixedList(extract.getOffsets(), extract.getStaticOffsets(), extract.getContext()));
      })
      .Case([&](GenericOp generic) { visitGeneric(generic); })
      .Default([&](Operation *other) {
        for (Value operand : other->getOperands()) {
          if (axisOf(operand)) {
            refuse(other, isa<ReadOp>(other) ? "a number read from a tile of which each vector lane has its half"
                                             : "an operation on a tile of which each vector lane has its half");
          }
        }
      });
}

void LaneHalves::visitFor(scf::ForOp loop) {
  const unsigned first = loop.getNumControlOperands();
  auto join = [&](unsigned i, Axis axis) {
    want(loop->getOpOperand(first + i), axis);
    set(loop.getRegionIterArg(i), axis);
    set(loop.getResult(i), axis);
  };
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    if (isVector(loop.getRegionIterArg(i))) {
      join(i, axisOf(loop.getInitArgs()[i]));
    }
  }
  // A tile that is whole at first and comes round in halves was to be in halves from the start; what follows from it
  // is looked at once more. Each round settles one of them at least.
  for (bool again = true; again && !refusal_;) {
    again = false;
    block(*loop.getBody());
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
      const Axis axis = axisOf(loop.getRegionIterArg(i));
      const Axis next = axisOf(loop.getYieldedValues()[i]);
      if (isVector(loop.getRegionIterArg(i)) && !axis && next) {
        join(i, next);
        again = true;
      }
    }
  }
  for (unsigned i = 0; i < loop.getNumRegionIterArgs() && !refusal_; ++i) {
    if (isVector(loop.getRegionIterArg(i))) {
      want(loop.getBody()->getTerminator()->getOpOperand(i), axisOf(loop.getRegionIterArg(i)));
    }
  }
}

void LaneHalves::visitIf(scf::IfOp branch) {
  block(*branch.thenBlock());
  if (!branch.getElseRegion().empty()) {
    block(*branch.elseBlock());
  }
  for (unsigned i = 0; i < branch.getNumResults() && !refusal_; ++i) {
    if (!isVector(branch.getResult(i))) {
      continue;
    }
    OpOperand &one = branch.thenYield()->getOpOperand(i);
    OpOperand &other = branch.elseYield()->getOpOperand(i);
    const Axis axis = axisOf(one.get()) ? axisOf(one.get()) : axisOf(other.get());
    want(one, axis);
    want(other, axis);
    set(branch.getResult(i), axis);
  }
}

//===-- Transfers -------------------------------------------------------------------------------------------------===//

void LaneHalves::visitLoad(TileLoadOp load) {
  Axis axis = made(load.getResult());
  if (axis && !windowAxis(load.getSizes(), *axis)) {
    axis = std::nullopt; // every lane loads all of it
  }
  set(load.getResult(), axis);
}

void LaneHalves::visitStore(TileStoreOp store) {
  const Axis axis = axisOf(store.getTile());
  if (!axis) {
    if (isVector(store.getTile()) && store.getAtomic()) {
      refuse(store, "an atomic store of a tile that both vector lanes have");
    }
    return;
  }
  SmallVector<int64_t> sizes;
  if (store.getSizes()) {
    sizes.assign(store.getSizes()->begin(), store.getSizes()->end());
  } else {
    sizes.assign(store.getDest().getType().getRank(), 1);
    ArrayRef<int64_t> shape = tileOf(store.getTile()).getShape();
    for (size_t i = 0; i < std::min(sizes.size(), shape.size()); ++i) {
      sizes[sizes.size() - 1 - i] = shape[shape.size() - 1 - i];
    }
  }
  if (store.getDest().getType().isNz() || !windowAxis(sizes, *axis)) {
    refuse(store, "a store of which each vector lane does its half");
  }
}

void LaneHalves::visitMove(TileMoveOp move) {
  const bool from = isVector(move.getSource());
  const bool to = isVector(move.getResult());
  if (from && to) {
    set(move.getResult(), axisOf(move.getSource()));
  } else if (to) {
    TileType type = move.getResult().getType();
    // A tile of one row, say, has no halves along it: both lanes take all of it.
    set(move.getResult(), type.getRank() == 2 && type.getShape()[axis_] == 1 ? std::nullopt : Axis(axis_));
  }
}

void LaneHalves::visitReshape(TileReshapeOp reshape) {
  Value source = reshape.getSource();
  Value result = reshape.getResult();
  if (!isVector(source)) {
    return;
  }
  TileType from = tileOf(source);
  TileType to = tileOf(result);
  const Axis axis = axisOf(source);
  if (!axis) {
    // A row that becomes a column, say, is cut while it is a row.
    const Axis wanted = from.getRank() == 2 && from.getShape()[axis_] == 1 ? made(result) : std::nullopt;
    if (wanted) {
      want(reshape->getOpOperand(0), 1 - *wanted);
    }
    return set(result, wanted);
  }
  // The first half of the elements in order is the first half of the rows, or of the columns of a single row.
  if (from.getShape() == to.getShape()) {
    return set(result, axis);
  }
  const bool inOrder = *axis == kRows || from.getShape()[0] == 1;
  if (!inOrder || to.getRank() != 2 || !from.getValid().empty()) {
    return refuse(reshape,
                  "a tile under another shape, of which each vector lane has half of the " + axisName(*axis).str());
  }
  set(result, to.getShape()[0] == 1 ? kColumns : kRows);
}

void LaneHalves::visitWindow(Operation *op, Value whole, Value part, ArrayRef<OpFoldResult> offsets) {
  if (!isVector(whole)) {
    return;
  }
  const Axis axis = axisOf(whole) ? axisOf(whole) : axisOf(part);
  if (!axis) {
    return set(op->getResult(0), std::nullopt);
  }
  const bool across = getConstantIntValue(offsets[*axis]) == int64_t(0) &&
                      tileOf(whole).getShape()[*axis] == tileOf(part).getShape()[*axis];
  if (!across) {
    return refuse(op, "a window of part of the " + axisName(*axis).str() + ", of which each vector lane has its half,");
  }
  for (OpOperand &operand : op->getOpOperands()) {
    want(operand, axis);
  }
  set(op->getResult(0), axis);
}

//===-- Instructions ----------------------------------------------------------------------------------------------===//

void LaneHalves::visitGeneric(GenericOp op) {
  if (op.getName() == "tile.assemble" && op->getNumResults() == 1) {
    return visitWindow(op, op.getArgument("target"), op.getArgument("source"), op.getList("offset"));
  }
  if (op->getNumResults() == 1 && isVector(op->getResult(0))) {
    return visitInstruction(op);
  }
  for (Value operand : op.getOperands()) {
    if (axisOf(operand)) {
      return refuse(op, "an operation on a tile of which each vector lane has its half");
    }
  }
}

void LaneHalves::visitInstruction(GenericOp op) {
  Value result = op->getResult(0);
  Value scratch = scratchOf(op);
  auto isDivided = [&](Value operand) { return operand != scratch && axisOf(operand); };
  const Way way = wayOf(op);
  if (way == Way::Generate) {
    const Axis axis = made(result);
    for (OpOperand &operand : op->getOpOperands()) {
      want(operand, axis);
    }
    return set(result, axis);
  }
  if (llvm::none_of(op.getOperands(), isDivided)) {
    return set(result, std::nullopt);
  }
  switch (way) {
  case Way::Elements:
    return alike(op);
  case Way::Bits:
  case Way::EachRow: {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!tileOf(operand.get()) || operand.get() == scratch) {
        continue;
      }
      if (axisOf(operand.get()) == Axis(kColumns)) {
        return refuse(op, "an operation across the columns, of which each vector lane has its half,");
      }
      if (tileOf(operand.get()).getShape()[0] != tileOf(result).getShape()[0]) {
        return refuse(op,
                      "an operation on tiles of different numbers of rows, of which each vector lane has its half,");
      }
      want(operand, kRows);
    }
    return set(result, kRows);
  }
  case Way::RowReduce:
    return reduce(op, kColumns);
  case Way::ColReduce:
    return reduce(op, kRows);
  case Way::RowSpread:
    return spread(op, op.getArgument(op.getArgument("tile") ? "tile" : "target"), op.getArgument("row_vec"), kColumns);
  case Way::ColSpread:
    return spread(op, op.getArgument(op.getArgument("tile") ? "tile" : "target"), op.getArgument("col_vec"), kRows);
  case Way::Generate:
  case Way::Whole:
    return refuse(op, "an operation that needs all of a tile of which each vector lane has its half");
  }
}

void LaneHalves::alike(GenericOp op) {
  Value result = op->getResult(0);
  Value scratch = scratchOf(op);
  Axis axis;
  for (Value operand : op.getOperands()) {
    axis = axis || operand == scratch ? axis : axisOf(operand);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    TileType type = tileOf(operand.get());
    if (!type || operand.get() == scratch) {
      continue;
    }
    if (type.getShape() != tileOf(result).getShape()) {
      return refuse(op, "an operation on tiles of different shapes, of which each vector lane has its half,");
    }
    want(operand, axis);
  }
  set(result, axis);
}

void LaneHalves::reduce(GenericOp op, int64_t reduced) {
  Value scratch = scratchOf(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!tileOf(operand.get()) || operand.get() == scratch) {
      continue;
    }
    const Axis axis = axisOf(operand.get());
    if (axis == Axis(reduced)) {
      return refuse(op,
                    "a reduction over the " + axisName(reduced).str() + ", of which each vector lane has its half,");
    }
    return set(op->getResult(0), axis);
  }
}

void LaneHalves::spread(GenericOp op, Value tile, Value line, int64_t repeated) {
  // Along the repeated axis every lane needs the whole line; along the other its half of it.
  const Axis ofLine = axisOf(line);
  Axis axis = tile && axisOf(tile) ? axisOf(tile) : ofLine;
  if (ofLine == Axis(repeated)) {
    return refuse(op, "an operation that needs all of a tile of which each vector lane has its half");
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() == tile) {
      want(operand, axis);
    } else if (operand.get() == line) {
      want(operand, axis == Axis(repeated) ? std::nullopt : axis);
    }
  }
  set(op->getResult(0), axis);
}

//===-- Tensors ---------------------------------------------------------------------------------------------------===//

void LaneHalves::checkTensors(func::FuncOp function) {
  // Nothing orders the two lanes: a tensor that they write must be divided between them the same way in every access.
  struct Access {
    Operation *op;
    Axis tensorAxis;
    int64_t extent = 0;
    OpFoldResult offset;
  };
  struct Uses {
    SmallVector<Access> accesses;
    bool written = false;
    bool repeated = false;
  };
  llvm::MapVector<Value, Uses> tensors;
  auto note = [&](Operation *op, Value tensor, Value tile, ArrayRef<OpFoldResult> offsets, ArrayRef<int64_t> sizes) {
    Access access{op, std::nullopt, 0, {}};
    if (const Axis axis = axisOf(tile)) {
      const std::optional<unsigned> at = windowAxis(sizes, *axis);
      access.tensorAxis = at ? Axis(*at) : std::nullopt;
      access.extent = at ? sizes[*at] : 0;
      access.offset = at ? offsets[*at] : OpFoldResult();
    }
    Uses &uses = tensors[tensorRoot(tensor)];
    uses.accesses.push_back(access);
    uses.written |= isa<TileStoreOp>(op);
    uses.repeated |= op->getParentOp() != function;
  };
  function.walk([&](Operation *op) {
    if (auto load = dyn_cast<TileLoadOp>(op); load && isVector(load.getResult())) {
      note(op, load.getSource(), load.getResult(),
           mixedList(load.getOffsets(), load.getStaticOffsets(), op->getContext()), load.getSizes());
    } else if (auto store = dyn_cast<TileStoreOp>(op); store && isVector(store.getTile())) {
      ArrayRef<int64_t> shape = tileOf(store.getTile()).getShape();
      SmallVector<int64_t> sizes(store.getDest().getType().getRank(), 1);
      for (size_t i = 0; i < std::min(sizes.size(), shape.size()); ++i) {
        sizes[sizes.size() - 1 - i] = shape[shape.size() - 1 - i];
      }
      note(op, store.getDest(), store.getTile(),
           mixedList(store.getOffsets(), store.getStaticOffsets(), op->getContext()),
           store.getSizes() ? *store.getSizes() : ArrayRef(sizes));
    } else if (auto read = dyn_cast<ReadOp>(op); read && isa<TensorType>(read.getSource().getType())) {
      tensors[tensorRoot(read.getSource())].accesses.push_back({op, std::nullopt, 0, {}});
    }
  });
  for (auto &[tensor, uses] : tensors) {
    if (!uses.written || (uses.accesses.size() == 1 && !uses.repeated)) {
      continue;
    }
    const Access &first = uses.accesses.front();
    auto isFixed = [&](OpFoldResult offset) {
      auto value = dyn_cast<Value>(offset);
      return !value || value.getParentRegion() == &function.getBody();
    };
    for (const Access &access : uses.accesses) {
      bool same = access.tensorAxis == first.tensorAxis && access.extent == first.extent;
      if (same && access.tensorAxis) {
        auto isBegin = [&](OpFoldResult offset) {
          std::optional<int64_t> constant = getConstantIntValue(offset);
          int looks = 1000;
          return constant ? *constant % access.extent == 0 : isMultiple(cast<Value>(offset), access.extent, looks);
        };
        same = (isFixed(access.offset) && access.offset == first.offset) ||
               (isBegin(access.offset) && isBegin(first.offset));
      } else if (same) {
        // Both lanes write all of it. Who reads must not see what the other lane writes later.
        same = !uses.repeated ||
               llvm::all_of(uses.accesses, [](const Access &other) { return isa<TileStoreOp>(other.op); });
      }
      if (!same) {
        return refuse(access.op, "`" + tensorOrigin(tensor).name +
                                     "`, whose windows the two vector lanes do not divide in one way,");
      }
    }
  }
}

} // namespace placid::pl
