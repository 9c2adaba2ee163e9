// SPDX-License-Identifier: Apache-2.0
// A tile while a kernel runs, and where its elements lie: flat or boxed, row- or column-major, as a window of another
// tile or whole. The addressing here is written from the hardware's description of tiles, apart from the compiler's
// passes on purpose: the two check each other. Row and column count elements. One thread.
#pragma once

#include "compiler/interpreter/program.h"

namespace placid::interp {

struct TileValue {
  TileType type;       ///< Of the buffer: its rows and columns give the pitch.
  int64_t address = 0; ///< Bytes from the start of the memory.
  int64_t rows = 0;    ///< Of this tile; a window has fewer than its buffer.
  int64_t cols = 0;
  int64_t validRows = 0;
  int64_t validCols = 0;
  int64_t firstRow = 0; ///< Of the window in the buffer.
  int64_t firstCol = 0;

  int64_t byteAddress(int64_t row, int64_t col) const;
  int64_t bytes() const { return type.rows * type.cols * info(type.dtype).bytes; }
};

/// Extents of one box, 1 × 1 for a flat tile.
struct BoxExtents {
  int64_t rows = 1;
  int64_t cols = 1;
};
BoxExtents boxOf(const TileType &type);

/// Why a tile of this type cannot exist, or empty.
std::string tileFault(const TileType &type);

} // namespace placid::interp
