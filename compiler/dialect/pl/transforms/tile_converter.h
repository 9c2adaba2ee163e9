// SPDX-License-Identifier: Apache-2.0
// The conversion of one in-core function from tensor to tile operations: a forward walk that keeps, for every tensor
// value that lives on chip, the tile that stands for it. One class in several files, because each kind of operation has
// rules of its own: slices and loads stand beside the pass, compute and control flow apart. Knows nothing of memories
// but what analysis/tile_demand.h says. One thread a context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/SetVector.h"

namespace placid::pl {

/// Nullopt when an extent is not known.
std::optional<mlir::SmallVector<int64_t>> staticShape(TensorType type);

class TileConverter {
public:
  /// `callers` are the calls of `function`; both outlive the converter.
  TileConverter(mlir::func::FuncOp function, llvm::ArrayRef<mlir::func::CallOp> callers)
      : function_(function), callers_(callers) {}

  /// Failure only when the IR could not be kept consistent; a diagnostic was reported.
  mlir::LogicalResult run();

private:
  /// An operand by number: a loop's variable may be a tile by now, which the typed accessors would not take.
  static mlir::Value operand(mlir::Operation *op, unsigned number) { return op->getOperand(number); }
  mlir::Value tileOf(mlir::Value tensor) const { return tiles_.lookup(tensor); }
  bool isOnChip(mlir::Value tensor) const { return tiles_.contains(tensor); }
  void becomes(mlir::Operation *op, mlir::Value tile);
  static void notLowered(mlir::Location loc, const std::string &what);

  // convert_tensor_to_tile_ops.cpp: GM to tile
  void convert(mlir::Block &block);
  void convert(mlir::Operation *op);
  void convertSlice(mlir::OpBuilder &builder, TensorSliceOp slice);
  /// Slices that a composed window looks through die with the last slice of them.
  void keepInnerSlicesShort(TensorSliceOp slice);
  void extract(mlir::OpBuilder &builder, TensorSliceOp slice, mlir::Value source);
  /// The tile with the live part that a slice of rank 2 says.
  mlir::Value narrowed(mlir::OpBuilder &builder, TensorSliceOp slice, mlir::Value tile);
  /// The whole tensor as one tile; null (and reported) when its shape is dynamic.
  mlir::Value loadWhole(mlir::OpBuilder &builder, mlir::Value tensor, Mem mem, mlir::Location loc);
  void convertCreate(mlir::OpBuilder &builder, TensorCreateOp create);
  void convertReshape(mlir::OpBuilder &builder, TensorReshapeOp reshape);
  /// The live part under another shape: kept where only unit axes come or go, else all of it.
  static mlir::SmallVector<int64_t> reshapedValid(TileType from, llvm::ArrayRef<int64_t> shape);

  // tile_converter_compute.cpp
  mlir::Value matmulOperand(mlir::OpBuilder &builder, mlir::Operation *op, unsigned number, bool transposed);
  void convertMatmul(mlir::OpBuilder &builder, TensorMatmulOp matmul);
  /// Stores to GM convert what an accumulator holds; every other reader of a product of a narrower dtype needs it
  /// rounded.
  bool isOnlyStored(mlir::Value product) const;
  /// Makes `matmul` give what it is accumulated in; all who read it get that rounded to the dtype that it had.
  static GenericOp roundProduct(TensorMatmulOp matmul, DType accumulated);
  void convertMatmulAcc(mlir::OpBuilder &builder, TensorMatmulAccOp matmul);
  void convertAssemble(mlir::OpBuilder &builder, TensorAssembleOp assemble);
  mlir::Value assembleTile(mlir::OpBuilder &builder, TensorAssembleOp assemble, mlir::Value target, mlir::Value source);
  /// Operands that live on chip are read there. Where the row has a tile form of the same operands, that is what it
  /// becomes.
  void convertGeneric(mlir::OpBuilder &builder, GenericOp generic);
  /// What goes to the other core is a move; it keeps the axis along which the vector lanes divide it.
  void convertCrossing(mlir::OpBuilder &builder, GenericOp generic, mlir::Value tile);
  /// By a mask pattern: `gather_mask`. By index along the last axis: the unit counts elements from the first of the
  /// tile, so the index of each row is moved on by the rows above it.
  void convertGather(mlir::OpBuilder &builder, GenericOp generic, llvm::ArrayRef<mlir::Value> operands);

  // tile_converter_forms.cpp: operations whose tile form has other operands or results than the tensor form
  /// False for an operation that is none of these, or stays as it is.
  bool convertToTileForm(mlir::OpBuilder &builder, GenericOp generic, llvm::ArrayRef<mlir::Value> operands);
  bool convertCreateL1(mlir::OpBuilder &builder, GenericOp generic);
  bool convertGatherRow(mlir::OpBuilder &builder, GenericOp generic, llvm::ArrayRef<mlir::Value> operands);
  bool convertCompare(mlir::OpBuilder &builder, GenericOp generic, llvm::ArrayRef<mlir::Value> operands);
  /// A side of a comparison as a tile of `whole`'s extents and dtype, or the number that it is; null when that was
  /// refused.
  mlir::Value comparable(mlir::OpBuilder &builder, GenericOp generic, mlir::Value side, TileType whole);
  /// `whole` with what is live in all sides; null when that was refused.
  TileType commonPart(GenericOp generic, llvm::ArrayRef<mlir::Value> sides, TileType whole);

  // tile_converter_devices.cpp
  /// What goes to another device or comes from one goes as tiles; false for a copy that cannot.
  bool convertRemoteCopy(mlir::OpBuilder &builder, GenericOp generic, llvm::ArrayRef<mlir::Value> operands);
  /// All devices wait for each other, by signals.
  void convertBarrier(mlir::OpBuilder &builder, GenericOp generic);

  // tile_converter_control.cpp
  void convertLoop(mlir::scf::ForOp loop);
  void convertWhile(mlir::scf::WhileOp loop);
  void convertIf(mlir::scf::IfOp branch);
  /// A tile that is returned is stored to a new argument, which the callers supply.
  void convertReturn(mlir::OpBuilder &builder, mlir::func::ReturnOp ret);
  void addCallerBuffers(unsigned result);

  mlir::func::FuncOp function_;
  llvm::ArrayRef<mlir::func::CallOp> callers_;
  llvm::DenseMap<mlir::Value, mlir::Value> tiles_;
  llvm::SetVector<mlir::Operation *> dead_; ///< Erased at the end, unless something kept a use.
  bool broken_ = false;
};

} // namespace placid::pl
