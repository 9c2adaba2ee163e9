// SPDX-License-Identifier: Apache-2.0
// What the way from Mat to Left and Right asks of tiles and windows. Apart from the boxes of tiles in target.h, because
// a move that transposes takes more than one box at a time. Knows no dialect. Pure; any thread.
#pragma once

#include "compiler/target/target.h"

#include <algorithm>

namespace placid::target {

/// The tile's own order inside a box is not that of `to`: rows become columns on the way.
constexpr bool transposesOnTheWay(Space to, bool transposed) { return (to == Space::Right) != transposed; }

/// What the extents of a boxed tile in Mat, of its windows and their starts are multiples of, in elements, on the way
/// to `to`, which is Left or Right. `transposed` is the tile's own order, as of tileBox().
inline Box transferUnit(Space to, int64_t elementBits, bool transposed) {
  const Box box = tileBox(Space::Mat, elementBits, transposed);
  if (!transposesOnTheWay(to, transposed)) {
    return box;
  }
  // Square blocks: two boxes of bytes side by side, two of FP32 above each other.
  const int64_t side = std::max(box.rows, box.columns);
  return {side, side};
}

} // namespace placid::target
