// SPDX-License-Identifier: Apache-2.0
// What one core of a mixed kernel holds of the pipe: where it gives popped tiles back, and how many slots the pipe
// needs for that. Apart from ExpandMixedKernel, which builds the cores, because these are the rules of the pipe itself.
// One thread a context.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/target/arch.h"

#include <optional>

namespace placid::pl {

/// Gives back the room of each popped tile, in program order, after its last reader. The pipe takes back the oldest
/// first, whichever is meant: a tile, or token, is freed no sooner than those before it. One that others would overtake
/// in a loop or branch is copied out; where `mayCopy` is false, it is returned instead, and nothing is freed.
std::optional<PipePopOp> freePopped(llvm::ArrayRef<PipePopOp> pops, bool mayCopy);

/// The most tiles that the function holds popped at a time: with fewer slots the other core could wait for ever.
int64_t poppedAtOnce(mlir::func::FuncOp function);
/// The pop that is one more than `most` at a time; null when there is none.
PipePopOp poppedBeyond(mlir::func::FuncOp function, int64_t most);

/// A5 counts what was popped when tiles are freed: only with one credit a tile may several be held, which it gives for
/// three slots at most.
inline constexpr int64_t kMostHeldOnA5 = 3;
/// Slots for which the chip's credits are right, at least as many as wanted if possible. `atOnce` is what one core
/// holds; on A5 not more than kMostHeldOnA5.
int64_t slotsFor(target::Arch arch, int64_t wanted, int64_t atOnce);

} // namespace placid::pl
