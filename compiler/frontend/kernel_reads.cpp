// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_reads.h"

#include "compiler/frontend/ast_bytes.h"
#include "compiler/frontend/evaluation.h"
#include "compiler/frontend/kernel_heads.h"
#include "compiler/frontend/syntax_memo.h"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr size_t kMaxBytes = size_t{1} << 20; ///< What reads more than this is not worth being told apart.

/// Names that reach any other name.
bool readsEverything(std::string_view name) {
  static const std::set<std::string_view> kNames{"globals",   "locals", "vars",    "eval",
                                                 "exec",      "dir",    "compile", "__import__",
                                                 "importlib", "sys",    "inspect", "__builtins__"};
  return kNames.contains(name);
}

source::ByteRange wholeRange(const Stmt &function) {
  source::ByteRange out = function.range;
  for (const Expr *decorator : function.decorators) {
    out.begin = std::min(out.begin, decorator->range.begin);
  }
  return out;
}

/// Walks everything that one kernel reads, each object once, and writes it down in the order of meeting it.
class Walk {
public:
  Walk(const Program &program, SyntaxMemo &syntax, KernelReads &out) : program_(program), syntax_(syntax), out_(out) {}

  void run(const KernelDecl &kernel) {
    kernelHead(kernel, /*body=*/true);
    while (out_.known && next_ < objects_.size()) {
      const Met met = objects_[next_++];
      describe(met);
      if (bytes_.size() > kMaxBytes) {
        out_.known = false;
      }
    }
    out_.meaning = digest(bytes_);
    out_.around = digest(around_);
  }

  std::string &around() { return around_; }

private:
  struct Met {
    py::Kind kind;
    py::Object *object;
  };

  void number(uint64_t value) { AstBytes(bytes_).putNumber(value); }
  void text(std::string_view value) { AstBytes(bytes_).put(value); }

  void reference(py::Value value) {
    auto [known, added] = index_.try_emplace(value.object, objects_.size());
    if (added) {
      objects_.push_back({value.kind, value.object});
    }
    number(known->second);
  }

  void put(py::Value value) {
    bytes_ += static_cast<char>(value.kind);
    switch (value.kind) {
    case py::Kind::None:
    case py::Kind::Ellipsis:
    case py::Kind::Raised:
      return;
    case py::Kind::Bool:
    case py::Kind::Int:
      number(static_cast<uint64_t>(value.integer));
      return;
    case py::Kind::Float:
      number(std::bit_cast<uint64_t>(value.real));
      return;
    case py::Kind::Big:
      text(py::bigOf(value).text());
      return;
    case py::Kind::Unknown:
      text(py::reasonOf(value));
      place(py::placeOf(value));
      return;
    case py::Kind::Str:
    case py::Kind::Bytes:
    case py::Kind::Pl:
    case py::Kind::DynDim:
    case py::Kind::Foreign:
      text(py::textOf(value));
      return;
    default:
      reference(value);
    }
  }

  /// Messages name the line of what comes from another module.
  void place(py::Place at) {
    if (at.module && at.module != program_.module.get()) {
      around_ += at.module->source->path + ":" +
                 std::to_string(at.module->source->lines.lineColumn(at.range.begin).line) + "\n";
    }
  }

  void slot(const py::Slot &slot) {
    bytes_ += slot.present ? '1' : '0';
    put(slot.value);
    place(slot.origin);
  }

  void names(const py::Namespace &names) {
    number(names.entries().size());
    for (const py::Namespace::Entry &entry : names.entries()) {
      text(entry.name);
      slot(entry.slot);
    }
  }

  static const py::Slot *find(std::string_view name, const py::Env *env, py::Value &open) {
    for (const py::Env *at = env; at; at = at->parent) {
      if (at != env && at->type == py::Env::Type::Class) {
        continue;
      }
      if (const py::Slot *found = at->names.find(name)) {
        return found;
      }
      open = at->open && open.isRaised() ? at->others : open;
    }
    return nullptr;
  }

  /// An attribute that is a plain value of a module, a class or an instance; null for what needs the whole object.
  static const py::Slot *member(py::Value base, std::string_view name) {
    if (base.is(py::Kind::Module)) {
      const auto &module = base.as<py::ModuleObject>();
      return module.state == py::ModuleObject::State::Loaded && module.env ? module.env->names.find(name) : nullptr;
    }
    const py::Slot *found = nullptr;
    const py::ClassObject *type = nullptr;
    if (base.is(py::Kind::Instance)) {
      type = base.as<py::InstanceObject>().type;
      found = type->isEnum || type->isNamedTuple ? nullptr : base.as<py::InstanceObject>().attributes.find(name);
    } else if (base.is(py::Kind::Class)) {
      type = &base.as<py::ClassObject>();
      found = type->isEnum || !type->env ? nullptr : type->env->names.find(name);
    }
    if (!found || type->env == nullptr || type->env->names.find("__getattribute__")) {
      return nullptr;
    }
    bool active = found->value.is(py::Kind::Wrapped) || found->value.is(py::Kind::Function) ||
                  found->value.is(py::Kind::Method) || found->value.is(py::Kind::Unknown);
    return active ? nullptr : found;
  }

  void chain(const NameChain &chain, const py::Env *env) {
    if (readsEverything(chain[0])) {
      out_.known = false;
      return;
    }
    py::Value open = py::Value::raised();
    const py::Slot *found = find(chain[0], env, open);
    if (!found) {
      bytes_ += '?';
      put(open);
      return;
    }
    bytes_ += '=';
    size_t at = 1;
    while (at < chain.size()) {
      const py::Slot *inner = found->present ? member(found->value, chain[at]) : nullptr;
      if (!inner) {
        break;
      }
      bytes_ += static_cast<char>(found->value.kind);
      place(found->origin);
      found = inner;
      ++at;
    }
    slot(*found);
  }

  void chains(const std::vector<NameChain> &list, const py::Env *env) {
    std::set<NameChain> seen;
    for (const NameChain &one : list) {
      if (out_.known && seen.insert(one).second) {
        chain(one, env);
      }
    }
  }

  /// `self.name`: of a @pl.program class a method of it, of an entry of its own a kernel of the module.
  void selfNames(const std::vector<NameChain> &list, const KernelDecl &kernel, const py::Env *env) {
    std::set<std::string_view> seen;
    for (const NameChain &one : list) {
      if (one.size() < 2 || one[0] != "self" || !seen.insert(one[1]).second) {
        continue;
      }
      bytes_ += '.';
      if (kernel.programClass.empty()) {
        chain({one[1]}, env);
      } else if (const KernelDecl *method = program_.method(kernel.programClass, one[1])) {
        kernelHead(*method, false);
      }
    }
  }

  void kernelHead(const KernelDecl &kernel, bool body) {
    if (!heads_.insert({&kernel, body}).second) {
      text(kernel.qualifiedName);
      return;
    }
    const Stmt &function = *kernel.function;
    for (const syntax::SyntaxFault &fault : program_.module->faults) {
      // The front end looks into the text there.
      out_.known &= fault.range.begin < function.range.begin || fault.range.begin > function.range.end;
    }
    const py::Env *env = kernel.scope ? kernel.scope->env : nullptr;
    if (!env) {
      out_.known = false;
      return;
    }
    bytes_ += body ? 'B' : 'H';
    text(kernel.name);
    text(kernel.qualifiedName);
    bytes_ += kernel.programClass.empty() ? '0' : '1'; // its own name says where it stands, and may move
    text(kernel.module && kernel.module != program_.module.get() ? kernel.module->source->path : "");
    number(static_cast<uint64_t>(kernel.kind));
    bytes_ += kernel.jit ? '1' : '0';
    AstBytes ast(bytes_);
    bool whole = body || kernel.kind == KernelKind::Inline;
    out_.pastes |= whole && heads_.size() > 1;
    if (whole) {
      const syntax::Module &module = kernel.module ? *kernel.module : *program_.module;
      std::shared_ptr<const SyntaxMemo::Reads> reads = syntax_.read(module, function);
      bytes_ += reads->meaning;
      chains(reads->names, env);
      selfNames(reads->names, kernel, env);
      return;
    }
    ast.putList(function.decorators, [&](const Expr *decorator) { ast.put(decorator); });
    ast.putList(function.parameters, [&](const syntax::Parameter &parameter) { ast.put(parameter); });
    ast.put(function.annotation);
    ast.put(returnedValue(function));
    for (const Expr *call : dynamicBindings(function)) {
      ast.put(call);
    }
    out_.callees.push_back(&kernel);
    const std::vector<NameChain> read = ast.names();
    chains(read, env);
    selfNames(read, kernel, env);
  }

  void function(const py::FunctionObject &function) {
    AstBytes ast(bytes_);
    out_.known &= !function.facts || function.facts->globals.empty(); // `chains` does not know of `global`
    text(function.name);
    std::shared_ptr<const SyntaxMemo::Reads> reads;
    if (function.definition && function.env && function.env->module && function.env->module->tree) {
      reads = syntax_.read(*function.env->module->tree, *function.definition);
      bytes_ += reads->meaning;
    } else if (function.definition) {
      ast.put(*function.definition);
    } else if (function.lambda) {
      ast.put(*function.lambda);
    }
    number(function.defaults.size());
    for (py::Value value : function.defaults) {
      put(value);
    }
    chains(reads ? reads->names : std::vector<NameChain>(ast.names()), function.env);
  }

  void classOf(const py::ClassObject &type) {
    text(type.name);
    for (bool flag :
         {type.dataclass, type.frozen, type.ordered, type.comparesFields, type.isEnum, type.isIntEnum,
          type.isNamedTuple, type.isException, type.program, type.open, type.opaque, type.totalOrder, type.hashed}) {
      bytes_ += flag ? '1' : '0';
    }
    number(type.order.size());
    for (py::ClassObject *base : type.order) {
      reference(py::Value::make(py::Kind::Class, base));
    }
    if (type.env) {
      names(type.env->names);
    }
    number(type.fields.size());
    for (const py::DataclassField &field : type.fields) {
      text(field.name);
      put(field.defaultValue);
      put(field.factory);
      bytes_ += field.init ? '1' : '0';
      bytes_ += field.keywordOnly ? '1' : '0';
      for (bool flag : {field.classVariable, field.initOnly, field.compared, field.shown}) {
        bytes_ += flag ? '1' : '0';
      }
    }
    list(type.members);
  }

  void list(const std::vector<py::Value> &values) {
    number(values.size());
    for (py::Value value : values) {
      put(value);
    }
  }

  void describe(const Met &met) {
    bytes_ += 'o';
    bytes_ += static_cast<char>(met.kind);
    if (!met.object) {
      return;
    }
    if (met.object->poison) {
      bytes_ += 'p';
      put(py::Value::make(py::Kind::Unknown, met.object->poison));
    }
    py::Value value = py::Value::make(met.kind, met.object);
    switch (met.kind) {
    case py::Kind::List:
    case py::Kind::Tuple:
    case py::Kind::Iterator:
    case py::Kind::Slice:
      number(value.as<py::SequenceObject>().next);
      list(value.as<py::SequenceObject>().items);
      put(value.as<py::SequenceObject>().tail);
      out_.known &= !value.as<py::SequenceObject>().lazy; // its items are still to be computed
      if (value.as<py::SequenceObject>().pending) {
        function(*value.as<py::SequenceObject>().pending);
        names(value.as<py::SequenceObject>().env->names);
      }
      return;
    case py::Kind::Dict:
    case py::Kind::Set:
      text(value.as<py::DictObject>().type ? value.as<py::DictObject>().type->name : std::string_view());
      put(value.as<py::DictObject>().missing);
      for (const py::DictObject::Entry &entry : value.as<py::DictObject>().entries) {
        if (entry.live) {
          put(entry.key);
          put(entry.value);
        }
      }
      return;
    case py::Kind::Range:
      number(static_cast<uint64_t>(value.as<py::RangeObject>().start));
      number(static_cast<uint64_t>(value.as<py::RangeObject>().stop));
      number(static_cast<uint64_t>(value.as<py::RangeObject>().step));
      return;
    case py::Kind::Function:
      function(value.as<py::FunctionObject>());
      return;
    case py::Kind::Method:
      put(value.as<py::MethodObject>().function);
      put(value.as<py::MethodObject>().self);
      return;
    case py::Kind::Builtin:
      text(value.as<py::BuiltinObject>().name);
      put(value.as<py::BuiltinObject>().self);
      return;
    case py::Kind::Partial: {
      const auto &partial = value.as<py::PartialObject>();
      put(partial.function);
      list(partial.positional);
      for (const auto &[name, given] : partial.keywords) {
        text(name);
        put(given);
      }
      return;
    }
    case py::Kind::Wrapped:
      number(static_cast<uint64_t>(value.as<py::WrappedObject>().type));
      put(value.as<py::WrappedObject>().function);
      put(value.as<py::WrappedObject>().setter);
      return;
    case py::Kind::Class:
      classOf(value.as<py::ClassObject>());
      return;
    case py::Kind::Instance: {
      const auto &instance = value.as<py::InstanceObject>();
      reference(py::Value::make(py::Kind::Class, instance.type));
      names(instance.attributes);
      list(instance.items);
      return;
    }
    case py::Kind::Module: {
      const auto &module = value.as<py::ModuleObject>();
      text(module.name);
      number(static_cast<uint64_t>(module.state));
      if (module.env) {
        names(module.env->names);
        put(module.env->open ? module.env->others : py::Value::raised());
      }
      return;
    }
    case py::Kind::PlType: {
      const auto &type = value.as<py::TypeObject>();
      AstBytes ast(bytes_);
      ast.put(type.expr);
      chains(std::vector<NameChain>(ast.names()), type.env);
      return;
    }
    case py::Kind::Kernel: {
      const auto &object = value.as<py::KernelObject>();
      const KernelDecl *decl = program_.evaluation->kernelOf(&object);
      if (decl) {
        kernelHead(*decl, false);
      } else {
        out_.known = false;
      }
      return;
    }
    case py::Kind::Tensor: {
      const auto &tensor = value.as<py::TensorObject>();
      bytes_ += tensor.shapeKnown ? '1' : '0';
      text(tensor.dtype);
      number(tensor.shape.size());
      for (int64_t extent : tensor.shape) {
        number(static_cast<uint64_t>(extent));
      }
      return;
    }
    default:
      out_.known = false;
    }
  }

  const Program &program_;
  SyntaxMemo &syntax_;
  KernelReads &out_;
  std::string bytes_;
  std::string around_;
  std::vector<Met> objects_;
  size_t next_ = 0;
  std::unordered_map<const py::Object *, uint64_t> index_; ///< Looked up, never listed.
  std::set<std::pair<const KernelDecl *, bool>> heads_;    ///< Looked up, never listed.
};

} // namespace

EvaluationUse evaluationUse(const Program &program) {
  const py::Interpreter::LaterUse &use = program.evaluation->interpreter().laterUse();
  return {use.steps, use.bytes, use.changes};
}

void takeFromBudget(const Program &program, const EvaluationUse &use) {
  program.evaluation->interpreter().useLater(use.steps, use.bytes);
}

const std::string &KernelReader::namesAround(const Scope *scope) {
  auto [known, added] = names_.try_emplace(scope);
  if (added) {
    std::string all;
    for (const std::string &name : scope->visibleNames()) {
      all += name + "\n";
    }
    for (const KernelDecl &kernel : program_.kernels) {
      all += kernel.qualifiedName + "\n"; // `self.name` may be proposed
    }
    known->second = digest(all);
  }
  return known->second;
}

const KernelReads &KernelReader::read(const KernelDecl &kernel) {
  auto [known, added] = known_.try_emplace(&kernel);
  KernelReads &out = known->second;
  if (!added) {
    return out;
  }
  if (!program_.evaluation || !kernel.module) {
    out.known = false;
    return out;
  }
  Walk walk(program_, syntax_, out);
  walk.around() += namesAround(kernel.scope);
  walk.run(kernel);
  out.range = wholeRange(*kernel.function);
  const source::SourceText &source = *kernel.module->source;
  size_t begin = std::min<size_t>(out.range.begin, source.text.size());
  size_t line = begin == 0 ? 0 : source.text.rfind('\n', begin - 1) + 1;
  size_t end = std::min<size_t>(out.range.end, source.text.size());
  out.text = digest(std::string_view(source.text).substr(line, end - line));
  return out;
}

const KernelReader::Statements &KernelReader::statementsOf(const std::string &path) {
  auto [known, added] = statements_.try_emplace(path);
  Statements &out = known->second;
  const syntax::Module *module = path == program_.path() ? program_.module.get() : nullptr;
  if (added && !module && program_.evaluation) {
    const auto &modules = program_.evaluation->interpreter().modules();
    auto found = modules.find(path);
    module = found != modules.end() ? found->second->tree.get() : nullptr;
  }
  if (!added || !module) {
    return out;
  }
  std::string_view text = module->source->text;
  for (const Stmt *stmt : module->body) {
    source::ByteRange range = wholeRange(*stmt);
    size_t end = std::min<size_t>(range.end, text.size());
    size_t begin = std::min<size_t>(range.begin, end);
    out.list.emplace_back(range, digest(text.substr(begin, end - begin)));
    auto [place, first] = out.begins.try_emplace(out.list.back().second, range.begin);
    if (!first) {
      place->second.reset();
    }
  }
  return out;
}

std::optional<Anchor> KernelReader::anchorOf(const std::string &path, source::ByteRange range) {
  const Statements &statements = statementsOf(path);
  for (const auto &[whole, text] : statements.list) {
    if (whole.begin <= range.begin && range.end <= whole.end && statements.begins.at(text)) {
      return Anchor{path, text, range.begin - whole.begin, range.end - whole.begin};
    }
  }
  return std::nullopt;
}

std::optional<source::ByteRange> KernelReader::placeOf(const Anchor &anchor) {
  const Statements &statements = statementsOf(anchor.path);
  auto known = statements.begins.find(anchor.text);
  if (known == statements.begins.end() || !known->second) {
    return std::nullopt;
  }
  return source::ByteRange{*known->second + anchor.begin, *known->second + anchor.end};
}

std::string KernelReader::keyOf(const KernelDecl &kernel) const {
  auto named = [](const KernelDecl &one) { return one.module->source->path + "\n" + one.qualifiedName; };
  if (byKey_.empty()) {
    for (const std::deque<KernelDecl> *list : {&program_.kernels, &program_.imported}) {
      for (const KernelDecl &one : *list) {
        auto [known, added] = byKey_.try_emplace(named(one), &one);
        known->second = added ? &one : nullptr;
      }
    }
  }
  std::string key = named(kernel);
  auto known = byKey_.find(key);
  return known != byKey_.end() && known->second == &kernel ? key : std::string();
}

const KernelDecl *KernelReader::find(const std::string &key) const {
  if (!program_.kernels.empty()) {
    keyOf(program_.kernels.front()); // makes the table
  }
  auto known = byKey_.find(key);
  return known != byKey_.end() ? known->second : nullptr;
}

} // namespace placid::frontend
