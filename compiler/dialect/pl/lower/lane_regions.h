// SPDX-License-Identifier: Apache-2.0
// The regions of a kernel that both vector lanes run, as `pl.split_aiv` opened them: from one subblock_idx with a mode
// to the one that ends it, in one block. Says what of a kernel's use of them cannot be lowered; changes nothing. One
// thread a context.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace placid::pl {

struct LaneFault {
  mlir::Operation *op;
  std::string why;  ///< Completes "… cannot be lowered to PTO IR yet".
  std::string help; ///< The way out, as an instruction; may be empty.
};

/// Regions that leave it to the compiler what each lane takes, and work of the vector core outside of all regions,
/// which both lanes would do. Nullopt also for a kernel without such regions.
std::optional<LaneFault> findLaneFault(mlir::func::FuncOp function);

} // namespace placid::pl
