// SPDX-License-Identifier: Apache-2.0
// The conversion from `pl` to `pto`, see passes.td, and the attributes that carry a kernel's source signature along.
#pragma once

#include "compiler/dialect/pto/ir/pto.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace placid::conversion {

#define GEN_PASS_DECL
#include "compiler/conversion/pl_to_pto/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/conversion/pl_to_pto/passes.h.inc"

// On the arguments of a converted function; names, directions and `pl.logical` come along from the source function.
inline constexpr llvm::StringLiteral kArgKindAttr =
    "pl.argument"; ///< "tensor", "workspace", "scalar", "context", "extent" or "identity".
inline constexpr llvm::StringLiteral kGroupAttr =
    "pl.group"; ///< On functions: the unit that a cube and a vector function make together.
inline constexpr llvm::StringLiteral kBytesAttr = "pl.bytes"; ///< On a workspace argument: bytes a block, i64.
inline constexpr llvm::StringLiteral kSourceSymbolAttr =
    "pl.symbol";                                                ///< On functions: the symbol it was converted from.
inline constexpr llvm::StringLiteral kBufferAttr = "pl.buffer"; ///< On alloc_tile: tiles of one number are one buffer.
inline constexpr llvm::StringLiteral kSpanAttr =
    "pl.span"; ///< On alloc_tile, begin and end in bytes: what it counts as, where it shows a part of a tile.
inline constexpr llvm::StringLiteral kArgTypeAttr = "pl.type"; ///< TypeAttr: the argument's type before conversion.

} // namespace placid::conversion
