// SPDX-License-Identifier: Apache-2.0
// Attributes that say what of a kernel each of the two vector lanes of a core group has, and what passes between cores.
// Apart from pl.h because few passes look at either. Names only: any thread.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace placid::pl {

/// On a move between the cores (and before that on `aiv_shard` and `aic_gather`), a push, a pop or a free: i64, the
/// axis along which each vector lane has its half of the tile. Absent where each has all of it.
inline constexpr llvm::StringLiteral kLaneAxisAttr = "pl.lane_axis";
/// On a subblock_idx: both vector lanes do what follows in its block, each its own part, up to the one that says "end".
/// Otherwise the member of pl.SplitMode that the user wrote, or "AUTO" where placid divides the work.
inline constexpr llvm::StringLiteral kLaneModeAttr = "pl.lane_mode";
inline constexpr llvm::StringLiteral kLaneModeEnd = "end";
inline constexpr llvm::StringLiteral kLaneModeAuto = "AUTO";

/// On a push, a pop or a free: the tile is a token. What stands before it is done before what comes after.
inline constexpr llvm::StringLiteral kTokenAttr = "pl.token";

} // namespace placid::pl
