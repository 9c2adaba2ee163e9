// SPDX-License-Identifier: Apache-2.0
// The `pto` dialect: types, operations and the names of its attributes. It knows targets, not the `pl` dialect.
// Any thread, one MLIRContext each.
#pragma once

#include "compiler/target/target.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

// Generated; in the order in which they use each other.
#include "compiler/dialect/pto/ir/pto_dialect.h.inc"
#include "compiler/dialect/pto/ir/pto_enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/pto/ir/pto_attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/pto/ir/pto_types.h.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/pto/ir/pto_ops.h.inc"

namespace placid::pto {

inline constexpr llvm::StringLiteral kTargetArchAttr = "pto.target_arch"; ///< On the module.
inline constexpr llvm::StringLiteral kKernelKindAttr = "pto.kernel_kind"; ///< On a function.

/// Of one element: every type of a view or tile has a width.
int64_t elementBits(mlir::Type type);
/// The target of the module around `op`; A3 when it names none, as the assembler assumes.
const target::Target &targetOf(mlir::Operation *op);
target::Space spaceOf(Loc loc);
/// The same of a tile: `scaling` in fractals of 32 bytes is beside Left or Right, by its order.
target::Space spaceOf(TileBufType type);
/// The tile type with the block layouts and fractal that the memory asks for on this target. Null, with a diagnostic
/// from `emitError`, for a shape that the memory cannot hold.
TileBufType makeTileType(llvm::function_ref<mlir::InFlightDiagnostic()> emitError, const target::Target &target,
                         Loc loc, mlir::Type dtype, int64_t rows, int64_t cols, int64_t validRows, int64_t validCols,
                         bool transposed, int64_t pad = 0);

} // namespace placid::pto
