// SPDX-License-Identifier: Apache-2.0
// The frame of one PTO kernel: its signature, and the constants and views that stand above the body. It knows how
// values are spelled in PTO IR, not what the body does. Used by one conversion on one thread.
#pragma once

#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pto/ir/pto.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "mlir/IR/Builders.h"

namespace placid::conversion {

// MLIR has builtin types of the same names.
using pl::TensorType;
using pl::TileType;

/// Which of the launch's identities a kernel reads.
struct Identities {
  bool blockIdx = false;
  bool blockNum = false;
  bool subblockIdx = false;
};

class KernelBuilder {
public:
  /// Makes the function with its arguments and an empty body. `source` is read only here. The function stands alone
  /// until finish() has been called and the caller inserts it.
  /// `workspaceBytes`: of the GM that each block of a launch has for itself; 0 for a kernel without.
  KernelBuilder(mlir::func::FuncOp source, llvm::StringRef name, Identities identities, int64_t workspaceBytes = 0);
  ~KernelBuilder();
  KernelBuilder(const KernelBuilder &) = delete;
  KernelBuilder &operator=(const KernelBuilder &) = delete;

  mlir::func::FuncOp function() { return function_; }
  mlir::OpBuilder &body() { return body_; }
  mlir::MLIRContext *context() { return function_.getContext(); }

  /// The new argument of a source argument: a pointer for a tensor, the scalar itself otherwise.
  mlir::Value argument(unsigned sourceIndex) const { return arguments_[sourceIndex]; }
  mlir::Value identity(mlir::Operation *reader);
  /// Null when the kernel has none.
  mlir::Value workspace() const { return workspace_; }
  /// How a device reaches the others' part of a distributed tensor; null for one that is not distributed.
  mlir::Value context(unsigned sourceIndex) const { return contexts_.lookup(sourceIndex); }
  /// Null for a symbol that no tensor argument has.
  mlir::Value extent(llvm::StringRef symbol) const { return extents_.lookup(symbol); }

  mlir::Value constantIndex(int64_t value);
  /// One constant for each value and type, at the top.
  mlir::Value constant(mlir::TypedAttr value);

  /// The view of tensor argument `sourceIndex` under `type`; one for each pair. Null when the type has no PTO form:
  /// then `why` says what.
  mlir::Value view(unsigned sourceIndex, pl::TensorType type, std::string &why);

  /// The view of a tensor of `type` at `pointer`, made in the body.
  mlir::Value viewAt(mlir::Location loc, mlir::Value pointer, pl::TensorType type, std::string &why);

  /// The distances between elements along each axis, as views of this type have them; false, with `why`, when they are
  /// not known.
  bool strides(pl::TensorType type, llvm::SmallVectorImpl<mlir::Value> &strides, std::string &why) {
    pto::Layout layout = pto::Layout::ND;
    return viewStrides(type, strides, layout, why);
  }

  /// Puts constants and views in front of the body and hands the function over.
  mlir::func::FuncOp finish();

private:
  mlir::Value addArgument(mlir::Type type, mlir::Location loc, llvm::StringRef kind, mlir::DictionaryAttr attrs);
  mlir::Value extentValue(mlir::Attribute extent);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  mlir::Value makeView(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer, pl::TensorType type,
                       std::string &why);
  bool viewStrides(pl::TensorType type, llvm::SmallVectorImpl<mlir::Value> &strides, pto::Layout &layout,
                   std::string &why);

  mlir::func::FuncOp function_;
  mlir::Block constants_;
  mlir::Block views_;
  mlir::OpBuilder body_;
  mlir::OpBuilder viewBuilder_;
  llvm::SmallVector<mlir::Value> arguments_;
  llvm::StringMap<mlir::Value> extents_;
  llvm::DenseMap<unsigned, mlir::Value> contexts_;
  mlir::Value workspace_;
  mlir::Value blockIdx_;
  mlir::Value blockNum_;
  mlir::Value subblockIdx_;
  llvm::MapVector<mlir::Attribute, mlir::Value> constantValues_;
  llvm::MapVector<std::pair<unsigned, mlir::Type>, mlir::Value> viewValues_;
  bool finished_ = false;
};

/// The PTO element type of a dtype: builtin, signless for signed integers. Null when PTO has none.
mlir::Type elementType(mlir::MLIRContext *context, pl::DType dtype);

} // namespace placid::conversion
