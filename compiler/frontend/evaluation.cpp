// SPDX-License-Identifier: Apache-2.0
// Running an entry, and what comes of it: kernels, calls, faults.
#include "compiler/frontend/evaluation.h"

#include "compiler/frontend/dialect_names.h"
#include "compiler/support/suggest.h"
#include "compiler/syntax/parse.h"

#include <algorithm>
#include <set>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// As many levels as Python itself takes.
constexpr unsigned kMaxNesting = 100;

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
}

/// Roots beyond the given ones: the parent of the outermost package around the file, and the nearest folder with a
/// pyproject.toml.
void addParents(const std::string &path, ImportedModules &modules, std::vector<std::string> &roots) {
  std::string folder = folderOf(path);
  auto join = [](const std::string &at, const char *name) {
    return at.empty() ? std::string(name) : at.ends_with('/') ? at + name : at + "/" + name;
  };
  bool inPackage = modules.exists(join(folder, "__init__.py"));
  for (unsigned up = 0; up < 16; ++up) {
    if (!modules.exists(join(folder, "__init__.py")) && inPackage) {
      roots.push_back(folder);
      inPackage = false;
    }
    if (modules.exists(join(folder, "pyproject.toml"))) {
      roots.push_back(folder);
      break;
    }
    if (folder.empty() || folder == "/") {
      break;
    }
    folder = folderOf(folder);
  }
}

py::SearchPath searchPath(const Program &program, const ProgramOptions &options, ImportedModules &modules) {
  py::SearchPath out;
  out.entryFolder = folderOf(program.path());
  out.roots = options.roots;
  for (std::string &root : out.roots) {
    root = root == "." ? "" : root;
  }
  addParents(program.path(), modules, out.roots);
  out.workingFolder = options.folder;
  return out;
}

bool mentionsName(const Expr &expr) {
  auto any = [](const Expr *child) { return child && mentionsName(*child); };
  return (expr.kind == Expr::Kind::Name && expr.text != "pl" && expr.text != "pld") ||
         std::any_of(expr.children.begin(), expr.children.end(), any);
}

/// The first statement that is nested too deep.
void survey(const std::vector<const Stmt *> &statements, unsigned depth, const Stmt *&deep) {
  if (depth > kMaxNesting) {
    deep = deep || statements.empty() ? deep : statements.front();
    return;
  }
  for (const Stmt *stmt : statements) {
    survey(stmt->body, depth + 1, deep);
    bool chained = stmt->kind == Stmt::Kind::If && stmt->orelse.size() == 1 && stmt->orelse[0]->kind == Stmt::Kind::If;
    survey(stmt->orelse, depth + (chained ? 0 : 1), deep);
  }
}

diag::Diagnostic make(const diag::CatalogRow &row, const std::string &path, source::ByteRange at, std::string message) {
  diag::Diagnostic d;
  d.code = row.code;
  d.severity = row.severity;
  d.at = {path, at};
  d.message = std::move(message);
  return d;
}

} // namespace

Evaluation::Evaluation(Program &program, const ProgramOptions &options)
    : program_(program), defines_(options.defines), modules_(options.sources, options.cache),
      interpreter_(modules_, dialect_, searchPath(program, options, modules_)) {}

Evaluation::~Evaluation() = default;

void Evaluation::run() {
  const Stmt *deep = nullptr;
  survey(program_.module->body, 1, deep);
  if (deep) {
    program_.diagnostics.push_back(make(*diag::find(diag::NestedTooDeep.code), program_.path(), deep->range,
                                        diag::message(diag::NestedTooDeep, static_cast<int64_t>(kMaxNesting))));
  }
  define(defines_);
  py::ModuleObject *entry = interpreter_.runEntry(program_.module);
  scopeOf(entry->env);
  bool calls = wantsCalls();
  if (calls) {
    interpreter_.runMain();
  }
  interpreter_.runBuilders();
  declareKernels();
  checkDecorators(program_, program_.diagnostics);
  if (calls) {
    recordCalls();
  }
  reportFaults();
  for (const auto &[name, text] : defines_) {
    if (!interpreter_.usedDefines().contains(name)) {
      program_.unusedDefines.push_back(name);
    }
  }
  program_.modulesRead.assign(modules_.read().begin(), modules_.read().end());
}

py::Value Evaluation::definedValue(const std::string &text) {
  auto source = std::make_shared<source::SourceText>("<define>", text + "\n");
  std::shared_ptr<const syntax::Module> module = syntax::Parser().parse(source);
  bool expression = module->faults.empty() && module->body.size() == 1 && module->body[0]->kind == Stmt::Kind::Expr;
  if (!expression) {
    return interpreter_.text(text);
  }
  definitions_.push_back(module);
  py::Env *env = interpreter_.heap().make<py::Env>();
  for (std::string_view name : {"pl", "pld"}) {
    env->names.set(name, {interpreter_.heap().text(std::string(name), py::Kind::Pl), {}, {}, true});
  }
  const Expr &expr = *module->body[0]->value;
  py::Value value = interpreter_.evaluate(expr, env);
  if (value.isUnknown() && mentionsName(expr)) {
    return interpreter_.text(text); // a bare word
  }
  // A type would point into the text of the definition.
  return value.is(py::Kind::PlType) ? interpreter_.unknown("a definition cannot be a type") : value;
}

void Evaluation::define(const std::map<std::string, std::string> &defines) {
  for (const auto &[name, text] : defines) {
    interpreter_.define(name, definedValue(text));
  }
}

/// `type=` of @pl.function; a report for anything but a member of pl.FunctionType.
static bool functionType(Evaluation &evaluation, Program &program, const Expr &call, const std::string &kernel,
                         const Scope &scope, KernelKind &kind) {
  static const std::map<std::string, KernelKind, std::less<>> kTypes{
      {"pl.FunctionType.InCore", KernelKind::Incore}, {"pl.FunctionType.AIC", KernelKind::Incore},
      {"pl.FunctionType.AIV", KernelKind::Incore},    {"pl.FunctionType.Orchestration", KernelKind::Orchestration},
      {"pl.FunctionType.Opaque", KernelKind::Opaque}, {"pl.FunctionType.Group", KernelKind::Opaque},
      {"pl.FunctionType.Spmd", KernelKind::Opaque},   {"pl.FunctionType.Graph", KernelKind::Opaque},
      {"pl.FunctionType.Inline", KernelKind::Inline}, {"pl.FunctionType.SubWorker", KernelKind::Host}};
  for (const syntax::Keyword &keyword : call.keywords) {
    if (keyword.name != "type") {
      continue;
    }
    ConstValue type = evaluation.evaluate(*keyword.value, scope);
    auto known = kTypes.find(type.kind == ConstValue::Kind::PlPath ? type.text : "");
    if (known == kTypes.end()) {
      diag::Diagnostic d =
          make(*diag::find(diag::BadDecorator.code), program.path(), keyword.value->range,
               diag::message(diag::BadDecorator, "`type=` must be a member of `pl.FunctionType`, got `" +
                                                     syntax::spell(*keyword.value) + "`"));
      d.kernel = kernel;
      program.diagnostics.push_back(std::move(d));
      return false;
    }
    kind = known->second;
  }
  return true;
}

/// The options of a decorator of kernels; null for one that is not in the table.
static const std::vector<std::string> *optionsOf(std::string_view decorator) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kOptions{
      {"pl.jit", {"auto_scope"}},
      {"pl.jit.incore", {"level"}},
      {"pl.jit.inline", {"auto_scope"}},
      {"pl.jit.host", {"auto_scope"}},
      {"pl.jit.opaque", {}},
      {"pl.jit.extern", {"core_type", "source", "aic_source", "aiv_source", "dual_aiv_dispatch", "include_dirs"}},
      {"pl.function", {"type", "level", "role", "attrs", "auto_scope", "strict_ssa", "external_source"}}};
  auto known = kOptions.find(decorator);
  return known != kOptions.end() ? &known->second : nullptr;
}

/// A keyword that the decorator does not have would be one that nothing reads.
static void checkOptions(Program &program, const py::KernelObject &object, const std::string &kernel) {
  const std::vector<std::string> *options = optionsOf(object.decorator);
  if (!options || object.instance > 0) {
    return;
  }
  for (const syntax::Keyword &keyword : object.decoratorExpr->keywords) {
    if (keyword.name.empty() || std::find(options->begin(), options->end(), keyword.name) != options->end()) {
      continue;
    }
    diag::Diagnostic d = make(*diag::find(diag::WrongArguments.code), program.path(), keyword.nameRange,
                              diag::message(diag::WrongArguments, object.decorator,
                                            "has no parameter `" + std::string(keyword.name) + "`" +
                                                support::didYouMean(keyword.name, *options)));
    d.kernel = kernel;
    program.diagnostics.push_back(std::move(d));
  }
}

KernelDecl Evaluation::declare(const py::KernelObject &object) {
  static const std::map<std::string, KernelKind, std::less<>> kJitKinds{
      {"pl.jit", KernelKind::Orchestration}, {"pl.jit.incore", KernelKind::Incore},
      {"pl.jit.inline", KernelKind::Inline}, {"pl.jit.host", KernelKind::Host},
      {"pl.jit.opaque", KernelKind::Opaque}, {"pl.jit.extern", KernelKind::Extern}};
  KernelDecl made;
  made.name = std::string(object.function->name);
  made.function = object.function;
  made.scope = scopeOf(object.env);
  made.module = object.env->module->tree.get();
  std::string again = object.instance > 0 ? "_" + std::to_string(object.instance + 1) : "";
  std::string owner = object.prefix.empty() ? "" : object.prefix.substr(0, object.prefix.size() - 1) + again;
  made.qualifiedName = owner.empty() ? made.name + again : owner + "." + made.name;
  if (object.owner && object.owner->program) {
    // Two builders may each have a class of this name.
    uint32_t place = object.owner->definition ? static_cast<uint32_t>(object.owner->definition->range.begin) : 0;
    made.programClass = made.module->source->path + ":" + std::to_string(place) + ":" + owner;
  }
  auto jit = kJitKinds.find(object.decorator);
  made.jit = jit != kJitKinds.end();
  made.second = object.decorator.starts_with("pro.");
  made.decorator = object.decoratorExpr;
  made.kind = made.jit ? jit->second : object.decorator == "pl.inline" ? KernelKind::Inline : KernelKind::Opaque;
  return made;
}

void Evaluation::declareKernels() {
  for (const py::KernelObject *object : interpreter_.kernels()) {
    bool own = object->env->module == interpreter_.entry();
    KernelDecl made = declare(*object);
    if (object->decorator == "pl.function" && object->decoratorExpr->kind == Expr::Kind::Call) {
      size_t before = program_.diagnostics.size();
      functionType(*this, program_, *object->decoratorExpr, made.qualifiedName, *made.scope, made.kind);
      if (!own) {
        program_.diagnostics.resize(before); // told where it is checked itself
      }
    }
    if (own && object->decoratorExpr) {
      checkOptions(program_, *object, made.qualifiedName);
    }
    std::deque<KernelDecl> &list = own ? program_.kernels : program_.imported;
    list.push_back(std::move(made));
    kernels_[object] = &list.back();
  }
}

const KernelDecl *Evaluation::kernelOf(const py::KernelObject *object) {
  auto found = kernels_.find(object);
  return found != kernels_.end() ? found->second : nullptr;
}

/// True when some kernel cannot be typed by itself: a bare `pl.Tensor` parameter, or a builder that nothing called yet.
bool Evaluation::wantsCalls() const {
  auto bare = [](const Expr *annotation, auto &self) -> bool {
    if (!annotation) {
      return false;
    }
    if (annotation->kind == Expr::Kind::Attribute || annotation->kind == Expr::Kind::Name) {
      return annotation->text == "Tensor";
    }
    bool wraps = annotation->kind == Expr::Kind::Subscript && annotation->children.size() == 2 &&
                 (annotation->children[0]->text == "Out" || annotation->children[0]->text == "InOut");
    return wraps && self(annotation->children[1], self);
  };
  for (const py::KernelObject *object : interpreter_.kernels()) {
    if (object->env->module->tree.get() != program_.module.get() || object->decorator.starts_with("pro.")) {
      continue;
    }
    for (const syntax::Parameter &parameter : object->function->parameters) {
      if (bare(parameter.annotation, bare)) {
        return true;
      }
    }
  }
  return interpreter_.hasBuilders();
}

namespace {

std::optional<pl::DType> torchDType(std::string_view name) {
  static const std::map<std::string_view, std::string_view> kNames{
      {"float32", "FP32"},       {"float16", "FP16"},
      {"bfloat16", "BF16"},      {"float", "FP32"},
      {"half", "FP16"},          {"int8", "INT8"},
      {"uint8", "UINT8"},        {"int16", "INT16"},
      {"int32", "INT32"},        {"int64", "INT64"},
      {"int", "INT32"},          {"long", "INT64"},
      {"bool", "BOOL"},          {"float8_e4m3fn", "FP8E4M3FN"},
      {"float8_e5m2", "FP8E5M2"}};
  auto found = kNames.find(name);
  return found == kNames.end() ? std::nullopt : pl::dtypeFromPlName(std::string(found->second));
}

} // namespace

void Evaluation::recordCalls() {
  auto argument = [&](std::string_view name, py::Value value) {
    EntryArgument out;
    out.name = name;
    if (value.is(py::Kind::Tensor)) {
      const auto &tensor = value.as<py::TensorObject>();
      out.kind = EntryArgument::Kind::Tensor;
      out.shapeKnown = tensor.shapeKnown;
      for (int64_t extent : tensor.shape) {
        out.shape.push_back(extent < 0 ? std::nullopt : std::optional(extent));
      }
      out.dtype = torchDType(tensor.dtype);
    } else if (value.isNumber()) {
      out.kind = EntryArgument::Kind::Scalar;
      out.scalar = toConst(value);
    }
    return out;
  };
  for (const py::CallRecord &call : interpreter_.calls()) {
    EntryCall made;
    made.kernel = kernelOf(call.kernel);
    bool here = call.at.module == program_.module.get();
    if (!made.kernel || !here || call.arguments.isOpen) {
      continue;
    }
    made.range = call.at.range;
    made.guarded = call.guarded;
    bool handed = !call.through.empty() && call.through != "method";
    if (!handed) {
      for (py::Value value : call.arguments.positional) {
        made.arguments.push_back(argument("", value));
      }
    }
    for (const auto &[name, value] : call.arguments.keywords) {
      if (!handed && name != "config") {
        made.arguments.push_back(argument(name, value));
      } else if (handed && name == "specs" && value.isSequence()) {
        for (py::Value spec : value.as<py::SequenceObject>().items) {
          made.arguments.push_back(argument("", spec));
        }
      }
    }
    bool any = std::any_of(made.arguments.begin(), made.arguments.end(),
                           [](const EntryArgument &one) { return one.kind == EntryArgument::Kind::Tensor; });
    if (any) {
      program_.calls.push_back(std::move(made));
    }
  }
}

std::string Evaluation::placeText(py::Place at) const {
  if (!at.module || at.module == program_.module.get()) {
    return {};
  }
  const source::SourceText &text = *at.module->source;
  std::string name = text.path.substr(text.path.rfind('/') + 1);
  return name + ":" + std::to_string(text.lines.lineColumn(at.range.begin).line + 1);
}

void Evaluation::reportFaults() {
  std::set<uint32_t> reported; // statements of the entry: what they lead to is told once
  for (const py::Fault &fault : interpreter_.faults()) {
    bool own = fault.at.module == program_.module.get();
    py::Place at = own ? fault.at : fault.entryAt;
    if (!at.module || at.module != program_.module.get() || (!own && !reported.insert(at.range.begin).second)) {
      continue;
    }
    diag::Diagnostic d;
    auto report = [&](const auto &kind, std::string message) {
      d = make(*diag::find(kind.code), program_.path(), at.range, std::move(message));
    };
    switch (fault.type) {
    case py::Fault::Type::Raises:
      report(diag::PythonRaises, diag::message(diag::PythonRaises, fault.message));
      break;
    case py::Fault::Type::NoModule:
      report(diag::MissingModule, diag::message(diag::MissingModule, fault.module, fault.message));
      break;
    case py::Fault::Type::Cycle:
      report(diag::ImportCycle, diag::message(diag::ImportCycle, fault.message, fault.module));
      break;
    case py::Fault::Type::NoName: {
      report(diag::MissingImport, diag::message(diag::MissingImport, fault.module, fault.message, ""));
      break;
    }
    }
    if (fault.assumed && d.severity == diag::Severity::Error) {
      d.severity = diag::Severity::Warning; // another environment may not lead here
    }
    if (fault.message.starts_with("NameError")) {
      d.severity = diag::Severity::Information; // a notebook or a debugger may have set the name
    }
    if (!own && fault.at.module) {
      d.related.push_back(
          {{fault.at.module->source->path, fault.at.range}, "it happens here", diag::Related::Role::Note});
    }
    program_.diagnostics.push_back(std::move(d));
  }
}

} // namespace placid::frontend
