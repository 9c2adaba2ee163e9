// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/check_acc_stores.h"

#include "compiler/dialect/pl/analysis/nz_annotation.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"

namespace placid::pl {

#define GEN_PASS_DEF_CHECKACCSTORES
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

AccStoreFault checkAccStore(const target::Target &target, int64_t rows, int64_t columns, int64_t bytes) {
  if (bytes > target.capacity(target::Space::Acc)) {
    return AccStoreFault::Capacity;
  }
  if (rows > target.storeMaxRows || columns > target.storeMaxColumns) {
    return AccStoreFault::Extent;
  }
  return AccStoreFault::None;
}

namespace {

struct CheckAccStores : impl::CheckAccStoresBase<CheckAccStores> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [&](func::FuncOp function) { run(function); });
  }

  void run(func::FuncOp function) {
    const target::Target &target = targetOf(function);
    function.walk([&](TileStoreOp store) {
      if (store.getDest().getType().isNz() && failed(check(target, store))) {
        markFailed(function);
      }
    });
  }

  static bridge::DiagBuilder annotated(bridge::DiagBuilder builder, TileStoreOp store) {
    annotateNz(builder, tensorOrigin(store.getDest()));
    return builder;
  }

  LogicalResult check(const target::Target &target, TileStoreOp store) {
    TileType tile = store.getTile().getType();
    if (tile.getMem() != Mem::Acc || tile.getRank() != 2) {
      return success();
    }
    const int64_t rows = tile.getShape()[0];
    const int64_t columns = tile.getShape()[1];
    const int64_t bytes = tileBytes(target, tile);
    const std::string name = nameOf(store.getTile(), "the accumulator");
    Location loc = rangeLoc(store.getLoc());
    switch (checkAccStore(target, rows, columns, bytes)) {
    case AccStoreFault::None:
      return success();
    case AccStoreFault::Capacity:
      return annotated(bridge::emitDiag(
                           loc, diag::NzL0c,
                           llvm::formatv("the NZ store of `{0}` drains {1} x {2} elements at once: {3}, and L0C "
                                         "has {4}; this product cannot be split automatically",
                                         name, rows, columns, bytesText(bytes), target.capacity(target::Space::Acc))
                               .str()),
                       store)
          .note(rangeLoc(store.getTile().getLoc()), "the accumulator is made here")
          .help("multiply Mat tiles and give the product to exactly one store, or write the column chunks by hand: "
                "each must cover the destination's whole row axis");
    case AccStoreFault::Extent:
      return annotated(
                 bridge::emitDiag(loc, diag::NzStoreExtent,
                                  llvm::formatv("the NZ store of `{0}` has {1} rows and {2} columns: one store holds "
                                                "at most {3} rows and {4} columns",
                                                name, rows, columns, target.storeMaxRows, target.storeMaxColumns)
                                      .str()),
                 store)
          .help("store column chunks that each cover the destination's whole row axis");
    }
    return success();
  }
};

} // namespace

} // namespace placid::pl
