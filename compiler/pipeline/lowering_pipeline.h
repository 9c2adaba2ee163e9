// SPDX-License-Identifier: Apache-2.0
// The phases after the check pipeline: tiling, memory, PTO IR. Two steps, because the first reports only faults of the
// user's program and belongs to a check, while the second also reports what this compiler cannot lower yet.
#pragma once

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

#include <span>
#include <string_view>

namespace placid::pl {
struct LoweringReport;
}

namespace placid::pipeline {

/// Input: a module after BlockNzTensorViews. Matmuls are cut to L0 tiles and every tile has a memory and an address.
/// Faults: `nz-l0c`, `nz-store-extent`, `capacity`. A function with a fault is marked and skipped from then on; the
/// passes themselves succeed.
/// `report` may be null; it must outlive the pass manager.
void buildTilingPipeline(mlir::OpPassManager &pm, pl::LoweringReport *report = nullptr);

/// Input: a module after the tiling pipeline; output: PTO IR, see emit/emit_pto.h. Faults: `not-lowered`, `tile-align`,
/// `matmul-dtype`.
void buildPtoPipeline(mlir::OpPassManager &pm);

/// Both.
void buildLoweringPipeline(mlir::OpPassManager &pm);

/// The names that `ir --after` takes for these phases, in pipeline order. A test holds them against what runs.
std::span<const std::string_view> loweringPassNames();

/// For tools that run single passes: makes every pass above known by its command line name.
void registerLoweringPasses();
void registerLoweringDialects(mlir::DialectRegistry &registry);

} // namespace placid::pipeline
