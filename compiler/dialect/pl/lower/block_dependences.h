// SPDX-License-Identifier: Apache-2.0
// Which operations of one block must keep their order: uses follow definitions, two accesses of one tile buffer or of
// one GM tensor keep their order unless both only read, and nothing passes an operation of unknown effect. What is not
// in the relation may be exchanged. Distinct tensor arguments are distinct memory.
#pragma once

#include "compiler/dialect/pl/lower/tile_buffers.h"

namespace placid::pl {

/// For each of `ops` (all of one block, in order), the indices of later ones that must follow it. Transitive edges may
/// be missing. Linear in operands and accesses.
llvm::SmallVector<llvm::SmallVector<unsigned>> findDependences(llvm::ArrayRef<mlir::Operation *> ops,
                                                               const TileBuffers &tiles);

} // namespace placid::pl
