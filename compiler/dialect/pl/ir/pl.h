// SPDX-License-Identifier: Apache-2.0
// The `pl` dialect: types, operations and the few helpers every pass needs. Any thread, one MLIRContext each.
#pragma once

#include "compiler/ops/op_table.h"
#include "compiler/target/target.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

#include "compiler/dialect/pl/ir/pl_dialect.h.inc"
#include "compiler/dialect/pl/ir/pl_enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/pl/ir/pl_types.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/pl/ir/pl_ops.h.inc"

namespace placid::pl {

/// Bits of one element; FP4 and HF4 count 4, BOOL 1, INDEX and TASK_ID 64.
unsigned bitWidth(DType dtype);
/// The name users write: "INT8", "FP16", "FP8E4M3FN".
llvm::StringRef plName(DType dtype);
std::optional<DType> dtypeFromPlName(llvm::StringRef name);
/// The builtin type of a scalar of this dtype; null for dtypes that are never scalars.
mlir::Type scalarType(mlir::MLIRContext *context, DType dtype);
bool isFloat(DType dtype);
bool isSignedInt(DType dtype);
/// "NZ", "ND" …; "Mat", "Vec" …: as users write them after `pl.` and `pl.Mem.`.
llvm::StringRef plName(Layout layout);
llvm::StringRef plName(Mem mem);

/// Elements in one 32-byte C0 line (256 / bits) for whole-byte dtypes; nullopt for sub-byte ones and INDEX/TASK_ID.
std::optional<int64_t> c0Elements(DType dtype);
/// A Mat tile of one row is no fractals but a line: what the bias table and the fixpipe's buffer are filled from.
inline bool isLine(TileType type) {
  return type.getMem() == Mem::Mat && type.getRank() == 2 && type.getShape()[0] == 1 && !type.getTransposed();
}
using target::kFractalRows;

/// Static entries as IntegerAttr (index type), dynamic ones as the matching operand.
llvm::SmallVector<mlir::OpFoldResult> mixedList(mlir::ValueRange dynamic, llvm::ArrayRef<int64_t> statics,
                                                mlir::MLIRContext *context);
/// The inverse.
void splitMixedList(llvm::ArrayRef<mlir::OpFoldResult> list, llvm::SmallVectorImpl<mlir::Value> &dynamic,
                    llvm::SmallVectorImpl<int64_t> &statics);

/// Extents as attributes: integers as i64 IntegerAttr, symbols as StringAttr.
mlir::Attribute extentAttr(mlir::MLIRContext *context, int64_t extent);
mlir::Attribute extentAttr(mlir::MLIRContext *context, llvm::StringRef symbol);
llvm::SmallVector<mlir::Attribute> extentAttrs(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> extents);

// Discardable attributes (see pl_dialect.td).
inline constexpr llvm::StringLiteral kKindAttr = "pl.kind";
inline constexpr llvm::StringLiteral kEntryAttr = "pl.entry";
inline constexpr llvm::StringLiteral kNameAttr = "pl.name";
inline constexpr llvm::StringLiteral kDirAttr = "pl.dir";
inline constexpr llvm::StringLiteral kAnnotationAttr = "pl.annotation";
inline constexpr llvm::StringLiteral kLogicalShapeAttr =
    "pl.logical"; ///< On arguments: the extents an NZ tensor was declared with.
inline constexpr llvm::StringLiteral kBindingAttr = "pl.binding";
inline constexpr llvm::StringLiteral kArchAttr = "pl.arch"; ///< On the module: "a2", "a3" or "a5".
inline constexpr llvm::StringLiteral kPlannerAttr =
    "pl.planner"; ///< On the module, "ptoas": the assembler gives tiles their addresses.
inline constexpr llvm::StringLiteral kLoopKindAttr = "pl.loop"; ///< On scf.for: "range", "pipeline", "parallel".
inline constexpr llvm::StringLiteral kStagesAttr = "pl.stages"; ///< On scf.for: i64.
inline constexpr llvm::StringLiteral kResultNamesAttr =
    "pl.results";                                                   ///< On loops, branches, scopes: one name a result.
inline constexpr llvm::StringLiteral kResultNameAttr = "pl.result"; ///< On ops: the variable the result was bound to.
inline constexpr llvm::StringLiteral kBlocksAttr =
    "pl.blocks"; ///< On a call that launches blocks: i64, or the count's name.
inline constexpr llvm::StringLiteral kOutlinedAttr =
    "pl.outlined"; ///< On a core scope's function: the function it stood in.
inline constexpr llvm::StringLiteral kSplitAttr =
    "pl.split"; ///< On a core scope and its function: each vector lane has its half of the work.
inline constexpr llvm::StringLiteral kSlotsAttr =
    "pl.slots"; ///< On the same: tiles in flight between cube and vector core, i64.
/// On a core scope or function: something in it is not in the IR, because it was refused or is not known. It is checked
/// and not lowered.
inline constexpr llvm::StringLiteral kIncompleteAttr = "pl.incomplete";
inline constexpr llvm::StringLiteral kNzBlockedAttr = "nz_tensor_views_blocked";

} // namespace placid::pl
