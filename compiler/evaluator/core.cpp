// SPDX-License-Identifier: Apache-2.0
// What every part of the evaluator uses: budgets, exceptions, the types of values, the built-in names.
#include "compiler/evaluator/builtin_names.h"
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;

namespace {

struct ExceptionRow {
  std::string_view name;
  std::string_view base;
};
constexpr ExceptionRow kExceptions[] = {
    {"BaseException", "object"},
    {"Exception", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"LookupError", "Exception"},
    {"NameError", "Exception"},
    {"OSError", "Exception"},
    {"RuntimeError", "Exception"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"Warning", "Exception"},
    {"KeyboardInterrupt", "BaseException"},
    {"SystemExit", "BaseException"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"ModuleNotFoundError", "ImportError"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"UnboundLocalError", "NameError"},
    {"FileNotFoundError", "OSError"},
    {"FileExistsError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"UnicodeError", "ValueError"},
    {"UserWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"FrozenInstanceError", "AttributeError"},
    {"StopAsyncIteration", "Exception"},
    {"GeneratorExit", "BaseException"},
    {"MemoryError", "Exception"},
    {"ReferenceError", "Exception"},
    {"ConnectionError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"FutureWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
};

/// Names of OSError from before Python 3.3.
constexpr std::string_view kOsErrors[] = {"IOError", "EnvironmentError"};

} // namespace

Interpreter::Interpreter(ModuleSource &modules, const Dialect &dialect, SearchPath search, Limits limits)
    : source_(modules), dialect_(dialect), search_(std::move(search)), limits_(limits), heap_(limits.bytes),
      stepsLeft_(limits.steps), unitLeft_(limits.unit), laterSteps_(limits.steps), laterBytes_(limits.bytes) {
  setUpBuiltins();
}

Interpreter::~Interpreter() = default;

const syntax::Module *Interpreter::currentTree() const {
  return frame_ && frame_->env->module ? frame_->env->module->tree.get() : nullptr;
}

ModuleObject *Interpreter::runEntry(std::shared_ptr<const syntax::Module> tree) {
  entry_ = heap_.make<ModuleObject>();
  entry_->name = "__main__";
  entry_->path = tree->source->path;
  entry_->tree = std::move(tree);
  entry_->env = heap_.make<Env>();
  entry_->env->type = Env::Type::Module;
  entry_->env->module = entry_;
  entry_->env->names.set("__name__", {text("__main__"), {}, {}, true});
  entry_->env->names.set("__file__", {text(absolute(entry_->path)), {}, {}, true});
  runModule(entry_);
  return entry_;
}

bool Interpreter::spend(uint64_t amount) {
  if (exhausted_ || amount > unitLeft_ || amount > stepsLeft_ || heap_.full()) {
    exhausted_ = exhausted_ || (amount <= unitLeft_ && amount > stepsLeft_); // one large wish takes its statement alone
    unitLeft_ = 0;
    return false;
  }
  unitLeft_ -= amount;
  stepsLeft_ -= amount;
  return true;
}

void Interpreter::beginUnit(uint64_t steps) {
  // Small statements are followed whatever the ones before them took: kernels are among them.
  constexpr uint64_t kReserve = 2000;
  constexpr size_t kReserveBytes = 4096;
  if (stepsLeft_ < kReserve) {
    stepsLeft_ = kReserve;
    exhausted_ = false;
  }
  if (heap_.full()) {
    heap_.setBudget(heap_.used() + kReserveBytes);
  }
  unitLeft_ = steps;
  unitMark_ = heap_.serial();
  changed_.clear();
  changedNames_.clear();
}

Value Interpreter::tooMuch() { return unknown("there is too much to compute before it"); }

Value Interpreter::unknown(std::string why, const Expr *at) {
  mayRaise_ = true;
  return heap_.unknown(std::move(why), {currentTree(), at ? at->range : source::ByteRange()});
}

Value Interpreter::raise(std::string_view type, std::string message, const Expr *at) {
  auto *made = heap_.make<InstanceObject>();
  made->type = builtinClass(type);
  if (message.size() > 400) {
    message.resize(400);
  }
  made->items = {text(std::move(message))};
  exception_ = Value::make(Kind::Instance, made);
  exceptionAt_ = {currentTree(), at ? at->range : source::ByteRange()};
  raisedNow_ = true;
  return Value::raised();
}

Value Interpreter::raiseKey(Value key, const Expr *at) {
  raise("KeyError", "", at);
  exception_.as<InstanceObject>().items = {key};
  return Value::raised();
}

std::string Interpreter::exceptionText() {
  if (!exception_.is(Kind::Instance)) {
    return "an exception";
  }
  std::string out = typeName(exception_);
  Value shown = str(exception_);
  return shown.is(Kind::Str) && !textOf(shown).empty() ? out + ": " + textOf(shown) : out;
}

bool Interpreter::raises(std::string_view type) {
  return exception_.is(Kind::Instance) && exception_.as<InstanceObject>().type->derives(builtinClass(type));
}

Value Interpreter::builtin(std::string_view name, BuiltinFunction function, Value self) {
  auto *made = heap_.make<BuiltinObject>();
  made->name = name;
  made->function = function;
  made->self = self;
  return Value::make(Kind::Builtin, made);
}

ClassObject *Interpreter::builtinClass(std::string_view name) {
  auto found = builtinClasses_.find(name);
  if (found != builtinClasses_.end()) {
    return found->second;
  }
  auto *made = heap_.make<ClassObject>();
  made->name = heap_.intern(name);
  made->env = heap_.make<Env>();
  made->env->type = Env::Type::Class;
  made->order = {made};
  builtinClasses_.emplace(std::string(name), made);
  if (name == "bool") {
    made->order.push_back(builtinClass("int"));
  }
  for (const ExceptionRow &row : kExceptions) {
    if (row.name == name) {
      made->isException = true;
      const std::vector<ClassObject *> &base = builtinClass(row.base)->order;
      made->order.insert(made->order.end(), base.begin(), base.end());
      return made;
    }
  }
  if (name != "object") {
    made->order.push_back(builtinClass("object"));
  }
  made->isEnum = name == "Enum" || name == "IntEnum" || name == "StrEnum";
  made->isIntEnum = name == "IntEnum" || name == "StrEnum";
  if (made->isIntEnum) {
    made->order.insert(made->order.begin() + 1, builtinClass(name == "IntEnum" ? "int" : "str"));
  }
  if (name == "defaultdict" || name == "Counter" || name == "OrderedDict") {
    made->order.insert(made->order.begin() + 1, builtinClass("dict"));
  }
  made->isNamedTuple = name == "NamedTuple";
  if (made->isNamedTuple) {
    made->order.insert(made->order.begin() + 1, builtinClass("tuple"));
  }
  return made;
}

void Interpreter::setUpBuiltins() {
  builtins_ = heap_.make<Env>();
  builtins_->type = Env::Type::Module;
  auto add = [&](std::string_view name, Value value) { builtins_->names.set(name, {value, {}, {}, true}); };
  support::addFunctions(*this, add);
  support::addClasses([&](std::string_view name, BuiltinFunction function) {
    ClassObject *type = builtinClass(name);
    type->env->names.set("__new__", {builtin(name, function), {}, {}, true});
    add(name, Value::make(Kind::Class, type));
  });
  add("object", Value::make(Kind::Class, builtinClass("object")));
  for (const ExceptionRow &row : kExceptions) {
    if (isBuiltinName(row.name)) {
      add(row.name, Value::make(Kind::Class, builtinClass(row.name)));
    }
  }
  for (std::string_view name : kOsErrors) {
    add(name, Value::make(Kind::Class, builtinClass("OSError")));
  }
  support::addReflection(*this, add);
  for (std::string_view name : kBuiltinNames) {
    if (!builtins_->names.find(name)) { // one without a meaning here
      add(name, foreign("builtins." + std::string(name)));
    }
  }
}

ClassObject *Interpreter::typeOf(Value value) {
  switch (value.kind) {
  case Kind::None:
    return builtinClass("NoneType");
  case Kind::Bool:
    return builtinClass("bool");
  case Kind::Int:
  case Kind::Big:
    return builtinClass("int");
  case Kind::Float:
    return builtinClass("float");
  case Kind::Str:
    return builtinClass("str");
  case Kind::Bytes:
    return builtinClass("bytes");
  case Kind::List:
    return builtinClass("list");
  case Kind::Tuple:
    return builtinClass("tuple");
  case Kind::Dict:
    return value.as<DictObject>().type ? value.as<DictObject>().type : builtinClass("dict");
  case Kind::Set:
    return builtinClass("set");
  case Kind::Range:
    return builtinClass("range");
  case Kind::Function:
    return builtinClass("function");
  case Kind::Instance:
    return value.as<InstanceObject>().type;
  default:
    return nullptr;
  }
}

std::string Interpreter::typeName(Value value) {
  if (ClassObject *type = typeOf(value)) {
    return std::string(type->name);
  }
  switch (value.kind) {
  case Kind::Unknown:
    return "a value that is not known";
  case Kind::Class:
    return "type";
  case Kind::Module:
    return "module";
  case Kind::Method:
    return "method";
  case Kind::Builtin:
    return "builtin_function_or_method";
  case Kind::Iterator:
    return "generator";
  case Kind::Kernel:
    return "a kernel";
  case Kind::Tensor:
    return "Tensor";
  case Kind::Pl:
  case Kind::Foreign:
    return "`" + textOf(value).substr(0, 80) + "`";
  case Kind::DynDim:
    return "a dynamic dimension";
  case Kind::PlType:
    return "a PL type";
  default:
    return "object";
  }
}

Value Interpreter::attributeOr(Value base, std::string_view name, Value fallback, const Expr *at) {
  Value before = exception_;
  Place beforeAt = exceptionAt_;
  Value out = attribute(base, name, at);
  if (out.isRaised() && raises("AttributeError")) {
    exception_ = before;
    exceptionAt_ = beforeAt;
    return fallback;
  }
  return out;
}

Value Interpreter::kernelCall(Value kernel, std::string_view method, Arguments &arguments) {
  constexpr size_t kMaxCalls = 256;
  if (calls_.size() < kMaxCalls) {
    CallRecord record;
    record.kernel = &kernel.as<KernelObject>();
    record.arguments = arguments;
    record.through = method;
    record.at = {currentTree(), arguments.at ? arguments.at->range : source::ByteRange()};
    record.guarded = tries_ > 0 || contexts_ > 0;
    calls_.push_back(std::move(record));
  }
  mayRaise_ = true;
  return unknown("what the kernel `" + std::string(kernel.as<KernelObject>().function->name) + "` returns",
                 arguments.at);
}

} // namespace placid::py
