// SPDX-License-Identifier: Apache-2.0
// Which operations may write their result over an operand, byte for byte: those that go through elements of both in one
// order and read each before they write it. Any thread that owns the context.
#pragma once

#include "mlir/IR/Operation.h"

namespace placid::pl {

/// The result of `op` may have the address of `operand`, a tile of the same type that nothing reads afterwards.
bool mayOverwrite(mlir::Operation *op, mlir::Value operand);

} // namespace placid::pl
