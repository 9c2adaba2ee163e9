// SPDX-License-Identifier: Apache-2.0
// Edits that mend a diagnostic, made from the syntax around it: passes know what is wrong and where, the tree knows how
// it is written. Apart from both, one function a code, so that a fix is added without touching a pass. Makes no edit
// where the place is not written in a form it knows. Pure; any thread.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"

#include <vector>

namespace placid::fixes {

/// Adds to the diagnostics of `module`'s text; those of other texts stay as they are.
void addFixes(const syntax::Module &module, std::vector<diag::Diagnostic> &diagnostics);

} // namespace placid::fixes
