// SPDX-License-Identifier: Apache-2.0
// Which vector tiles of a kernel each lane has only its half of, along which axis, when the work is divided along one
// axis of the tiles: the decision of SplitVectorLanes, which changes the kernel. An operation whose result in one half
// follows from one half of its operands is divided; everything else is done whole by both lanes, or is refused. Changes
// nothing; valid until the function changes. One thread a context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>
#include <string>

namespace placid::pl {

class LaneHalves {
public:
  /// Why the work cannot be divided; completes "… cannot be lowered to PTO IR yet".
  struct Refusal {
    mlir::Operation *op;
    std::string why;
  };

  /// `axis`: 0 divides rows, 1 columns.
  LaneHalves(mlir::func::FuncOp function, int64_t axis);

  const std::optional<Refusal> &refusal() const { return refusal_; }
  /// The axis along which a lane has half of the tile; nullopt where it has all of it.
  std::optional<int64_t> axisOf(mlir::Value tile) const;
  /// Operands that are whole and are wanted in halves: each lane takes its own of them. In program order.
  const llvm::MapVector<mlir::OpOperand *, int64_t> &cuts() const { return cuts_; }
  /// The type of a lane's part.
  static TileType halved(TileType type, int64_t axis);
  /// The tensor's axis that a window's half is taken along: the columns' is the last, the rows' the outermost of the
  /// others that is longer than 1. Nullopt where the rows are not one run that halves there.
  static std::optional<unsigned> windowAxis(llvm::ArrayRef<int64_t> sizes, int64_t axis);

private:
  using Axis = std::optional<int64_t>;

  void block(mlir::Block &source);
  void visit(mlir::Operation *op);
  void visitFor(mlir::scf::ForOp loop);
  void visitIf(mlir::scf::IfOp branch);
  void visitLoad(TileLoadOp load);
  void visitStore(TileStoreOp store);
  void visitMove(TileMoveOp move);
  void visitReshape(TileReshapeOp reshape);
  void visitWindow(mlir::Operation *op, mlir::Value whole, mlir::Value part,
                   llvm::ArrayRef<mlir::OpFoldResult> offsets);
  void visitGeneric(GenericOp op);
  void visitInstruction(GenericOp op);
  void alike(GenericOp op);
  void spread(GenericOp op, mlir::Value tile, mlir::Value line, int64_t repeated);
  void reduce(GenericOp op, int64_t reduced);

  static bool isVector(mlir::Value value);
  /// Half of the tile is a tile as well.
  static bool halves(TileType type, int64_t axis);
  /// A tile that is made where it is: in halves where that is possible.
  Axis made(mlir::Value tile) const;
  /// `operand` in halves along `axis`, which it is, or is cut to.
  void want(mlir::OpOperand &operand, Axis axis);
  void set(mlir::Value value, Axis axis);
  void refuse(mlir::Operation *op, std::string why);

  int64_t axis_;
  llvm::DenseMap<mlir::Value, int64_t> halves_;
  llvm::MapVector<mlir::OpOperand *, int64_t> cuts_;
  std::optional<Refusal> refusal_;
};

/// The extents of the window of the tensor that is stored to.
llvm::SmallVector<int64_t> windowOf(TileStoreOp store);

} // namespace placid::pl
