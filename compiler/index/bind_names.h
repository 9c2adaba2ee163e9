// SPDX-License-Identifier: Apache-2.0
// The first half of an index: which names the module, its classes and functions bind, before anything is looked up.
// Apart from build_index, which reads the text a second time with these scopes. Names are views into the tree, which
// outlives them. Pure; any thread.
#pragma once

#include "compiler/index/index.h"
#include "compiler/syntax/ast.h"

#include <deque>
#include <map>
#include <string_view>
#include <vector>

namespace placid::index {

/// Names bound in one module, class or function body.
struct Scope {
  uint32_t owner = kNone; ///< Symbol of the function or class; kNone for the module.
  Scope *parent = nullptr;
  bool isClass = false;
  uint32_t self = kNone;                                    ///< Methods: the symbol of the first parameter.
  std::map<std::string_view, uint32_t> names;               ///< kNone: bound here, and of no interest to anybody.
  std::map<std::string_view, bool> elsewhere;               ///< Functions: names of `global` (true) and `nonlocal`.
  const std::vector<const syntax::Expr *> *bases = nullptr; ///< Of a class.
};

struct Bindings {
  std::deque<Scope> scopes; ///< Stable addresses; the module's is the first.
  std::map<const syntax::Stmt *, Scope *> inside;
  std::map<uint32_t, Scope *> members; ///< By symbol of a class or function.

  /// What a name means where it is read; kNone for what nobody binds.
  uint32_t lookUp(std::string_view name, const Scope &from) const;
};

/// Makes the symbols and the imports of `out`.
Bindings bindNames(const syntax::Module &module, Index &out);

} // namespace placid::index
