// SPDX-License-Identifier: Apache-2.0
// `def`, and calls of what there is to call. A function under a decorator of PL is a kernel: it is not called, each
// run of its `def` makes an object of its own.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::PythonExpr;
using syntax::Stmt;

namespace {

constexpr uint32_t kMaxInstances = 8; ///< Objects of one kernel definition that are kept.

/// As the names of Python are, in any script.
bool isIdentifier(std::string_view name) {
  auto isWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), isWord);
}

/// Whether functions of a library, by dotted path, leave the lists, dicts and sets alone that they are given.
bool onlyReads(std::string_view path) {
  static constexpr std::string_view kChanging[] = {"random.shuffle",   "numpy.random.shuffle", "builtins.setattr",
                                                   "builtins.delattr", "builtins.exec",        "builtins.eval",
                                                   "builtins.next"};
  static constexpr std::string_view kReading[] = {
      "abc",        "argparse",    "builtins",   "collections", "copy",
      "csv",        "dataclasses", "datetime",   "decimal",     "enum",
      "fractions",  "functools",   "hashlib",    "inspect",     "io",
      "itertools",  "json",        "logging",    "math",        "numbers",
      "numpy",      "os",          "pathlib",    "pickle",      "platform",
      "pprint",     "pypto",       "pytest",     "random",      "re",
      "shlex",      "shutil",      "statistics", "string",      "struct",
      "subprocess", "sys",         "tempfile",   "textwrap",    "time",
      "torch",      "torch_npu",   "traceback",  "typing",      "typing_extensions",
      "unittest",   "uuid",        "warnings",   "yaml",        "simpler",
      "golden",     "ml_dtypes",   "tqdm"};
  std::string_view top = path.substr(0, path.find('.'));
  return std::find(std::begin(kReading), std::end(kReading), top) != std::end(kReading) &&
         std::find(std::begin(kChanging), std::end(kChanging), path) == std::end(kChanging);
}

/// `x`, `*args`, `**kwargs`, `*` and `/` as parameters are spelled.
enum class Style : uint8_t { Plain, Rest, Keywords, Star, Slash };

Style styleOf(const syntax::Parameter &parameter) {
  if (parameter.name == "/") {
    return Style::Slash;
  }
  if (parameter.name.starts_with("**")) {
    return Style::Keywords;
  }
  if (parameter.name.starts_with('*')) {
    return parameter.name.size() == 1 ? Style::Star : Style::Rest;
  }
  return Style::Plain;
}

std::string_view bareName(const syntax::Parameter &parameter) {
  std::string_view name = parameter.name;
  while (name.starts_with('*')) {
    name.remove_prefix(1);
  }
  return name;
}

bool yields(const Expr *expr);

size_t bytesOf(Value value) { return value.is(Kind::Str) || value.is(Kind::Bytes) ? textOf(value).size() : 0; }

bool anyYields(const std::vector<const Expr *> &list) { return std::any_of(list.begin(), list.end(), yields); }

bool yields(const Expr *expr) {
  if (!expr) {
    return false;
  }
  if (expr->python) {
    if (expr->python->kind == PythonExpr::Kind::Yield) {
      return true;
    }
    const PythonExpr &python = *expr->python;
    return python.kind != PythonExpr::Kind::Lambda &&
           (anyYields(python.parts) || (!python.clauses.empty() && yields(python.clauses.front().iterable)) ||
            std::any_of(python.pieces.begin(), python.pieces.end(),
                        [](const syntax::FormatPiece &piece) { return yields(piece.value) || yields(piece.spec); }));
  }
  return anyYields(expr->children) || std::any_of(expr->keywords.begin(), expr->keywords.end(),
                                                  [](const syntax::Keyword &keyword) { return yields(keyword.value); });
}

void collect(const std::vector<const Stmt *> &statements, FunctionFacts &out) {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      continue;
    }
    if (stmt->kind == Stmt::Kind::Other && (stmt->text == "`global`" || stmt->text == "`nonlocal`")) {
      for (const Expr *name : stmt->operands) {
        (stmt->text == "`global`" ? out.globals : out.nonlocals).insert(name->text);
      }
    }
    out.generator =
        out.generator || yields(stmt->value) || anyYields(stmt->targets) || anyYields(stmt->operands) ||
        std::any_of(stmt->items.begin(), stmt->items.end(), [](const auto &item) { return yields(item.value); });
    collect(stmt->body, out);
    collect(stmt->orelse, out);
  }
}

/// `async` before the `def`; the tree does not say.
bool isCoroutine(const Stmt &definition, const source::SourceText &source) {
  std::string_view before = std::string_view(source.text).substr(0, definition.nameRange.begin);
  auto trim = [&] { before = before.substr(0, before.find_last_not_of(" \t\\\r\n") + 1); };
  trim();
  if (!before.ends_with("def")) {
    return false;
  }
  before.remove_suffix(3);
  trim();
  return before.ends_with("async");
}

} // namespace

const FunctionFacts *Interpreter::factsOf(const FunctionObject &function) {
  const void *key = function.definition ? static_cast<const void *>(function.definition) : function.lambda;
  auto [at, added] = facts_.try_emplace(key);
  if (added) {
    at->second = std::make_unique<FunctionFacts>();
    FunctionFacts &facts = *at->second;
    for (const syntax::Parameter &parameter : *function.parameters) {
      facts.locals.insert(bareName(parameter));
    }
    if (function.definition) {
      facts.coroutine = isCoroutine(*function.definition, *function.env->module->tree->source);
      assignedNames(function.definition->body, facts.locals);
      collect(function.definition->body, facts);
      for (std::string_view name : facts.globals) {
        facts.locals.erase(name);
      }
      for (std::string_view name : facts.nonlocals) {
        facts.locals.erase(name);
      }
    }
  }
  return at->second.get();
}

Value Interpreter::makeFunction(const Stmt *stmt, const PythonExpr *lambda, std::string_view name, Frame &frame) {
  auto *made = heap_.make<FunctionObject>();
  made->definition = stmt;
  made->lambda = lambda;
  made->parameters = stmt ? &stmt->parameters : &lambda->parameters;
  made->env = frame.env;
  made->name = name;
  for (const syntax::Parameter &parameter : *made->parameters) {
    Value value = parameter.defaultValue ? eval(*parameter.defaultValue, frame) : Value::raised();
    if (parameter.defaultValue && value.isRaised()) {
      return value;
    }
    made->defaults.push_back(value);
  }
  return Value::make(Kind::Function, made);
}

Value Interpreter::kernelDefinition(const Stmt &stmt, const Expr &decorator, std::string path, Frame &frame) {
  uint32_t instance = instances_[&stmt]++;
  auto *made = heap_.make<KernelObject>();
  made->function = &stmt;
  made->env = frame.env;
  made->owner = frame.owner;
  made->decorator = std::move(path);
  made->decoratorExpr = &decorator;
  made->prefix = frame.prefix;
  made->instance = instance;
  if (instance < kMaxInstances) {
    kernels_.push_back(made);
  }
  return Value::make(Kind::Kernel, made);
}

Interpreter::Flow Interpreter::functionStatement(const Stmt &stmt, Frame &frame) {
  std::vector<Value> decorators;
  for (const Expr *expr : stmt.decorators) {
    const Expr &callee = expr->kind == Expr::Kind::Call ? *expr->children[0] : *expr;
    Value value = eval(callee, frame);
    if (value.isRaised()) {
      return Flow::Raise;
    }
    if (value.is(Kind::Pl) && dialect_.makesKernel(textOf(value))) {
      bind(frame, stmt.name, kernelDefinition(stmt, *expr, textOf(value), frame), stmt.nameRange);
      return Flow::Next;
    }
    if (value.is(Kind::Pl) && dialect_.keepsFunction(textOf(value))) {
      continue;
    }
    decorators.push_back(&callee == expr ? value : eval(*expr, frame));
    if (decorators.back().isRaised()) {
      return Flow::Raise;
    }
  }
  Value function = makeFunction(&stmt, nullptr, stmt.name, frame);
  for (auto it = decorators.rbegin(); it != decorators.rend() && !function.isLost(); ++it) {
    function = call(*it, {function});
  }
  if (function.isRaised()) {
    return Flow::Raise;
  }
  bind(frame, stmt.name, function, stmt.nameRange);
  return Flow::Next;
}

bool Interpreter::bindParameters(FunctionObject &function, Arguments &arguments, Env &env, Value &problem) {
  const std::vector<syntax::Parameter> &parameters = *function.parameters;
  std::vector<bool> usedKeyword(arguments.keywords.size(), false);
  auto fail = [&](const std::string &why) {
    problem = raise("TypeError", std::string(function.name) + "() " + why, arguments.at);
    return false;
  };
  size_t next = 0;
  bool keywordOnly = false;
  const syntax::Parameter *rest = nullptr;
  const syntax::Parameter *keywords = nullptr;
  Place here{currentTree(), arguments.at ? arguments.at->range : source::ByteRange()};
  for (size_t i = 0; i < parameters.size(); ++i) {
    const syntax::Parameter &parameter = parameters[i];
    Style style = styleOf(parameter);
    if (style != Style::Plain) {
      keywordOnly = keywordOnly || style == Style::Rest || style == Style::Star;
      rest = style == Style::Rest ? &parameter : rest;
      keywords = style == Style::Keywords ? &parameter : keywords;
      continue;
    }
    Value value = Value::raised();
    if (!keywordOnly && next < arguments.positional.size()) {
      value = arguments.positional[next++];
    }
    for (size_t k = 0; k < arguments.keywords.size(); ++k) {
      if (arguments.keywords[k].first == parameter.name) {
        if (!value.isRaised()) {
          return fail("got multiple values for argument '" + std::string(parameter.name) + "'");
        }
        value = arguments.keywords[k].second;
        usedKeyword[k] = true;
      }
    }
    if (value.isRaised() && arguments.isOpen) {
      value = arguments.open;
    } else if (value.isRaised()) {
      value = function.defaults[i];
    }
    if (value.isRaised()) {
      return fail("missing 1 required argument: '" + std::string(parameter.name) + "'");
    }
    env.names.set(parameter.name, {value, parameter.nameRange, here, true});
  }
  std::vector<Value> more(arguments.positional.begin() +
                              static_cast<std::ptrdiff_t>(std::min(next, arguments.positional.size())),
                          arguments.positional.end());
  if (rest) {
    env.names.set(bareName(*rest),
                  {arguments.isOpen ? arguments.open : tuple(std::move(more)), rest->nameRange, here, true});
  } else if (!more.empty()) {
    return fail("takes " + std::to_string(next) + " positional arguments but " +
                std::to_string(arguments.positional.size()) + " were given");
  }
  Value dict = makeDict();
  for (size_t k = 0; k < arguments.keywords.size(); ++k) {
    if (usedKeyword[k]) {
      continue;
    }
    if (!keywords) {
      return fail("got an unexpected keyword argument '" + std::string(arguments.keywords[k].first) + "'");
    }
    Value ignored;
    dictSet(dict.as<DictObject>(), text(std::string(arguments.keywords[k].first)), arguments.keywords[k].second,
            ignored);
  }
  if (keywords) {
    env.names.set(bareName(*keywords), {arguments.isOpen ? arguments.open : dict, keywords->nameRange, here, true});
  }
  return true;
}

Value Interpreter::callFunction(FunctionObject &function, Arguments &arguments, Value self) {
  if (!spend(4) || depth_ + 8 >= limits_.depth) {
    return depth_ + 8 >= limits_.depth ? unknown("calls are nested too deep", arguments.at) : tooMuch();
  }
  // A recursion that only conditions end which are not known: it would be walked both ways at every level.
  constexpr unsigned kBlindLevels = 3;
  if (function.active >= kBlindLevels && ways_ >= function.waysBefore + kBlindLevels) {
    for (Value argument : arguments.positional) {
      lose(argument, unknown("a function that is not followed to its end may have changed it"));
    }
    mayRaise_ = true;
    return unknown("`" + std::string(function.name) + "` calls itself under conditions that are not known",
                   arguments.at);
  }
  Env *env = heap_.make<Env>();
  env->parent = function.env;
  env->module = function.env->module;
  env->facts = factsOf(function);
  Value problem;
  if (!bindParameters(function, arguments, *env, problem)) {
    return problem;
  }
  if (env->facts->coroutine) {
    for (Value argument : arguments.positional) {
      lose(argument, unknown("a coroutine may have changed it"));
    }
    mayRaise_ = true;
    return unknown("what `async def " + std::string(function.name) + "` gives", arguments.at);
  }
  self = self.isRaised() && !arguments.positional.empty() ? arguments.positional[0] : self;
  if (env->facts->generator) {
    auto *made = heap_.make<SequenceObject>();
    made->pending = &function;
    made->env = env;
    made->self = self;
    return Value::make(Kind::Iterator, made); // nothing of it runs before its first item is asked for
  }
  return runFunction(function, env, self, nullptr);
}

/// The body, with its parameters bound in `env`. What a generator yields goes to `yielded`.
Value Interpreter::runFunction(FunctionObject &function, Env *env, Value self, std::vector<Value> *yielded) {
  Frame frame;
  frame.env = env;
  frame.function = &function;
  frame.self = self;
  Frame *outer = frame_;
  frame_ = &frame;
  depth_ += 4;
  function.waysBefore = function.active == 0 ? ways_ : function.waysBefore;
  ++function.active;
  Value out;
  if (function.lambda) {
    out = eval(*function.lambda->parts[0], frame);
  } else {
    ran_.insert(function.definition);
    frame.prefix = "";
    Flow flow = block(function.definition->body, frame);
    out = flow == Flow::Return ? frame.returned : flow == Flow::Raise ? Value::raised() : Value::none();
    if (frame.mayHaveReturned && !out.isRaised()) {
      Value same = out.kind == frame.mayReturn.kind ? sameItem(out, frame.mayReturn) : Value::ofBool(false);
      out = same.is(Kind::Bool) && same.integer ? out
            : frame.mayReturn.isUnknown()
                ? frame.mayReturn
                : unknown("`" + std::string(function.name) + "` returns what depends on a condition that is not known");
    } else if (frame.mayHaveReturned) {
      out = frame.mayReturn; // that way raises: the function ended before
    }
    if (yielded) {
      *yielded = std::move(frame.yielded);
      out = out.isRaised() ? out : frame.mayHaveReturned ? unknown("how much a generator yields") : Value::none();
    }
    if (spent()) {
      out = tooMuch();
    }
  }
  --function.active;
  depth_ -= 4;
  frame_ = outer;
  return out;
}

Value Interpreter::call(Value function, std::vector<Value> positional) {
  Arguments arguments;
  arguments.positional = std::move(positional);
  return call(function, arguments);
}

Value Interpreter::callBuiltin(BuiltinObject &builtin, Arguments &arguments) {
  size_t read = bytesOf(builtin.self); // texts are read from one end to the other
  for (Value argument : arguments.positional) {
    read += bytesOf(argument);
  }
  if (!spendText(read)) {
    return tooMuch();
  }
  bool before = std::exchange(raisedNow_, false);
  Value out = builtin.function(*this, builtin.self, arguments);
  if (out.isRaised() && !raisedNow_) {
    out = unknown("this call of `" + std::string(builtin.name) + "`", arguments.at);
  }
  raisedNow_ = raisedNow_ || before;
  return out;
}

Value Interpreter::callPartial(PartialObject &partial, Arguments &arguments) {
  Arguments all = arguments;
  all.positional.insert(all.positional.begin(), partial.positional.begin(), partial.positional.end());
  for (const auto &[name, value] : partial.keywords) {
    bool given = std::any_of(arguments.keywords.begin(), arguments.keywords.end(),
                             [&, key = name](const auto &keyword) { return keyword.first == key; });
    if (!given) {
      all.keywords.emplace_back(name, value);
    }
  }
  return call(partial.function, all);
}

/// What the names of the language do outside of kernels.
Value Interpreter::callLanguage(const std::string &path, Arguments &arguments) {
  if (path == "pl.dynamic" && arguments.positional.size() == 1 && arguments.positional[0].is(Kind::Str)) {
    if (const std::string &name = textOf(arguments.positional[0]); !isIdentifier(name)) {
      Value shown = repr(arguments.positional[0]);
      return raise("ValueError",
                   "the name of a dynamic dimension must be an identifier" +
                       (shown.is(Kind::Str) ? ", got " + textOf(shown) : std::string()),
                   arguments.at);
    }
    return heap_.text(textOf(arguments.positional[0]), Kind::DynDim);
  }
  if (dialect_.keepsFunction(path) && arguments.positional.size() == 1 && arguments.positional[0].is(Kind::Function)) {
    return arguments.positional[0]; // inlined where it is called, as helpers are without it
  }
  if (path.ends_with(".get_byte")) {
    unsigned bytes = dialect_.bytesOf(path.substr(0, path.size() - 9));
    return bytes > 0 ? Value::ofInt(bytes) : unknown("the size of `" + path + "`", arguments.at);
  }
  if (arguments.at &&
      (path == "pl.TensorView" || path == "pl.TileView" || path == "pl.MemRef" || path == "pro.TileType")) {
    auto *type = heap_.make<TypeObject>();
    type->expr = arguments.at;
    type->env = frame_ ? frame_->env : nullptr;
    return Value::make(Kind::PlType, type);
  }
  return unknown("a call of `" + path + "`", arguments.at);
}

/// A library that is not evaluated; it may keep or change what it is given.
Value Interpreter::callForeign(const std::string &path, Arguments &arguments) {
  bool handled = false;
  Value out = tensorCall(path, arguments, handled);
  if (handled) {
    return out;
  }
  for (const auto &[name, value] : arguments.keywords) {
    if (name == "fn" && value.is(Kind::Kernel)) {
      return kernelCall(value, path, arguments);
    }
  }
  mayRaise_ = true;
  const bool reads = onlyReads(path);
  for (Value argument : arguments.positional) {
    if (!reads || argument.is(Kind::Iterator)) { // to read an iterator is to take from it
      lose(argument, unknown("`" + path + "` may have changed it", arguments.at));
    }
  }
  return unknown("a call of `" + path + "`", arguments.at);
}

Value Interpreter::call(Value function, Arguments &arguments) {
  if (function.is(Kind::Function)) {
    return callFunction(function.as<FunctionObject>(), arguments, Value::raised()); // it counts levels and steps itself
  }
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  switch (function.kind) {
  case Kind::Raised:
    return function;
  case Kind::Method: {
    auto &method = function.as<MethodObject>();
    arguments.positional.insert(arguments.positional.begin(), method.self);
    if (method.function.is(Kind::Function)) {
      return callFunction(method.function.as<FunctionObject>(), arguments, method.self);
    }
    return call(method.function, arguments);
  }
  case Kind::Builtin:
    return callBuiltin(function.as<BuiltinObject>(), arguments);
  case Kind::Partial:
    return callPartial(function.as<PartialObject>(), arguments);
  case Kind::Class:
    return instantiate(&function.as<ClassObject>(), arguments);
  case Kind::Kernel:
    return kernelCall(function, "", arguments);
  case Kind::Pl:
    return callLanguage(textOf(function), arguments);
  case Kind::Foreign:
    return callForeign(std::string(textOf(function)), arguments);
  case Kind::Instance: {
    ClassObject *type = function.as<InstanceObject>().type;
    if (const Slot *method = classAttribute(type, "__call__")) {
      return call(bindMember(method->value, function, type), arguments);
    }
    break;
  }
  case Kind::Unknown:
    mayRaise_ = true;
    for (Value argument : arguments.positional) {
      lose(argument, unknown("a function that is not known may have changed it"));
    }
    return function;
  default:
    break;
  }
  if (function.is(Kind::None) || function.isNumber() || function.is(Kind::Str) || function.isSequence() ||
      function.is(Kind::Dict)) {
    return raise("TypeError", "'" + typeName(function) + "' object is not callable", arguments.at);
  }
  return unknown("a call of " + typeName(function), arguments.at);
}

} // namespace placid::py
