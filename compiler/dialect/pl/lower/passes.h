// SPDX-License-Identifier: Apache-2.0
// The lowering passes of the `pl` dialect: factories and registration. See passes.td.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace placid::pl {

struct LoweringReport;

#define GEN_PASS_DECL
#include "compiler/dialect/pl/lower/passes.h.inc"

/// The passes that have something to tell; `report` may be null and must outlive the pass.
std::unique_ptr<mlir::Pass> createAutoTileMatmulL0Pass(LoweringReport *report);
std::unique_ptr<mlir::Pass> createAllocateMemoryAddrPass(LoweringReport *report);

#define GEN_PASS_REGISTRATION
#include "compiler/dialect/pl/lower/passes.h.inc"

} // namespace placid::pl
