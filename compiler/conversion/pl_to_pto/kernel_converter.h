// SPDX-License-Identifier: Apache-2.0
// Converts one core function to PTO. Every operation without a PTO form is reported at its place; what depends on it is
// passed over in silence, so that one run shows all independent faults.
#pragma once

#include "compiler/conversion/pl_to_pto/kernel_builder.h"
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/ir/core_ops.h"
#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"
#include "compiler/dialect/pl/lower/vector_ops.h"

#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace placid::conversion {

class KernelConverter {
public:
  /// `group` is the name of the unit that the function and its peer on the other core make; empty for one that stands
  /// alone.
  KernelConverter(mlir::func::FuncOp source, llvm::StringRef name, llvm::StringRef group = {});

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
  mlir::LogicalResult checkFixpipe(pl::TileStoreOp store);
  mlir::LogicalResult convertMatmul(mlir::Operation *op, mlir::Value acc, mlir::Value lhs, mlir::Value rhs,
                                    mlir::Value bias = {});

  // scale_conversion.cpp: MX products.
  /// Scales from pairs in GM into the order that the cube unit takes them in.
  mlir::LogicalResult convertLoadScales(pl::GenericOp op);
  mlir::LogicalResult convertMx(pl::GenericOp op);

  // pipe_conversion.cpp
  void openPipe();
  mlir::LogicalResult convertPush(pl::PipePushOp push);
  mlir::LogicalResult convertPop(pl::PipePopOp pop);
  mlir::LogicalResult convertFree(pl::PipeFreeOp free);

  // shared_conversion.cpp: kernels that were written for both cores.
  mlir::LogicalResult convertFlag(mlir::Operation *op, llvm::StringRef pipe, mlir::Value event, bool raises);
  mlir::LogicalResult convertPut(pl::SharedPutOp put);
  mlir::LogicalResult convertInsert(pl::SharedPutOp put);
  mlir::LogicalResult convertToLanes(pl::SharedPutOp put);

  // vector_conversion.cpp
  mlir::LogicalResult convertGeneric(pl::GenericOp op);
  mlir::LogicalResult convertInstruction(pl::GenericOp op, const pl::VectorOp &row);
  /// Several sorted rows become one.
  mlir::LogicalResult convertMerge(pl::GenericOp op);
  mlir::LogicalResult convertAssemble(pl::GenericOp op);
  mlir::LogicalResult convertBiased(pl::GenericOp op);
  mlir::LogicalResult convertVectorMove(pl::TileMoveOp move);
  mlir::LogicalResult convertWindowCopy(pl::TileExtractOp extract);
  /// The attributes an instruction has besides its operands; false after a diagnostic.
  bool instructionConfig(pl::GenericOp op, mlir::NamedAttrList &config, mlir::NamedAttrList &trailing);
  /// The chip has the instruction for these types; false after a diagnostic.
  bool checkInstruction(pl::GenericOp op, const pl::VectorOp &row);
  /// The buffer of a tile, a column shown as a row.
  mlir::Value flatHandle(mlir::Value tile);
  /// The window of a Vec tile at `offsets` with the shape of `window`; null after a diagnostic.
  mlir::Value tileWindow(mlir::Operation *op, mlir::Value tile, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                         mlir::Value window);
  /// The vector unit can begin at this element of a row; false after a diagnostic.
  bool checkWindowStart(mlir::Operation *op, pl::TileType whole, mlir::OpFoldResult first);
  /// The assembler places tiles, and this one is a view of what it placed in another order or type.
  bool isShownOtherwise(mlir::Value tile);
  mlir::LogicalResult copyByIndex(mlir::Operation *op, llvm::StringRef instruction, mlir::Value source,
                                  mlir::Value result, llvm::ArrayRef<mlir::OpFoldResult> offsets);
  /// An operand that is a number, as the element type of a tile; null after a diagnostic.
  mlir::Value elementScalar(pl::GenericOp op, llvm::StringRef parameter, mlir::Type type);

  // device_conversion.cpp
  /// An operation between devices or on an array of scalars; nullopt for any other.
  std::optional<mlir::LogicalResult> convertDeviceOp(pl::GenericOp op);
  /// Which device this is, and how many there are.
  mlir::LogicalResult convertContext(pl::GenericOp op);
  mlir::LogicalResult convertNotify(pl::GenericOp op);
  mlir::LogicalResult convertWait(pl::GenericOp op);
  bool checkSignal(pl::GenericOp op, pl::TensorType type);
  mlir::LogicalResult convertRemoteLoad(pl::GenericOp op);
  mlir::LogicalResult convertRemoteStore(pl::GenericOp op);
  mlir::LogicalResult convertArray(pl::GenericOp op);
  /// The argument behind a distributed tensor; nullopt after a diagnostic.
  std::optional<unsigned> distributedArgument(mlir::Operation *op, mlir::Value tensor);
  /// The view of another device's part of it; null after a diagnostic.
  mlir::Value peerView(pl::GenericOp op, mlir::Value tensor);
  /// A parameter that is an integer, as an i32 or an index; null after a diagnostic.
  mlir::Value integerArgument(pl::GenericOp op, llvm::StringRef parameter, mlir::Type type);
  /// After a write to a tensor that other devices read: cached lines go to memory before any signal does.
  void publish(mlir::Operation *op, mlir::Value tensor, mlir::Value window);

  // row_conversion.cpp: loads a row at a time.
  /// Copies a window of a tensor into a window of a tile.
  mlir::LogicalResult convertGatherRow(pl::GenericOp op);
  /// A load to Mat of rows that are too far apart for one instruction.
  mlir::LogicalResult convertRows(pl::TileLoadOp load, mlir::Value tile, llvm::ArrayRef<mlir::Value> sizes);
  /// Whether `op` can fill `extents` of the tile from there on; false after a diagnostic.
  bool checkRowWindow(mlir::Operation *op, pl::TileType tile, llvm::ArrayRef<mlir::OpFoldResult> begin,
                      llvm::ArrayRef<int64_t> extents);
  /// The window that a load fills; null after a diagnostic.
  mlir::Value rowWindow(mlir::Operation *op, mlir::Value tile, mlir::Value row, mlir::Value column,
                        llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<mlir::Value> live);
  bool isFarApart(pl::TensorType tensor) const;

  // element_conversion.cpp
  mlir::LogicalResult convertWrite(pl::GenericOp op);
  mlir::LogicalResult convertRead(pl::ReadOp op);
  /// The element that indices name, counted from a tensor's first; null after a diagnostic.
  mlir::Value gmOffset(mlir::Operation *op, mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> indices,
                       unsigned &argument);
  mlir::Value tileOffset(mlir::Operation *op, pl::TileType type, llvm::ArrayRef<mlir::OpFoldResult> indices);
  mlir::Value addIndex(mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiplyIndex(mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

  mlir::LogicalResult notLowered(mlir::Operation *op, const llvm::Twine &what);
  mlir::LogicalResult checkLoad(pl::TileLoadOp load);
  /// Maps the tensors a loop or branch hands through to the argument behind them.
  mlir::LogicalResult joinTensor(mlir::Operation *op, mlir::Value out, llvm::ArrayRef<mlir::Value> in);
  void noteCore(pl::Mem mem, mlir::Operation *op);

  mlir::Location locOf(mlir::Operation *op) const;
  /// The scalar a value has become; computed once more where that is in another loop or branch. Null when it is not
  /// known, or cannot be computed here.
  mlir::Value scalar(mlir::Value value);
  mlir::Value indexScalar(mlir::Location loc, mlir::Value value);
  mlir::Value extent(mlir::Location loc, mlir::OpFoldResult value);
  /// Where a window of `view` begins along an axis, not below zero.
  mlir::Value offset(mlir::Location loc, mlir::OpFoldResult value, mlir::Value view, unsigned axis);
  /// The window of a tensor; null after a diagnostic or when the tensor is unknown.
  mlir::Value window(mlir::Operation *op, mlir::Value tensor, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<mlir::Value> sizes, llvm::StringRef name);
  /// The same of a view that stands for a tensor of `type`.
  mlir::Value windowOf(mlir::Operation *op, mlir::Value view, pl::TensorType type,
                       llvm::ArrayRef<mlir::OpFoldResult> offsets, llvm::ArrayRef<mlir::Value> sizes,
                       llvm::StringRef name);
  /// How a tile's buffer is shown.
  struct View {
    pl::TileType type;
    mlir::Value live[2] = {}; ///< Valid extents that the type does not say.
    int64_t pad = 0;          ///< Of PTO: 0 none, 1 zero, 2 the largest, 3 the smallest value.
  };
  /// The tile's own view; nullopt after a diagnostic.
  std::optional<View> viewOf(mlir::Value tile);
  /// The tile as an indexed copy takes it; nullopt after a diagnostic.
  std::optional<View> copyView(mlir::Operation *op, mlir::Value tile);
  /// The buffer of a tile under its type, or another view, made here when it is the first to show it so. Null after a
  /// diagnostic.
  mlir::Value handle(mlir::Value tile);
  mlir::Value handle(mlir::Value tile, const View &view);
  mlir::Value makeHandle(mlir::Value tile, const View &view);

  // planned_handles.cpp: where the assembler places tiles.
  /// The handle of a buffer whose bytes the assembler finds: the one alloc_tile that stands for it, or a view of that.
  mlir::Value plannedHandle(mlir::Value tile, const View &view, pto::TileBufType type);
  /// The bytes of `source` in another shape, order or element type.
  mlir::Value reshaped(mlir::Location at, mlir::Value source, const View &view, pto::TileBufType type);
  mlir::Value liveExtent(const View &view, pto::TileBufType type, unsigned axis);
  /// Makes that alloc_tile, where every use of the buffer sees it.
  mlir::Value makeRoot(mlir::Value tile, const View &view, pto::TileBufType type);
  /// The innermost block around everything that is this buffer.
  mlir::Block *homeOf(unsigned buffer);
  /// The PTO type of the tile's buffer; nullopt after a diagnostic.
  std::optional<pto::TileBufType> bufferType(mlir::Value tile, const View &view);
  /// No type of C++ has an extent of 0: that of a tile of which nothing is valid, as the idle lane has it, gets values.
  void spellEmpty(pto::TileBufType &type, mlir::Value &rows, mlir::Value &columns);
  /// A valid extent that is known at run time only, as an index; null when it cannot be had here.
  mlir::Value validExtent(mlir::Value tile, unsigned axis);
  /// That of a load, or as an operation says itself; null for one that takes it from its operands.
  mlir::Value loadExtent(pl::TileLoadOp load, unsigned axis);
  mlir::Value ownExtent(mlir::Value tile, unsigned axis);
  /// A valid extent as an index. The tile's buffer must exist.
  mlir::Value validOf(mlir::Value tile, unsigned axis);
  bool isVisible(mlir::Value value);
  /// The tile is named where it is first used, not where it is handed on.
  static bool isNamedLater(mlir::Value tile);

  mlir::func::FuncOp source_;
  std::string group_;
  std::optional<pl::CorePipe> pipe_;
  const target::Target &target_;
  pl::TileBuffers buffers_;
  pl::OffsetProver prover_{pl::OffsetProver::Casts::Transparent};
  unsigned depth_ = 0; ///< Of scalars that are computed once more.
  std::unique_ptr<KernelBuilder> kernel_;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars_;
  llvm::DenseMap<mlir::Value, unsigned> tensors_; ///< To the source argument the tensor lives in.
  llvm::DenseMap<mlir::Value, mlir::Value> arrays_;
  llvm::DenseMap<mlir::Value, mlir::Value> contexts_; ///< From a handle to the argument.
  using HandleKey = std::tuple<unsigned, mlir::Type, mlir::Value, mlir::Value, int64_t>;
  llvm::MapVector<HandleKey, mlir::Value> handles_;
  bool planned_ = true;                                 ///< Tiles have addresses.
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks_; ///< Of the source function, to what they become.
  llvm::DenseMap<unsigned, mlir::Value> roots_;         ///< The alloc_tile of a buffer that the assembler places.
  llvm::DenseMap<mlir::Value, mlir::Value> windows_;    ///< Of tiles that are windows of others, see kWindowAttr.
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> validExtents_;
  mlir::Operation *cube_ = nullptr;   ///< The first op that needs the cube core …
  mlir::Operation *vector_ = nullptr; ///< … and the vector core.
  bool refused_ = false;              ///< A pass has said of some operation why it cannot be lowered.
};

} // namespace placid::conversion
