// SPDX-License-Identifier: Apache-2.0
// The passes of a check: from what the front end builds to blocked NZ views. What follows them is lowering and has a
// file of its own. Every order here is a rule: see the comments in the .cpp.
#pragma once

#include "mlir/Pass/PassManager.h"

#include <string_view>
#include <vector>

namespace placid::pl {
struct NzReport;
}

namespace placid::pipeline {

/// Of those passes what judges a function by its annotations alone, whoever calls it.
void buildBoundsPipeline(mlir::OpPassManager &pm);

/// `report` may be null; it must outlive the pass manager.
void buildCheckPipeline(mlir::OpPassManager &pm, pl::NzReport *report = nullptr);

/// The names of those passes in order, as `placid ir --after` takes them. A test holds them against what runs.
std::vector<std::string_view> checkPassNames();

} // namespace placid::pipeline
