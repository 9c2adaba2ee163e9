// SPDX-License-Identifier: Apache-2.0
// One operation of a trace as operations of the tile level, given the values of what it reads. Apart from build_module,
// which knows what places hold. One thread, the context's.
#pragma once

#include "compiler/pro/lower/trace_writer.h"

namespace placid::pro {

class OperationWriter : protected TraceWriter {
protected:
  using TraceWriter::TraceWriter;

  /// The value of the place that it writes; null where it writes none, or where the tile level has no such operation.
  Value compute(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  /// The tile with less of it in use.
  Value narrowed(Value tile, const std::vector<Index> &part, mlir::Location loc);
  /// `scales`: the row of them, where that is what the node says.
  void store(const TraceNode &node, Value tile, Value scales, mlir::Location loc);
  /// Reads or writes an element; the tile with the element written, else null.
  Value element(const TraceNode &node, Value tile, mlir::Location loc);

  // cores_writer.cpp: of kernels of both cores.
  void flag(const TraceNode &node, mlir::Location loc);
  /// An accumulator to the vector cores; `scales` as of a store.
  void toLanes(const TraceNode &node, Value source, Value target, Value scales, mlir::Location loc);
  /// A tile of UB into a window of L1.
  void insert(const TraceNode &node, Value source, Value target, mlir::Location loc);
  /// The word that the fixpipe takes for a scale of all columns.
  Value scaleWord(const TraceNode &node, pl::DType stored, mlir::Location loc);
  void put(Value source, Value target, llvm::StringRef how, mlir::Location loc, Value scratch = {},
           mlir::ArrayRef<Value> offsets = {}, bool relu = false, Value scale = {});

private:
  Value fused(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value indexed(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value generic(llvm::StringRef op, mlir::Type type, mlir::ArrayRef<std::pair<llvm::StringRef, Value>> operands,
                mlir::Location loc);
  Value load(const TraceNode &node, pl::TileType type, mlir::Location loc);
  Value move(const TraceNode &node, pl::TileType type, Value source, mlir::Location loc);
  Value product(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value vector(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value along(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value converted(const TraceNode &node, pl::TileType type, Value tile, mlir::Location loc);
  Value compare(const TraceNode &node, mlir::ArrayRef<Value> operands, mlir::Location loc);
  // arranged_writer.cpp
  Value arranged(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value partly(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value scaledRows(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  Value loadScales(const TraceNode &node, pl::TileType type, mlir::Location loc);
  Value scaledProduct(const TraceNode &node, pl::TileType type, mlir::ArrayRef<Value> operands, mlir::Location loc);
  /// In the place of what has been refused.
  Value placeholder(pl::TileType type, mlir::Location loc) { return pl::TileCreateOp::create(builder_, loc, type); }
  /// The number of the node as an element of a tile.
  Value scalar(const TraceNode &node, pl::DType dtype, mlir::Location loc);
  Value constant(const TraceNode &node, pl::DType dtype, mlir::Location loc);
};

} // namespace placid::pro
