// SPDX-License-Identifier: Apache-2.0
// Scalars of PL as `arith` operations: casts between builtin types, and the remainder with the sign of its divisor.
#pragma once

#include "compiler/conversion/pl_to_pto/kernel_builder.h"

namespace placid::conversion {

/// `value` as `type`; null when there is no such conversion. Integers are signed, except that an i1 extends to 0 or 1.
mlir::Value convertScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);

/// The remainder of floor division: `arith.remsi`, plus the divisor where the remainder has the other sign.
mlir::Value floorMod(KernelBuilder &kernel, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

} // namespace placid::conversion
