// SPDX-License-Identifier: Apache-2.0
// Where the bytes of tiles change, for passes that move a read to another place: a write through any name of the buffer
// counts, also element by element. Follows a pass that replaces windows one by one, which TileBuffers cannot. One
// thread.
#pragma once

#include "compiler/dialect/pl/lower/tile_buffers.h"

namespace placid::pl {

class TileWrites {
public:
  explicit TileWrites(mlir::func::FuncOp function);

  /// Something may write the buffer of `tile` after `from` and before `to`, which `from` dominates.
  bool isWrittenBetween(mlir::Value tile, mlir::Operation *from, mlir::Operation *to) const;
  /// The buffer of `tile` was alive after `op` when the analysis was made.
  bool isAliveAfter(mlir::Value tile, mlir::Operation *op) const;
  /// Something between the two needs memory of `mem` for itself, or may.
  static bool isTileMadeBetween(Mem mem, mlir::Operation *from, mlir::Operation *to);

  /// `made` shows the bytes of `shown`.
  void addView(mlir::Value made, mlir::Value shown);
  /// `made` stands for `gone` from now on, which is about to be erased. Each has one result.
  void replace(mlir::Operation *gone, mlir::Operation *made);

private:
  unsigned bufferOf(mlir::Value tile) const;

  TileBuffers buffers_;
  std::vector<llvm::SmallVector<mlir::Operation *>> writes_; ///< Of each buffer, each once.
  llvm::DenseMap<mlir::Value, unsigned> made_;               ///< Values that came later, to their buffers.
};

} // namespace placid::pl
