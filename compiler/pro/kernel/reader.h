// SPDX-License-Identifier: Apache-2.0
// Reads the body of one kernel as the runtime does: once for each core, constants folded, helpers inlined, both ways of
// what is not known. Each statement recovers alone. What a call of an operation has to satisfy is in
// compiler/pro/rules; the reader knows values, statements and who is called. One thread.
#pragma once

#include "compiler/evaluator/interpreter.h"
#include "compiler/frontend/program.h"
#include "compiler/pro/kernel/report.h"
#include "compiler/pro/kernel/trace.h"
#include "compiler/pro/ops.h"

#include <deque>
#include <map>
#include <set>
#include <stop_token>
#include <tuple>

namespace placid::pro {

struct Argument {
  const syntax::Expr *expr = nullptr; ///< Null when it is not given.
  Value value;
  Site at;
  bool given() const { return expr != nullptr; }
};

/// A call of an operation with its arguments in the order of its row.
struct Call {
  const OpRow *row = nullptr;
  const syntax::Expr *expr = nullptr;
  Site at;
  std::vector<Argument> arguments;
  bool open = false;                               ///< `*args`: what is missing may be given.
  bool foreign = false;                            ///< Has a keyword that its row does not know.
  std::vector<Argument> variadic;                  ///< All of a `*name` parameter, whose own is the last of them.
  std::vector<const syntax::Expr *> extra;         ///< Positional arguments that no parameter takes.
  std::vector<const syntax::Keyword *> unexpected; ///< Keywords without a parameter.
  std::vector<const syntax::Keyword *> repeated;   ///< Keywords whose parameter has an argument already.
  bool bound = true;                               ///< False for a call whose result is dropped.

  const Argument &get(std::string_view name) const;
};

/// What is known of a tile at one point.
struct TileState {
  enum class Valid : uint8_t { Declared, Set, Unknown } valid = Valid::Declared;
  std::vector<Extent> extents; ///< Valid::Set
  std::vector<Index> indices;  ///< The same as expressions; null where not known.
  Site validAt;
  bool loading = false;  ///< Loaded, and neither read nor waited for since.
  bool unsynced = false; ///< Loaded, and no synchronisation since.
  Site loadAt;
};

/// True where something is called in the expression.
bool calls(const syntax::Expr &expr);
/// True where a `return`, or with `inLoop` a `break` or `continue` of the loop around, is among the statements.
bool jumps(const std::vector<const syntax::Stmt *> &statements, bool inLoop);

/// A transfer between an NZ tensor and a tile, for whoever shows it. Its extents are constant.
struct NzAccess {
  struct Offset {
    Extent constant;
    std::string text; ///< As written, in elements; "?" where it counts tiles of an extent that is not known.
    Index index;      ///< In elements; null where it is constant or not known.
  };
  bool load = false;
  std::string tensor;
  std::string tile;
  Site at;
  int64_t c0 = 0;
  std::vector<Offset> offsets; ///< One an axis of the tensor, at least two. Empty: it was refused before they counted.
  std::vector<Extent> extents; ///< Of the tensor.
  int64_t rows = 0;
  int64_t columns = 0;
};

class KernelReader {
public:
  struct Setup {
    target::Arch arch = target::Arch::A5;
    bool autoMutex = true;
    bool chooseSlots = false; ///< For a trace: which slot of a group a tile is, is a number of run time.
    std::vector<std::string_view> tilingKeys; ///< Names whose numbers the launch chooses, for each a kernel of its own.
    std::set<std::string, std::less<>> dtypeNames; ///< Names that the launch binds to dtypes.
    /// Where what each core runs is written down, one trace a reading; null: nobody wants it.
    std::deque<Trace> *traces = nullptr;
  };
  KernelReader(const frontend::Program &program, const frontend::KernelDecl &kernel, Setup setup,
               std::vector<diag::Diagnostic> &out, std::stop_token stop);
  void read();
  bool stopped() const { return stopped_; }
  /// In the order in which they were declared, of the last reading.
  const std::deque<TensorInfo> &tensors() const { return tensors_; }
  /// Names bound to tile types, tiles and groups, with what they were bound to; in order of places. What readings of
  /// one place made of different types is there once for each.
  struct Bound {
    std::string name;
    Site at; ///< The expression that makes it.
    Value value;
    const TileTypeInfo *type() const;
  };
  std::vector<Bound> bound() const;
  /// In the order of reading, one a place; the first that was read to its end.
  const std::vector<NzAccess> &accesses() const { return accesses_; }
  void noteAccess(NzAccess access);

  // --- For the rules.

  target::Arch arch() const { return setup_.arch; }
  bool autoMutex() const { return setup_.autoMutex; }
  Reports::Entry report(const Message &kind, Site at, const std::string &message) {
    return reports_.report(kind, at, message);
  }
  /// The section around the current statement: Any outside of all.
  Core section() const { return section_; }
  Site site(const syntax::Expr &expr) const;
  std::string_view textOf(Site at) const;
  Value evaluate(const syntax::Expr &expr);
  /// The items of a list or tuple, each with its own place where it is written out; nothing for what is none.
  struct Item {
    Value value;
    Site at;
    const syntax::Expr *expr = nullptr; ///< Null where it is not written out.
  };
  std::optional<std::vector<Item>> items(const Argument &argument);
  std::optional<std::vector<Value>> itemsOf(const Value &value);
  TileState &state(const TileInfo &tile);
  /// The loops and conditions around the current statement.
  const Loops &loops() const { return loops_; }
  /// The part of a tile that is in use: what was set last, else declared, else its shape. Nothing for extents that are
  /// not known.
  std::vector<Extent> validOf(const TileInfo &tile);
  void noteUnknown(const Argument &argument);
  TileTypeInfo &newTileType() { return tileTypes_.emplace_back(); }
  TileInfo &newTile();
  GroupInfo &newGroup() { return groups_.emplace_back(); }
  TensorInfo &newTensor() { return tensors_.emplace_back(); }
  TensorInfo &lastTensor() { return tensors_.back(); }
  const std::string &target() const { return target_; }
  /// Reads as the module of `env` does, where an annotation or a type was written: its names, its places.
  template <class Read> auto inModuleOf(py::Env *env, Read read) {
    Frame &frame = frames_.emplace_back();
    frame.env = env;
    frame.module = env->module->tree.get();
    frame.helper = true;
    auto out = read();
    frames_.pop_back();
    return out;
  }
  /// What is placed so far in this reading.
  struct Placed {
    Space space = Space::Vec;
    int64_t begin = 0;
    int64_t end = 0;
    Site at;
    std::string name;
  };
  std::vector<Placed> placed;
  /// Synchronisation between the cores. Whether both have a section is known at the end only.
  struct CrossCore {
    Site at;
    bool sets = false;
    std::string message(std::string_view missing) const;
  };
  void crossCore(CrossCore one) { crossCores_.push_back(one); }
  void order(); ///< Everything pending is done.
  /// A shape that does not fill its boxes: told at the end, unless a transfer of such a tile says more.
  void suspectShape(const TileTypeInfo &type, std::string message);
  void settleShape(const TileTypeInfo &type) { settled_.insert({type.at.module, type.at.range.begin}); }
  /// Where a name was bound, for notes: in the kernel, or around it.
  Site bindingOf(const syntax::Expr &expr) const;

private:
  struct Local {
    Value value;
    Site at;
    uint64_t bound = 0; ///< Order of binding; 0: before everything.
  };
  /// A loop's body that is being read.
  struct Round {
    size_t frames = 0;
    uint64_t begun = 0; ///< The bindings before it.
    Site at;
    std::map<std::string_view, Site> used; ///< Names of before it that it read before it bound them.
    /// Names of numbers that it changes, with what the trace carries of them.
    std::vector<std::pair<std::string_view, TraceCarried>> carried;
    std::vector<std::pair<int, TraceCarried>> cells; ///< Numbers in structs that it changes.
    bool returns = false;                            ///< It may leave the function.
  };
  struct Frame {
    std::map<std::string_view, Local> locals;
    py::Env *env = nullptr;
    const syntax::Module *module = nullptr;
    const syntax::Stmt *function = nullptr;
    bool helper = false;
    bool vector = false; ///< Of `@pl.vector_function`.
    py::Value vf;        ///< There: what `vf` is without an import.
    bool returned = false;
    Value result;
  };
  /// What branches change.
  struct Flow {
    std::map<std::string_view, Local> locals;
    std::map<int, Local> cells;
    std::map<unsigned, TileState> tiles;
    bool ended = false;
  };
  struct Sections {
    bool cube = false;
    bool vector = false;
  };
  using Block = std::vector<const syntax::Stmt *>;

  void readOnce(Core core);
  void findSections(const Block &block, py::Env *env, std::set<const syntax::Stmt *> &seen);
  void findSections(const syntax::Expr *expr, py::Env *env, std::set<const syntax::Stmt *> &seen);

  // statements.cpp
  void block(const Block &statements);
  void statement(const syntax::Stmt &stmt);
  void refused(const syntax::Stmt &stmt);
  void assign(const syntax::Stmt &stmt);
  /// What gives nothing stands where a value belongs.
  void resultless(std::string_view path, const syntax::Expr &call);
  void augment(const syntax::Stmt &stmt);
  void bind(const syntax::Expr &target, Value value);
  void forLoop(const syntax::Stmt &stmt);
  void whileLoop(const syntax::Stmt &stmt);
  bool countedLoop(const syntax::Stmt &stmt);
  bool boundOf(const syntax::Expr &condition, std::string_view &name, const syntax::Expr *&end, int64_t &factor,
               int64_t &more);
  bool boundedLoop(const syntax::Stmt &stmt);
  void loopBody(const syntax::Stmt &stmt, const syntax::Expr *index, const Index &variable = nullptr);
  void branch(const Block &statements, const Index &condition, bool expected);
  // leaving.cpp: `break`, `continue` and `return` in a trace, and numbers that rounds change.
  static constexpr int64_t kContinue = 1, kBreak = 2, kReturn = 3;
  static constexpr std::string_view kLeftName = " left";     ///< Of the local that says how the code was left; 0: not.
  static constexpr std::string_view kResultName = " result"; ///< Of the local that a helper returns.
  void leave(int64_t how, Site at);
  void setPseudo(std::string_view name, Value value);
  /// What such a local is behind a branch, of which the second way was read last.
  Value joinedPseudo(std::string_view name, const Flow &first, std::vector<TraceJoined> &joins, Site at);
  /// Where the code may have been left before this statement: reads the others under that condition.
  bool restUnderCondition(const Block &statements, size_t at);
  void endWays(const Flow &first, Site at);
  void beginRounds(const syntax::Stmt &stmt, Round &round);
  std::vector<std::pair<std::string_view, Value>> endRounds();
  void ifStatement(const syntax::Stmt &stmt);
  void withStatement(const syntax::Stmt &stmt);
  void returnStatement(const syntax::Stmt &stmt);
  /// What `pl.range(…)` gives: start, end, step.
  std::vector<Value> checkRange(const syntax::Expr &call);
  void nextRound(const Flow &before);
  /// `while i < end`, where each round adds a constant to `i` and nothing else changes it or `end`.
  struct Counted {
    const syntax::Stmt *increment = nullptr;
    std::string_view name;
    const syntax::Expr *end = nullptr;
    bool inclusive = false;
    bool leaves = false; ///< By `break` or `return`.
    int64_t step = 0;
  };
  std::optional<Counted> countedWhile(const syntax::Stmt &stmt);
  Flow save();
  void forgetPlain();
  void restore(const Flow &flow);
  void join(const Flow &other);
  Value joined(const Value &a, const Value &b);
  bool joinPart(TileState &ours, const TileState &theirs);
  /// While two ways are joined whose condition is not known at all: then even numbers are not of run time.
  const std::string *joinReason_ = nullptr;
  std::vector<TraceJoined> *joins_ = nullptr; ///< Where numbers that differ by the way become variables.
  Site joinsAt_;

  // expressions.cpp
  Value evaluateInner(const syntax::Expr &expr);
  Value name(const syntax::Expr &expr);
  bool bindsLater(std::string_view name) const;
  Value attribute(const syntax::Expr &expr);
  Value attribute(const syntax::Expr &expr, const Value &base);
  /// What a call calls, where that is a name or an attribute of one; looking at it has no effect. Else nothing.
  Value plainCallee(const syntax::Expr &expr);
  Value subscript(const syntax::Expr &expr);
  Value part(const Value &tile);
  /// `container[i, j] = value` of a tensor or tile; false for other containers.
  bool assignElement(const syntax::Expr &target, const Value &value);
  std::vector<Index> elementIndices(const syntax::Expr &subscript);
  Value arithmetic(const syntax::Expr &expr);
  Value python(const syntax::Expr &expr);
  Value tracedConditional(const syntax::Expr &expr, const Value &tested, const Index &chooses);
  Value comprehension(const syntax::PythonExpr &parts);
  Value fromPython(py::Value value);
  std::optional<py::Value> toPython(const Value &value);
  bool mentionsLocal(const syntax::Expr &expr) const;

  // calls.cpp
  Value call(const syntax::Expr &expr);
  Value callPath(std::string_view path, const syntax::Expr &expr);
  Value structure(std::string_view path, const syntax::Expr &expr);
  // fields.cpp: numbers in structs, each a cell of a trace.
  struct CellChoice {
    int cell = 0;
    Index when; ///< Null: surely.
  };
  /// The fields that the body of a loop assigns.
  struct AssignedFields {
    std::set<std::string_view> bound;                 ///< Names that the loop binds.
    std::set<std::string_view> anywhere;              ///< Of a struct that is not known,
    std::set<std::pair<int, std::string_view>> known; ///< and of those that are.
    std::set<const syntax::Stmt *> seen;              ///< Helpers.
  };
  int cell(int structure, std::string_view field, int64_t item);
  void declareCells(const Value &made, std::string_view field, const Value &first, Site at);
  std::vector<CellChoice> cellsOf(const Value &owner, std::string_view field, const Index *item, size_t length);
  Index chosen(const Index &when, const Index &then, const Index &otherwise, Site at);
  Value readCells(const Value &owner, std::string_view field, const Index *item, const Value &held, size_t length,
                  Site at);
  void writeCells(const Value &owner, std::string_view field, const Index *item, const Value &value, size_t length,
                  Site at);
  bool assignField(const syntax::Expr &target, const Value &value);
  // tile_choices.cpp
  void chooseByWay(TileInfo &made, TileInfo *then, TileInfo *otherwise);
  void chooseSlot(TileInfo &made, GroupInfo &group, const Index &which, Site at);
  std::optional<Value> pickItem(const std::vector<Value> &items, const Index &which, Site at);
  void declareCursor(GroupInfo &group, Site at);
  bool takeByCursor(TileInfo &made, GroupInfo &group, std::string_view method, Site at);
  static void notesTurn(const syntax::Expr &call, AssignedFields &out);
  Value structItem(const Value &base, const Value &which, Site at);
  /// `ofFrame`: the statements are of the function that is being read.
  void assignedFields(const Block &statements, py::Env *env, bool ofFrame, AssignedFields &out);
  void assignedFields(const syntax::Expr *expr, py::Env *env, bool ofFrame, AssignedFields &out);
  void assignedField(const syntax::Expr &target, bool ofFrame, AssignedFields &out);
  void beginCells(const syntax::Stmt &stmt, const std::set<std::string_view> &bound, Round &round);
  std::vector<std::pair<int, Index>> endCells();
  Value callGroup(GroupInfo &group, std::string_view method, const syntax::Expr &expr);
  Value helperResult();
  Value callHelper(const py::FunctionObject &function, const syntax::Expr &expr);
  /// How a function is decorated, as far as calls of it care.
  enum class HelperKind : uint8_t { Plain, Vector, Threads };
  HelperKind helperKind(const py::FunctionObject &function, py::Value &vf);
  Value callPython(const Value &callee, const syntax::Expr &expr);
  Call bindArguments(const OpRow &row, const syntax::Expr &expr);
  Value runOp(const OpRow &row, const syntax::Expr &expr);
  void touch(const Call &call);
  Index identity(std::string_view path) const;
  void touchAll(const syntax::Expr &expr);
  Value groupSlot(GroupInfo &group, const syntax::Expr &index);
  Value heldType(const py::TypeObject &held);

  // annotations.cpp
  void declareParameters();
  void declareNumber(Value &value, const std::string &name, int number, Site at);
  int declareFields(Value value, const syntax::Parameter &parameter, int number);
  void declareTilingKeys(int number);

  const frontend::Program &program_;
  const frontend::KernelDecl &kernel_;
  Setup setup_;
  Reports reports_;
  std::stop_token stop_;
  py::Interpreter &interpreter_;
  std::deque<Frame> frames_;
  std::map<unsigned, TileState> tiles_; ///< By id; one that is not there is as it was declared.
  std::set<unsigned> looked_;           ///< The tiles that have had an entry.
  bool ended_ = false;                  ///< Nothing after this is reached.
  Loops loops_;
  std::optional<Tracer> tracer_; ///< Of this reading.
  Core core_ = Core::Any;
  Core section_ = Core::Any;
  Sections sections_;
  std::vector<CrossCore> crossCores_;
  std::string target_;                 ///< The name that the current statement binds.
  const syntax::Expr *bare_ = nullptr; ///< The expression of a statement that binds nothing.
  std::deque<TensorInfo> tensors_;
  std::deque<TileTypeInfo> tileTypes_;
  std::deque<TileInfo> tileInfos_;
  std::deque<GroupInfo> groups_;
  std::map<const py::TypeObject *, const TileTypeInfo *> heldTypes_; ///< Looked up, never listed.
  std::vector<Bound> bound_;
  std::vector<NzAccess> accesses_;
  Site boundFrom_; ///< The expression that the current assignment binds.
  struct Suspect {
    std::pair<const syntax::Module *, uint32_t> type; ///< Where it begins.
    Site at;
    std::string message;
  };
  std::vector<Suspect> suspects_;
  std::set<std::pair<const syntax::Module *, uint32_t>> settled_; ///< Looked up, never listed.
  unsigned depth_ = 0;
  uint64_t reads_ = 0; ///< Of expressions.
  uint64_t steps_ = 0;
  uint64_t bindings_ = 0;
  uint64_t cellWrites_ = 0;
  int structures_ = 0;
  std::deque<syntax::Expr> madeExprs_;                           ///< That no program wrote,
  std::deque<syntax::Stmt> madeStmts_;                           ///< for loops that a trace has in another form.
  unsigned rests_ = 0;                                           ///< Around this statement, in a trace.
  std::vector<Round> rounds_;                                    ///< Outermost first.
  std::map<int, Local> cells_;                                   ///< Numbers in structs.
  std::map<std::tuple<int, std::string, int64_t>, int> cellIds_; ///< By struct, field and element, -1 for none.
  std::vector<std::pair<int, std::string>> cellFields_;          ///< The struct and field of each cell.
  bool stopped_ = false;
};

} // namespace placid::pro
