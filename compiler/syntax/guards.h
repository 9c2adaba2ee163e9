// SPDX-License-Identifier: Apache-2.0
// What the grammar lets pass though Python does not, and what it cannot bear: characters that cannot be seen,
// indentation that fits nothing, statements of more words than its tree can count. Pure; any thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <string>
#include <vector>

namespace placid::syntax {

/// Replaces by blanks what the grammar must not see, and says so. `code` has no comments; offsets stay.
std::vector<SyntaxFault> guardGrammar(std::string &code);

/// The first line whose indentation Python refuses, as a fault; empty without one. `code` has no comments.
std::vector<SyntaxFault> badIndentation(std::string_view code);

} // namespace placid::syntax
