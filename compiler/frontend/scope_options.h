// SPDX-License-Identifier: Apache-2.0
// What the options of a core scope say. Apart from kernel_builder.h, because only the files of scopes look inside. One
// thread a builder.
#pragma once

#include "compiler/frontend/kernel_builder.h"

namespace placid::frontend {

struct KernelBuilder::ScopeOptions {
  std::string nameHint;
  bool split = false;                ///< `optimizations` holds a pl.split …
  bool halved = false;               ///< … of a mode that gives each vector lane its half …
  std::optional<int64_t> halvedAxis; ///< … along this axis, where the mode says which.
  int64_t slots = 0;                 ///< Tiles in flight between the cores, of pl.cross_core_slot; 0 is the default.
  const syntax::Expr *mode = nullptr;
  const syntax::Keyword *dispatch = nullptr; ///< The first option that only a task of its own can have.
};

} // namespace placid::frontend
