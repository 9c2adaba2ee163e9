// SPDX-License-Identifier: Apache-2.0
// One entry file as the front end sees it: its kernels, and the names around them with their static values, through all
// modules that it imports. Built by evaluating the file's Python (evaluation.h); nothing of the user's code is
// executed. Immutable afterwards but for caches: one thread.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/frontend/const_value.h"
#include "compiler/source/provider.h"
#include "compiler/syntax/ast.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::py {
class Interpreter;
struct Env;
} // namespace placid::py

namespace placid::frontend {

class Evaluation;
class ModuleCache;

/// Where a value came to be: for an imported name, the place in the module that defines it.
struct Origin {
  source::SourcePtr source; ///< Null when it is the module's own binding.
  source::ByteRange range;
};

struct Binding {
  ConstValue value;
  source::ByteRange range; ///< The name where it was bound; for an import, the import statement.
  Origin origin;
};

/// Names of a module, or of a function around kernels. Later bindings replace earlier ones.
struct Scope {
  const Scope *parent = nullptr;
  /// Of a scope with an environment: those that were asked for.
  mutable std::map<std::string, Binding, std::less<>> names;
  /// What a name that is bound nowhere may be: `from helpers import *` can bring any.
  std::optional<Binding> others;
  Evaluation *evaluation = nullptr;
  py::Env *env = nullptr;

  const Binding *find(std::string_view name) const;
  /// Every name that is bound here or around, for proposals.
  std::vector<std::string> visibleNames() const;
};

/// What a decorator makes of a function.
enum class KernelKind : uint8_t { Incore, Orchestration, Opaque, Inline, Host, Extern };

/// The value of `pl.kind` in the IR.
std::string_view kindName(KernelKind kind);

struct KernelDecl {
  std::string name;          ///< `kern`
  std::string qualifiedName; ///< `Lane24.kern`, `expert_down`; a second object of one definition is `Lane24_2.kern`
  KernelKind kind = KernelKind::Orchestration;
  bool second = false; ///< Of pypto_pro: checked by compiler/pro, and by nothing that reads the first dialect.
  const syntax::Expr *decorator = nullptr; ///< What makes it a kernel, as written: `pl.jit` or `pl.jit(arch="a5")`.
  bool jit = false;                        ///< From @pl.jit…: names may be rebound to other types at one nesting depth.
  const syntax::Stmt *function = nullptr;
  const Scope *scope = nullptr;
  std::string programClass;               ///< Empty outside @pl.program.
  const syntax::Module *module = nullptr; ///< Whose text the ranges of `function` belong to.
};

/// One argument of a call of a kernel by the Python around it.
struct EntryArgument {
  enum class Kind : uint8_t { Unknown, Tensor, Scalar } kind = Kind::Unknown;
  std::string name;                          ///< Of the parameter, when given by keyword.
  std::vector<std::optional<int64_t>> shape; ///< Tensor: extents; nothing where not known.
  bool shapeKnown = false;                   ///< Tensor: its rank is known.
  std::optional<pl::DType> dtype;            ///< Tensor
  ConstValue scalar;                         ///< Scalar: int, float or bool
};

/// `kern(a, b)`, `kern.compile(a, b)`, or `run_jit(fn=kern, specs=[TensorSpec("a", [16, 64], torch.float16), …])`.
struct EntryCall {
  const KernelDecl *kernel = nullptr;
  std::vector<EntryArgument> arguments;
  source::ByteRange range; ///< Of the call, in the entry's text.
  bool guarded = false;    ///< In a `try` or `with` that may expect it to fail.
};

struct Program {
  Program();
  ~Program();
  std::shared_ptr<const syntax::Module> module;
  std::deque<Scope> scopes;        ///< scopes.front() is the module's.
  std::deque<KernelDecl> kernels;  ///< Of the entry, in the order in which Python makes them.
  std::deque<KernelDecl> imported; ///< Of other modules.
  std::vector<EntryCall> calls;    ///< Found when some kernel's parameters need them.
  std::vector<diag::Diagnostic> diagnostics;
  std::vector<std::string> unusedDefines; ///< Defines of names that no module binds; in order of name.
  std::vector<std::string> modulesRead;   ///< Paths of imported modules; sorted.
  std::unique_ptr<Evaluation> evaluation;

  const std::string &path() const { return module->source->path; }
  /// The kernel `name` of a @pl.program class (`self.name`), or null.
  const KernelDecl *method(std::string_view programClass, std::string_view name) const;
  /// The text of the entry or of an imported module; null for another path.
  source::SourcePtr sourceOf(const std::string &path) const;
};

struct ProgramOptions {
  /// Overrides module-level names: of the entry, or `module.NAME`. A definition is a Python expression, evaluated with
  /// `pl` and `pld` at hand; a word or text that is none stands for itself.
  std::map<std::string, std::string> defines;
  std::shared_ptr<source::SourceProvider> sources; ///< Null: imports are not followed.
  ModuleCache *cache = nullptr;                    ///< Of parsed imports; needed with `sources`.
  std::vector<std::string> roots;                  ///< See compiler::Options.
  std::string folder;                              ///< See compiler::Options.
};

std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module, const ProgramOptions &options);
std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module,
                                      const std::map<std::string, std::string> &defines);

/// The static value of an expression in a scope. Unknown with a reason where it cannot be followed.
ConstValue evaluate(const syntax::Expr &expr, const Scope &scope);

/// What evaluated the program; for values beyond ConstValue. Lives as long as the program, its caches change.
py::Interpreter &interpreterOf(const Program &program);

/// "config.py:12" for a value from elsewhere, "" for one of the module itself.
std::string originText(const Binding &binding);

} // namespace placid::frontend
