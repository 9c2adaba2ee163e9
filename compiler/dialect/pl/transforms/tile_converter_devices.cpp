// SPDX-License-Identifier: Apache-2.0
// The part of TileConverter that writes to other devices, reads from them and waits for them. What lies in GM goes by
// way of tiles: rows at a time, as many as the user says or as a tile of moderate size holds.
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/transforms/tile_converter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// Bytes of a tile on the way; there are others beside it.
constexpr int64_t kLargestTile = 32 << 10;
constexpr int64_t kLineBytes = 32;
/// Tiles beside one another, each with instructions of its own.
constexpr int64_t kMostColumnTiles = 256;

/// A window of a tensor and where it goes, one of the two on another device. Offsets and the number of rows may be
/// known at run time only.
struct Copy {
  Location loc;
  Value source, target, peer; ///< `peer` is null where it is an attribute.
  SmallVector<OpFoldResult> from, to;
  OpFoldResult rows;
  int64_t columns = 0;
  Operation *call;      ///< Has the attributes of the store.
  bool fetches = false; ///< The source is what lies on the other device.
};

Value asIndex(OpBuilder &builder, Location loc, OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return arith::ConstantOp::create(builder, loc, builder.getIndexAttr(*constant));
  }
  auto known = cast<Value>(value);
  return isa<IndexType>(known.getType())
             ? known
             : CastOp::create(builder, loc, builder.getIndexType(), known, /*unsigned_input=*/false).getResult();
}

OpFoldResult plus(OpBuilder &builder, Location loc, OpFoldResult lhs, OpFoldResult rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    return builder.getIndexAttr(*left + *right);
  }
  if (left == int64_t(0)) {
    return rhs;
  }
  if (right == int64_t(0)) {
    return lhs;
  }
  Value first = asIndex(builder, loc, lhs);
  Value second = asIndex(builder, loc, rhs);
  return arith::AddIOp::create(builder, loc, first, second).getResult();
}

void storeRemote(OpBuilder &builder, const Copy &copy, Value tile, ArrayRef<OpFoldResult> to) {
  SmallVector<Value> offsets;
  SmallVector<int64_t> statics;
  splitMixedList(to, offsets, statics);
  SmallVector<Value> operands{tile, copy.target};
  SmallVector<StringRef> names{"src_tile", "target"};
  if (copy.peer) {
    operands.push_back(copy.peer);
    names.push_back("peer");
  }
  for (Value offset : offsets) {
    operands.push_back(offset);
    names.push_back("offsets");
  }
  auto store = GenericOp::create(builder, copy.loc, TypeRange(), builder.getStringAttr("pld.tile.remote_store"),
                                 operands, builder.getStrArrayAttr(names));
  store->setDiscardableAttr("offsets", builder.getDenseI64ArrayAttr(statics));
  for (StringRef key : {"peer", "atomic"}) {
    if (Attribute value = copy.call->getDiscardableAttr(key)) {
      store->setDiscardableAttr(key, value);
    }
  }
}

/// A window of the peer's tensor as a tile.
Value loadRemote(OpBuilder &builder, const Copy &copy, TileType type, ArrayRef<OpFoldResult> from, OpFoldResult live) {
  SmallVector<Value> operands{copy.source};
  SmallVector<StringRef> names{"target"};
  if (copy.peer) {
    operands.push_back(copy.peer);
    names.push_back("peer");
  }
  auto list = [&](StringRef name, ArrayRef<OpFoldResult> entries) {
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(entries, dynamic, statics);
    operands.append(dynamic);
    names.append(dynamic.size(), name);
    return builder.getDenseI64ArrayAttr(statics);
  };
  NamedAttrList attributes;
  attributes.set("offsets", list("offsets", from));
  attributes.set("shape", builder.getDenseI64ArrayAttr(type.getShape()));
  if (!type.getValid().empty()) {
    attributes.set("valid_shape", list("valid_shape", {live, builder.getIndexAttr(type.getShape()[1])}));
  }
  if (Attribute peer = copy.call->getDiscardableAttr("peer")) {
    attributes.set("peer", peer);
  }
  auto load = GenericOp::create(builder, copy.loc, TypeRange{type}, builder.getStringAttr("pld.tile.remote_load"),
                                operands, builder.getStrArrayAttr(names));
  load->setDiscardableAttrs(attributes.getDictionary(builder.getContext()));
  return load->getResult(0);
}

/// Rows from `row` on, as many as `live` says of `height`, and `width` columns from `column` on.
void copyTile(OpBuilder &builder, const Copy &copy, OpFoldResult row, OpFoldResult live, int64_t height, int64_t column,
              int64_t width) {
  auto shifted = [&](ArrayRef<OpFoldResult> base) {
    OpFoldResult first = plus(builder, copy.loc, base[0], row);
    OpFoldResult second = plus(builder, copy.loc, base[1], builder.getIndexAttr(column));
    return SmallVector<OpFoldResult>{first, second};
  };
  const std::optional<int64_t> known = getConstantIntValue(live);
  SmallVector<int64_t> shape{height, width};
  SmallVector<int64_t> valid{known.value_or(ShapedType::kDynamic), width};
  auto type = TileType::get(builder.getContext(), shape, cast<TensorType>(copy.source.getType()).getDtype(), Mem::Vec,
                            valid == shape ? ArrayRef<int64_t>() : ArrayRef(valid), false);
  SmallVector<Value> offsets;
  SmallVector<int64_t> statics;
  if (copy.fetches) {
    Value tile = loadRemote(builder, copy, type, shifted(copy.from), live);
    splitMixedList(shifted(copy.to), offsets, statics);
    TileStoreOp::create(builder, copy.loc, copy.target.getType(), tile, copy.target, offsets, statics,
                        DenseI64ArrayAttr(), StringAttr(), false, false, StringAttr(), Value());
    return;
  }
  splitMixedList(shifted(copy.from), offsets, statics);
  SmallVector<Value> lives;
  SmallVector<int64_t> staticLives;
  if (valid != shape) {
    splitMixedList({live, builder.getIndexAttr(width)}, lives, staticLives);
  }
  Value tile = TileLoadOp::create(builder, copy.loc, type, copy.source, offsets, statics, shape, lives, staticLives);
  storeRemote(builder, copy, tile, shifted(copy.to));
}

/// False where a tile cannot hold what is asked for.
bool copyInTiles(OpBuilder &builder, const Copy &copy, int64_t elementBytes, int64_t wantedRows,
                 int64_t wantedColumns) {
  // Whole lines of 32 bytes: a transfer through a tile moves nothing less.
  const int64_t line = kLineBytes / elementBytes;
  if (copy.columns % line != 0 || copy.columns < 1) {
    return false;
  }
  int64_t width = std::min(copy.columns, kLargestTile / elementBytes / line * line);
  if (wantedColumns > 0) {
    width = std::max(line, std::min(width, wantedColumns / line * line));
  }
  if (copy.columns / width >= kMostColumnTiles) {
    return false;
  }
  const std::optional<int64_t> rows = getConstantIntValue(copy.rows);
  int64_t height = std::max<int64_t>(1, kLargestTile / (width * elementBytes));
  height = wantedRows > 0 ? std::min(height, wantedRows) : height;
  height = rows ? std::min(height, *rows) : height;
  if (height < 1) {
    return false;
  }
  for (int64_t column = 0; column < copy.columns; column += width) {
    const int64_t here = std::min(width, copy.columns - column);
    if (rows == height) {
      copyTile(builder, copy, builder.getIndexAttr(0), builder.getIndexAttr(height), height, column, here);
      continue;
    }
    Value all = asIndex(builder, copy.loc, copy.rows);
    Value zero = arith::ConstantOp::create(builder, copy.loc, builder.getIndexAttr(0));
    Value step = arith::ConstantOp::create(builder, copy.loc, builder.getIndexAttr(height));
    auto loop = scf::ForOp::create(builder, copy.loc, zero, all, step);
    loop->setAttr(kLoopKindAttr, builder.getStringAttr("range"));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    OpFoldResult live = builder.getIndexAttr(height);
    if (!rows || *rows % height != 0) {
      Value left = arith::SubIOp::create(builder, copy.loc, all, loop.getInductionVar());
      live = arith::MinSIOp::create(builder, copy.loc, left, step).getResult();
    }
    copyTile(builder, copy, loop.getInductionVar(), live, height, column, here);
  }
  return true;
}

} // namespace

bool TileConverter::convertRemoteCopy(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
  const bool get = generic.getName() == "pld.tensor.get";
  const bool put = get || generic.getName() == "pld.tensor.put";
  auto given = [&](StringRef name) -> Value {
    for (auto [parameter, value] : llvm::zip(generic.getOperandNames().getAsRange<StringAttr>(), operands)) {
      if (parameter.getValue() == name) {
        return value;
      }
    }
    return {};
  };
  Copy copy{generic.getLoc(), given("src"), given(put ? "dst" : "target"), given("peer"), {}, {}, {}, 0, generic, get};
  auto target = dyn_cast_or_null<TensorType>(copy.target ? copy.target.getType() : Type());
  if (!copy.source || !target) {
    return false;
  }
  copy.to = generic.getList(put ? "dst_offsets" : "offsets");
  if (copy.to.empty()) {
    copy.to.assign(target.getRank(), builder.getIndexAttr(0));
  }
  auto source = dyn_cast<TensorType>(copy.source.getType());
  if (!source && get) {
    return false;
  }
  if (!source) {
    storeRemote(builder, copy, copy.source, copy.to);
    dead_.insert(generic);
    return true;
  }
  if (source.getRank() != 2 || copy.to.size() != 2 || source.isNz() || bitWidth(source.getDtype()) < 8) {
    return false;
  }
  copy.from = generic.getList("src_offsets");
  if (copy.from.empty()) {
    copy.from.assign(2, builder.getIndexAttr(0));
  }
  SmallVector<OpFoldResult> shape = generic.getList("shape");
  if (shape.empty()) {
    for (unsigned axis : {0u, 1u}) {
      std::optional<int64_t> extent = source.getExtent(axis);
      if (!extent) {
        return false;
      }
      shape.push_back(builder.getIndexAttr(*extent));
    }
  }
  std::optional<int64_t> columns = shape.size() == 2 ? getConstantIntValue(shape[1]) : std::nullopt;
  if (!columns || copy.from.size() != 2) {
    return false;
  }
  if (get && (target.isNz() || target.getDtype() != source.getDtype())) {
    return false;
  }
  copy.rows = shape[0];
  copy.columns = *columns;
  auto number = [&](StringRef name) {
    auto attribute = dyn_cast_or_null<IntegerAttr>(generic.getConfig(name));
    return attribute ? attribute.getInt() : 0;
  };
  if (!copyInTiles(builder, copy, bitWidth(source.getDtype()) / 8, number("chunk_rows"), number("chunk_cols"))) {
    return false;
  }
  dead_.insert(generic);
  return true;
}

void TileConverter::convertBarrier(OpBuilder &builder, GenericOp generic) {
  Location loc = generic.getLoc();
  Value signal = generic.getOperand(0);
  auto type = cast<TensorType>(signal.getType());
  if (type.getRank() != 2 || (type.getExtent(1) && type.getExtent(1) != int64_t(1))) {
    notLowered(loc, "a barrier whose signal is not one column, of a word for each device,");
    return;
  }
  auto make = [&](StringRef name, Type result, ValueRange operands, ArrayRef<StringRef> names) {
    return GenericOp::create(builder, loc, result ? TypeRange{result} : TypeRange(), builder.getStringAttr(name),
                             operands, builder.getStrArrayAttr(names));
  };
  Value context =
      make("pld.system.get_comm_ctx", HandleType::get(builder.getContext(), "commctx"), signal, {"dist_tensor"})
          ->getResult(0);
  auto number = [&](StringRef name) {
    return asIndex(builder, loc, make(name, builder.getI32Type(), context, {"ctx"})->getResult(0));
  };
  Value own = number("pld.system.rank");
  Value all = number("pld.system.nranks");
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(0));
  Value one = arith::ConstantOp::create(builder, loc, builder.getIndexAttr(1));
  // `step` for every device but this one.
  auto forOthers = [&](llvm::function_ref<void(Value)> step) {
    auto loop = scf::ForOp::create(builder, loc, zero, all, one);
    loop->setAttr(kLoopKindAttr, builder.getStringAttr("range"));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value other =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, loop.getInductionVar(), own).getResult();
    auto branch = scf::IfOp::create(builder, loc, TypeRange(), other, /*addThenBlock=*/true, /*addElseBlock=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    step(loop.getInductionVar());
    if (branch.thenBlock()->empty() || !branch.thenBlock()->back().hasTrait<OpTrait::IsTerminator>()) {
      builder.setInsertionPointToEnd(branch.thenBlock());
      scf::YieldOp::create(builder, loc);
    }
  };
  const Attribute cells = builder.getDenseI64ArrayAttr({ShapedType::kDynamic, 0});
  auto notify = [&](Value peer, Value cell, int64_t value) {
    GenericOp op = make("pld.system.notify", {}, {signal, peer, cell}, {"target", "peer", "offsets"});
    op->setDiscardableAttr("offsets", cells);
    op->setDiscardableAttr("value", builder.getI64IntegerAttr(value));
    op->setDiscardableAttr("op", builder.getStringAttr("AtomicAdd"));
  };
  // Each device counts up its word on all others, and waits until all others have counted up theirs here. Then it takes
  // back what was counted, so that the words are zero for the next time, whoever comes to it first.
  forOthers([&](Value peer) { notify(peer, own, 1); });
  forOthers([&](Value peer) {
    GenericOp wait = make("pld.system.wait", {}, {signal, peer}, {"signal", "offsets"});
    wait->setDiscardableAttr("offsets", cells);
    wait->setDiscardableAttr("expected", builder.getI64IntegerAttr(1));
    wait->setDiscardableAttr("cmp", builder.getStringAttr("Ge"));
  });
  forOthers([&](Value peer) { notify(own, peer, -1); });
  generic.replaceAllUsesWith(ValueRange{signal});
  dead_.insert(generic);
}

} // namespace placid::pl
