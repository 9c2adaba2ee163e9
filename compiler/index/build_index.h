// SPDX-License-Identifier: Apache-2.0
// Syntax tree -> Index: binds names by Python's scopes (module, class, function), without evaluating anything. Total:
// what is broken or beyond the subset is read word by word. Any thread.
#pragma once

#include "compiler/index/index.h"
#include "compiler/syntax/ast.h"

namespace placid::index {

Index buildIndex(const syntax::Module &module);

} // namespace placid::index
