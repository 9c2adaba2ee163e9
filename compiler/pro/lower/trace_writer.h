// SPDX-License-Identifier: Apache-2.0
// What a trace says in the terms of the tile level: places as locations, layouts as types, numbers as `arith`. Apart
// from build_module, which gives operations their order. One thread, the context's.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/pro/lower/build_module.h"

#include "mlir/IR/Builders.h"

namespace placid::pro {

inline constexpr std::string_view kFp4 =
    "FP4 is not lowered: the assembler counts the elements of its tiles in pairs, and those of its windows one by one";

class TraceWriter {
protected:
  using Value = mlir::Value; // not the reader's

  TraceWriter(mlir::MLIRContext &context, Trace &trace, const ModuleNames &names, target::Arch arch)
      : builder_(&context), trace_(trace), names_(names), arch_(arch), tiles_(trace.tiles.size()),
        tensors_(trace.tensors.size()) {}

  /// The first reason is kept.
  void refuse(Site at, std::string why);
  mlir::Location location(Site at);
  std::optional<pl::DType> dtypeOf(DType dtype);
  /// NZ storage is whole fractals, so an NZ tensor has the extents of its storage.
  mlir::Type tensorType(const TensorInfo &info);
  /// Null for a layout that the tile level gives no tile of this memory.
  pl::TileType tileType(const TileTypeInfo &type);
  pl::TileType typeOf(unsigned place, Site at);
  Value number(int64_t value, mlir::Location loc);
  Value truth(const IndexNode &node, mlir::Location loc);
  Value index(const IndexNode &node, mlir::Location loc);
  Value symbol(const IndexNode &node, mlir::Location loc);
  /// What a variable of the trace holds; null, and refused, where nobody knows or where it is behind its loop or
  /// branch.
  Value variable(int64_t number, mlir::Location loc);
  /// Offsets as the operations take them: constants apart.
  void split(const std::vector<Index> &offsets, mlir::Location loc, mlir::SmallVector<Value> &dynamic,
             mlir::SmallVector<int64_t> &statics);
  pl::TileType withValid(pl::TileType type, mlir::ArrayRef<int64_t> valid);
  mlir::Type scalarTypeOf(DType dtype);
  /// The function with its parameters, which are what tensors and numbers hold from now on. `other`: the trace of the
  /// function beside it, which has the same. Null, and refused, where one has no form.
  mlir::func::FuncOp declare(mlir::ModuleOp module, const Trace *other);

  mlir::OpBuilder builder_;
  Trace &trace_;
  Site now_; ///< Of the node that is being built, which is told where a number in it has no form.
  const ModuleNames &names_;
  target::Arch arch_;
  std::vector<Value> tiles_;   ///< By place; null where nothing is known.
  std::vector<Value> tensors_; ///< By parameter.
  /// The core that is written, of a kernel of both.
  enum class Side : uint8_t { Alone, Cube, Vector } side_ = Side::Alone;
  std::map<int64_t, Value> loops_;
  std::map<int64_t, Value> variables_;
  std::map<int, std::pair<Value, bool>> scalars_; ///< By number of the parameter; whether it is unsigned.
};

} // namespace placid::pro
