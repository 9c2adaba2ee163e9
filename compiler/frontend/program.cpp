// SPDX-License-Identifier: Apache-2.0
// Bindings, imports, functions and classes of a module.
#include "compiler/frontend/program.h"

#include "compiler/frontend/name_flow.h"
#include "compiler/frontend/program_builder.h"
#include "compiler/ops/op_table.h"
#include "compiler/syntax/parse.h"

#include <algorithm>

namespace placid::frontend {

namespace {

using Kind = ConstValue::Kind;

/// As many levels as Python itself takes.
constexpr unsigned kMaxNesting = 100;

bool mentionsName(const Expr &expr) {
  auto any = [](const Expr *child) { return child && mentionsName(*child); };
  return (expr.kind == Expr::Kind::Name && expr.text != "pl" && expr.text != "pld") ||
         std::any_of(expr.children.begin(), expr.children.end(), any);
}

/// `--define NAME=text`.
ConstValue definedValue(const std::string &text) {
  Scope dialects;
  dialects.names["pl"] = {ConstValue::make(Kind::PlPath, "pl"), {}};
  dialects.names["pld"] = {ConstValue::make(Kind::PlPath, "pld"), {}};
  auto source = std::make_shared<source::SourceText>("<define>", text + "\n");
  std::shared_ptr<const syntax::Module> module = syntax::Parser().parse(source);
  bool expression = module->faults.empty() && module->body.size() == 1 && module->body[0]->kind == Stmt::Kind::Expr;
  if (!expression) {
    return ConstValue::ofText(Kind::Str, text);
  }
  const Expr &expr = *module->body[0]->value;
  ConstValue value = evaluate(expr, dialects);
  if (value.isUnknown() && mentionsName(expr)) {
    return ConstValue::ofText(Kind::Str, text); // a bare word
  }
  // A type would point into the text of the definition.
  return value.kind == Kind::Type ? ConstValue::unknown("a definition cannot be a type") : value;
}

// What the dialects export beside their dtypes and operations.
constexpr std::string_view kPlNames =
    "ND DN NZ MX_A_ZZ MX_B_NN TensorLayout Mem MemorySpace Tensor Tile Scalar Tuple Out InOut Array Ptr TensorView "
    "TileView MemRef DistributedTensor FunctionType Level ScopeMode SplitMode AtomicType PadValue PipeType TaskId jit "
    "function program inline dynamic const constexpr range parallel pipeline unroll while_ cond yield_ at spmd submit "
    "spmd_submit scope manual_scope cluster split split_aiv auto_chunk incore func_attr static_print static_assert "
    "cross_core_slot";
constexpr std::string_view kPldNames = "DistributedTensor WaitCmp NotifyOp ReduceOp CommCtx";

void addWords(std::string_view words, std::set<std::string> &out) {
  while (!words.empty()) {
    size_t space = std::min(words.find(' '), words.size());
    out.emplace(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
}

/// The first words of paths of `prefix`: what `from pypto.language import *` binds.
const std::set<std::string> &exportsOf(std::string_view prefix) {
  static const auto kExports = [] {
    std::map<std::string, std::set<std::string>, std::less<>> out;
    addWords(kPlNames, out["pl"]);
    addWords(kPldNames, out["pld"]);
    for (unsigned i = 0; i <= static_cast<unsigned>(pl::DType::TaskId); ++i) {
      out["pl"].insert(pl::plName(static_cast<pl::DType>(i)).str());
    }
    for (const std::string &path : ops::opPaths()) {
      size_t dot = path.find('.');
      std::string rest = path.substr(dot + 1);
      std::set<std::string> &names = out[path.substr(0, dot)];
      names.insert(rest.substr(0, rest.find('.')));
      if (path.starts_with("pld.")) {
        names.insert(rest.substr(rest.rfind('.') + 1)); // `pld.window` is `pld.tensor.window`
      }
    }
    return out;
  }();
  return kExports.find(prefix)->second;
}

} // namespace

ProgramBuilder::ProgramBuilder(Program &program, const std::map<std::string, std::string> &defines)
    : program_(program) {
  for (const auto &[name, text] : defines) {
    defines_.emplace(name, definedValue(text));
  }
}

void ProgramBuilder::run() {
  Scope &module = program_.scopes.emplace_back();
  block(program_.module->body, module, {});
  for (const auto &[name, value] : defines_) {
    if (!usedDefines_.contains(name)) {
      program_.unusedDefines.push_back(name);
    }
  }
}

void ProgramBuilder::report(const diag::CatalogRow &row, source::ByteRange at, std::string message,
                            std::string kernelName) {
  diag::Diagnostic d;
  d.code = row.code;
  d.severity = row.severity;
  d.at = {program_.path(), at};
  d.message = std::move(message);
  d.kernel = std::move(kernelName);
  program_.diagnostics.push_back(std::move(d));
}

void ProgramBuilder::block(const Block &statements, Scope &scope, const Place &place) {
  if (depth_ >= kMaxNesting) {
    if (!statements.empty() && !depthReported_) {
      depthReported_ = true;
      report(*diag::find(diag::NestedTooDeep.code), statements.front()->range,
             diag::message(diag::NestedTooDeep, static_cast<int64_t>(kMaxNesting)));
    }
    return;
  }
  ++depth_;
  for (const Stmt *stmt : statements) {
    statement(*stmt, scope, place);
  }
  --depth_;
}

void ProgramBuilder::statement(const Stmt &stmt, Scope &scope, const Place &place) {
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    assign(stmt, scope);
    return;
  case Stmt::Kind::AugAssign:
    augment(stmt, scope);
    return;
  case Stmt::Kind::Expr:
    mutate(stmt, scope);
    return;
  case Stmt::Kind::If:
    ifChain(stmt, scope, place);
    return;
  case Stmt::Kind::For:
  case Stmt::Kind::While:
    loop(stmt, scope, place);
    return;
  case Stmt::Kind::With:
    with(stmt, scope, place);
    return;
  case Stmt::Kind::Function:
    function(stmt, scope, place);
    return;
  case Stmt::Kind::Class:
    classStatement(stmt, scope, place);
    return;
  case Stmt::Kind::Import:
  case Stmt::Kind::ImportFrom:
    import(stmt, scope);
    return;
  case Stmt::Kind::Other:
    if (stmt.text == syntax::kTry) {
      tryStatement(stmt, scope, place);
    } else if (stmt.text == syntax::kMatch) {
      match(stmt, scope, place);
    }
    return;
  case Stmt::Kind::Return:
  case Stmt::Kind::Pass:
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
  case Stmt::Kind::Error:
    return;
  }
}

void ProgramBuilder::bind(Scope &scope, std::string_view name, ConstValue value, source::ByteRange range) {
  if (&scope == &program_.scopes.front()) {
    auto define = defines_.find(name);
    if (define != defines_.end()) {
      value = define->second;
      usedDefines_.emplace(name);
    }
  }
  if (value.text.size() > 256 && !budget_.spend(value.text.size() / 64)) {
    value = tooMuch();
  }
  auto [slot, added] = scope.names.try_emplace(std::string(name));
  if (!journals_.empty() && journals_.back().scope == &scope) {
    auto [old, first] = journals_.back().before.try_emplace(slot->first);
    if (first && !added) {
      old->second = std::move(slot->second);
    }
  }
  slot->second = Binding{std::move(value), range};
}

void ProgramBuilder::bindTarget(Scope &scope, const Expr &target, const ConstValue &value) {
  switch (target.kind) {
  case Expr::Kind::Name:
    bind(scope, target.text, value, target.range);
    return;
  case Expr::Kind::Subscript:
    if (target.children[0]->kind == Expr::Kind::Name && scope.names.contains(target.children[0]->text)) {
      bind(scope, target.children[0]->text, ConstValue::unknown("its items are set one by one"), target.range);
    }
    return;
  case Expr::Kind::Starred:
    for (const Expr *child : target.children) {
      bindTarget(scope, *child, ConstValue::unknown("it takes the rest of a sequence"));
    }
    return;
  case Expr::Kind::Tuple:
  case Expr::Kind::List: {
    bool starred = std::any_of(target.children.begin(), target.children.end(),
                               [](const Expr *child) { return child->kind == Expr::Kind::Starred; });
    bool matched = value.kind == Kind::Sequence && value.items.size() == target.children.size() && !starred;
    for (size_t i = 0; i < target.children.size(); ++i) {
      bindTarget(scope, *target.children[i],
                 matched ? value.items[i] : ConstValue::unknown("it is unpacked from a value that is not known"));
    }
    return;
  }
  default:
    return;
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

void ProgramBuilder::augment(const Stmt &stmt, Scope &scope) {
  const Expr &target = *stmt.targets[0];
  ConstValue value = ConstValue::unknown("its items are set one by one");
  if (target.kind == Expr::Kind::Name && !stmt.text.empty()) {
    value = foldBinary(stmt.text.substr(0, stmt.text.size() - 1), evaluate(target, scope), evaluate(*stmt.value, scope),
                       budget_);
  }
  bindTarget(scope, target, value);
}

/// `names.append(x)`: a method of a sequence may change it.
void ProgramBuilder::mutate(const Stmt &stmt, Scope &scope) {
  const Expr *callee = stmt.value && stmt.value->kind == Expr::Kind::Call ? stmt.value->children[0] : nullptr;
  if (!callee || callee->kind != Expr::Kind::Attribute || callee->children[0]->kind != Expr::Kind::Name) {
    return;
  }
  const Expr &base = *callee->children[0];
  auto found = scope.names.find(base.text);
  if (found != scope.names.end() && found->second.value.kind == Kind::Sequence) {
    bind(scope, base.text, ConstValue::unknown("`" + syntax::spell(*callee) + "` may change it"), base.range);
  }
}

void ProgramBuilder::forget(const Block &statements, Scope &scope, const std::string &why) {
  for (const std::string &name : assignedNames(statements)) {
    bind(scope, name, ConstValue::unknown(why), {});
  }
}

void ProgramBuilder::sisterDialect(const Stmt &stmt) {
  if (!sisterReported_) {
    sisterReported_ = true;
    report(*diag::find(diag::NotSupportedYet.code), stmt.range,
           diag::message(diag::NotSupportedYet, "the dialect `pypto_pro.language`"));
  }
}

static bool isSisterDialect(std::string_view module) {
  return module == "pypto_pro.language" || module.starts_with("pypto_pro.language.");
}

void ProgramBuilder::import(const Stmt &stmt, Scope &scope) {
  for (const syntax::ImportedName &name : stmt.imports) {
    if (stmt.kind == Stmt::Kind::ImportFrom) {
      importFrom(stmt, name, scope);
      continue;
    }
    if (isSisterDialect(name.name)) {
      sisterDialect(stmt);
    }
    bool aliased = name.asName != name.name;
    std::string prefix(aliased ? dialectPrefix(name.name) : "");
    std::string_view bound = aliased ? name.asName : name.name.substr(0, name.name.find('.'));
    ConstValue value = prefix.empty() ? ConstValue::ofText(Kind::Foreign, std::string(aliased ? name.name : bound))
                                      : ConstValue::make(Kind::PlPath, prefix);
    bind(scope, bound, std::move(value), stmt.range);
  }
}

void ProgramBuilder::importFrom(const Stmt &stmt, const syntax::ImportedName &name, Scope &scope) {
  std::string module = std::string(stmt.text) + "." + std::string(name.name);
  if (isSisterDialect(stmt.text) || isSisterDialect(module)) {
    sisterDialect(stmt);
  }
  if (name.name == "*") {
    importAll(stmt, scope);
    return;
  }
  std::string prefix(dialectPrefix(stmt.text));
  ConstValue value;
  if (!prefix.empty()) {
    value = plName(prefix, std::string(name.name));
  } else if (std::string inner(dialectPrefix(module)); !inner.empty()) {
    value = ConstValue::make(Kind::PlPath, inner);
  } else if (stmt.text.starts_with("pypto") || stmt.text.starts_with("torch") || stmt.text.starts_with("numpy")) {
    value = ConstValue::ofText(Kind::Foreign, module);
  } else {
    value = ConstValue::unknown("it is imported from `" + std::string(stmt.text) + "`");
  }
  bind(scope, name.asName, std::move(value), stmt.range);
}

void ProgramBuilder::importAll(const Stmt &stmt, Scope &scope) {
  std::string prefix(dialectPrefix(stmt.text));
  if (prefix.empty()) {
    scope.others =
        Binding{ConstValue::unknown("it may come from `from " + std::string(stmt.text) + " import *`"), stmt.range};
    return;
  }
  const std::set<std::string> &names = exportsOf(prefix);
  if (!budget_.spend(names.size())) {
    return; // only after thousands of such imports
  }
  for (const std::string &name : names) {
    bind(scope, name, plName(prefix, name), stmt.range);
  }
}

void ProgramBuilder::function(const Stmt &stmt, Scope &scope, const Place &place) {
  if (kernel(stmt, scope, place)) {
    return;
  }
  bind(scope, stmt.name, ConstValue::ofText(Kind::Foreign, std::string(stmt.name)), stmt.nameRange);
  // A builder: kernels inside it see its names. Parameters have their defaults where those are known.
  Scope &inner = program_.scopes.emplace_back();
  inner.parent = &scope;
  for (const syntax::Parameter &parameter : stmt.parameters) {
    ConstValue value = parameter.defaultValue
                           ? evaluate(*parameter.defaultValue, scope)
                           : ConstValue::unknown("it is a parameter of `" + std::string(stmt.name) + "`");
    bind(inner, parameter.name, std::move(value), parameter.nameRange);
  }
  block(stmt.body, inner, {place.prefix, ""});
}

std::string ProgramBuilder::decoratorPath(const Expr &expr, const Scope &scope) {
  ConstValue value = evaluate(expr.kind == Expr::Kind::Call ? *expr.children[0] : expr, scope);
  return value.kind == Kind::PlPath ? value.text : "";
}

/// `type=` of @pl.function. False after a report.
bool ProgramBuilder::functionType(const Expr &call, const std::string &kernelName, Scope &scope, KernelKind &kind) {
  static const std::map<std::string, KernelKind, std::less<>> kTypes{
      {"pl.FunctionType.InCore", KernelKind::Incore}, {"pl.FunctionType.AIC", KernelKind::Incore},
      {"pl.FunctionType.AIV", KernelKind::Incore},    {"pl.FunctionType.Orchestration", KernelKind::Orchestration},
      {"pl.FunctionType.Opaque", KernelKind::Opaque}, {"pl.FunctionType.Group", KernelKind::Opaque},
      {"pl.FunctionType.Spmd", KernelKind::Opaque},   {"pl.FunctionType.Graph", KernelKind::Opaque},
      {"pl.FunctionType.Inline", KernelKind::Inline}};
  for (const syntax::Keyword &keyword : call.keywords) {
    if (keyword.name != "type") {
      continue;
    }
    ConstValue type = evaluate(*keyword.value, scope);
    auto known = kTypes.find(type.kind == Kind::PlPath ? type.text : "");
    if (known == kTypes.end()) {
      report(*diag::find(diag::BadDecorator.code), keyword.value->range,
             diag::message(diag::BadDecorator, "`type=` must be a member of `pl.FunctionType`, got `" +
                                                   syntax::spell(*keyword.value) + "`"),
             kernelName);
      return false;
    }
    kind = known->second;
  }
  return true;
}

bool ProgramBuilder::kernel(const Stmt &stmt, Scope &scope, const Place &place) {
  static const std::map<std::string, KernelKind, std::less<>> kJitKinds{
      {"pl.jit", KernelKind::Orchestration}, {"pl.jit.incore", KernelKind::Incore},
      {"pl.jit.inline", KernelKind::Inline}, {"pl.jit.host", KernelKind::Host},
      {"pl.jit.opaque", KernelKind::Opaque}, {"pl.jit.extern", KernelKind::Extern}};
  for (const Expr *expr : stmt.decorators) {
    std::string path = decoratorPath(*expr, scope);
    KernelDecl made;
    made.name = std::string(stmt.name);
    made.qualifiedName = place.prefix + made.name;
    auto jit = kJitKinds.find(path);
    if (jit != kJitKinds.end()) {
      made.kind = jit->second;
      made.jit = true;
    } else if (path == "pl.function") {
      made.kind = KernelKind::Opaque;
      if (expr->kind == Expr::Kind::Call) {
        functionType(*expr, made.qualifiedName, scope, made.kind);
      }
    } else if (path == "pl.inline") {
      made.kind = KernelKind::Inline;
    } else {
      continue;
    }
    made.function = &stmt;
    made.scope = &scope;
    made.programClass = place.programClass;
    KernelDecl &kept = program_.kernels.emplace_back(std::move(made));
    ConstValue value = ConstValue::make(Kind::Kernel);
    value.kernel = &kept;
    bind(scope, stmt.name, std::move(value), stmt.nameRange);
    return true;
  }
  return false;
}

void ProgramBuilder::classStatement(const Stmt &stmt, Scope &scope, const Place &place) {
  bool program = std::any_of(stmt.decorators.begin(), stmt.decorators.end(),
                             [&](const Expr *expr) { return decoratorPath(*expr, scope) == "pl.program"; });
  bind(scope, stmt.name, ConstValue::unknown("it is a class"), stmt.nameRange);
  Scope &inner = program_.scopes.emplace_back();
  inner.parent = &scope;
  std::string name = place.prefix + std::string(stmt.name);
  block(stmt.body, inner, {name + ".", program ? name : ""});
}

const Binding *Scope::find(std::string_view name) const {
  // What Python itself has, and what every method has, is no module's to bring.
  static const std::set<std::string_view> kNotOthers{
      "abs", "all",    "any",   "bool", "dict",  "divmod", "enumerate", "float",    "int",  "isinstance",
      "len", "list",   "max",   "min",  "print", "pow",    "range",     "round",    "set",  "str",
      "sum", "sorted", "tuple", "type", "zip",   "map",    "filter",    "reversed", "self", "__name__"};
  const Binding *open = nullptr;
  for (const Scope *scope = this; scope; scope = scope->parent) {
    auto it = scope->names.find(name);
    if (it != scope->names.end()) {
      return &it->second;
    }
    open = !open && scope->others ? &*scope->others : open;
  }
  return open && !kNotOthers.contains(name) ? open : nullptr;
}

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
