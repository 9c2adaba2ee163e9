// SPDX-License-Identifier: Apache-2.0
// Which tensors of a function can be compared place by place, and which may lie in one memory. Apart from
// tensor_origin, which is about declarations and names: only what orders accesses asks this. One thread a context.
#pragma once

#include "mlir/IR/Value.h"

namespace placid::pl {

/// On a tensor argument of a kernel: i64, the number of the first argument whose memory it may share.
inline constexpr llvm::StringLiteral kAliasAttr = "pl.alias";

/// The value whose offsets are those of the tensor: the nearest slice or reshape on the way to its root, else that.
mlir::Value tensorView(mlir::Value tensor);
/// The root, one for all arguments that may share memory.
mlir::Value memoryRoot(mlir::Value tensor);

} // namespace placid::pl
