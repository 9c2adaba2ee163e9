// SPDX-License-Identifier: Apache-2.0
// What is known of a loop while it is built. Apart from kernel_builder.h, which everything includes, because only the
// files of loops look inside. One thread a builder.
#pragma once

#include "compiler/frontend/kernel_builder.h"

namespace placid::frontend {

/// How scf.for, which counts up, runs a loop: one that counts down runs over its iteration number.
struct KernelBuilder::Counting {
  mlir::Value lower, upper, step;
  mlir::Value start; ///< Of the loop as written.
  int64_t down = 0;  ///< The negative step of a loop that counts down, else 0.
};

/// A variable that rounds hand on.
struct KernelBuilder::Carried {
  std::string name;
  Val before;
  source::ByteRange bound;
  bool readFirst = false; ///< A round may read it before assigning it.
};

/// The `pl.yield_` at the end of a body, and the names that it binds.
struct KernelBuilder::LoopYield {
  const syntax::Stmt *stmt = nullptr;
  std::vector<const syntax::Expr *> names;
};

} // namespace placid::frontend
