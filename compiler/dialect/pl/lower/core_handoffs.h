// SPDX-License-Identifier: Apache-2.0
// Where one core of a kernel has to wait for the other because they use one tensor in GM: a token through the pipe
// between them orders what each does before and after. Decides only; core_split says which core each operation runs on.
// Valid until the function changes. One thread a context.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace placid::pl {

/// The operation at which the other core takes over the tensor: one token passes before it.
struct CoreHandoff {
  mlir::Operation *before;
  bool toVector; ///< From the cube to the vector core; otherwise back.
};

struct HandoffFault {
  mlir::Operation *op;
  std::string why; ///< Completes "… cannot be lowered to PTO IR yet".
};

/// Bits of what an operation's core is.
enum CoreBits : unsigned { kOnCube = 1, kOnVector = 2 };

/// The handoffs of all tensors that one core writes and both use, without duplicates, in no particular order. `coresOf`
/// gives the cores that an operation runs on.
std::optional<HandoffFault> findHandoffs(mlir::func::FuncOp function,
                                         llvm::function_ref<unsigned(mlir::Operation *)> coresOf,
                                         llvm::SmallVectorImpl<CoreHandoff> &out);

} // namespace placid::pl
