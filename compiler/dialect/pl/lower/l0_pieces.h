// SPDX-License-Identifier: Apache-2.0
// A matmul of Mat tiles as pieces that fit the L0 memories: what is known of one product, and the operations of one
// piece and of its store. It writes what it is told to; which tile is right and what may be cut is AutoTileMatmulL0's
// business. One function at a time, on the thread that owns the context.
#pragma once

#include "compiler/dialect/pl/lower/l0_tile_chooser.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Builders.h"

#include <string>

namespace placid::pl {

/// A matmul whose operands are 2-D Mat tiles.
struct Product {
  mlir::Operation *op = nullptr;
  mlir::Value acc; ///< The accumulator of a matmul_acc, else null.
  mlir::TypedValue<TileType> lhs;
  mlir::TypedValue<TileType> rhs;
  mlir::TypedValue<TileType> result;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
};

/// Nullopt for anything else, also when an operand is already in L0.
std::optional<Product> matchProduct(mlir::Operation *op);

/// What the chooser is asked: extents, element sizes, and the boxes that a window of each operand begins and ends on.
L0Request l0Request(const target::Target &target, const Product &product);
/// Every extent is whole boxes, and all of K is valid: only then can the product be cut.
bool isTileable(const Product &product, const L0Request &request);
bool isWhole(TileType type);

/// Writes pieces of one product at the builder's insertion point.
class PieceWriter {
public:
  PieceWriter(mlir::OpBuilder &builder, const Product &product, int64_t blockK);

  /// The product's rows `row` … `row + m` and columns `column` … `column + n`, over all of K in blocks. `left` and
  /// `right` are operands that are already in L0 with all of K, or null. `acc` is added to, or null.
  mlir::Value piece(mlir::OpFoldResult row, mlir::OpFoldResult column, int64_t m, int64_t n, mlir::Value left,
                    mlir::Value right, mlir::Value acc);
  /// A window of a Mat operand in Left or Right.
  mlir::Value extract(mlir::TypedValue<TileType> source, mlir::OpFoldResult row, mlir::OpFoldResult column,
                      int64_t rows, int64_t columns, Mem mem, llvm::StringRef suffix);
  /// A two-stage pipeline loop that carries one value.
  mlir::Value loop(int64_t begin, int64_t end, int64_t step, mlir::Value carried,
                   llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

private:
  mlir::Value multiply(mlir::Value acc, mlir::Value left, mlir::Value right, TileType type);

  mlir::OpBuilder &builder_;
  const Product &p_;
  int64_t blockK_;
  std::string name_;
  mlir::Location loc_;
};

/// `store` for one piece of its tile: the window moved by (row, column) and narrowed to m x n, every attribute kept. In
/// a blocked NZ destination the column moves by whole C0 lines. Returns the stored tensor.
mlir::Value storePiece(mlir::OpBuilder &builder, TileStoreOp store, mlir::Value acc, mlir::OpFoldResult row,
                       mlir::OpFoldResult column, int64_t m, int64_t n, mlir::Value dest);

/// `base + delta`; constants fold, everything else is one addition in `index`.
mlir::OpFoldResult addOffset(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult base,
                             mlir::OpFoldResult delta);

} // namespace placid::pl
