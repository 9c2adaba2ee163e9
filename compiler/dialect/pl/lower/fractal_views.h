// SPDX-License-Identifier: Apache-2.0
// Views of tiles that are made of fractals. Outside of Vec the place of an element follows from the tile's rows, so a
// reshape to other rows and columns shows other elements in the same bytes. Asked where tiles still are what the user
// wrote, and again where every tile has its memory. One thread a context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

/// The memory that the tile has or, before memories are inferred, will surely have; Unset where that is open.
Mem surelyIn(mlir::Value tile);

/// Whether the tile is a view or window of one that is loaded from an NZ tensor. Its reshapes are told by
/// BlockNzTensorViews.
bool isLoadedFromNz(mlir::Value tile);

/// False, and reported at the reshape, when a tile in `mem` has other elements there than its source. The types are
/// 2-D.
bool keepsElements(TileReshapeOp reshape, Mem mem);

} // namespace placid::pl
