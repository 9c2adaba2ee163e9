// SPDX-License-Identifier: Apache-2.0
// How a function uses its tensor arguments: "in" (read), "out" (written), "inout" (both). Follows a tensor through its
// aliases (stores, assembles, loops, branches); a use it does not know counts as a read. Any thread that owns the
// context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

/// Sets `pl.dir` of every argument from what the body does; scalars are "in".
void setDirections(mlir::func::FuncOp function);

} // namespace placid::pl
