// SPDX-License-Identifier: Apache-2.0
// The lowering passes of the `pl` dialect: factories and registration. See passes.td.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace placid::pl {

#define GEN_PASS_DECL
#include "compiler/dialect/pl/lower/passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/dialect/pl/lower/passes.h.inc"

} // namespace placid::pl
