// SPDX-License-Identifier: Apache-2.0
// Which names a block of statements assigns, and which it reads first: what turning assignments into SSA needs to know.
// Purely syntactic.
#pragma once

#include "compiler/syntax/ast.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// Names that the statements may assign, in order of first assignment; nested blocks included.
std::vector<std::string> assignedNames(const std::vector<const syntax::Stmt *> &statements);

/// Names read before the statements have surely assigned them.
std::set<std::string, std::less<>> exposedReads(const std::vector<const syntax::Stmt *> &statements);

} // namespace placid::frontend
