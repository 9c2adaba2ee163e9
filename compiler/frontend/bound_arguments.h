// SPDX-License-Identifier: Apache-2.0
// The arguments of a call bound to the parameters of a form, as Python binds them. Knows syntax and the op table's
// forms only; says what is wrong in words that follow the name of what is called.
#pragma once

#include "compiler/ops/op_table.h"
#include "compiler/syntax/ast.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

struct BoundArguments {
  std::map<std::string, const syntax::Expr *, std::less<>> values; ///< By parameter name.
  std::vector<const syntax::Expr *> inOrder;                       ///< Every argument expression, as written.
  std::string fault; ///< Words that follow the op's name; empty when the call fits the form.
  source::ByteRange faultAt;

  const syntax::Expr *get(std::string_view name) const {
    auto found = values.find(name);
    return found != values.end() ? found->second : nullptr;
  }
};

BoundArguments bindArguments(const syntax::Expr &call, const ops::Form &form);
/// The same for a form in text: "a, b, c?" where `?` marks a parameter with a default.
BoundArguments bindArguments(const syntax::Expr &call, std::string_view form);

} // namespace placid::frontend
