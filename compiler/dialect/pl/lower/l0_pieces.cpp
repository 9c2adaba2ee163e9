// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/l0_pieces.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

bool isMatTile(TileType type) { return type.getRank() == 2 && type.getMem() == Mem::Mat; }

Value constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, rangeLoc(loc), value);
}

Value asIndex(OpBuilder &builder, Location loc, OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value)) {
    return constantIndex(builder, loc, cast<IntegerAttr>(attr).getInt());
  }
  Value operand = cast<Value>(value);
  if (operand.getType().isIndex()) {
    return operand;
  }
  return arith::IndexCastOp::create(builder, rangeLoc(loc), builder.getIndexType(), operand);
}

OpFoldResult divide(OpBuilder &builder, Location loc, OpFoldResult value, int64_t by) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return builder.getIndexAttr(*constant / by);
  }
  Value divisor = constantIndex(builder, loc, by);
  return arith::FloorDivSIOp::create(builder, rangeLoc(loc), asIndex(builder, loc, value), divisor).getResult();
}

} // namespace

bool isWhole(TileType type) { return type.getValid().empty() || type.getValid() == type.getShape(); }

std::optional<Product> matchProduct(Operation *op) {
  Product product;
  product.op = op;
  if (auto matmul = dyn_cast<TileMatmulOp>(op)) {
    product.lhs = matmul.getLhs();
    product.rhs = matmul.getRhs();
    product.result = matmul.getResult();
  } else if (auto matmulAcc = dyn_cast<TileMatmulAccOp>(op)) {
    product.acc = matmulAcc.getAcc();
    product.lhs = matmulAcc.getLhs();
    product.rhs = matmulAcc.getRhs();
    product.result = matmulAcc.getResult();
  } else {
    return std::nullopt;
  }
  TileType lhs = product.lhs.getType();
  TileType rhs = product.rhs.getType();
  if (!isMatTile(lhs) || !isMatTile(rhs) || product.result.getType().getRank() != 2 ||
      lhs.getDtype() != rhs.getDtype() || bitWidth(lhs.getDtype()) < 8 || lhs.getShape()[1] != rhs.getShape()[0] ||
      product.result.getType().getShape() != ArrayRef<int64_t>{lhs.getShape()[0], rhs.getShape()[1]}) {
    return std::nullopt;
  }
  product.m = lhs.getShape()[0];
  product.k = lhs.getShape()[1];
  product.n = rhs.getShape()[1];
  return product;
}

L0Request l0Request(const target::Target &target, const Product &product) {
  TileType lhs = product.lhs.getType();
  TileType rhs = product.rhs.getType();
  const int64_t bytes = bitWidth(lhs.getDtype()) / 8;
  // A window of a boxed tile begins and ends on its box: 16 rows by one C0 line, the other way round when transposed.
  const int64_t line = std::max(kFractalRows, target::c0(bytes));
  L0Request request{.m = product.m, .n = product.n, .k = product.k, .lhsBytes = bytes, .rhsBytes = bytes};
  request.accRowMultiple = isFloat(product.result.getType().getDtype()) ? target.accRows : target.accRowsInt32;
  request.multipleK = line;
  request.multipleM = lhs.getTransposed() ? line : kFractalRows;
  request.multipleN = rhs.getTransposed() ? kFractalRows : line;
  return request;
}

bool isTileable(const Product &product, const L0Request &request) {
  return product.m % request.multipleM == 0 && product.n % request.multipleN == 0 &&
         product.k % request.multipleK == 0 && product.lhs.getType().getValidOrShape()[1] == product.k &&
         product.rhs.getType().getValidOrShape()[0] == product.k;
}

PieceWriter::PieceWriter(OpBuilder &builder, const Product &product, int64_t blockK)
    : builder_(builder), p_(product), blockK_(blockK), name_(nameOf(product.result, "acc")),
      loc_(product.op->getLoc()) {}

Value PieceWriter::loop(int64_t begin, int64_t end, int64_t step, Value carried,
                        llvm::function_ref<Value(Value, Value)> body) {
  Value low = constantIndex(builder_, loc_, begin);
  Value high = constantIndex(builder_, loc_, end);
  Value by = constantIndex(builder_, loc_, step);
  auto loop = scf::ForOp::create(builder_, rangeLoc(loc_), low, high, by, ValueRange{carried});
  loop->setAttr(kLoopKindAttr, builder_.getStringAttr("pipeline"));
  loop->setAttr(kStagesAttr, builder_.getI64IntegerAttr(2));
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(loop.getBody());
  Value next = body(loop.getInductionVar(), loop.getRegionIterArg(0));
  scf::YieldOp::create(builder_, rangeLoc(loc_), next);
  return loop.getResult(0);
}

/// What is valid of the source stays valid where the window spans its axis.
Value PieceWriter::extract(TypedValue<TileType> source, OpFoldResult row, OpFoldResult column, int64_t rows,
                           int64_t columns, Mem mem, StringRef suffix) {
  TileType type = source.getType();
  ArrayRef<int64_t> valid = type.getValidOrShape();
  SmallVector<int64_t> shape = {rows, columns};
  SmallVector<int64_t> live = {rows == type.getShape()[0] ? valid[0] : rows,
                               columns == type.getShape()[1] ? valid[1] : columns};
  auto result = TileType::get(builder_.getContext(), shape, type.getDtype(), mem).withShape(shape, live);
  Location loc = namedLoc(loc_, name_, suffix);
  if (shape == type.getShape()) {
    return TileMoveOp::create(builder_, loc, result, source);
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  splitMixedList({row, column}, dynamic, statics);
  return TileExtractOp::create(builder_, loc, result, source, dynamic, builder_.getDenseI64ArrayAttr(statics));
}

Value PieceWriter::multiply(Value acc, Value left, Value right, TileType type) {
  Location loc = namedLoc(loc_, name_, "_l0");
  if (acc) {
    return TileMatmulAccOp::create(builder_, loc, type, acc, left, right);
  }
  return TileMatmulOp::create(builder_, loc, type, left, right);
}

Value PieceWriter::piece(OpFoldResult row, OpFoldResult column, int64_t m, int64_t n, Value left, Value right,
                         Value acc) {
  TileType whole = p_.result.getType();
  ArrayRef<int64_t> valid = whole.getValidOrShape();
  SmallVector<int64_t> shape = {m, n};
  SmallVector<int64_t> live = {m == whole.getShape()[0] ? valid[0] : m, n == whole.getShape()[1] ? valid[1] : n};
  TileType type = TileType::get(builder_.getContext(), shape, whole.getDtype(), Mem::Acc).withShape(shape, live);
  OpFoldResult zero = builder_.getIndexAttr(0);
  auto block = [&](OpFoldResult at, int64_t k, Value into) -> Value {
    Value a = left ? left : extract(p_.lhs, row, at, m, k, Mem::Left, "_l0_a");
    Value b = right ? right : extract(p_.rhs, at, column, k, n, Mem::Right, "_l0_b");
    return multiply(into, a, b, type);
  };
  const int64_t full = p_.k / blockK_;
  int64_t next = 0;
  if (!acc) {
    acc = block(zero, blockK_, {});
    next = blockK_;
  }
  if (full * blockK_ - next > blockK_) {
    acc = loop(next, full * blockK_, blockK_, acc, [&](Value at, Value into) { return block(at, blockK_, into); });
  } else if (full * blockK_ > next) {
    acc = block(builder_.getIndexAttr(next), blockK_, acc);
  }
  if (p_.k % blockK_ != 0) {
    acc = block(builder_.getIndexAttr(full * blockK_), p_.k % blockK_, acc);
  }
  return acc;
}

OpFoldResult addOffset(OpBuilder &builder, Location loc, OpFoldResult base, OpFoldResult delta) {
  std::optional<int64_t> constantBase = getConstantIntValue(base);
  std::optional<int64_t> constantDelta = getConstantIntValue(delta);
  if (constantBase && constantDelta) {
    return builder.getIndexAttr(*constantBase + *constantDelta);
  }
  if (constantDelta == 0) {
    return base;
  }
  if (constantBase == 0) {
    return delta;
  }
  Value lhs = asIndex(builder, loc, base);
  Value rhs = asIndex(builder, loc, delta);
  return arith::AddIOp::create(builder, rangeLoc(loc), lhs, rhs).getResult();
}

Value storePiece(OpBuilder &builder, TileStoreOp store, Value acc, OpFoldResult row, OpFoldResult column, int64_t m,
                 int64_t n, Value dest) {
  TensorType type = store.getDest().getType();
  Location loc = store.getLoc();
  SmallVector<OpFoldResult> offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), builder.getContext());
  DenseI64ArrayAttr sizes;
  if (type.isNz()) {
    const int64_t c0 = *c0Elements(type.getDtype());
    offsets[1] = addOffset(builder, loc, offsets[1], divide(builder, loc, column, c0));
    sizes = builder.getDenseI64ArrayAttr({1, n / c0, m / kFractalRows, kFractalRows, c0});
  } else {
    const unsigned rank = type.getRank();
    offsets[rank - 2] = addOffset(builder, loc, offsets[rank - 2], row);
    offsets[rank - 1] = addOffset(builder, loc, offsets[rank - 1], column);
    if (store.getSizes()) {
      SmallVector<int64_t> extents(*store.getSizes());
      extents[rank - 2] = m;
      extents[rank - 1] = n;
      sizes = builder.getDenseI64ArrayAttr(extents);
    }
  }
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  splitMixedList(offsets, dynamic, statics);
  auto piece = TileStoreOp::create(
      builder, loc, store.getResult().getType(), acc, dest, dynamic, builder.getDenseI64ArrayAttr(statics), sizes,
      store.getAtomicAttr(), store.getPreQuantAttr(), store.getPreReluAttr(), store.getStPhaseAttr(), store.getScale());
  piece->setDiscardableAttrs(store->getDiscardableAttrDictionary());
  return piece.getResult();
}

} // namespace placid::pl
