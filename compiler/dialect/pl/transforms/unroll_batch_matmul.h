// SPDX-License-Identifier: Apache-2.0
// Part of FlattenTileNdTo2D: batched matmuls as plain ones.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

/// The 2-D form of a tile type: leading axes merged into the rows; a rank-1 tile is one row.
TileType flattenedTile(TileType type);

/// Replaces every batched matmul. One batch is a plain matmul. More are unrolled: each operand page is loaded on its
/// own and each result page stored on its own, so the operands must come from loads and the result must go to stores;
/// anything else is reported as not lowered and left.
void unrollBatchMatmuls(mlir::func::FuncOp function);

} // namespace placid::pl
