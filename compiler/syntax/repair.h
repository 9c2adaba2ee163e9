// SPDX-License-Identifier: Apache-2.0
// Half-typed statements. A bracket that is never closed makes a grammar swallow everything after it; this finds such
// statements by their lines and indentation and blanks them out, so that the rest of the text parses as if they were
// not there. Only asked for texts that did not parse: valid code is never touched. Pure; any thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::syntax {

struct Repair {
  std::string text;                ///< As long as the original, line ends in place: every offset still holds.
  std::vector<SyntaxFault> faults; ///< What was wrong with each blanked statement.
};

/// What may be blanked. A line that ends in an operator or inside a quote is never Python, whatever the grammar made of
/// it; an open bracket is judged by indentation, which only a text that did not parse may be measured by.
enum class RepairScope : uint8_t { CertainFaults, AllFaults };

/// Null when nothing of the kind is found.
std::optional<Repair> repairStatements(std::string_view text, RepairScope scope);

} // namespace placid::syntax
