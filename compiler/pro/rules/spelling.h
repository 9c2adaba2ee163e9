// SPDX-License-Identifier: Apache-2.0
// How a module says names of pypto_pro: for fixes, which have to read as the text around them does. Pure.
#pragma once

#include "compiler/syntax/ast.h"

#include <string>
#include <string_view>

namespace placid::pro {

/// "pl.NZ" for "NZ" where the module imports the language as `pl`, "NZ" where it imports that name itself.
std::string spelledIn(const syntax::Module *module, std::string_view name);

} // namespace placid::pro
