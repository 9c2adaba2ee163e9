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

  const Binding *find(std::string_view name) const {
    for (const Scope *scope = this; scope; scope = scope->parent) {
      auto it = scope->names.find(name);
      if (it != scope->names.end()) {
        return &it->second;
      }
    }
    return nullptr;
  }
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

  const std::string &path() const { return module->source->path; }
  /// The kernel `name` of a @pl.program class (`self.name`), or null.
  const KernelDecl *method(std::string_view programClass, std::string_view name) const;
};

/// `defines` overrides module-level names with Python literals.
std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module,
                                      const std::map<std::string, std::string> &defines);

/// The static value of an expression in a scope. Unknown with a reason where it cannot be followed.
ConstValue evaluate(const syntax::Expr &expr, const Scope &scope);

} // namespace placid::frontend
