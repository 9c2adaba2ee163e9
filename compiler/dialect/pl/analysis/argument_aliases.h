// SPDX-License-Identifier: Apache-2.0
// Tensor arguments of kernels that may share memory because a caller gives them windows of one tensor. Apart from
// tensor_origin, which looks at one function: this looks at all calls of a module. One thread a context.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace placid::pl {

/// Marks the arguments with `pl.alias` (kAliasAttr); windows that surely lie apart are left out. Changes nothing else.
void noteAliases(mlir::ModuleOp module);

} // namespace placid::pl
