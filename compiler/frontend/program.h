// SPDX-License-Identifier: Apache-2.0
// One module as the front end sees it: its names with their static values, and its kernels. Built by ProgramBuilder
// from a syntax::Module; immutable afterwards. Nothing of the user's code is executed.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/frontend/const_value.h"
#include "compiler/syntax/ast.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

struct Binding {
  ConstValue value;
  source::ByteRange range; ///< The name where it was bound.
};

/// Names of a module, or of a function around kernels. Later bindings replace earlier ones.
struct Scope {
  const Scope *parent = nullptr;
  std::map<std::string, Binding, std::less<>> names;
  /// What a name that is bound nowhere may be: `from helpers import *` can bring any.
  std::optional<Binding> others;

  const Binding *find(std::string_view name) const;
};

/// What a decorator makes of a function.
enum class KernelKind : uint8_t { Incore, Orchestration, Opaque, Inline, Host, Extern };

/// The value of `pl.kind` in the IR.
std::string_view kindName(KernelKind kind);

struct KernelDecl {
  std::string name;          ///< `kern`
  std::string qualifiedName; ///< `Lane24.kern`, `expert_down`
  KernelKind kind = KernelKind::Orchestration;
  bool jit = false; ///< From @pl.jit…: names may be rebound to other types at one nesting depth.
  const syntax::Stmt *function = nullptr;
  const Scope *scope = nullptr;
  std::string programClass; ///< Empty outside @pl.program.
};

struct Program {
  std::shared_ptr<const syntax::Module> module;
  std::deque<Scope> scopes;       ///< scopes.front() is the module's.
  std::deque<KernelDecl> kernels; ///< In source order.
  std::vector<diag::Diagnostic> diagnostics;
  std::vector<std::string> unusedDefines; ///< Defines of names that the module never binds; in order of name.

  const std::string &path() const { return module->source->path; }
  /// The kernel `name` of a @pl.program class (`self.name`), or null.
  const KernelDecl *method(std::string_view programClass, std::string_view name) const;
};

/// `defines` overrides module-level names. A definition is a Python expression, evaluated with `pl` and `pld` at hand;
/// a word or text that is none stands for itself.
std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module,
                                      const std::map<std::string, std::string> &defines);

/// The static value of an expression in a scope. Unknown with a reason where it cannot be followed.
ConstValue evaluate(const syntax::Expr &expr, const Scope &scope);

} // namespace placid::frontend
