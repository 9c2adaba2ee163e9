// SPDX-License-Identifier: Apache-2.0
// Factories of the passes in passes.td. A pass's name (`Pass::getName`) is the def's name, which `placid ir --after`
// takes.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace placid::pl {

struct NzReport;

#define GEN_PASS_DECL
#include "compiler/dialect/pl/transforms/passes.h.inc"

/// `report` may be null; it must outlive the pass.
std::unique_ptr<mlir::Pass> createBlockNzTensorViewsPass(NzReport *report = nullptr);

#define GEN_PASS_REGISTRATION
#include "compiler/dialect/pl/transforms/passes.h.inc"

} // namespace placid::pl
