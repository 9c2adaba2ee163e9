// SPDX-License-Identifier: Apache-2.0
// Whether the two vector lanes of a divided kernel keep apart in GM: nothing orders them, so a tensor that they write
// has to be divided between them in one way by all of its accesses. Apart from lane_halves, which looks at tiles.
// Decides only. One thread a context.
#pragma once

#include "compiler/dialect/pl/lower/lane_halves.h"

namespace placid::pl {

/// The first access that could meet one of the other lane; nullopt when all is well.
std::optional<LaneHalves::Refusal> findTensorFault(mlir::func::FuncOp function, const LaneHalves &halves);

} // namespace placid::pl
