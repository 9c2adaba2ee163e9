// SPDX-License-Identifier: Apache-2.0
// What the consumers of a tensor value in an in-core function want of it: a tile at all, and in which memory.
// Looks through reshapes, slices, loops and branches. Pure; any thread that owns the context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

/// The memory a tile for `tensor` belongs in: Acc under a matmul_acc, Mat under a matmul (a non-Vec demand wins over
/// any other), else Vec. An NZ tensor that nothing consumes yet counts as a matmul operand, the only thing it can be.
Mem demandedMemory(mlir::Value tensor);

/// True when some consumer computes on chip with the result of `op`, or nothing consumes it at all; false when all
/// consumers address GM themselves (element reads, calls, loads by hand, slices of a slice).
bool wantsTile(mlir::Operation *op);

} // namespace placid::pl
