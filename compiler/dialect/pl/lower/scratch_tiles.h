// SPDX-License-Identifier: Apache-2.0
// The scratch tile that a vector instruction works in, by the types of its operation. Apart from LegalizeVectorOps,
// which makes these tiles, because a pass that changes an operation's tiles asks again. Immutable: any thread.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/vector_ops.h"
#include "compiler/target/target.h"

namespace placid::pl {

/// Null when the operation needs none on this chip. `op` has one result.
TileType scratchTile(GenericOp op, Scratch scratch, const target::Target &target);

} // namespace placid::pl
