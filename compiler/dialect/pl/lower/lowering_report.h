// SPDX-License-Identifier: Apache-2.0
// What tiling and memory planning decided, as plain facts for people and for the manifest: filled when a pass is given
// a report, never read by a pass. Locations belong to the module's context and are valid as long as it lives.
#pragma once

#include "compiler/dialect/pl/lower/l0_tile_chooser.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace placid::pl {

/// One matmul of Mat tiles and the tile it runs through L0 in.
struct TileFact {
  std::string function; ///< Symbol name of the core function.
  std::string result;   ///< The product's name; may be empty.
  mlir::LocationAttr range;
  mlir::LocationAttr store; ///< The store that was cut with it; null when only K was cut, or nothing.
  int64_t m = 0;            ///< Extents of the whole product, in elements.
  int64_t n = 0;
  int64_t k = 0;
  L0Tile tile;
};

/// How much of one memory a core function uses; only memories that it uses.
struct MemoryFact {
  std::string function;
  target::Space space;
  int64_t used = 0; ///< Bytes up to the highest address.
  int64_t capacity = 0;
};

struct LoweringReport {
  std::vector<TileFact> tiles;
  std::vector<MemoryFact> memory;
};

} // namespace placid::pl
