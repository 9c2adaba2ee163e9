// SPDX-License-Identifier: Apache-2.0
// What a caller reads of a kernel beside its parameters' types: which parameters a call gives, what is handed back, and
// the statements that change a parameter's type. One place, because who types calls (KernelBuilder) and who writes down
// what a kernel depends on (KernelReads) must not disagree. Syntax only; nothing is evaluated or reported. Any thread.
#pragma once

#include "compiler/frontend/program.h"

#include <vector>

namespace placid::frontend {

/// All parameters but the `self` of a method of a @pl.program class, in order.
std::vector<const syntax::Parameter *> calledParameters(const KernelDecl &kernel);

/// The value of the `return` that ends the body, through `with` blocks; null without one.
const syntax::Expr *returnedValue(const syntax::Stmt &function);

/// The items of returnedValue: those of a tuple, or it alone.
std::vector<const syntax::Expr *> returnedItems(const syntax::Stmt &function);

/// `x.bind_dynamic(axis, SYM)`, which stands in a body and changes the type of the parameter `x`: all of them, in
/// order.
std::vector<const syntax::Expr *> dynamicBindings(const syntax::Stmt &function);

} // namespace placid::frontend
