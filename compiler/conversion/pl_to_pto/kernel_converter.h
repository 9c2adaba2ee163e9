// SPDX-License-Identifier: Apache-2.0
// Converts one core function to PTO. Every operation without a PTO form is reported at its place; what depends on it is
// passed over in silence, so that one run shows all independent faults.
#pragma once

#include "compiler/conversion/pl_to_pto/kernel_builder.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"

#include <memory>

namespace placid::conversion {

class KernelConverter {
public:
  KernelConverter(mlir::func::FuncOp source, llvm::StringRef name);

  /// The new function, not inserted anywhere; null after a diagnostic.
  mlir::func::FuncOp run();

private:
  mlir::LogicalResult convertOps(llvm::iterator_range<mlir::Block::iterator> ops);
  mlir::LogicalResult convert(mlir::Operation *op);
  mlir::LogicalResult convertArith(mlir::Operation *op);
  mlir::LogicalResult convertDim(pl::DimOp op);
  mlir::LogicalResult convertFor(mlir::scf::ForOp loop);
  mlir::LogicalResult convertIf(mlir::scf::IfOp branch);
  mlir::LogicalResult convertReturn(mlir::func::ReturnOp op);
  mlir::LogicalResult convertLoad(pl::TileLoadOp load);
  mlir::LogicalResult convertStore(pl::TileStoreOp store);
  mlir::LogicalResult convertMove(pl::TileMoveOp move);
  mlir::LogicalResult convertExtract(pl::TileExtractOp extract);
  mlir::LogicalResult convertMatmul(mlir::Operation *op, mlir::Value acc, mlir::Value lhs, mlir::Value rhs);

  mlir::LogicalResult notLowered(mlir::Operation *op, const llvm::Twine &what);
  mlir::LogicalResult checkLoad(pl::TileLoadOp load);
  /// Maps the tensors a loop or branch hands through to the argument behind them.
  mlir::LogicalResult joinTensor(mlir::Operation *op, mlir::Value out, llvm::ArrayRef<mlir::Value> in);
  void noteCore(pl::Mem mem, mlir::Operation *op);

  mlir::Location locOf(mlir::Operation *op) const;
  mlir::Value scalar(mlir::Value value);
  mlir::Value indexScalar(mlir::Location loc, mlir::Value value);
  mlir::Value extent(mlir::Location loc, mlir::OpFoldResult value);
  mlir::Value offset(mlir::Location loc, mlir::OpFoldResult value);
  /// The window of a tensor; null after a diagnostic or when the tensor is unknown.
  mlir::Value window(mlir::Operation *op, mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<mlir::Value> sizes, llvm::StringRef name);
  /// The buffer of a tile under the tile's type, made here when it is the first to show it. Null after a diagnostic.
  mlir::Value handle(mlir::Value tile);
  mlir::Value makeHandle(mlir::Value tile);
  /// A valid extent that is known at run time only, as an index; null when it cannot be had here.
  mlir::Value validExtent(mlir::Value tile, unsigned axis);
  /// The load whose valid extent `axis` is that of the tile, with the axis it has there; null when there is none.
  static pl::TileLoadOp validSource(mlir::Value tile, unsigned &axis);
  /// A valid extent as an index. The tile's buffer must exist.
  mlir::Value validOf(mlir::Value tile, unsigned axis);

  mlir::func::FuncOp source_;
  const target::Target &target_;
  pl::TileBuffers buffers_;
  std::unique_ptr<KernelBuilder> kernel_;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars_;
  llvm::DenseMap<mlir::Value, unsigned> tensors_; ///< To the source argument the tensor lives in.
  llvm::MapVector<std::pair<unsigned, mlir::Type>, mlir::Value> handles_;
  mlir::Operation *cube_ = nullptr;   ///< The first op that needs the cube core …
  mlir::Operation *vector_ = nullptr; ///< … and the vector core.
};

} // namespace placid::conversion
