// SPDX-License-Identifier: Apache-2.0
// Where the live extent of a tile comes from when only a run knows it: the types say that it is open, the operations
// that made the tile say which number it is. Apart, because the pipe between the cores and the conversion to PTO both
// ask. Changes nothing. One thread a context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#include <utility>

namespace placid::pl {

/// A tile and one of its two axes.
using TileAxis = std::pair<mlir::Value, unsigned>;

/// One of several tiles, by a branch or by the round of a loop.
bool isTileJoin(mlir::Value tile);

/// The tiles whose live extents are that of `tile` along `axis`, with the axis they have there, the best first.
void liveSources(mlir::Value tile, unsigned axis, llvm::SmallVectorImpl<TileAxis> &out);

/// The tiles that a branch or a loop hands on as `join` have one live extent along its axis.
bool agreeOnLiveExtent(TileAxis join, llvm::ArrayRef<TileAxis> sources);

/// The number that is the open extent of `tile` along `axis`, in sight of `here`; null when there is none.
mlir::Value liveExtentBefore(mlir::Value tile, unsigned axis, mlir::Operation *here);

} // namespace placid::pl
