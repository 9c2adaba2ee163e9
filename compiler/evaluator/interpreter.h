// SPDX-License-Identifier: Apache-2.0
// Evaluates modules and pure functions as Python would, from one entry file, without running anything real. Total: what
// it cannot follow is Unknown with the reason, what Python itself would refuse is a fault, and budgets of steps, bytes
// and depth bound all of it. Where a condition is not known, both ways are walked and a name keeps a value on which
// they agree. State of one evaluation; not for sharing between entries, because imports may change one another.
// One thread.
#pragma once

#include "compiler/evaluator/host.h"
#include "compiler/evaluator/value.h"

#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace placid::py {

struct Limits {
  uint64_t steps = 3'000'000; ///< Expressions and statements evaluated, in total.
  uint64_t unit = 1'000'000;  ///< Of these, for one statement of a module.
  size_t bytes = size_t{96} << 20;
  uint64_t main = 100'000;       ///< For each statement of `if __name__ == "__main__":`.
  uint64_t expression = 200'000; ///< For one evaluate().
  unsigned depth = 1200;         ///< Nested expressions, statements and calls together.
};

/// Something that Python would refuse.
struct Fault {
  enum class Type : uint8_t { Raises, NoModule, NoName, Cycle } type = Type::Raises;
  Place at;             ///< The expression, in whatever module.
  std::string message;  ///< "ZeroDivisionError: division by zero"; for NoName the name.
  std::string module;   ///< NoModule, NoName, Cycle: its dotted name.
  Place entryAt;        ///< The statement of the entry's text that leads there.
  bool assumed = false; ///< Defaults of environment or arguments were used before.
};

/// A call of a kernel by the code around it.
struct CallRecord {
  const KernelObject *kernel = nullptr;
  Arguments arguments;
  std::string through; ///< Empty for a direct call, "method" for `.compile(…)`, else the function it was handed to.
  Place at;
  bool guarded = false; ///< In a `try` or `with` that may expect it to fail.
};

struct FunctionFacts {
  std::set<std::string_view> locals; ///< Parameters included.
  std::set<std::string_view> globals;
  std::set<std::string_view> nonlocals;
  bool generator = false;
  bool coroutine = false; ///< `async def`
};

class Interpreter {
public:
  Interpreter(ModuleSource &modules, const Dialect &dialect, SearchPath search, Limits limits = {});
  ~Interpreter();
  Interpreter(const Interpreter &) = delete;
  Interpreter &operator=(const Interpreter &) = delete;

  // --- What the front end does, in this order.

  /// Replaces what module-level statements bind. A key is a name of the entry, or `module.name`.
  void define(const std::string &key, Value value) { defines_[key] = value; }
  ModuleObject *runEntry(std::shared_ptr<const syntax::Module> tree);
  /// Runs `if __name__ == "__main__":` for the calls it makes; its bindings are taken back afterwards.
  void runMain();
  /// True when functions of the entry hold kernels that nothing has made yet.
  bool hasBuilders() const;
  /// Runs such functions, with their defaults and unknown values.
  void runBuilders();
  /// The value of an expression where `env` is in force. Faults are not kept: a refused expression is Unknown.
  Value evaluate(const syntax::Expr &expr, Env *env);

  /// What all evaluate() did so far: their shares of the common budget, and how often they changed what was there
  /// before.
  struct LaterUse {
    uint64_t steps = 0;
    size_t bytes = 0;
    uint64_t changes = 0;
  };
  const LaterUse &laterUse() const { return laterUse_; }
  /// For evaluate() calls that need not be made again: what they took of the budget.
  void useLater(uint64_t steps, size_t bytes);

  Heap &heap() { return heap_; }
  const std::vector<KernelObject *> &kernels() const { return kernels_; }
  const std::vector<Fault> &faults() const { return faults_; }
  const std::vector<CallRecord> &calls() const { return calls_; }
  const std::map<std::string, ModuleObject *> &modules() const { return byPath_; }
  const std::set<std::string> &usedDefines() const { return usedDefines_; }
  /// The last evaluate() ended in what Python would refuse: "AttributeError: …".
  const std::string &refusal() const { return refusal_; }
  bool assumed() const { return assumed_; }

  // --- For the parts of the evaluator.

  /// One level deeper while it lives, in whatever calls itself. False where no level is left: the result is tooMuch().
  class Deeper {
  public:
    explicit Deeper(Interpreter &run) : depth_(run.depth_), fits_(run.depth_ < run.limits_.depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper &) = delete;
    Deeper &operator=(const Deeper &) = delete;
    explicit operator bool() const { return fits_; }

  private:
    unsigned &depth_;
    bool fits_;
  };

  Value unknown(std::string why, const syntax::Expr *at = nullptr);
  /// An exception of a built-in class.
  Value raise(std::string_view type, std::string message, const syntax::Expr *at = nullptr);
  Value text(std::string value) { return heap_.text(std::move(value)); }
  Value list(std::vector<Value> items) { return heap_.sequence(std::move(items), Kind::List); }
  Value tuple(std::vector<Value> items) { return heap_.sequence(std::move(items), Kind::Tuple); }
  Value foreign(std::string path) { return heap_.text(std::move(path), Kind::Foreign); }
  Value builtin(std::string_view name, BuiltinFunction function, Value self = Value::raised());
  /// A KeyError, whose argument is the key itself.
  Value raiseKey(Value key, const syntax::Expr *at = nullptr);
  /// False once the budget is used up; then everything is unknown. Whoever does work that grows with what it is given
  /// spends in proportion.
  bool spend(uint64_t amount);
  bool spendText(size_t bytes) { return spend(bytes / 64); }
  /// For a search of one text in another, which in the worst case looks at every pair of bytes.
  bool spendSearch(size_t whole, size_t part) {
    return spend(whole / 64 + (part < whole ? uint64_t{whole - part} * part / 1024 : 0));
  }
  /// The budget is used up: what statements bound since may not be what Python would have bound.
  bool spent() const { return exhausted_ || unitLeft_ == 0 || heap_.full(); }
  Value tooMuch();

  Value binary(std::string_view op, Value a, Value b, const syntax::Expr *at = nullptr);
  Value inPlace(std::string_view op, Value a, Value b, const syntax::Expr *at, bool &found);
  Value unary(std::string_view op, Value a, const syntax::Expr *at = nullptr);
  Value compare(std::string_view op, Value a, Value b, const syntax::Expr *at = nullptr);
  /// Bool, Unknown or Raised.
  Value truth(Value value);
  Value equal(Value a, Value b);
  /// Equality of items as containers ask for it: an object is the same as itself. Bool, Unknown or Raised.
  Value sameItem(Value a, Value b);
  /// a < b as sorting asks. Bool, Unknown or Raised.
  Value less(Value a, Value b, const syntax::Expr *at = nullptr);
  /// One of `<`, `<=`, `>`, `>=`.
  Value ordered(std::string_view op, Value a, Value b, const syntax::Expr *at = nullptr);
  Value identical(Value a, Value b);
  /// What the `__len__` of an object gives: Int, Unknown or Raised; `found` is false when there is none.
  Value lengthOf(Value instance, bool &found);
  Value contains(Value container, Value item, const syntax::Expr *at = nullptr);
  Value format(Value value, std::string_view spec, const syntax::Expr *at = nullptr);
  Value percentFormat(Value pattern, Value values, const syntax::Expr *at);
  Value str(Value value);
  Value repr(Value value);

  Value call(Value function, Arguments &arguments);
  Value call(Value function, std::vector<Value> positional);
  Value attribute(Value base, std::string_view name, const syntax::Expr *at = nullptr);
  /// None, Unknown or Raised.
  Value setAttribute(Value base, std::string_view name, Value value, source::ByteRange range);
  /// getattr with a default.
  Value attributeOr(Value base, std::string_view name, Value fallback, const syntax::Expr *at);
  Value subscript(Value base, Value index, const syntax::Expr *at = nullptr);
  Value setItem(Value base, Value index, Value value);
  Value deleteItem(Value base, Value index);
  /// Runs a generator that has not begun. `whole`: all of its items are asked for at once, so that what it changes
  /// changes before whoever asks goes on. None, Unknown or Raised.
  Value startIterator(SequenceObject &iterator, bool whole);
  enum class Pull : uint8_t { Item, End, Lost };
  /// The next item of an iterator. Lost: `item` is Unknown, and so is whether there is one, or it is Raised.
  Pull pull(SequenceObject &iterator, Value &item);
  /// What iter() gives: an Iterator, Unknown or Raised.
  Value iteratorOf(Value iterable, const syntax::Expr *at = nullptr);
  Value lazyIterator(LazyItems::Type type, std::vector<Value> sources);
  /// The items of an iterable, each once. The result is None, Unknown or Raised.
  Value iterate(Value iterable, std::vector<Value> &out, const syntax::Expr *at = nullptr);
  /// Where the order of a set does not matter.
  Value iterateUnordered(Value iterable, std::vector<Value> &out, const syntax::Expr *at = nullptr);

  /// Dicts and sets. nullopt: the key cannot be hashed or compared; `problem` is then the result to give.
  std::optional<uint64_t> hash(Value key, Value &problem);
  std::optional<uint64_t> hashInstance(Value key, Value &problem);
  DictObject::Entry *dictFind(DictObject &dict, Value key, Value &problem);
  DictObject::Entry *dictFind(DictObject &dict, Value key, uint64_t code, Value &problem);
  bool dictSet(DictObject &dict, Value key, Value value, Value &problem);
  bool dictErase(DictObject &dict, Value key, Value &problem);
  Value makeDict() { return Value::make(Kind::Dict, heap_.make<DictObject>()); }
  Value makeSet(const std::vector<Value> &items, Value &problem);

  /// To be called when an object changes.
  void noteChange(Object *object) {
    laterUse_.changes += laterMark_ != UINT64_MAX && object->serial <= laterMark_ ? 1 : 0;
    if (object->serial <= unitMark_) {
      changed_.insert(object);
    }
  }
  /// To be called before an object changes: in a way that may not be taken the object is lost instead.
  void touch(Object *object);
  /// The same for a dict; one that shows an instance's attributes takes the instance along.
  void touchDict(DictObject &dict);
  /// The value, or why it is lost.
  Value fetch(Value value);
  void setSlot(Namespace &names, std::string_view name, Slot slot);

  ClassObject *builtinClass(std::string_view name);
  Value instantiate(ClassObject *type, Arguments &arguments);
  /// What an attribute of a class is, through its bases; null when none has it.
  const Slot *classAttribute(const ClassObject *type, std::string_view name) const;
  ClassObject *typeOf(Value value);
  std::string typeName(Value value);
  /// dataclasses.replace
  Value replaceFields(Value instance, Arguments &changes);
  Value dataclassDict(Value instance, bool nested, const syntax::Expr *at);
  void makeDataclass(ClassObject *type, Arguments *options);
  Value libraryMember(std::string_view path);        ///< Raised when the module is not one that is modelled.
  Value methodOf(Value base, std::string_view name); ///< Of built-in types; Raised when there is none.
  Value tensorCall(std::string_view path, Arguments &arguments, bool &handled);
  Value tensorMethod(Value self, std::string_view name, Arguments &arguments);
  ModuleObject *importModule(std::string_view name, const syntax::Stmt &stmt, Value &problem);
  void assume() { assumed_ = true; }
  void record(CallRecord call) { calls_.push_back(std::move(call)); }
  void searchPathInsert(int64_t index, std::string folder);
  const SearchPath &search() const { return search_; }
  ModuleObject *entry() { return entry_; }
  const syntax::Module *currentTree() const;
  ModuleObject *currentModule() const { return frame_ ? frame_->env->module : nullptr; }
  const Dialect &dialect() const { return dialect_; }
  Value kernelCall(Value kernel, std::string_view method, Arguments &arguments);

private:
  enum class Flow : uint8_t { Next, Return, Break, Continue, Raise };
  struct Frame {
    Env *env = nullptr;
    Value returned = Value::none();
    bool mayHaveReturned = false;
    Value mayReturn;
    std::vector<Value> yielded;
    ClassObject *owner = nullptr; ///< While a class body runs.
    std::string prefix;           ///< Of qualified names.
    const FunctionObject *function = nullptr;
    Value self;                       ///< For super(); Raised when there is none.
    Frame *comprehensionOf = nullptr; ///< The frame around a comprehension.
  };
  struct Change {
    Namespace *names;
    std::string_view name;
    std::optional<Slot> before;
  };
  struct Journal {
    std::vector<Change> changes;
    std::map<std::pair<const Namespace *, std::string_view>, size_t> index;
  };
  using Block = std::vector<const syntax::Stmt *>;

  // statements.cpp, ways.cpp
  void runModule(ModuleObject *module);
  void recover(const syntax::Stmt &stmt, Frame &frame);
  std::string exceptionText(); ///< "ValueError: why" of what is raised.
  bool raises(std::string_view type);
  Flow block(const Block &statements, Frame &frame);
  Flow statement(const syntax::Stmt &stmt, Frame &frame);
  Flow assign(const syntax::Stmt &stmt, Frame &frame);
  Flow augment(const syntax::Stmt &stmt, Frame &frame);
  Flow ifStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow forStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow whileStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow matchStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow unknownMatch(const syntax::Stmt &stmt, size_t from, Value why, Frame &frame);
  Flow otherStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow unknownLoop(const syntax::Stmt &stmt, Value why, Frame &frame);
  Flow ways(const std::vector<std::function<Flow()>> &all, Frame &frame, Value why);
  struct Way;
  /// Runs one way and takes back what it made of the names.
  Way walk(const std::function<Flow()> &run);
  /// What the names are after the ways that come to an end; one name, or all that they changed.
  void joinWays(const std::vector<Way> &taken, Namespace &names, std::string_view name, Value why);
  void joinWays(const std::vector<Way> &taken, Value why);
  void forget(const Block &statements, Frame &frame, Value why);
  Flow bindTarget(const syntax::Expr &target, Value value, Frame &frame);
  void bind(Frame &frame, std::string_view name, Value value, source::ByteRange range);
  void bindSlot(Frame &frame, std::string_view name, Slot slot);
  void beginUnit(uint64_t steps);
  void loseChanged();
  // exceptions.cpp
  Flow assertStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow raiseStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow withStatement(const syntax::Stmt &stmt, Frame &frame);
  Flow withItem(const syntax::Stmt &stmt, size_t next, Frame &frame);
  Flow exitContext(const syntax::Stmt &stmt, Value context, Flow flow, Frame &frame);
  Flow tryStatement(const syntax::Stmt &stmt, Frame &frame);
  int handles(const syntax::Stmt &clause, Frame &frame); ///< 1 yes, 0 no, -1 not known
  Flow handlerBlock(const syntax::Stmt &clause, Value exception, Frame &frame);
  /// One of them, nobody knows which; `orNone`: or what ran already.
  Flow anyHandler(const std::vector<const syntax::Stmt *> &handlers, bool orNone, Frame &frame);
  /// The first that takes what was raised; `outer`: the exception that is handled around.
  Flow handleRaised(const std::vector<const syntax::Stmt *> &handlers, Value outer, Frame &frame);
  // patterns.cpp
  using Captures = std::vector<std::pair<const syntax::Expr *, Value>>;
  /// Bool, Unknown or Raised; what it captures so far is in `out`, also when it is false.
  Value matches(const syntax::Expr &pattern, Value value, Captures &out, Frame &frame);
  Value matchesClass(const syntax::Expr &pattern, Value value, Captures &out, Frame &frame);
  Value matchesMapping(const syntax::Expr &pattern, Value value, Captures &out, Frame &frame);
  Value matchesSequence(const syntax::Expr &pattern, Value value, Captures &out, Frame &frame);

  // attributes.cpp
  Value libraryAttribute(Value base, std::string_view name, const syntax::Expr *at);
  Value kernelAttribute(Value base, std::string_view name);

  // containers.cpp
  Value dictItem(DictObject &dict, Value index, const syntax::Expr *at);
  Value sliceOf(Value base, Value index, int64_t size, const std::vector<size_t> &at0, const syntax::Expr *at);
  bool take(const std::vector<Value> &out, uint64_t count);
  Value drain(SequenceObject &iterator, std::vector<Value> &out);

  // classes.cpp
  Value enumMember(ClassObject *type, Arguments &arguments);
  Value fillFields(ClassObject *type, InstanceObject &instance, Arguments &arguments, std::vector<Value> &forPost);

  // imports.cpp
  Flow importStatement(const syntax::Stmt &stmt, Frame &frame);
  /// Where `from x import …` takes its names from.
  struct ImportOrigin {
    std::string from;
    std::string_view prefix;        ///< The language module that `from` is, or empty.
    ModuleObject *module = nullptr; ///< Null: not found, a library, or a folder without __init__.py.
    Value problem;                  ///< What a name is where there is no module.
    std::string folder;             ///< Where modules of that name are looked for; empty: nowhere.
    bool relative = false;
  };
  Flow importFrom(const syntax::Stmt &stmt, Frame &frame);
  void findRelative(const syntax::Stmt &stmt, Frame &frame, ImportOrigin &origin);
  void findAbsolute(const syntax::Stmt &stmt, ImportOrigin &origin);
  bool importStar(const syntax::Stmt &stmt, const ImportOrigin &origin, Frame &frame); ///< False: too much.
  Value importedValue(const syntax::Stmt &stmt, std::string_view name, const ImportOrigin &origin);
  ModuleObject *loadPath(const std::string &path, const std::string &name, bool package, const syntax::Stmt &stmt);
  std::string locate(const std::string &folder, const std::string &relative, bool &package);
  std::string absolute(const std::string &path) const;
  void fault(Fault::Type type, source::ByteRange at, std::string message, std::string module);
  bool isForeignModule(std::string_view name) const;

  // definitions.cpp
  Flow functionStatement(const syntax::Stmt &stmt, Frame &frame);
  Value makeFunction(const syntax::Stmt *stmt, const syntax::PythonExpr *lambda, std::string_view name, Frame &frame);
  Value kernelDefinition(const syntax::Stmt &stmt, const syntax::Expr &decorator, std::string path, Frame &frame);
  bool finishEnum(ClassObject *type); ///< False: a member's `__init__` raises.
  Value callBuiltin(BuiltinObject &builtin, Arguments &arguments);
  Value callPartial(PartialObject &partial, Arguments &arguments);
  Value callLanguage(const std::string &path, Arguments &arguments);
  Value callForeign(const std::string &path, Arguments &arguments);
  const FunctionFacts *factsOf(const FunctionObject &function);
  Value callFunction(FunctionObject &function, Arguments &arguments, Value self);
  bool bindParameters(FunctionObject &function, Arguments &arguments, Env &env, Value &problem);

  Value runFunction(FunctionObject &function, Env *env, Value self, std::vector<Value> *yielded);

  // class_statement.cpp
  Flow classStatement(const syntax::Stmt &stmt, Frame &frame);
  Value takeBases(const syntax::Stmt &stmt, ClassObject *type, Frame &frame);
  Value announceSubclass(const syntax::Stmt &stmt, ClassObject *type, Frame &frame);

  // builders.cpp
  bool holdsNewKernel(const Block &statements) const;
  void findBuilders(const Block &statements, std::vector<const syntax::Stmt *> &out) const;
  void runBuilder(const syntax::Stmt &stmt, Env *around, unsigned depth);

  // expressions.cpp
  Value eval(const syntax::Expr &expr, Frame &frame);
  Value evalInner(const syntax::Expr &expr, Frame &frame);
  Value name(const syntax::Expr &expr, Frame &frame);
  const Slot *lookup(std::string_view name, Env *env, Value &openReason);
  Value callExpr(const syntax::Expr &expr, Frame &frame);
  Value subscriptExpr(const syntax::Expr &expr, Frame &frame);
  Value indexOf(const syntax::Expr &expr, Frame &frame);
  Value sequence(const syntax::Expr &expr, Frame &frame);
  Value compareExpr(const syntax::Expr &expr, Frame &frame);
  Value python(const syntax::Expr &expr, Frame &frame);
  Value conditional(const syntax::PythonExpr &parts, Frame &frame);
  Value dictDisplay(const syntax::PythonExpr &parts, Frame &frame);
  Value yieldExpression(const syntax::PythonExpr &parts, Frame &frame, const syntax::Expr &expr);
  Value fString(const syntax::PythonExpr &parts, Frame &frame, const syntax::Expr &at);
  Value comprehension(const syntax::Expr &expr, Frame &frame);
  bool comprehend(const syntax::PythonExpr &parts, size_t clause, Frame &frame, const std::function<bool()> &emit,
                  Value &problem);
  Pull pullLazy(SequenceObject &iterator, LazyItems &lazy, Value &item);
  Pull pullWalk(SequenceObject &iterator, LazyItems &lazy, Value &item);
  Pull pullGenerator(LazyItems &lazy, Value &item);
  /// Binds the targets and asks the conditions. Bool, Unknown or Raised.
  Value beginRound(const syntax::ComprehensionClause &clause, Value item, Frame &frame);
  Value superMember(const syntax::Expr &callee, Frame &frame);
  std::string spell(const syntax::Expr &expr) const;

  Value moduleAttribute(ModuleObject &module, std::string_view name, const syntax::Expr *at);
  Value instanceAttribute(Value base, std::string_view name, const syntax::Expr *at);
  Value classMember(ClassObject *type, std::string_view name, const syntax::Expr *at);
  Value plAttribute(Value base, std::string_view name);
  Value bindMember(Value member, Value self, ClassObject *type);
  Value setOperation(std::string_view op, DictObject &left, DictObject &right);
  // comparison.cpp
  Value equalInstances(Value a, Value b);
  Value equalFields(Value a, Value b);
  Value equalDicts(DictObject &x, DictObject &y);
  Value textFrom(Value value, std::string_view method);
  Value reprOfSequence(Value value);
  Value reprOfDict(Value value);
  Value reprOfInstance(Value value);
  Value orderedInstances(std::string_view op, Value a, Value b, bool &found);
  /// What a special method gives; `found` is false when the class has none, or it gives NotImplemented.
  Value dunder(Value self, std::string_view name, std::vector<Value> arguments, bool &found);
  std::optional<Value> instanceOperator(std::string_view op, Value a, Value b);
  std::optional<Value> builtinOperator(std::string_view op, Value a, Value b, const syntax::Expr *at);
  Value concatenated(Value a, Value b);
  Value repeated(Value what, int64_t times);
  Value mergedDicts(Value a, Value b);
  void setUpBuiltins();
  void lose(Value argument, Value why);
  /// To be called where evaluate() does what shows outside of it.
  void noteLater() { laterUse_.changes += laterMark_ != UINT64_MAX ? 1 : 0; }

  ModuleSource &source_;
  const Dialect &dialect_;
  SearchPath search_;
  Limits limits_;
  Heap heap_;
  uint64_t stepsLeft_;
  uint64_t unitLeft_;
  uint64_t laterSteps_; ///< For all of evaluate().
  size_t laterBytes_;
  LaterUse laterUse_;
  uint64_t unitMark_ = 0; ///< Objects up to this serial existed before the statement that unitLeft_ is for.
  std::unordered_set<Object *> changed_; ///< Of these, what the statement changed. Never walked for its order.
  std::set<std::pair<Env *, std::string_view>> changedNames_;
  uint64_t laterMark_ = UINT64_MAX; ///< While evaluate() runs: objects up to this serial existed before. Else none.
  unsigned depth_ = 0;
  bool exhausted_ = false;
  bool assumed_ = false;
  unsigned tries_ = 0;     ///< `try` bodies around.
  unsigned contexts_ = 0;  ///< `with` blocks around that may end an exception.
  bool mayRaise_ = false;  ///< Something unknown was called: an exception may have come of it.
  unsigned ways_ = 0;      ///< Ways around that are not known to be taken.
  unsigned uncertain_ = 0; ///< Ways and recoveries around: faults are not certain.
  uint64_t mark_ = 0;      ///< Objects up to this serial existed before the innermost way.
  std::vector<Journal> journals_;
  bool raisedNow_ = false; ///< raise() was called; tells a failing built-in from one that lacks an argument.
  Value exception_;        ///< What is raised.
  Place exceptionAt_;
  Frame *frame_ = nullptr;
  const syntax::Stmt *entryStatement_ = nullptr; ///< The statement of the entry that runs.
  std::string refusal_;

  ModuleObject *entry_ = nullptr;
  std::map<std::string, ModuleObject *> byPath_;
  std::map<std::string, ModuleObject *> byName_;
  Env *builtins_ = nullptr;
  std::map<std::string, ClassObject *, std::less<>> builtinClasses_;
  std::map<std::string, Value> defines_;
  std::set<std::string> usedDefines_;
  std::vector<KernelObject *> kernels_;
  std::map<const syntax::Stmt *, uint32_t> instances_;
  std::set<const syntax::Stmt *> ran_; ///< Functions that were called.
  std::map<const void *, std::unique_ptr<FunctionFacts>> facts_;
  std::vector<Fault> faults_;
  std::vector<CallRecord> calls_;
  std::map<std::string, Value, std::less<>> libraryCache_;
};

/// The value of an IntEnum's member; anything else as it is.
Value enumValue(Value value);

/// Names that the statements bind, nested blocks included, functions' insides not.
void assignedNames(const std::vector<const syntax::Stmt *> &statements, std::set<std::string_view> &out);

} // namespace placid::py
