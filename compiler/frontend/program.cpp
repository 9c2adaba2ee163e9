// SPDX-License-Identifier: Apache-2.0
// Walks a module's statements in order, binds names to static values, and collects kernels, also those that stand
// inside functions and classes. A statement it cannot follow makes its targets unknown; that alone is never an error.
#include "compiler/frontend/program.h"

#include <algorithm>

namespace placid::frontend {

namespace {

using syntax::Expr;
using syntax::Stmt;
using Kind = ConstValue::Kind;

class ProgramBuilder {
public:
  ProgramBuilder(Program &program, const std::map<std::string, std::string> &defines)
      : program_(program), defines_(defines) {}

  void run() {
    Scope &module = program_.scopes.emplace_back();
    block(program_.module->body, module, "", "");
  }

private:
  void block(const std::vector<const Stmt *> &statements, Scope &scope, const std::string &prefix,
             const std::string &programClass);
  void statement(const Stmt &stmt, Scope &scope, const std::string &prefix, const std::string &programClass);
  void assign(const Stmt &stmt, Scope &scope);
  void bind(Scope &scope, std::string_view name, ConstValue value, source::ByteRange range);
  void bindTarget(Scope &scope, const Expr &target, const ConstValue &value);
  void forget(const std::vector<const Stmt *> &statements, Scope &scope, const std::string &why);
  void import(const Stmt &stmt, Scope &scope);
  void function(const Stmt &stmt, Scope &scope, const std::string &prefix, const std::string &programClass);
  bool kernel(const Stmt &stmt, Scope &scope, const std::string &prefix, const std::string &programClass);
  void klass(const Stmt &stmt, Scope &scope, const std::string &prefix);
  void report(diag::Diagnostic diagnostic) { program_.diagnostics.push_back(std::move(diagnostic)); }

  Program &program_;
  const std::map<std::string, std::string> &defines_;
  unsigned depth_ = 0;
};

constexpr unsigned kMaxNesting = 64;

/// The dialect a module name stands for: "pl" and "pld" are PL's own prefixes.
std::string dialectPrefix(std::string_view module) {
  if (module == "pypto.language") {
    return "pl";
  }
  return module == "pypto.language.distributed" ? "pld" : "";
}

void ProgramBuilder::block(const std::vector<const Stmt *> &statements, Scope &scope, const std::string &prefix,
                           const std::string &programClass) {
  if (depth_ >= kMaxNesting) {
    return;
  }
  ++depth_;
  for (const Stmt *stmt : statements) {
    statement(*stmt, scope, prefix, programClass);
  }
  --depth_;
}

void ProgramBuilder::statement(const Stmt &stmt, Scope &scope, const std::string &prefix,
                               const std::string &programClass) {
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    assign(stmt, scope);
    break;
  case Stmt::Kind::AugAssign:
    if (stmt.targets[0]->kind == Expr::Kind::Name && !stmt.text.empty()) {
      ConstValue value = foldBinary(stmt.text.substr(0, stmt.text.size() - 1), evaluate(*stmt.targets[0], scope),
                                    evaluate(*stmt.value, scope));
      bindTarget(scope, *stmt.targets[0], value);
    }
    break;
  case Stmt::Kind::If: {
    ConstValue condition = evaluate(*stmt.value, scope);
    bool isMain = stmt.value->kind == Expr::Kind::Compare && syntax::spell(*stmt.value).starts_with("__name__ ==");
    if (isMain) {
      break; // what runs as a script does not define kernels' names
    }
    if (!condition.isUnknown()) {
      block(condition.truthy() ? stmt.body : stmt.orelse, scope, prefix, programClass);
      break;
    }
    block(stmt.body, scope, prefix, programClass);
    block(stmt.orelse, scope, prefix, programClass);
    std::string why = "it depends on `" + syntax::spell(*stmt.value) + "`";
    forget(stmt.body, scope, why);
    forget(stmt.orelse, scope, why);
    break;
  }
  case Stmt::Kind::For:
    bindTarget(scope, *stmt.targets[0], ConstValue::unknown("it is a loop variable"));
    block(stmt.body, scope, prefix, programClass);
    forget(stmt.body, scope, "it is set in a loop");
    break;
  case Stmt::Kind::While:
  case Stmt::Kind::With:
    block(stmt.body, scope, prefix, programClass);
    forget(stmt.body, scope, "it is set in a `while` or `with` block");
    break;
  case Stmt::Kind::Function:
    function(stmt, scope, prefix, programClass);
    break;
  case Stmt::Kind::Class:
    klass(stmt, scope, prefix);
    break;
  case Stmt::Kind::Import:
  case Stmt::Kind::ImportFrom:
    import(stmt, scope);
    break;
  default:
    break;
  }
}

void ProgramBuilder::bind(Scope &scope, std::string_view name, ConstValue value, source::ByteRange range) {
  bool module = &scope == &program_.scopes.front();
  auto define = module ? defines_.find(std::string(name)) : defines_.end();
  if (define != defines_.end()) {
    // `--define NAME=LITERAL`: numbers and booleans, as Python writes them.
    const std::string &text = define->second;
    bool number = !text.empty() && text.find_first_not_of("0123456789_-+.eExXabcdfABCDF") == std::string::npos;
    if (text == "True" || text == "False") {
      value = ConstValue::ofBool(text == "True");
    } else if (number) {
      bool negative = text[0] == '-';
      Expr literal;
      literal.kind = text.find('.') != std::string::npos ? Expr::Kind::Float : Expr::Kind::Int;
      literal.text = std::string_view(text).substr(negative || text[0] == '+' ? 1 : 0);
      value = evaluate(literal, scope);
      value = negative ? foldUnary("-", value) : value;
    } else {
      value = ConstValue::make(Kind::Str, text);
    }
  }
  scope.names.insert_or_assign(std::string(name), Binding{std::move(value), range});
}

void ProgramBuilder::bindTarget(Scope &scope, const Expr &target, const ConstValue &value) {
  if (target.kind == Expr::Kind::Name) {
    bind(scope, target.text, value, target.range);
    return;
  }
  if (target.kind != Expr::Kind::Tuple && target.kind != Expr::Kind::List) {
    return;
  }
  bool matched = value.kind == Kind::Sequence && value.items.size() == target.children.size();
  for (size_t i = 0; i < target.children.size(); ++i) {
    bindTarget(scope, *target.children[i],
               matched ? value.items[i] : ConstValue::unknown("it is unpacked from a value that is not known"));
  }
}

void ProgramBuilder::assign(const Stmt &stmt, Scope &scope) {
  if (!stmt.value) {
    return;
  }
  ConstValue value = evaluate(*stmt.value, scope);
  for (const Expr *target : stmt.targets) {
    bindTarget(scope, *target, value);
  }
}

void ProgramBuilder::forget(const std::vector<const Stmt *> &statements, Scope &scope, const std::string &why) {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Assign || stmt->kind == Stmt::Kind::AugAssign) {
      for (const Expr *target : stmt->targets) {
        bindTarget(scope, *target, ConstValue::unknown(why));
      }
    }
  }
}

void ProgramBuilder::import(const Stmt &stmt, Scope &scope) {
  for (const syntax::ImportedName &name : stmt.imports) {
    if (stmt.kind == Stmt::Kind::Import) {
      bool aliased = name.asName != name.name;
      std::string prefix = aliased ? dialectPrefix(name.name) : "";
      std::string_view bound = aliased ? name.asName : name.name.substr(0, name.name.find('.'));
      ConstValue value = prefix.empty() ? ConstValue::make(Kind::Foreign, std::string(aliased ? name.name : bound))
                                        : ConstValue::make(Kind::PlPath, prefix);
      bind(scope, bound, std::move(value), stmt.range);
      continue;
    }
    std::string prefix = dialectPrefix(stmt.text);
    std::string module = std::string(stmt.text) + "." + std::string(name.name);
    ConstValue value;
    if (!prefix.empty()) {
      value = plName(prefix, std::string(name.name));
    } else if (std::string inner = dialectPrefix(module); !inner.empty()) {
      value = ConstValue::make(Kind::PlPath, inner);
    } else if (stmt.text.starts_with("pypto") || stmt.text.starts_with("torch") || stmt.text.starts_with("numpy")) {
      value = ConstValue::make(Kind::Foreign, module);
    } else {
      value = ConstValue::unknown("it is imported from `" + std::string(stmt.text) + "`");
    }
    bind(scope, name.asName, std::move(value), stmt.range);
  }
}

void ProgramBuilder::function(const Stmt &stmt, Scope &scope, const std::string &prefix,
                              const std::string &programClass) {
  if (kernel(stmt, scope, prefix, programClass)) {
    return;
  }
  bind(scope, stmt.name, ConstValue::make(Kind::Foreign, std::string(stmt.name)), stmt.nameRange);
  // A builder: kernels inside it see its names. Parameters have their defaults where those are known.
  Scope &inner = program_.scopes.emplace_back();
  inner.parent = &scope;
  for (const syntax::Parameter &parameter : stmt.parameters) {
    ConstValue value = parameter.defaultValue
                           ? evaluate(*parameter.defaultValue, scope)
                           : ConstValue::unknown("it is a parameter of `" + std::string(stmt.name) + "`");
    bind(inner, parameter.name, std::move(value), parameter.nameRange);
  }
  block(stmt.body, inner, prefix, "");
}

/// The decorator's path and, when it is a call, the call.
struct Decorator {
  std::string path;
  const Expr *call = nullptr;
};

Decorator decoratorOf(const Expr &expr, const Scope &scope) {
  const Expr *callee = expr.kind == Expr::Kind::Call ? expr.children[0] : &expr;
  ConstValue value = evaluate(*callee, scope);
  return {value.kind == Kind::PlPath ? value.text : "", expr.kind == Expr::Kind::Call ? &expr : nullptr};
}

bool ProgramBuilder::kernel(const Stmt &stmt, Scope &scope, const std::string &prefix,
                            const std::string &programClass) {
  static const std::map<std::string, KernelKind, std::less<>> kJitKinds{
      {"pl.jit", KernelKind::Orchestration}, {"pl.jit.incore", KernelKind::Incore},
      {"pl.jit.inline", KernelKind::Inline}, {"pl.jit.host", KernelKind::Host},
      {"pl.jit.opaque", KernelKind::Opaque}, {"pl.jit.extern", KernelKind::Extern}};
  for (const Expr *expr : stmt.decorators) {
    Decorator decorator = decoratorOf(*expr, scope);
    KernelDecl made;
    auto jit = kJitKinds.find(decorator.path);
    if (jit != kJitKinds.end()) {
      made.kind = jit->second;
      made.jit = true;
    } else if (decorator.path == "pl.function") {
      made.kind = KernelKind::Opaque;
      for (const syntax::Keyword &keyword :
           decorator.call ? decorator.call->keywords : std::vector<syntax::Keyword>{}) {
        if (keyword.name != "type") {
          continue;
        }
        ConstValue type = evaluate(*keyword.value, scope);
        static const std::map<std::string, KernelKind, std::less<>> kTypes{
            {"pl.FunctionType.InCore", KernelKind::Incore},
            {"pl.FunctionType.AIC", KernelKind::Incore},
            {"pl.FunctionType.AIV", KernelKind::Incore},
            {"pl.FunctionType.Orchestration", KernelKind::Orchestration},
            {"pl.FunctionType.Opaque", KernelKind::Opaque},
            {"pl.FunctionType.Group", KernelKind::Opaque},
            {"pl.FunctionType.Spmd", KernelKind::Opaque},
            {"pl.FunctionType.Graph", KernelKind::Opaque},
            {"pl.FunctionType.Inline", KernelKind::Inline}};
        auto known = kTypes.find(type.kind == Kind::PlPath ? type.text : "");
        if (known == kTypes.end()) {
          diag::Diagnostic d;
          d.code = diag::BadDecorator.code;
          d.at = {program_.path(), keyword.value->range};
          d.message = diag::message(diag::BadDecorator, "`type=` must be a member of `pl.FunctionType`, got `" +
                                                            syntax::spell(*keyword.value) + "`");
          d.kernel = prefix + std::string(stmt.name);
          report(std::move(d));
          continue;
        }
        made.kind = known->second;
      }
    } else if (decorator.path == "pl.inline") {
      made.kind = KernelKind::Inline;
    } else {
      continue;
    }
    made.name = std::string(stmt.name);
    made.qualifiedName = prefix + made.name;
    made.function = &stmt;
    made.scope = &scope;
    made.programClass = programClass;
    KernelDecl &kept = program_.kernels.emplace_back(std::move(made));
    ConstValue value = ConstValue::make(Kind::Kernel);
    value.kernel = &kept;
    bind(scope, stmt.name, std::move(value), stmt.nameRange);
    return true;
  }
  return false;
}

void ProgramBuilder::klass(const Stmt &stmt, Scope &scope, const std::string &prefix) {
  bool program = std::any_of(stmt.decorators.begin(), stmt.decorators.end(),
                             [&](const Expr *expr) { return decoratorOf(*expr, scope).path == "pl.program"; });
  bind(scope, stmt.name, ConstValue::unknown("it is a class"), stmt.nameRange);
  Scope &inner = program_.scopes.emplace_back();
  inner.parent = &scope;
  std::string name(stmt.name);
  block(stmt.body, inner, prefix + name + ".", program ? prefix + name : "");
}

} // namespace

std::string_view kindName(KernelKind kind) {
  switch (kind) {
  case KernelKind::Incore:
    return "incore";
  case KernelKind::Orchestration:
    return "orchestration";
  case KernelKind::Opaque:
    return "opaque";
  case KernelKind::Inline:
    return "inline";
  case KernelKind::Host:
    return "host";
  case KernelKind::Extern:
    return "extern";
  }
  return "";
}

const KernelDecl *Program::method(std::string_view programClass, std::string_view name) const {
  auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelDecl &kernel) {
    return kernel.programClass == programClass && kernel.name == name;
  });
  return found != kernels.end() ? &*found : nullptr;
}

std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module,
                                      const std::map<std::string, std::string> &defines) {
  auto program = std::make_unique<Program>();
  program->module = std::move(module);
  const std::string &path = program->path();
  for (const syntax::SyntaxFault &fault : program->module->faults) {
    diag::Diagnostic d;
    d.at = {path, fault.range};
    if (fault.tooDeep) {
      d.code = diag::NestedTooDeep.code;
      d.message = diag::message(diag::NestedTooDeep, static_cast<int64_t>(syntax::kMaxDepth));
    } else {
      d.code = diag::SyntaxError.code;
      d.message = diag::message(diag::SyntaxError, fault.message);
    }
    program->diagnostics.push_back(std::move(d));
  }
  ProgramBuilder(*program, defines).run();
  return program;
}

} // namespace placid::frontend
