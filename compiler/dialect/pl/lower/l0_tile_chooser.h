// SPDX-License-Identifier: Apache-2.0
// Chooses the tile (m, n, k) in which a matmul of Mat-resident operands runs through the L0 memories: exhaustive search
// over the legal tiles under a cost model of loads, matrix instructions and drains. Arithmetic only, so that it can be
// tested against numbers; it knows neither MLIR nor why an axis is fixed. Pure functions: any thread.
#pragma once

#include "compiler/target/target.h"

#include <cstdint>
#include <optional>

namespace placid::pl {

/// What stays in L0 while the other operand streams past it.
enum class Stationary : uint8_t { Output, Left, Right };

struct L0Request {
  int64_t m = 0; ///< Extents of the whole matmul, in elements.
  int64_t n = 0;
  int64_t k = 0;
  int64_t lhsBytes = 2; ///< Bytes of one element.
  int64_t rhsBytes = 2;
  int64_t accBytes = 4;
  int64_t accRowMultiple = 16; ///< Physical rows of an accumulator are rounded to this.
  int64_t multipleM = 16;      ///< A tile's extents are multiples of these.
  int64_t multipleN = 16;
  int64_t multipleK = 16;
  bool fixedM = false; ///< The tile must keep all rows …
  bool fixedN = false; ///< … or all columns.
  bool allowLeftStationary = true;
  bool allowRightStationary = true;
  bool allowDoubleAcc = false; ///< Two accumulators, so that a drain overlaps the next tile.
  bool allowTailK = true;      ///< k need not divide K.
};

struct L0Tile {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  Stationary stationary = Stationary::Output;
  bool doubleAcc = false;
  bool holdLeft = true; ///< With k = K: the left operand is the one loaded once per row of tiles.
  int64_t cycles = 0;   ///< The model's estimate.
};

/// Null when no legal tile exists.
std::optional<L0Tile> chooseL0Tile(const target::Target &target, const L0Request &request);

} // namespace placid::pl
