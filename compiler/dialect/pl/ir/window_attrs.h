// SPDX-License-Identifier: Apache-2.0
// Discardable attributes of windows. Apart from pl.h, which everything includes, because only the front end sets them
// and only the check of window bounds reads them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace placid::pl {

/// On a load, slice or assemble whose window may reach past its tensor: it is cut there, or only a part that is known
/// at run time is live.
inline constexpr llvm::StringLiteral kTrimmedAttr = "pl.trimmed";

} // namespace placid::pl
