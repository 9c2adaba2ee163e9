// SPDX-License-Identifier: Apache-2.0
// Discardable attributes of windows. Apart from pl.h, which everything includes, because only the front end and the
// check of window bounds set them, and few read them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace placid::pl {

/// On a load, slice or assemble whose window may reach past its tensor: it is cut there, or only a part that is known
/// at run time is live.
inline constexpr llvm::StringLiteral kTrimmedAttr = "pl.trimmed";
/// On an assemble: the extents that it covers by the axes of its target, i64, dynamic ones as in shapes. The source
/// says it only where it has all of the target's axes.
inline constexpr llvm::StringLiteral kCoveredAttr = "pl.covered";
/// On an access: that it leaves its tensor has been reported.
inline constexpr llvm::StringLiteral kOutsideToldAttr = "pl.outside_told";
/// On an access of an NZ tensor in a helper: the calls that pasted it in, innermost first; locations named after the
/// helpers.
inline constexpr llvm::StringLiteral kPastedAttr = "pl.pasted";
/// On a cast of an offset that widens an unsigned integer to an index and that no one wrote.
inline constexpr llvm::StringLiteral kImpliedCastAttr = "pl.implied";

} // namespace placid::pl
