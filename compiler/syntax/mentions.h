// SPDX-License-Identifier: Apache-2.0
// Fills in what each statement of a module mentions, once all of its nodes are there. Apart from those who make nodes:
// there are two. Private to compiler/syntax; pure.
#pragma once

#include "compiler/syntax/ast.h"

namespace placid::syntax {

/// A statement must stand in `stmts` before the ones in its blocks.
void completeMentions(Module &module);

} // namespace placid::syntax
