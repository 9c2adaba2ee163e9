// SPDX-License-Identifier: Apache-2.0
// What an editor can fold, and the nesting that "expand selection" climbs: ranges alone, no names. Apart from the
// indexer, which binds names. Pure; any thread.
#pragma once

#include "compiler/index/index.h"
#include "compiler/syntax/ast.h"

namespace placid::index {

/// Fills `folds` and `nodes`.
void addRanges(const syntax::Module &module, Index &out);

} // namespace placid::index
