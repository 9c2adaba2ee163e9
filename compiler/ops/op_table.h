// SPDX-License-Identifier: Apache-2.0
// The operations of PL as data: names, parameters, what the result is, what memory it touches, one sentence each. The
// rows stand in pl_ops.def and pld_ops.def; the front end, the dialect's verifier, passes and the server read them
// here. Knows neither syntax nor MLIR. Immutable after the first use; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace placid::ops {

/// The language a row belongs to: `pypto.language` or `pypto.language.distributed`.
enum class Dialect : uint8_t { Pl, Pld };

/// Where the name is found.
enum class Place : uint8_t {
  Unified,    ///< `pl.x`, the form chosen by the first operand; also `pl.tensor.x`, `pl.tile.x`
  Tensor,     ///< `pl.x` is the tensor form; also `pl.tensor.x`, `pl.tile.x`
  Tile,       ///< `pl.x` is the tile form; also `pl.tensor.x`, `pl.tile.x`
  Namespaced, ///< only `pl.tensor.x`, `pl.tile.x`
  Qualified,  ///< only its whole path
  Promoted,   ///< its whole path, and `pl.x`
  Short,      ///< its whole path, and `pld.x`
};

enum class Category : uint8_t {
  Creation,
  Access,
  View,
  Elementwise,
  ScalarOperand,
  Bitwise,
  Unary,
  Reduction,
  Expand,
  Matmul,
  Gather,
  Sort,
  Random,
  Block,
  Hint,
  Split,
  System,
  Array,
  Prefetch,
  Distributed,
};

/// How the result follows from the operands. One rule of the front end each.
enum class Rule : uint8_t {
  None, ///< No result.
  AicGather,
  AivShard,
  Arange,
  ArgCol,
  ArgRow,
  ArrayCreate,
  ArrayGet,
  ArrayUpdate,
  Assemble,
  AsyncEvent,
  AsyncSession,
  BatchMatmul,
  BlockIdx,
  BlockNum,
  Broadcast,
  Cast,
  ColExpand,
  CommCtx,
  Compare,
  Concat,
  CreateL1,
  CreateTensor,
  CreateTile,
  Dim,
  DivTile,
  ExpandClone,
  Extract,
  FillPad,
  FillPadExpand,
  Float32Only,
  FloatUnary,
  Full,
  Gather,
  GatherB,
  GatherCompare,
  GatherMask,
  GatherRow,
  GatherTile,
  Gemv,
  HalfOrFloat,
  Ignore,
  IntBroadcast,
  IntLikeFirst,
  IntWithScalar,
  LikeFirst,
  LikeOutput,
  LikeTarget,
  Load,
  MGather,
  Matmul,
  MatmulAcc,
  MatmulBias,
  MatmulMx,
  Move,
  MrgSort,
  NoDep,
  PackedPredicate,
  PagedGather,
  PrefetchContext,
  Ptr,
  Random,
  Read,
  ReduceCol,
  ReduceRow,
  ReinterpretView,
  RemoteLoad,
  Reshape,
  RowExpand,
  ScalarBool,
  ScalarI32,
  ScalarI64,
  ScalarMinMax,
  Scatter,
  ScatterUpdate,
  Select,
  SelectScalar,
  SetValidShape,
  Slice,
  Sort32,
  Store,
  SubblockIdx,
  TPopMat,
  TPopVec,
  TaskId,
  Ternary,
  Transpose,
  TransposeView,
  Tri,
  View,
  Window,
  WithScalar,
  Write,
};

/// What an argument may be. A parameter accepts any of the bits it holds.
enum Kind : uint32_t {
  kTensor = 1U << 0,      ///< T
  kTile = 1U << 1,        ///< t
  kDistributed = 1U << 2, ///< DT
  kNumber = 1U << 3,      ///< num, number: an element: a literal or a scalar of any dtype
  kInteger = 1U << 4,     ///< I: an integer, constant or not
  kConstInt = 1U << 5,    ///< int
  kScalar = 1U << 6,      ///< S: a scalar of a dtype, or a literal
  kCondition = 1U << 7,   ///< cond: a BOOL, constant or not
  kList = 1U << 8,        ///< [I]: integers, constant or not
  kConstList = 1U << 9,   ///< [int]
  kBool = 1U << 10,       ///< bool: a constant
  kString = 1U << 11,     ///< str
  kDType = 1U << 12,      ///< dtype
  kSpace = 1U << 13,      ///< space: a member of pl.Mem
  kLayout = 1U << 14,     ///< layout: pl.ND, pl.NZ …
  kEnum = 1U << 15,       ///< a member of an enumeration
  kArray = 1U << 16,      ///< array
  kHandle = 1U << 17,     ///< ptr, context, event, session, commctx
  kDeps = 1U << 18,       ///< deps: a list of task ids
  kAny = 1U << 19,        ///< anything, not looked at
  kIntNumber = 1U << 20,  ///< inum: an integer element, a literal or a scalar
};
/// The kinds that may be operands in the IR. What has none of these is an attribute; so is a constant kInteger or
/// kCondition.
inline constexpr uint32_t kOperandKinds =
    kTensor | kTile | kDistributed | kNumber | kIntNumber | kInteger | kScalar | kCondition | kArray | kHandle | kDeps;

/// A set of names that an argument may be: written as `prefix` and a member, as a string, or as a number.
struct Enumeration {
  std::string_view name;   ///< As forms spell it: "round".
  std::string_view prefix; ///< "pl.PadValue."; empty when only strings and numbers are written.
  std::span<const std::string_view> members;
  std::span<const int> values; ///< One for each member.
};

/// An argument's place in a form.
struct Parameter {
  std::string_view name;
  std::string_view kindText; ///< "T|num"
  uint32_t kinds = kAny;
  const Enumeration *enumeration = nullptr; ///< Of kEnum.
  std::string_view defaultText;             ///< "False"; empty when there is none or it is None.
  bool optional = false;
  bool keywordOnly = false;
};

/// One of the two ways an operation is called: on tensors or on tiles. An operation that takes neither has a tensor
/// form.
struct Form {
  std::string_view text;
  Rule rule = Rule::None;
  std::vector<Parameter> parameters;
  bool open = false; ///< Takes any further argument.

  const Parameter *find(std::string_view name) const;
};
/// "lhs:T, rhs:T|num, *, mode:round=round": `?` marks a parameter whose default is None, `*` starts keyword-only ones,
/// `**kwargs` leaves the form open. Kinds may be left out. The text must outlive the form.
Form parseForm(std::string_view text, Rule rule = Rule::None);

enum class FormKind : uint8_t { Tensor, Tile };

/// The memory spaces of a tile form, one text for each operand: "Vec", "Vec/Acc", or "-" for one that is no tile.
struct MemoryRule {
  std::vector<std::string_view> operands;
  std::string_view result;    ///< "Vec"; "=0": that of an operand; "target_memory": the argument of that name.
  std::optional<int> inPlace; ///< The operand the result is written over.
};

enum class Effect : uint8_t {
  Pure,      ///< May be dropped or repeated.
  Allocates, ///< Each call gives something new.
  Reads,     ///< Reads what others may write.
  Writes,    ///< Writes the operand `writes`.
  Sync,      ///< Has an order with everything.
};

struct OpRow {
  std::string_view name; ///< "mul", or a whole path: "pl.system.syncall", "pld.tensor.put".
  Place place;
  Dialect dialect;
  Category category;
  const Form *tensor = nullptr; ///< Null when there is none.
  const Form *tile = nullptr;
  MemoryRule memory; ///< Of the tile form.
  Effect effect = Effect::Pure;
  std::string_view doc;                      ///< One sentence or two.
  std::string_view writesTensor, writesTile; ///< The parameter that each form writes; empty when Effect is not Writes.

  const Form *form(FormKind kind) const { return kind == FormKind::Tile ? tile : tensor; }
  /// True when the name alone is not a path: it has `pl.tensor.x` and `pl.tile.x`.
  bool hasNamespaces() const;
};

/// All rows, in the order of the tables.
std::span<const OpRow> allOps();

/// What a path means.
struct OpMatch {
  const OpRow *row = nullptr;
  std::optional<FormKind> kind; ///< Absent: the first operand decides.
};
/// "pl.load", "pl.tile.load", "pl.system.syncall", "pld.window"; no row when PL has no such operation.
OpMatch findOp(std::string_view path);

/// Every path a user can write, sorted.
const std::vector<std::string> &opPaths();

/// The name of an operation in the IR: "tile.mul", "tensor.mul", "system.syncall", "pld.tensor.put".
std::string irName(const OpRow &row, FormKind kind);
/// The name in the IR of `irName` with a number as its right operand: "tile.mul" gives "tile.muls", "tensor.and_" gives
/// "tensor.ands". Whether there is such a row is findIrName's to say.
std::string irNameWithScalar(std::string_view irName);

/// The inverse.
OpMatch findIrName(std::string_view name);
/// "pl.tile.mul", as a user would write the one form.
std::string pathOf(const OpRow &row, FormKind kind);
/// The shortest path that may mean this form: "pl.mul", "pl.tile.full".
std::string shortPath(const OpRow &row, FormKind kind);

/// The parameters as a user reads them: "lhs: Tensor, rhs: Tensor | number, high_precision: bool = False".
std::string signatureText(const OpRow &row, FormKind kind);
/// One parameter of it.
std::string parameterText(const Parameter &parameter);
/// What an argument may be, for messages: "a tensor", "a tile or a number", "one of `none`, `rint` …".
std::string expects(const Parameter &parameter);
std::string_view categoryName(Category category);

/// The enumerations that forms refer to.
std::span<const Enumeration> allEnumerations();

} // namespace placid::ops
