// SPDX-License-Identifier: Apache-2.0
// What Python's own parser refuses though the grammar takes it: numbers, keywords for names, orders of arguments and
// parameters, stars that nothing takes. Apart because it judges a finished tree. Pure; any thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <string_view>
#include <vector>

namespace placid::syntax {

/// The broken rules in source order, at most kMaxFaults. `code` is the text of `module`, comments blanked or not.
std::vector<SyntaxFault> brokenRules(const Module &module, std::string_view code);

/// Whether one of these rules is broken that looks at the order of top-level statements. Cheap.
bool brokenOrder(const std::vector<const Stmt *> &body);

} // namespace placid::syntax
