// SPDX-License-Identifier: Apache-2.0
// An accumulator that several matmuls build up (a K loop written by hand, or a row of accumulations) and that one store
// drains. When it is too large for L0C, the whole chain is repeated for each piece of it: matmuls become pieces, loops
// and branches are copied, loads inside a copied loop are narrowed to the piece where their window allows it. Knows how
// to recognise and to repeat a chain, not which piece is right.
#pragma once

#include "compiler/dialect/pl/lower/l0_pieces.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace placid::pl {

class AccumulatorChain {
public:
  /// The chain behind `store`'s tile; nullopt when a part of it is no matmul of Mat tiles, is used elsewhere, or cannot
  /// be repeated at the place of the store.
  static std::optional<AccumulatorChain> match(TileStoreOp store);

  /// All of one shape [m, n], in program order; at least one.
  llvm::ArrayRef<Product> products() const { return products_; }

  /// The chain for the piece at (row, column) of m x n, in front of the store; `blockK` has one entry a product.
  /// Returns the piece's accumulator.
  mlir::Value writePiece(int64_t row, int64_t column, int64_t m, int64_t n, llvm::ArrayRef<int64_t> blockK);

  /// Removes what writePiece has repeated. The store is gone by then.
  void eraseOriginal();

private:
  struct Piece;
  /// A load inside a loop of the chain that feeds one side of products only: `tileAxis` is the axis of the loaded tile
  /// that runs along the product's rows (`rows`) or columns.
  struct Narrowable {
    unsigned tileAxis = 0;
    bool rows = false;
  };

  bool collect(mlir::Value value);
  bool collectLoop(mlir::scf::ForOp loop, unsigned number);
  bool collectBranch(mlir::scf::IfOp branch, unsigned number);
  bool isClosed();
  bool canMove();
  bool isOneSide(mlir::Value tile, unsigned turned, std::optional<Narrowable> &how);
  void findNarrowable();

  void repeat(mlir::Operation *op, Piece &piece) const;
  void repeatBlock(mlir::Block &block, Piece &piece) const;
  void repeatLoad(TileLoadOp load, Piece &piece) const;
  void repeatProduct(const Product &product, Piece &piece) const;

  TileStoreOp store_;
  llvm::SmallVector<Product> products_;
  llvm::SetVector<mlir::Operation *> members_; ///< Ops that make or hand on the accumulator.
  llvm::SetVector<mlir::Value> values_;        ///< The accumulator under all its names.
  llvm::MapVector<mlir::Operation *, Narrowable> narrowable_;
};

} // namespace placid::pl
