// SPDX-License-Identifier: Apache-2.0
// Telling what cannot be lowered: passes note it on an operation (kNotLoweredAttr), the conversion to PTO reports it.
// One thread a context.
#pragma once

#include "mlir/IR/Operation.h"

namespace placid::pl {

/// Beside kNotLoweredAttr: the way out, as an instruction.
inline constexpr llvm::StringLiteral kNotLoweredHelpAttr = "pl.not_lowered_help";

/// Tells why the operation, which has the attribute, cannot be lowered.
void reportNotLowered(mlir::Operation *op);

} // namespace placid::pl
