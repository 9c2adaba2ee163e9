// SPDX-License-Identifier: Apache-2.0
// AutoTileMatmulL0: see passes.td. The choice of the tile is l0_tile_chooser; this file decides what may be split, and
// writes the pieces.
#include "compiler/dialect/pl/lower/l0_tile_chooser.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_AUTOTILEMATMULL0
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// At most this many pieces are written one after the other; beyond it, loops run over them.
constexpr int64_t kMaxUnrolledPieces = 16;

/// A matmul whose operands are 2-D Mat tiles, and what its product may be split by.
struct Product {
  Operation *op = nullptr;
  Value acc; ///< The accumulator of a matmul_acc, else null.
  TypedValue<TileType> lhs;
  TypedValue<TileType> rhs;
  TypedValue<TileType> result;
  TileStoreOp store; ///< The one store of the product, when the product may be split by rows or columns.
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;

  bool toNz() { return store && store.getDest().getType().isNz(); }
};

bool isMatTile(TileType type) { return type.getRank() == 2 && type.getMem() == Mem::Mat; }

bool isWhole(TileType type) { return type.getValid().empty() || type.getValid() == type.getShape(); }

/// The only use of the product, when it is a store whose window can be cut along the product's rows and columns.
TileStoreOp splittableStore(Product &product) {
  if (!product.result.hasOneUse()) {
    return nullptr;
  }
  auto store = dyn_cast<TileStoreOp>(*product.result.user_begin());
  if (!store || store->getBlock() != product.op->getBlock()) {
    return nullptr;
  }
  TensorType dest = store.getDest().getType();
  if (dest.isNz()) {
    return dest.getRank() == 5 && store.getSizes() ? store : nullptr;
  }
  if (dest.getLayout() != Layout::ND || dest.getRank() < 2) {
    return nullptr;
  }
  if (std::optional<ArrayRef<int64_t>> sizes = store.getSizes()) {
    bool onePlane = llvm::all_of(sizes->drop_back(2), [](int64_t extent) { return extent == 1; });
    return onePlane && sizes->take_back(2) == ArrayRef<int64_t>{product.m, product.n} ? store : nullptr;
  }
  return store;
}

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
  if (!product.acc && isWhole(lhs) && isWhole(rhs)) {
    product.store = splittableStore(product);
  }
  return product;
}

class Tiler {
public:
  Tiler(Product &product, const L0Tile &tile)
      : p_(product), tile_(tile), name_(nameOf(product.result, "acc")), loc_(product.op->getLoc()),
        builder_(product.op) {}

  /// K only: the product keeps its value and all its uses.
  void splitK() {
    Value result = piece(zero(), zero(), p_.m, p_.n, {}, {}, p_.acc);
    result.setLoc(p_.result.getLoc());
    if (auto name = p_.op->getAttr(kResultNameAttr)) {
      result.getDefiningOp()->setAttr(kResultNameAttr, name);
    }
    p_.result.replaceAllUsesWith(result);
    p_.op->erase();
  }

  /// Rows and columns: the store becomes one store for each piece.
  void splitGrid() {
    TileStoreOp store = p_.store;
    builder_.setInsertionPoint(store);
    const int64_t pieces = ((p_.m + tile_.m - 1) / tile_.m) * ((p_.n + tile_.n - 1) / tile_.n);
    const bool unroll = pieces <= kMaxUnrolledPieces;
    const bool wholeK = tile_.k >= p_.k;
    const bool rowsOutside =
        wholeK && (tile_.stationary == Stationary::Left || (tile_.stationary == Stationary::Output && tile_.holdLeft));
    auto cell = [&](OpFoldResult row, OpFoldResult column, int64_t m, int64_t n, Value left, Value right, Value dest) {
      Value acc = piece(row, column, m, n, left, right, {});
      return storePiece(acc, row, column, m, n, dest);
    };
    Value dest = store.getDest();
    if (rowsOutside) {
      dest = overAxis(p_.m, tile_.m, unroll, dest, [&](OpFoldResult row, int64_t m, Value outer) {
        Value left = extract(p_.lhs, row, zero(), m, p_.k, Mem::Left, "_l0_a");
        return overAxis(p_.n, tile_.n, unroll, outer, [&](OpFoldResult column, int64_t n, Value inner) {
          return cell(row, column, m, n, left, {}, inner);
        });
      });
    } else {
      dest = overAxis(p_.n, tile_.n, unroll, dest, [&](OpFoldResult column, int64_t n, Value outer) {
        Value right = wholeK ? extract(p_.rhs, zero(), column, p_.k, n, Mem::Right, "_l0_b") : Value();
        return overAxis(p_.m, tile_.m, unroll, outer, [&](OpFoldResult row, int64_t m, Value inner) {
          return cell(row, column, m, n, {}, right, inner);
        });
      });
    }
    store.getResult().replaceAllUsesWith(dest);
    store.erase();
    p_.op->erase();
  }

private:
  OpFoldResult zero() { return builder_.getIndexAttr(0); }

  Value constantIndex(int64_t value) { return arith::ConstantIndexOp::create(builder_, rangeLoc(loc_), value); }

  /// `body` for each piece of an axis; `carried` is the stored tensor that runs through.
  Value overAxis(int64_t extent, int64_t step, bool unroll, Value carried,
                 llvm::function_ref<Value(OpFoldResult, int64_t, Value)> body) {
    const int64_t full = extent / step;
    if (unroll || full == 1) {
      for (int64_t i = 0; i < full; ++i) {
        carried = body(builder_.getIndexAttr(i * step), step, carried);
      }
    } else {
      carried = loop(0, full * step, step, carried, [&](Value at, Value inner) { return body(at, step, inner); });
    }
    if (extent % step != 0) {
      carried = body(builder_.getIndexAttr(full * step), extent % step, carried);
    }
    return carried;
  }

  Value loop(int64_t begin, int64_t end, int64_t step, Value carried, llvm::function_ref<Value(Value, Value)> body) {
    Value low = constantIndex(begin);
    Value high = constantIndex(end);
    Value by = constantIndex(step);
    auto loop = scf::ForOp::create(builder_, rangeLoc(loc_), low, high, by, ValueRange{carried});
    loop->setAttr(kLoopKindAttr, builder_.getStringAttr("pipeline"));
    loop->setAttr(kStagesAttr, builder_.getI64IntegerAttr(2));
    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToStart(loop.getBody());
    Value next = body(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(builder_, rangeLoc(loc_), next);
    return loop.getResult(0);
  }

  /// A window of a Mat tile in Left or Right. What is valid of the source stays valid where the window spans its axis.
  Value extract(TypedValue<TileType> source, OpFoldResult row, OpFoldResult column, int64_t rows, int64_t columns,
                Mem mem, StringRef suffix) {
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

  Value multiply(Value acc, Value left, Value right, TileType type, StringRef suffix) {
    Location loc = namedLoc(loc_, name_, suffix);
    if (acc) {
      return TileMatmulAccOp::create(builder_, loc, type, acc, left, right);
    }
    return TileMatmulOp::create(builder_, loc, type, left, right);
  }

  /// One piece of the product. `left` and `right` are operands that are already in L0 with all of K.
  Value piece(OpFoldResult row, OpFoldResult column, int64_t m, int64_t n, Value left, Value right, Value acc) {
    TileType whole = p_.result.getType();
    ArrayRef<int64_t> valid = whole.getValidOrShape();
    SmallVector<int64_t> shape = {m, n};
    SmallVector<int64_t> live = {m == p_.m ? valid[0] : m, n == p_.n ? valid[1] : n};
    TileType type = TileType::get(builder_.getContext(), shape, whole.getDtype(), Mem::Acc).withShape(shape, live);
    auto block = [&](OpFoldResult at, int64_t k, Value into) -> Value {
      Value a = left ? left : extract(p_.lhs, row, at, m, k, Mem::Left, "_l0_a");
      Value b = right ? right : extract(p_.rhs, at, column, k, n, Mem::Right, "_l0_b");
      return multiply(into, a, b, type, "_l0");
    };
    const int64_t full = p_.k / tile_.k;
    int64_t next = 0;
    if (!acc) {
      acc = block(zero(), tile_.k, {});
      next = tile_.k;
    }
    if (full * tile_.k - next > tile_.k) {
      acc = loop(next, full * tile_.k, tile_.k, acc, [&](Value at, Value into) { return block(at, tile_.k, into); });
    } else if (full * tile_.k > next) {
      acc = block(builder_.getIndexAttr(next), tile_.k, acc);
    }
    if (p_.k % tile_.k != 0) {
      acc = block(builder_.getIndexAttr(full * tile_.k), p_.k % tile_.k, acc);
    }
    return acc;
  }

  OpFoldResult add(OpFoldResult base, OpFoldResult delta) {
    std::optional<int64_t> constantBase = getConstantIntValue(base);
    std::optional<int64_t> constantDelta = getConstantIntValue(delta);
    if (constantBase && constantDelta) {
      return builder_.getIndexAttr(*constantBase + *constantDelta);
    }
    if (constantDelta == 0) {
      return base;
    }
    if (constantBase == 0) {
      return delta;
    }
    Value lhs = asIndex(base);
    Value rhs = asIndex(delta);
    return arith::AddIOp::create(builder_, rangeLoc(p_.store.getLoc()), lhs, rhs).getResult();
  }

  Value asIndex(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value)) {
      return constantIndex(cast<IntegerAttr>(attr).getInt());
    }
    Value operand = cast<Value>(value);
    if (operand.getType().isIndex()) {
      return operand;
    }
    return arith::IndexCastOp::create(builder_, rangeLoc(p_.store.getLoc()), builder_.getIndexType(), operand);
  }

  OpFoldResult divide(OpFoldResult value, int64_t by) {
    if (std::optional<int64_t> constant = getConstantIntValue(value)) {
      return builder_.getIndexAttr(*constant / by);
    }
    Value divisor = constantIndex(by);
    return arith::FloorDivSIOp::create(builder_, rangeLoc(p_.store.getLoc()), asIndex(value), divisor).getResult();
  }

  Value storePiece(Value acc, OpFoldResult row, OpFoldResult column, int64_t m, int64_t n, Value dest) {
    TileStoreOp store = p_.store;
    TensorType type = store.getDest().getType();
    SmallVector<OpFoldResult> offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), builder_.getContext());
    DenseI64ArrayAttr sizes;
    if (type.isNz()) {
      const int64_t c0 = *c0Elements(type.getDtype());
      offsets[1] = add(offsets[1], divide(column, c0));
      sizes = builder_.getDenseI64ArrayAttr({1, n / c0, m / kFractalRows, kFractalRows, c0});
    } else {
      const unsigned rank = type.getRank();
      offsets[rank - 2] = add(offsets[rank - 2], row);
      offsets[rank - 1] = add(offsets[rank - 1], column);
      if (store.getSizes()) {
        SmallVector<int64_t> extents(*store.getSizes());
        extents[rank - 2] = m;
        extents[rank - 1] = n;
        sizes = builder_.getDenseI64ArrayAttr(extents);
      }
    }
    SmallVector<Value> dynamic;
    SmallVector<int64_t> statics;
    splitMixedList(offsets, dynamic, statics);
    auto piece = TileStoreOp::create(builder_, store.getLoc(), store.getResult().getType(), acc, dest, dynamic,
                                     builder_.getDenseI64ArrayAttr(statics), sizes, store.getAtomicAttr(),
                                     store.getPreQuantAttr(), store.getPreReluAttr(), store.getStPhaseAttr());
    piece->setDiscardableAttrs(store->getDiscardableAttrDictionary());
    return piece.getResult();
  }

  Product &p_;
  const L0Tile &tile_;
  std::string name_;
  Location loc_;
  OpBuilder builder_;
};

L0Request makeRequest(const target::Target &target, Product &product) {
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
  request.fixedM = !product.store || product.toNz();
  request.fixedN = !product.store;
  return request;
}

/// Every extent is whole boxes, and all of K is valid: only then can the product be cut.
bool isTileable(Product &product, const L0Request &request) {
  return product.m % request.multipleM == 0 && product.n % request.multipleN == 0 &&
         product.k % request.multipleK == 0 && product.lhs.getType().getValidOrShape()[1] == product.k &&
         product.rhs.getType().getValidOrShape()[0] == product.k;
}

struct AutoTileMatmulL0 : impl::AutoTileMatmulL0Base<AutoTileMatmulL0> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [&](func::FuncOp function) { run(function); });
  }

  void run(func::FuncOp function) {
    const target::Target &target = targetOf(function);
    SmallVector<Operation *> matmuls;
    function.walk([&](Operation *op) {
      if (isa<TileMatmulOp, TileMatmulAccOp>(op)) {
        matmuls.push_back(op);
      }
    });
    for (Operation *op : matmuls) {
      std::optional<Product> product = matchProduct(op);
      if (product && failed(tile(target, *product))) {
        markFailed(function);
      }
    }
  }

  LogicalResult tile(const target::Target &target, Product &product) {
    L0Request request = makeRequest(target, product);
    if (!isTileable(product, request)) {
      return success();
    }
    std::optional<L0Tile> tile = chooseL0Tile(target, request);
    if (!tile) {
      return product.toNz() ? refuseNz(target, product) : success();
    }
    if (tile->m == product.m && tile->n == product.n) {
      if (tile->k < product.k) {
        Tiler(product, *tile).splitK();
      }
      return success();
    }
    Tiler(product, *tile).splitGrid();
    return success();
  }

  LogicalResult refuseNz(const target::Target &target, Product &product) {
    const int64_t bytes = tileBytes(target, TileType::get(product.op->getContext(), {product.m, product.n},
                                                          product.result.getType().getDtype(), Mem::Acc));
    TileStoreOp store = product.store;
    return bridge::emitDiag(
               rangeLoc(store.getLoc()), diag::NzL0c,
               llvm::formatv(
                   "no L0 tile keeps all {0} rows of `{1}`: an NZ store covers the whole row axis, so only the {2} "
                   "columns and K can be split; the {0} x {2} accumulator is {3} of {4} in L0C, and the "
                   "16 columns of K of {0} rows must fit half of L0A, {5} bytes",
                   product.m, nameOf(product.result, "the product"), product.n, bytesText(bytes),
                   target.capacity(target::Space::Acc), target.capacity(target::Space::Left) / 2)
                   .str())
        .note(rangeLoc(product.op->getLoc()), "the product is made here")
        .help("store panels of fewer rows: stack them on a leading axis, `[PANELS, R, C]`, and store one at a time");
  }
};

} // namespace

} // namespace placid::pl
