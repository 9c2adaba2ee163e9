// SPDX-License-Identifier: Apache-2.0
// One kernel's body into the `pl` dialect, in SSA. Each source function becomes a module of its own: the function and
// declarations of what it calls. A statement that fails is reported, its targets become poison, and the next one is
// built; poison is silent, so one fault never shows twice and never hides another.
// One thread, one MLIRContext, used once.
#pragma once

#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/annotation.h"
#include "compiler/frontend/bound_arguments.h"
#include "compiler/frontend/call_types.h"
#include "compiler/frontend/env.h"
#include "compiler/frontend/kernel_reads.h"
#include "compiler/frontend/liveness.h"
#include "compiler/frontend/name_flow.h"
#include "compiler/frontend/program.h"
#include "compiler/frontend/reporter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace placid::frontend {

/// A declared NZ tensor that a value stems from, for diagnostics.
struct NzOrigin {
  std::string name;
  diag::Location annotation;
};

/// What an expression is while a kernel is built.
struct Val {
  enum class Kind : uint8_t {
    Poison, ///< Reported, or unknown for a reason that was said: silent from here on.
    Const,  ///< Known without running: numbers, and everything of Python.
    Scalar,
    Tensor,
    Tile,
    Tuple,
    Task,  ///< A task id or another handle; without a value where no check follows it.
    Array, ///< A small array of scalars or task ids.
  };
  Kind kind = Kind::Poison;
  ConstValue constant;
  mlir::Value ir;
  pl::DType dtype = pl::DType::Index; ///< Scalar, Array
  std::vector<Val> items;             ///< Tuple
  int64_t extent = 0;                 ///< Array without a value
  const NzOrigin *origin = nullptr;   ///< Tensor
  bool ragged = false;                ///< Tensor: only a part, known at run time, is live.
  bool open = false;                  ///< Tensor of a helper that leaves an extent of it to its callers.

  static Val poison() { return {}; }
  static Val ofConst(ConstValue value) {
    Val out;
    out.kind = Kind::Const;
    out.constant = std::move(value);
    return out;
  }
  static Val ofScalar(mlir::Value ir, pl::DType dtype) {
    Val out;
    out.kind = Kind::Scalar;
    out.ir = ir;
    out.dtype = dtype;
    return out;
  }
  static Val ofTensor(mlir::Value ir, const NzOrigin *origin = nullptr) {
    Val out;
    out.kind = Kind::Tensor;
    out.ir = ir;
    out.origin = origin;
    return out;
  }
  static Val ofTile(mlir::Value ir) {
    Val out;
    out.kind = Kind::Tile;
    out.ir = ir;
    return out;
  }

  static Val ofTask() {
    Val out;
    out.kind = Kind::Task;
    return out;
  }
  static Val ofTuple(std::vector<Val> items) {
    Val out;
    out.kind = Kind::Tuple;
    out.items = std::move(items);
    return out;
  }

  bool isPoison() const { return kind == Kind::Poison; }
  bool isTask() const { return kind == Kind::Task || (kind == Kind::Const && constant.kind == ConstValue::Kind::None); }
  bool isTensor() const { return kind == Kind::Tensor; }
  bool isTile() const { return kind == Kind::Tile; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isConst() const { return kind == Kind::Const; }
  bool isInt() const { return isConst() && constant.isInt(); }
  bool isRuntime() const { return isTensor() || isTile() || isScalar(); }
  pl::TensorType tensorType() const { return mlir::cast<pl::TensorType>(ir.getType()); }
  int64_t arrayExtent() const { return ir ? mlir::cast<pl::ArrayType>(ir.getType()).getExtent() : extent; }
  pl::DType arrayDtype() const { return ir ? mlir::cast<pl::ArrayType>(ir.getType()).getDtype() : dtype; }
  pl::TileType tileType() const { return mlir::cast<pl::TileType>(ir.getType()); }
};

struct Variable {
  Val value;
  source::ByteRange bound; ///< The name where it was bound.
  std::string scopedOut;   ///< Set when the block that bound it has ended: "loop", "branch".
};
using Env = SharedNames<Variable>;

class KernelBuilder {
public:
  /// `calls` gives bare parameters their types and collects what this kernel calls; it may be null.
  KernelBuilder(const Program &program, const KernelDecl &kernel, std::string_view arch, mlir::MLIRContext *context,
                std::vector<diag::Diagnostic> &diagnostics, CallTypes *calls = nullptr);
  ~KernelBuilder();

  /// The module; never null. It always verifies, faults or not.
  mlir::OwningOpRef<mlir::ModuleOp> build();

  /// What is legal and left out of the module because a value is not known here: nothing to say while checking, a
  /// reason not to make code of it.
  const std::vector<diag::Diagnostic> &gaps() const { return gaps_; }
  /// Called kernels whose bodies were looked into, because their heads do not say what they hand back.
  const std::vector<const KernelDecl *> &bodiesRead() const { return bodiesRead_; }

private:
  struct Frame; ///< The function whose statements are being built: the kernel, or a helper inlined into it.

  // kernel_builder.cpp: the function around the body.
  mlir::Type parameterType(const syntax::Parameter &parameter, TypeInfo &info, size_t position);
  void parameters(mlir::OwningOpRef<mlir::ModuleOp> &module);
  void returnValues(const syntax::Stmt &stmt);
  bool inBranch() const;
  void checkReturn(const syntax::Stmt &stmt, const std::vector<Val> &values);
  bool isHost(const KernelDecl &kernel) const;
  ConstValue decoratorOption(const KernelDecl &kernel, std::string_view name) const;
  pl::TensorType applyDynamicBindings(pl::TensorType type, std::string_view parameter, const KernelDecl &kernel) const;
  void externBody();

  // locations.cpp
  mlir::Location loc(source::ByteRange range) const;
  mlir::Location argLocation(const syntax::Expr &expr) const;
  mlir::Attribute argLocations(llvm::ArrayRef<const syntax::Expr *> exprs) const;
  using ArgLists = std::vector<std::pair<llvm::StringRef, std::vector<const syntax::Expr *>>>;
  mlir::Location accessLocation(source::ByteRange call, const ArgLists &lists) const;
  std::optional<source::ByteRange> bindingOf(const syntax::Expr &expr) const;

  // statements.cpp
  enum class BlockKind : uint8_t { Straight, Loop };
  /// `skip` statements at the front are known to the liveness of names and not built.
  void block(const std::vector<const syntax::Stmt *> &statements, BlockKind kind = BlockKind::Straight,
             size_t skip = 0);
  void statement(const syntax::Stmt &stmt);
  void assign(const syntax::Stmt &stmt);
  void assignTo(const syntax::Expr &target, Val value, const syntax::Stmt &stmt);
  void bindName(std::string_view name, source::ByteRange range, Val value);
  Val annotated(const syntax::Stmt &stmt, Val value);
  void expressionStatement(const syntax::Stmt &stmt);
  void refused(const syntax::Stmt &stmt, std::string what, std::string help);
  void augmented(const syntax::Stmt &stmt);

  // loops.cpp
  void forStatement(const syntax::Stmt &stmt);
  void counted(const syntax::Stmt &stmt, const syntax::Expr &iterator, std::string_view kind);
  /// Keywords of a loop's call, checked; the stages of a pipeline, else 0.
  int64_t loopOptions(const syntax::Expr &iterator, std::string_view kind);
  struct Counting; ///< loop_parts.h
  Counting countingOf(const std::vector<Val> &bounds, const syntax::Expr &iterator);
  void unrolled(const syntax::Stmt &stmt, const std::vector<Val> &bounds);
  std::optional<std::vector<Val>> loopBounds(const syntax::Expr &iterator);
  struct Carried; ///< loop_parts.h
  /// `condition`: read before every round.
  std::vector<Carried> carriedNames(const std::vector<const syntax::Stmt *> &body, std::string_view variable,
                                    const std::vector<std::string> &forced, const syntax::Expr *condition = nullptr);
  /// The names that `init_values` starts, bound to their first values. `names`: the tuple of the loop's target, or
  /// null.
  std::vector<std::string> bindInitValues(const syntax::Expr &iterator, const syntax::Expr &target,
                                          const syntax::Expr *names);
  struct LoopYield; ///< loop_parts.h
  LoopYield loopYield(const std::vector<const syntax::Stmt *> &body, const std::vector<std::string> &forced);
  /// What the round hands to the next one; false for an entry that does not fit (reported where it matters).
  std::vector<bool> yieldCarried(const std::vector<Carried> &carried, mlir::ValueRange arguments,
                                 const std::vector<std::string> &forced, llvm::SmallVectorImpl<mlir::Value> &out);
  void afterLoop(const std::vector<Carried> &carried, const std::vector<bool> &kept, mlir::ValueRange results,
                 const std::vector<std::string> &forced, const LoopYield &yield,
                 const std::vector<std::string> &assigned, std::string_view variable, Env inner, Env outer);

  // while_loops.cpp
  void whileStatement(const syntax::Stmt &stmt);
  void whileFor(const syntax::Stmt &stmt, const syntax::Expr &iterator);
  void whileLoop(const syntax::Expr &condition, const std::vector<const syntax::Stmt *> &body,
                 const std::vector<std::string> &forced, source::ByteRange range);
  void loopControl(const syntax::Stmt &stmt);

  // branches.cpp
  void ifStatement(const syntax::Stmt &stmt);
  struct Joined; ///< branches.cpp
  std::vector<Joined> joinBranches(const syntax::Stmt &stmt, mlir::scf::IfOp draft, Env &thenEnv, Env &elseEnv);
  bool bindJoined(const std::string &name, const Variable &onThen, const Variable &onElse, Joined &out);
  bool yieldJoined(mlir::scf::IfOp draft, const Variable &onThen, const Variable &onElse, Joined &joined);
  std::optional<Val> mergeTypes(std::string_view name, const Variable &onThen, const Variable &onElse);
  void checkBranchYields(const syntax::Stmt &stmt);

  // scopes.cpp
  void withStatement(const syntax::Stmt &stmt);
  void spmdWith(const syntax::Stmt &stmt, const syntax::Expr &call);
  void spmdFor(const syntax::Stmt &stmt, const syntax::Expr &iterator);
  void splitAiv(const syntax::Stmt &stmt, const syntax::Expr &iterator);
  struct ScopeOptions; ///< scope_options.h
  using BindBlock = llvm::function_ref<void()>;
  void coreScope(const std::vector<const syntax::Stmt *> &body, source::ByteRange at, mlir::Value blocks,
                 const ScopeOptions &options, BindBlock bindBlock, std::vector<std::string> blockNames = {});
  mlir::Value blockCount(const syntax::Expr &call);
  std::vector<std::string> liveAfter(const std::vector<std::string> &assigned) const;
  void poisonAssigned(const std::vector<const syntax::Stmt *> &statements);
  /// A body whose loop or scope is not understood: still checked, what it assigns is unknown before and after.
  void unknownBody(const syntax::Stmt &stmt);
  bool isCoreLevel(const syntax::Expr &atCall);
  void bindTask(const syntax::WithItem &item);
  std::string pathOf(const syntax::Expr *call) const;

  // scope_options.cpp: the arguments of scopes and tasks.
  struct ScopeForm;
  ScopeOptions scopeOptions(const syntax::Expr &call, const ScopeForm &form);
  void literalFlag(const syntax::Keyword &keyword);
  void dependencies(const syntax::Keyword &keyword);
  /// False (reported) when `item` of `list` is no task to wait for.
  bool checkDependency(const syntax::Expr &list, const syntax::Expr &item, const Val &value);
  void optimizations(const syntax::Keyword &keyword, ScopeOptions &options);
  void slotCount(const syntax::Expr &entry, size_t position, ScopeOptions &options);
  void predicate(const syntax::Keyword &keyword);
  static const ScopeForm kAt, kSpmdWith, kSpmdFor, kScope, kManualScope, kCluster, kSplitAiv, kSubmit;

  // expressions.cpp
  Val expression(const syntax::Expr &expr);
  Val expressionOf(const syntax::Expr &expr);
  Val name(const syntax::Expr &expr);
  Val attribute(const syntax::Expr &expr);
  Val ofStatic(ConstValue value, const syntax::Expr &expr);
  std::vector<std::string> visibleNames() const;
  /// True when a syntax error may have swallowed the binding of `name`.
  bool lostToSyntaxError(std::string_view name) const;

  // scalars.cpp
  Val binary(const syntax::Expr &expr);
  Val unary(const syntax::Expr &expr);
  Val compare(const syntax::Expr &expr);
  Val boolean(const syntax::Expr &expr);
  Val arithmetic(std::string_view op, Val left, Val right, source::ByteRange range);
  Val minMax(bool min, const syntax::Expr &call, const BoundArguments &args);
  Val castScalar(Val value, pl::DType dtype, source::ByteRange range);
  /// A scalar SSA value of an integer constant or scalar; null for anything else.
  mlir::Value materialize(const Val &value, pl::DType constantDtype, source::ByteRange range);
  mlir::Value toBool(const Val &value, const syntax::Expr &at);

  // windows.cpp: lists of offsets and extents.
  struct Entry {
    Val value;
    const syntax::Expr *expr = nullptr; ///< Null where the source leaves it out.
  };
  /// Constants as static entries, scalars as operands.
  struct Mixed {
    llvm::SmallVector<mlir::Value> dynamic;
    llvm::SmallVector<int64_t> statics;
  };
  static Mixed mixed(const std::vector<Entry> &list);
  /// All entries as constants; nullopt (reported) otherwise.
  std::optional<std::vector<int64_t>> constants(const std::vector<Entry> &list, const syntax::Expr &at,
                                                const char *what);

  /// `loneIsOne`: a value that is no list is its one entry.
  std::optional<std::vector<Entry>> entries(const syntax::Expr &list, const char *what, bool loneIsOne = false);
  /// Of each constant there is something, and no more than its extent.
  bool soundValid(const std::vector<Entry> &valid, const std::vector<Entry> &extents, const syntax::Expr &at);
  bool sameRank(const std::vector<Entry> &list, unsigned rank, const Val &tensor, const syntax::Expr &at,
                const char *what);
  /// False, reported: no axis at all, or an extent that is negative or above kMaxExtent.
  bool soundShape(const std::vector<Entry> &extents, const syntax::Expr &at);
  bool inBounds(const Val &tensor, const std::vector<Entry> &offsets, const std::vector<Entry> &extents,
                const syntax::Expr &call);
  /// What is left of `requested` where the window is cut at the edges of `tensor`. Nullopt, and reported: nothing.
  std::optional<std::vector<Entry>> cutAtEdges(const Val &tensor, const std::vector<Entry> &offsets,
                                               const std::vector<Entry> &requested, const syntax::Expr &call);
  static bool isPaddedBlock(const Val &tensor, const std::vector<Entry> &extents);
  std::vector<const syntax::Expr *> exprsOf(const std::vector<Entry> &list, const syntax::Expr &fallback) const;

  // subscripts.cpp
  Val subscript(const syntax::Expr &expr);
  void assignSubscript(const syntax::Expr &target, Val value, const syntax::Stmt &stmt);
  struct Window {
    std::vector<Entry> offsets, extents;
    llvm::SmallVector<mlir::Attribute> dims; ///< The extents as a type shows them.
    std::vector<int64_t> dropped;
    bool allScalar = true;
  };
  std::optional<Window> window(const Val &base, const syntax::Expr &expr);
  std::optional<Val> arrayIndex(const Val &array, const syntax::Expr &expr);
  Val arrayElement(const Val &array, const syntax::Expr &expr);
  void assignElement(const Val &array, const syntax::Expr &target, const Val &value, const syntax::Stmt &stmt);
  bool tileInBounds(const Val &tile, const syntax::Expr &expr, const Window &window);
  using NamedOperand = std::pair<llvm::StringRef, mlir::Value>;
  pl::GenericOp genericOp(mlir::Location at, llvm::StringRef name, llvm::ArrayRef<NamedOperand> operands,
                          mlir::TypeRange results);
  Val tileSubscript(const Val &base, const syntax::Expr &expr, const Window &window);
  void assignTileWindow(const Val &base, const syntax::Expr &target, const Window &window, const Val &value,
                        const syntax::Stmt &stmt);

  // calls.cpp
  Val call(const syntax::Expr &expr);
  Val methodCall(const syntax::Expr &expr);

  // compile_time.cpp: what the language has beside operations.
  Val compileTimeCall(const syntax::Expr &expr, const std::string &path, bool &handled);
  Val typedConstant(const syntax::Expr &expr);
  Val yieldCall(const syntax::Expr &expr);
  void staticAssert(const syntax::Expr &expr);
  void staticPrint(const syntax::Expr &expr);
  void functionAttributes(const syntax::Expr &expr);

  // kernel_calls.cpp
  Val kernelCall(const syntax::Expr &expr, const KernelDecl &callee, bool submitted = false);
  struct KernelCall;
  /// The callee's parameters and their types.
  void readHead(KernelCall &call, bool submitted);
  /// The arguments evaluated, each at its parameter; false: reported.
  bool bindCall(KernelCall &call);
  bool checkCall(KernelCall &call);
  Val emitCall(const KernelCall &call);
  std::vector<Val> resultsOf(const KernelCall &call, std::vector<int64_t> &handedBack,
                             llvm::SmallVectorImpl<mlir::Type> &irTypes);
  mlir::func::FuncOp declarationOf(const KernelDecl &callee, mlir::FunctionType signature);
  Val submit(const syntax::Expr &expr, const std::string &path);
  Val inlineCall(const syntax::Expr &expr, const KernelDecl &callee, std::vector<Val> args);
  using Symbols = std::map<std::string, std::pair<int64_t, const syntax::Expr *>, std::less<>>;
  struct ArgumentCheck;
  bool checkArgument(const syntax::Expr &arg, Val &value, const TypeInfo &type, std::string_view parameter,
                     const KernelDecl &callee, Symbols &symbols);
  std::vector<TypeInfo> resultTypes(const KernelDecl &callee, const std::vector<const syntax::Parameter *> &declared,
                                    const std::vector<TypeInfo> &types, const std::vector<Val> &values);
  FoundResults foundResults() const;
  bool mayCall(const syntax::Expr &expr, const KernelDecl &callee);

  // writes.cpp: what may be written, and where computing may stand.
  /// The tensor parameter of the kernel whose bytes `tensor` holds; -1 when it is none, or not known.
  int writtenParameter(mlir::Value tensor) const;
  void noteWrite(const Val &target, source::ByteRange at, std::string_view what);
  void noteOpWrites(const syntax::Expr &expr, std::string_view path);
  /// A statement that is a call of nothing but an operation without effect.
  void checkUnusedResult(const syntax::Expr &expr, const Val &result);
  void checkOutputs();
  void checkLostWrite(const syntax::Expr &target, const Variable &old, const Val &value);
  bool misplaced(const syntax::Expr &expr, std::string_view path, const Val &result);
  void nameCallSite(size_t firstDiagnostic, const syntax::Expr &call, const KernelDecl &callee);

  // ops_calls.cpp, op_*.cpp: calls of operations.
  struct OpCall; ///< A call while it is typed (op_call.h).
  Val opCall(const syntax::Expr &expr, const std::string &path);
  void chooseForm(OpCall &op, std::optional<ops::FormKind> fixed);
  Val boundCall(OpCall &op);
  Val typedCall(OpCall &op);
  Val genericCall(OpCall &op);

  // ops_*.cpp: the handlers of operations with a form of their own in the dialect.
  Val load(const syntax::Expr &call, OpCall &args);
  Val store(const syntax::Expr &call, OpCall &args);
  std::optional<std::vector<Entry>> storeWindow(const Val &tile, const Val &dest, const std::vector<Entry> *extents,
                                                const syntax::Expr *shapesExpr, mlir::DenseI64ArrayAttr &sizes);
  struct StoreOptions {
    mlir::StringAttr atomic, phase;
    bool preQuant = false;
    bool preRelu = false;
    const syntax::Expr *first = nullptr; ///< The first option that is on: the one to point at.
  };
  StoreOptions storeOptions(OpCall &args);
  bool storable(const Val &tile, const Val &dest, OpCall &args);
  /// False, reported: a constant index that names no element of a tensor or tile.
  bool elementInBounds(const Val &base, const std::vector<Entry> &indices, const syntax::Expr &at);
  /// Memory takes bytes: false, reported at `at`, where an element of `value` has another width than one of `dest`; a
  /// warning where it has the width and is another kind of number.
  bool bytesFit(const Val &value, const Val &dest, source::ByteRange at, const char *what);
  bool assignable(const Val &source, const Val &target, source::ByteRange range);
  Val createTensor(const syntax::Expr &call, OpCall &args);
  Val createTile(const syntax::Expr &call, OpCall &args);
  Val move(const syntax::Expr &call, OpCall &args);
  Val readElement(const syntax::Expr &call, OpCall &args);
  Val read(const syntax::Expr &call, Val base, const std::vector<Entry> &indices);
  Val dim(const syntax::Expr &call, OpCall &args);
  Val cast(const syntax::Expr &call, OpCall &args);
  Val matmul(const syntax::Expr &call, OpCall &args);
  Val matmulAcc(const syntax::Expr &call, OpCall &args);
  Val batchMatmul(const syntax::Expr &call, OpCall &args);
  Val tileMatmul(const syntax::Expr &call, Val acc, Val lhs, Val rhs, OpCall &args);
  Val tensorMatmul(const syntax::Expr &call, Val acc, Val lhs, Val rhs, OpCall &args);
  Val slice(const syntax::Expr &call, OpCall &args);
  Val sliceTensor(const syntax::Expr &call, Val base, const Window &window, const std::vector<Entry> &valid);
  Val reshape(const syntax::Expr &call, OpCall &args);
  Val assemble(const syntax::Expr &call, OpCall &args);
  Val assembleInto(source::ByteRange range, Val target, Val source, const Window &window, const syntax::Expr &at,
                   std::string atomic);
  Window windowOf(const std::vector<Entry> &offsets, const std::vector<Entry> &extents);
  Val transposeView(const syntax::Expr &call, OpCall &args);
  /// The refusal of a view of NZ bytes; nullopt where there is nothing to refuse.
  std::optional<Val> refusedView(const syntax::Expr &call, OpCall &args);

  // Small helpers.
  /// The value of an expression that must be known without running; Unknown where it is not. Reports nothing.
  ConstValue staticValue(const syntax::Expr &expr) const;
  /// Reports every name in `expr` that nothing defines, also where no operation looks at it.
  void checkNames(const syntax::Expr *expr);
  /// The variables that an operation's results are bound to.
  void nameResults(mlir::Operation *op, llvm::ArrayRef<std::string> names);
  static void visitNames(const syntax::Expr &expr, llvm::function_ref<void(const syntax::Expr &)> visit);
  bool flag(const BoundArguments &args, std::string_view name);
  std::optional<pl::DType> dtypeArgument(const BoundArguments &args, std::string_view name);
  ConstValue constantArgument(const BoundArguments &args, std::string_view name);
  Val notSupported(source::ByteRange at, std::string what);
  /// Poison that nobody hears of while checking; code is not made of the kernel.
  Val gap(source::ByteRange at, std::string what);
  Val typeMismatch(source::ByteRange at, std::string where, std::string what);
  Val shapeMismatch(source::ByteRange at, std::string where, std::string what);
  std::string describe(const Val &value) const;

  const Program &program_;
  const KernelDecl &kernel_;
  std::string arch_;
  mlir::MLIRContext *context_;
  Reporter reporter_;
  mlir::OpBuilder builder_;
  mlir::StringAttr file_;
  mlir::ModuleOp module_;
  mlir::func::FuncOp function_;
  mlir::Block *entry_ = nullptr; ///< Of function_.
  Env env_;
  Frame *frame_ = nullptr;
  std::vector<std::unique_ptr<NzOrigin>> origins_;
  bool strictSsa_ = false; ///< @pl.function(strict_ssa=True): every name is bound once in a block.
  std::vector<std::set<std::string_view>> boundHere_; ///< Under strictSsa_: the names of each block around.
  bool inCore_ = false;                               ///< Inside an InCore function or a core scope.
  struct Nesting {
    bool manual = false, automatic = false; ///< Inside a pl.scope of this mode.
    bool cluster = false;
    bool split = false;                    ///< Inside a core scope with pl.split.
    std::vector<std::string_view> loops{}; ///< Innermost last: "pl.range", "while".
  };
  Nesting nesting_;
  std::vector<const KernelDecl *> inlining_; ///< Helpers being pasted in, outermost first.
  unsigned inlinedStatements_ = 0;
  std::string splitMode_; ///< The member of pl.SplitMode around; empty where there is none.
  uint64_t unrolledSteps_ = 0;
  bool abridged_ = false; ///< Some unrolled loop was read at its ends only.
  std::vector<diag::Diagnostic> &diagnostics_;
  std::vector<diag::Diagnostic> gaps_;
  unsigned unknowns_ = 0; ///< Values that were asked for and are not known.
  /// How much of what was read is not in the IR.
  unsigned holes() const { return unknowns_ + static_cast<unsigned>(gaps_.size()) + reporter_.holes(); }
  CallTypes *calls_ = nullptr;
  std::shared_ptr<BuildCache> cache_; ///< That of `calls_` where there is one.
  /// A deeper callee is not typed by its body.
  static constexpr unsigned kMaxTypingDepth = 6;
  unsigned typing_ = 0;                              ///< How many callees are being typed around this one.
  unsigned typedDepth_ = 0;                          ///< How many within each other were typed for it.
  std::vector<std::pair<size_t, mlir::Type>> asked_; ///< See FoundResults.
  EvaluationUse before_;                             ///< When the build began.
  struct Written {
    std::string direction;
    diag::Location annotation;
    bool distributed = false;
    bool reported = false;
  };
  std::vector<const KernelDecl *> bodiesRead_;
  std::vector<Val> returned_;     ///< What the kernel hands back, once it is built.
  std::vector<Written> writable_; ///< By argument of function_.
  llvm::DenseMap<mlir::Value, mlir::Value>
      aliases_; ///< Result of a call -> the argument it hands back; looked up only.
};

/// True when two types surely stand for different things: symbolic extents, live parts and memory that is not chosen
/// yet decide nothing.
bool surelyDiffer(mlir::Type a, mlir::Type b);
/// What PL calls an operator of Python for tensors and tiles: "add" for "+"; empty without one.
std::string_view operationOf(std::string_view op);

/// Leaves of ids and arrays their kind alone: what made them stands inside a region that ends.
void forgetInside(Val &value);

} // namespace placid::frontend
