// SPDX-License-Identifier: Apache-2.0
// From what the lowering passes report to the plain facts that the compiler's interface hands out: tile plans, chunks
// of NZ stores, use of memories. Byte ranges instead of locations, in program order.
#pragma once

#include "compiler/dialect/pl/lower/lowering_report.h"
#include "compiler/driver/compiler_service.h"
#include "compiler/mlir_bridge/source_range.h"

namespace placid::compiler {

std::vector<TilePlan> tilePlans(const pl::LoweringReport &report, const bridge::SourceLookup &lookup);
std::vector<MemoryUse> memoryUses(const pl::LoweringReport &report);
/// Marks the stores that tiling or the last guard refused, as `check` tells it, and drops their coordinates.
void markRefusedStores(std::vector<InspectAccess> &accesses, const std::vector<diag::Diagnostic> &diagnostics);
/// One entry for each accepted NZ store of `accesses`, cut as the tile plans say.
std::vector<StoreChunks> storeChunks(const pl::LoweringReport &report, const std::vector<InspectAccess> &accesses,
                                     const bridge::SourceLookup &lookup);

} // namespace placid::compiler
