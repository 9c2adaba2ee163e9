// SPDX-License-Identifier: Apache-2.0
// The judgement of BlockNzTensorViews: walks a module whose NZ types are still logical, refuses every declaration and
// use that has no blocked form, and names the accesses that must be rewritten. Changes no IR. One declaration and one
// access carry at most one error: the first in the order of the checks. What a refused value feeds reports nothing
// more, also inside outlined functions; everything else is still checked. One module at a time, on the thread that owns
// the context.
#pragma once

#include "compiler/dialect/pl/analysis/nz_annotation.h"
#include "compiler/dialect/pl/analysis/nz_layout.h"
#include "compiler/dialect/pl/analysis/nz_report.h"
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/DenseSet.h"
#include "mlir/IR/BuiltinOps.h"

namespace placid::pl {

class NzChecker {
public:
  /// `report` may be null. Diagnostics go to the context's engine.
  NzChecker(mlir::ModuleOp module, NzReport *report) : module_(module), report_(report) {}

  /// Failure when an error was reported.
  mlir::LogicalResult run();

  /// Loads, stores and slices to rewrite, in program order. Complete only after a successful run.
  llvm::ArrayRef<mlir::Operation *> accesses() const { return accesses_; }

private:
  /// One op that reads or writes an NZ tensor, while it is judged.
  struct Access {
    mlir::Operation *op;
    TensorType type; ///< Logical.
    TensorOrigin origin;
    NzPlane plane;
    NzAccessFact fact;
  };
  /// The slug of the error that was reported; empty when the check passed.
  using Slug = llvm::StringRef;

  // nz_checker.cpp: the walk, declarations, poison.
  llvm::SmallVector<mlir::func::FuncOp> callersFirst();
  void checkFunction(mlir::func::FuncOp function);
  void visit(mlir::Operation *op);
  void flow(mlir::ValueRange from, mlir::ValueRange to);
  void visitCall(mlir::func::CallOp call);
  void visitTileReshape(TileReshapeOp reshape);
  bool isPoisoned(mlir::Value value) const { return poisoned_.contains(value); }
  Slug checkDeclaration(mlir::Value tensor);
  void reportTensor(mlir::Value tensor, mlir::func::FuncOp function, Slug rejected);
  template <class Check> void judge(mlir::Operation *op, mlir::Value tensor, llvm::StringRef name, Check check);

  // nz_offsets.cpp: what loads and stores share.
  Slug checkTrailingOffset(Access &access, int axis, mlir::OpFoldResult offset);
  Slug checkLeadingOffsets(Access &access, llvm::ArrayRef<mlir::OpFoldResult> offsets);
  void listForms(bridge::DiagBuilder &builder, mlir::Location at, int64_t factor, bool sign,
                 const ProofFailure &failure);
  void bindings(bridge::DiagBuilder &builder, const ArgLoc &at, mlir::OpFoldResult offset, const ProofFailure *failure);
  NzExpr blockedCoordinate(Access &access, llvm::StringRef list, unsigned index, mlir::OpFoldResult value,
                           int64_t factor);
  NzExpr foldedBatch(Access &access, llvm::ArrayRef<mlir::OpFoldResult> offsets);
  std::vector<NzExpr> blockedOffsets(Access &access, llvm::ArrayRef<mlir::OpFoldResult> offsets);
  std::vector<NzExpr> blockedSizes(Access &access, NzExpr batch, NzExpr rows, NzExpr cols);

  // nz_loads.cpp, nz_stores.cpp, nz_slices.cpp: one op each.
  Slug checkLoad(TileLoadOp load, Access &access);
  Slug checkWindow(TileLoadOp load, Access &access);
  Slug checkValid(TileLoadOp load, Access &access);
  Slug checkGap(TileLoadOp load, Access &access);
  Slug checkStore(TileStoreOp store, Access &access);
  Slug checkStoredTile(TileStoreOp store, Access &access);
  Slug checkSlice(TensorSliceOp slice, Access &access);
  Slug checkReshape(TensorReshapeOp reshape, Access &access);
  Slug checkTileReshape(TileReshapeOp reshape, Access &access);
  Slug checkConsumer(mlir::Operation *op, mlir::OpOperand &operand, Access &access);

  /// Reports an error that blames the access's annotation; returns the code's slug through `slug`.
  template <class... Args>
  bridge::DiagBuilder refuse(Access &access, mlir::Location at, diag::Kind<Args...> kind,
                             const std::type_identity_t<Args> &...args) {
    failed_ = true;
    bridge::DiagBuilder builder = bridge::emitDiag(at, kind, args...);
    annotate(builder, access.origin);
    annotatePastes(builder, access.op);
    return builder;
  }
  template <class... Args> static Slug slugOf(diag::Kind<Args...> kind) {
    std::string_view slug = diag::find(kind.code)->slug;
    return {slug.data(), slug.size()};
  }
  void annotate(bridge::DiagBuilder &builder, const TensorOrigin &origin);

  mlir::ModuleOp module_;
  NzReport *report_;
  OffsetProver prover_;
  /// Of batch offsets, which no rule refuses, everything that is known counts.
  OffsetProver batchProver_{OffsetProver::Casts::Opaque, OffsetProver::Outside::Marked};
  llvm::DenseSet<mlir::Value> poisoned_;
  llvm::SmallVector<mlir::Operation *> accesses_;
  bool failed_ = false;
};

} // namespace placid::pl
