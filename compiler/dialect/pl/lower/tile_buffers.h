// SPDX-License-Identifier: Apache-2.0
// Which tile values of a function are one buffer, and when each buffer is alive. A matmul_acc writes its accumulator in
// place, a view shows its source, a loop and a branch hand one buffer through: such values form a class. The analysis
// also finds classes that cannot be one buffer because an overwritten value is still needed. Rebuild it after any
// change.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace placid::pl {

/// The op shows a tile's own bytes under another type: shape, block layouts or valid extents.
bool isBufferView(mlir::Operation *op);
/// A statement that changes one element: whoever reads the tile afterwards, under whatever name, wants the change.
bool isElementWrite(mlir::Operation *op);
/// The tile that an operation writes its result over; null for one that has a buffer for it.
mlir::Value overwrittenOperand(mlir::Operation *op);

class TileBuffers {
public:
  struct Buffer {
    llvm::SmallVector<mlir::Value> members; ///< In program order.
    int64_t begin = 0;                      ///< Program points, see address_allocator.h.
    int64_t end = 0;
  };

  struct Conflict {
    mlir::Operation *op; ///< What overwrites, or joins, the buffer.
    std::string why;     ///< Completes "… cannot be lowered".
    unsigned buffer;     ///< Its index.
  };

  explicit TileBuffers(mlir::func::FuncOp function);

  mlir::func::FuncOp function() const { return function_; }
  llvm::ArrayRef<Buffer> buffers() const { return buffers_; }
  llvm::ArrayRef<Conflict> conflicts() const { return conflicts_; }
  /// The index of a tile's buffer.
  unsigned bufferOf(mlir::Value tile) const { return bufferIndex_.lookup(tile); }
  /// Where `op` begins.
  int64_t pointOf(mlir::Operation *op) const { return points_.lookup(op).first; }

private:
  void number(mlir::Region &region, int64_t &next);
  void addValue(mlir::Value value, int64_t point);
  void unite(mlir::Value a, mlir::Value b);
  unsigned root(unsigned value);
  void collectClasses(mlir::func::FuncOp function);
  void buildBuffers();
  void findConflicts();
  std::vector<std::pair<size_t, size_t>> overwritten(const Buffer &buffer) const;
  bool isNeededAfter(mlir::Value value, mlir::Operation *write) const;

  mlir::func::FuncOp function_;
  std::vector<mlir::Value> values_;
  std::vector<unsigned> parent_;
  llvm::DenseMap<mlir::Value, unsigned> valueIndex_;
  llvm::DenseMap<mlir::Value, int64_t> definedAt_;
  llvm::DenseMap<mlir::Value, int64_t> lastUse_; ///< Where the last user begins; for ever, when a loop may come round.
  llvm::DenseMap<mlir::Operation *, std::pair<int64_t, int64_t>> points_; ///< Where an op begins and ends.
  llvm::DenseMap<mlir::Value, unsigned> bufferIndex_;
  std::vector<Buffer> buffers_;
  std::vector<Conflict> conflicts_;
};

} // namespace placid::pl
