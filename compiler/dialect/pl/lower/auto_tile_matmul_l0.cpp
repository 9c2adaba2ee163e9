// SPDX-License-Identifier: Apache-2.0
// AutoTileMatmulL0: see passes.td. The choice of the tile is l0_tile_chooser, the writing l0_pieces and
// accumulator_chain; this file decides what may be split, and in which order the pieces come.
#include "compiler/dialect/pl/analysis/nz_annotation.h"
#include "compiler/dialect/pl/lower/accumulator_chain.h"
#include "compiler/dialect/pl/lower/l0_pieces.h"
#include "compiler/dialect/pl/lower/lowering_report.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/vector_ops.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace placid::pl {

#define GEN_PASS_DEF_AUTOTILEMATMULL0
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// Brings what the vector unit makes for a matmul through Mat, which pieces of it can be taken from. Where it is made,
/// so that it goes over once.
void bringThroughMat(func::FuncOp function) {
  llvm::DenseMap<Value, Value> moved;
  function.walk([&](Operation *op) {
    if (!isa<TileMatmulOp, TileMatmulAccOp>(op)) {
      return;
    }
    for (OpOperand &operand : op->getOpOperands().take_back(2)) {
      auto made = operand.get().getDefiningOp<GenericOp>();
      auto type = cast<TileType>(operand.get().getType());
      if (!made || !findVectorOp(made.getName()) || (type.getMem() != Mem::Unset && type.getMem() != Mem::Vec)) {
        continue;
      }
      Value &tile = moved[operand.get()];
      if (!tile) {
        OpBuilder builder(op);
        builder.setInsertionPointAfterValue(operand.get());
        tile = TileMoveOp::create(builder, namedLoc(op->getLoc(), nameOf(operand.get(), "tile"), "_Mat"),
                                  type.withMem(Mem::Mat), operand.get());
      }
      operand.set(tile);
    }
  });
}

/// At most this many pieces are written one after the other; beyond it, loops run over them.
constexpr int64_t kMaxUnrolledPieces = 16;

/// The window of `store` can be cut along the rows and columns of its m x n tile; for NZ, along the columns.
bool isSplittable(TileStoreOp store, int64_t m, int64_t n) {
  if (store.getScale() && isa<TileType>(store.getScale().getType())) {
    return false; // one number a column, and nothing cuts those
  }
  TensorType dest = store.getDest().getType();
  if (dest.isNz()) {
    return dest.getRank() == 5 && store.getSizes();
  }
  if (dest.getLayout() != Layout::ND || dest.getRank() < 2) {
    return false;
  }
  if (std::optional<ArrayRef<int64_t>> sizes = store.getSizes()) {
    bool onePlane = llvm::all_of(sizes->drop_back(2), [](int64_t extent) { return extent == 1; });
    return onePlane && sizes->take_back(2) == ArrayRef<int64_t>{m, n};
  }
  return true;
}

/// The store that the product may be split with: its only use, when all of the product is valid.
TileStoreOp splittableStore(const Product &product) {
  if (product.acc || !isWhole(product.lhs.getType()) || !isWhole(product.rhs.getType()) ||
      !Value(product.result).hasOneUse()) {
    return nullptr;
  }
  auto store = dyn_cast<TileStoreOp>(*Value(product.result).user_begin());
  return store && store->getBlock() == product.op->getBlock() && isSplittable(store, product.m, product.n) ? store
                                                                                                           : nullptr;
}

bool isNzStore(TileStoreOp store) { return store && store.getDest().getType().isNz(); }

class Tiler {
public:
  Tiler(const Product &product, const L0Tile &tile)
      : p_(product), tile_(tile), builder_(product.op), pieces_(builder_, product, tile.k) {}

  /// K only: the product keeps its value and all its uses.
  void splitK() {
    Value result = pieces_.piece(zero(), zero(), p_.m, p_.n, {}, {}, p_.acc);
    result.setLoc(Value(p_.result).getLoc());
    if (auto name = p_.op->getAttr(kResultNameAttr)) {
      result.getDefiningOp()->setAttr(kResultNameAttr, name);
    }
    p_.op->getResult(0).replaceAllUsesWith(result);
    p_.op->erase();
  }

  /// Rows and columns: the store becomes one store for each piece.
  void splitGrid(TileStoreOp store) {
    builder_.setInsertionPoint(store);
    const int64_t pieces = ((p_.m + tile_.m - 1) / tile_.m) * ((p_.n + tile_.n - 1) / tile_.n);
    const bool unroll = pieces <= kMaxUnrolledPieces;
    const bool wholeK = tile_.k >= p_.k;
    const bool rowsOutside =
        wholeK && (tile_.stationary == Stationary::Left || (tile_.stationary == Stationary::Output && tile_.holdLeft));
    auto cell = [&](OpFoldResult row, OpFoldResult column, int64_t m, int64_t n, Value left, Value right, Value dest) {
      Value acc = pieces_.piece(row, column, m, n, left, right, {});
      return storePiece(builder_, store, acc, row, column, m, n, dest);
    };
    Value dest = store.getDest();
    if (rowsOutside) {
      dest = overAxis(p_.m, tile_.m, unroll, dest, [&](OpFoldResult row, int64_t m, Value outer) {
        Value left = pieces_.extract(p_.lhs, row, zero(), m, p_.k, Mem::Left, "_l0_a");
        return overAxis(p_.n, tile_.n, unroll, outer, [&](OpFoldResult column, int64_t n, Value inner) {
          return cell(row, column, m, n, left, {}, inner);
        });
      });
    } else {
      dest = overAxis(p_.n, tile_.n, unroll, dest, [&](OpFoldResult column, int64_t n, Value outer) {
        Value right = wholeK ? pieces_.extract(p_.rhs, zero(), column, p_.k, n, Mem::Right, "_l0_b") : Value();
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

  /// `body` for each piece of an axis; `carried` is the stored tensor that runs through.
  Value overAxis(int64_t extent, int64_t step, bool unroll, Value carried,
                 llvm::function_ref<Value(OpFoldResult, int64_t, Value)> body) {
    const int64_t full = extent / step;
    if (unroll || full == 1) {
      for (int64_t i = 0; i < full; ++i) {
        carried = body(builder_.getIndexAttr(i * step), step, carried);
      }
    } else {
      carried =
          pieces_.loop(0, full * step, step, carried, [&](Value at, Value inner) { return body(at, step, inner); });
    }
    if (extent % step != 0) {
      carried = body(builder_.getIndexAttr(full * step), extent % step, carried);
    }
    return carried;
  }

  const Product &p_;
  const L0Tile &tile_;
  OpBuilder builder_;
  PieceWriter pieces_;
};

/// The tile for a chain of products: one (m, n) that every one of them has a legal tile for, and a K block for each.
struct ChainTile {
  int64_t m = 0;
  int64_t n = 0;
  SmallVector<int64_t> blockK;
};

std::optional<ChainTile> chooseChainTile(const target::Target &target, const AccumulatorChain &chain, bool fixedM) {
  ChainTile out;
  int64_t multipleM = 1;
  int64_t multipleN = 1;
  for (const Product &product : chain.products()) {
    L0Request request = l0Request(target, product);
    request.fixedM = fixedM;
    std::optional<L0Tile> tile = isTileable(product, request) ? chooseL0Tile(target, request) : std::nullopt;
    if (!tile) {
      return std::nullopt;
    }
    multipleM = std::max(multipleM, request.multipleM);
    multipleN = std::max(multipleN, request.multipleN);
    out.m = out.m == 0 ? tile->m : std::min(out.m, tile->m);
    out.n = out.n == 0 ? tile->n : std::min(out.n, tile->n);
  }
  const Product &first = chain.products().front();
  // Multiples are powers of two, so the larger one serves all. Full extents need no rounding.
  out.m = out.m == first.m ? out.m : out.m / multipleM * multipleM;
  out.n = out.n == first.n ? out.n : out.n / multipleN * multipleN;
  if (out.m == 0 || out.n == 0) {
    return std::nullopt;
  }
  for (const Product &product : chain.products()) {
    L0Request request = l0Request(target, product);
    request.m = out.m;
    request.n = out.n;
    request.fixedM = true;
    request.fixedN = true;
    std::optional<L0Tile> tile = chooseL0Tile(target, request);
    if (!tile) {
      return std::nullopt;
    }
    out.blockK.push_back(tile->k);
  }
  return out;
}

/// One chain for each piece of the accumulator, and a store behind it.
void splitChain(AccumulatorChain &chain, const ChainTile &tile, TileStoreOp store) {
  const Product &first = chain.products().front();
  const int64_t rows = first.m;
  const int64_t columns = first.n;
  Value dest = store.getDest();
  for (int64_t column = 0; column < columns; column += tile.n) {
    for (int64_t row = 0; row < rows; row += tile.m) {
      const int64_t m = std::min(tile.m, rows - row);
      const int64_t n = std::min(tile.n, columns - column);
      Value acc = chain.writePiece(row, column, m, n, tile.blockK);
      OpBuilder builder(store);
      dest = storePiece(builder, store, acc, builder.getIndexAttr(row), builder.getIndexAttr(column), m, n, dest);
    }
  }
  store.getResult().replaceAllUsesWith(dest);
  store.erase();
  chain.eraseOriginal();
}

struct AutoTileMatmulL0 : impl::AutoTileMatmulL0Base<AutoTileMatmulL0> {
  explicit AutoTileMatmulL0(LoweringReport *report = nullptr) : report_(report) {}

  void runOnOperation() override {
    forEachKernel(getOperation(), [&](func::FuncOp function) { run(function); });
  }

  void run(func::FuncOp function) {
    const target::Target &target = targetOf(function);
    bringThroughMat(function);
    // Chains first: what is left of an oversized accumulator after that is one matmul, or nobody's to split.
    SmallVector<TileStoreOp> stores;
    function.walk([&](TileStoreOp store) { stores.push_back(store); });
    for (TileStoreOp store : stores) {
      if (failed(tileChain(target, store))) {
        markFailed(function);
      }
    }
    SmallVector<Operation *> matmuls;
    function.walk([&](Operation *op) {
      if (isa<TileMatmulOp, TileMatmulAccOp>(op)) {
        matmuls.push_back(op);
      }
    });
    for (Operation *op : matmuls) {
      std::optional<Product> product = matchProduct(op);
      if (product && failed(tileProduct(target, *product))) {
        markFailed(function);
      }
    }
  }

  LogicalResult tileChain(const target::Target &target, TileStoreOp store) {
    TileType type = store.getTile().getType();
    const int64_t capacity = target.capacity(target::Space::Acc);
    if (type.getRank() != 2 || (type.getMem() != Mem::Acc && type.getMem() != Mem::Unset) ||
        tileBytes(target, type.withMem(Mem::Acc)) <= capacity || store.getTile().getDefiningOp<TileMatmulOp>() ||
        !isSplittable(store, type.getShape()[0], type.getShape()[1])) {
      return success(); // it fits, or is one matmul, which tileProduct splits
    }
    std::optional<AccumulatorChain> chain = AccumulatorChain::match(store);
    if (!chain) {
      return success();
    }
    std::optional<ChainTile> tile = chooseChainTile(target, *chain, isNzStore(store));
    if (!tile) {
      return isNzStore(store) ? refuseNz(target, chain->products().front(), store) : success();
    }
    for (auto [product, blockK] : llvm::zip_equal(chain->products(), tile->blockK)) {
      note(product, {.m = tile->m, .n = tile->n, .k = blockK}, store);
    }
    splitChain(*chain, *tile, store);
    return success();
  }

  LogicalResult tileProduct(const target::Target &target, Product &product) {
    TileStoreOp store = splittableStore(product);
    L0Request request = l0Request(target, product);
    request.fixedM = !store || isNzStore(store);
    request.fixedN = !store;
    if (!isTileable(product, request)) {
      return success();
    }
    std::optional<L0Tile> tile = chooseL0Tile(target, request);
    if (!tile) {
      return isNzStore(store) ? refuseNz(target, product, store) : success();
    }
    const bool grid = tile->m < product.m || tile->n < product.n;
    note(product, *tile, grid ? store : TileStoreOp());
    if (!grid) {
      if (tile->k < product.k) {
        Tiler(product, *tile).splitK();
      }
      return success();
    }
    Tiler(product, *tile).splitGrid(store);
    return success();
  }

  void note(const Product &product, const L0Tile &tile, TileStoreOp store) {
    // What chains leave is in L0 already; a piece of a chain is no product of its own.
    if (report_) {
      report_->tiles.push_back({product.op->getParentOfType<func::FuncOp>().getSymName().str(),
                                nameOf(product.result, ""), rangeLoc(product.op->getLoc()),
                                store ? LocationAttr(rangeLoc(store.getLoc())) : LocationAttr(), product.m, product.n,
                                product.k, tile});
    }
  }

  LogicalResult refuseNz(const target::Target &target, const Product &product, TileStoreOp store) {
    const int64_t bytes = tileBytes(target, TileType::get(product.op->getContext(), {product.m, product.n},
                                                          product.result.getType().getDtype(), Mem::Acc));
    auto builder =
        bridge::emitDiag(rangeLoc(store.getLoc()), diag::NzL0c,
                         llvm::formatv("no L0 tile keeps all {0} rows of `{1}`: an NZ store covers the whole row axis, "
                                       "so only the {2} columns and K can be split; the {0} x {2} accumulator is {3} "
                                       "of {4} in L0C, and the 16 columns of K of {0} rows must fit half of L0A, {5} "
                                       "bytes",
                                       product.m, nameOf(product.result, "the product"), product.n, bytesText(bytes),
                                       target.capacity(target::Space::Acc), target.capacity(target::Space::Left) / 2)
                             .str());
    annotateNz(builder, tensorOrigin(store.getDest()));
    return builder.note(rangeLoc(product.op->getLoc()), "the product is made here")
        .help("store panels of fewer rows: stack them on a leading axis, `[PANELS, R, C]`, and store one at a time");
  }

  LoweringReport *report_;
};

} // namespace

std::unique_ptr<Pass> createAutoTileMatmulL0Pass(LoweringReport *report) {
  return std::make_unique<AutoTileMatmulL0>(report);
}

} // namespace placid::pl
