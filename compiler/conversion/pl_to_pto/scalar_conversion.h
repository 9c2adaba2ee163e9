// SPDX-License-Identifier: Apache-2.0
// Scalars of PL as `arith` operations: casts between builtin types, and the remainder with the sign of its divisor.
#pragma once

#include "compiler/conversion/pl_to_pto/kernel_builder.h"

namespace placid::conversion {

/// How the bits of an integer value are read. An i1 is 0 or 1 either way.
enum class Signedness : uint8_t { Signed, Unsigned };

/// `value`, an integer of `input` or a float, as `type`; null when there is no such conversion.
mlir::Value convertScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type,
                          Signedness input = Signedness::Signed);

/// The remainder of floor division. Signed: `arith.remsi`, plus the divisor where the remainder has the other sign.
/// Unsigned: `arith.remui`.
mlir::Value floorMod(KernelBuilder &kernel, mlir::Location loc, mlir::Value lhs, mlir::Value rhs,
                     Signedness operands = Signedness::Signed);

} // namespace placid::conversion
