// SPDX-License-Identifier: Apache-2.0
// What one core runs of a kernel, as a tree of operations, loops and branches: made while the kernel is read, turned
// into IR by compiler/pro/lower. Constants are folded, helpers inlined; tiles are the places they lie in. Knows no IR.
// What has no form here is refused once, with its place. One thread.
#pragma once

#include "compiler/pro/kernel/value.h"
#include "compiler/pro/ops.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace placid::pro {

/// The operation of a move from an accumulator to the vector cores; flags are "core.set" and "core.wait".
inline constexpr std::string_view kToLanes = "core.lanes";
/// The operation of a node is a product on top of its accumulator, which it then reads first.
inline bool accumulates(std::string_view op) { return op == "matmul_acc" || op == "matmul_mx_acc"; }

/// Surely above zero, where the program runs at all.
bool isPositive(const IndexNode &node);

/// One place in on-chip memory. Tiles of `make_tile` and slots of a constant index have one each; of a group used in
/// turn each turn has one, which may lie in any of its slots.
struct TraceTile {
  std::string name;
  TileTypeInfo type;
  Extent begin; ///< Bytes; nothing where the address is not known.
  Extent end;
  Index index;    ///< Of a group used by one index that changes: which slot it is.
  int group = -1; ///< Places of one group that is used in turn: they lie apart.
};

struct TraceScalar {
  std::string name;
  DType dtype = DType::Int64;
  int number = 0;    ///< Of the parameter.
  int64_t real = -1; ///< The variable that holds it, where it is no integer.
};

/// A number that the program gives a value in one place: behind a loop or a branch, in a round, or by reading an
/// element. `IndexNode::Origin::Variable` names it.
struct TraceVariable {
  std::string name; ///< For messages.
  Site at;
  std::vector<int64_t> loops; ///< Those around the place, outermost first.
};

/// A number that changes from round to round. What is null is not known; whoever asks for the variable is refused.
struct TraceCarried {
  int64_t within = -1; ///< The variable of a round, and of what is behind the loop.
  int64_t behind = -1;
  Index first; ///< In front of the loop.
  Index next;  ///< At the end of a round.
};

/// A number that both ways of a branch give another value.
struct TraceJoined {
  int64_t behind = -1;
  Index then, otherwise;
};

struct TraceTensor {
  TensorInfo info; ///< `number` is that of the parameter.
  bool read = false;
  bool written = false;
};

struct TraceNode {
  enum class Kind : uint8_t {
    Operation,
    Loop,
    Branch,
    Forget, ///< `read` hold nothing that is known: a group has turned.
  };
  Kind kind = Kind::Operation;
  Site at;
  // Operation.
  std::string_view op; ///< Path of its row.
  std::optional<unsigned> written;
  std::vector<unsigned> read;
  std::optional<unsigned> tensor;
  std::vector<Index> offsets; ///< In elements, one an axis of the tensor; of a move in the source.
  std::vector<int64_t> axes;  ///< Of the tensor, for the tile's rows and columns.
  std::optional<double> number;
  std::optional<int64_t> whole; ///< The same where it is an integer.
  Index value;                  ///< Or a number of run time, an integer,
  int64_t real = -1;            ///< or a variable that is none.
  int64_t result = -1;          ///< The variable that an element is read into.
  std::vector<Index> indices;   ///< Of an element, one an axis, or one through all of them.
  std::string mode; ///< Of a cast: "rint"; of a flag its pipe; of what goes to the vector cores who gets it: "split_m".
  std::vector<unsigned> spoilt; ///< What it leaves something in that nobody wanted.
  bool scaled = false;          ///< Of a store: by the number, or by the second tile that it reads.
  bool relu = false;            ///< Of a store.
  bool oneLane = false;         ///< Of a flag: it is one of a vector core, not of both.
  int64_t dim = -1;             ///< Of a reduction: 0 rows, 1 columns.
  std::vector<Index> valid;     ///< Rows and columns in use of the tile that it writes, else reads; empty: all.
  bool byResult = false;        ///< What is in use of the result is what it takes of each operand.
  std::vector<std::vector<Index>> parts; ///< The same of each tile that it reads.
  // Loop and branch.
  std::string name;
  int64_t loop = 0; ///< The number in Index expressions.
  Index first, end, step;
  Index condition;
  std::vector<TraceCarried> carried; ///< Of a loop.
  std::vector<TraceJoined> joined;   ///< Of a branch.
  std::vector<TraceNode> body;
  std::vector<TraceNode> otherwise;
};

struct Trace {
  std::deque<TraceTensor> tensors;  ///< In the order of the parameters,
  std::vector<TraceScalar> scalars; ///< as these are.
  std::deque<TraceTile> tiles;
  std::vector<TraceVariable> variables; ///< By number.
  std::vector<TraceNode> body;
  /// Operations that are left out, because they only say something of the run.
  std::vector<std::pair<std::string, Site>> dropped;
  /// Tiles that hold nothing behind a loop, should it have no round.
  std::vector<std::pair<std::string, Site>> unwritten;
  std::string refused; ///< Why it cannot be lowered; empty when it can.
  bool slots = false;  ///< Because of which slot of a group a tile is: a reading that chooses them may be lowered.
  Site refusedAt;
};

struct Argument;
struct Call;
class KernelReader;

/// Fills a trace. The reader calls it in the order of the program.
class Tracer {
public:
  explicit Tracer(Trace &out) : out_(out) { open_.emplace_back().list = &out.body; }

  void parameter(const Value &value, int number, std::string name, Site at);
  /// What the operation makes, where that is a number.
  Value operation(KernelReader &reader, const Call &call);
  /// `container[i, j]`, and with a value what is assigned to it. The number that was read.
  Value element(KernelReader &reader, const Value &container, std::vector<Index> indices, const Value *assigned,
                Site at);
  /// A tile is taken from a group in turn, which moves on before that for `next` and `previous`.
  void take(TileInfo &tile, std::string_view method, Site at);
  /// The part of a tile in use is set.
  void setValid(KernelReader &reader, const Call &call);
  /// Grows with what is traced, so that two readings tell whether an expression did something.
  uint64_t activity() const { return activity_; }
  void beginLoop(std::string name, const Index &variable, Index first, Index end, Index step, Site at);
  /// Of the loop that ends next.
  void carry(TraceCarried one);
  void endLoop();
  void beginBranch(const Index &condition, Site at);
  void otherwise();
  void endBranch(std::vector<TraceJoined> joined = {});
  /// A new variable; `behind` the loop that is open.
  int64_t variable(std::string name, Site at, bool behind = false);
  std::string variableName(int64_t number) const { return out_.variables[static_cast<size_t>(number)].name; }
  /// The first reason is kept.
  void refuse(Site at, std::string why);
  /// Because of the slot of a group.
  void refuseSlot(Site at, std::string why) {
    out_.slots = out_.slots || out_.refused.empty();
    refuse(at, std::move(why));
  }
  /// Something happened that an expression does not show.
  void acted() { ++activity_; }

private:
  std::optional<bool> decided(const Index &when) const;
  static const TileInfo *chosenTile(const Call &call);
  void overChoices(KernelReader &reader, const Call &call, const TileInfo &tile, size_t from);
  std::optional<unsigned> place(KernelReader &reader, const Value &tile, Site at);
  bool fused(KernelReader &reader, const Call &call, TraceNode &node);
  bool indexed(KernelReader &reader, const Call &call, TraceNode &node);
  // trace_arranged.cpp
  bool arranged(KernelReader &reader, const Call &call, TraceNode &node);
  bool sorts(KernelReader &reader, const Call &call, TraceNode &node);
  /// Why the tile level has no such sort, or none by index; empty where it has.
  std::string sortFault(const TraceNode &node) const;
  std::string indexFault(const TraceNode &node) const;
  bool window(KernelReader &reader, const Call &call, TraceNode &node, bool load);
  bool partCounts(const TraceNode &node, unsigned place) const;
  bool takeValid(KernelReader &reader, const Call &call, TraceNode &node);
  bool transfer(KernelReader &reader, const Call &call, TraceNode &node);
  bool move(KernelReader &reader, const Call &call, TraceNode &node);
  bool toLanes(KernelReader &reader, const Call &call, TraceNode &node);
  void flag(const Call &call);
  bool vector(KernelReader &reader, const Call &call, TraceNode &node);
  bool number(const Argument &argument, TraceNode &node);
  bool fixpipe(KernelReader &reader, const Call &call, TraceNode &node);
  bool writes(KernelReader &reader, const Call &call, TraceNode &node, std::string_view parameter);
  bool reads(KernelReader &reader, const Call &call, TraceNode &node, std::initializer_list<std::string_view> names);
  bool castMode(const Call &call, TraceNode &node);
  bool plain(const Call &call, std::initializer_list<std::string_view> parameters);
  std::optional<int> keyInGroup(const TileInfo &tile, Site at);
  bool slotsApart(const TileInfo &tile) const;
  bool isOver(const Index &index) const;
  bool mentions(const Index &index, int64_t loop) const;
  void settleTurns();
  void useValid(unsigned place, Site at);
  std::vector<TraceNode> &list() { return *open_.back().list; }
  TraceNode &add(TraceNode::Kind kind, Site at);

  /// How the tiles of a group are taken; all of them in one way.
  struct GroupUse {
    enum class Kind : uint8_t { Unused, Constant, Turn, Indexed } kind = Kind::Unused;
    int number = 0; ///< In the order of first use.
    int now = 0;    ///< Turns so far.
    int oldest = 0; ///< Turns before this one have an unknown distance from now.
    Index index;
    std::vector<unsigned> places; ///< In turn or by index.
  };
  /// The kernel, or a loop or branch that is being written.
  struct Open {
    std::vector<TraceNode> *list = nullptr;
    bool loop = false;
    int64_t number = -1;                                     ///< Of the loop.
    unsigned begun = 0;                                      ///< The takings before it.
    std::vector<const GroupInfo *> turned;                   ///< In it, in the order of the program,
    std::vector<std::pair<const GroupInfo *, Site>> earlier; ///< and those whose tiles of before it are used in it.
    std::set<unsigned> validSet;                             ///< Places of which it sets the part in use, itself,
    std::set<unsigned> validSetWithin;                       ///< or anywhere in it,
    std::set<unsigned> setOnFirst;                           ///< and, of a second way, those that the first one sets,
    std::map<unsigned, Site> validUsed;                      ///< and those of which it used the part it began with.
  };

  Trace &out_;
  std::vector<Open> open_;
  std::map<const GroupInfo *, GroupUse> groups_;                ///< Looked up, never listed.
  std::map<std::pair<const GroupInfo *, int>, unsigned> slots_; ///< By slot or turn. Looked up, never listed.
  std::map<unsigned, unsigned> singles_;                        ///< By TileInfo::id.
  std::map<unsigned, unsigned> validBy_;                        ///< Place to the tile whose part was set last.
  std::vector<unsigned> indexed_;                               ///< Places with an index.
  int groupsUsed_ = 0;
  unsigned taken_ = 0;
  uint64_t activity_ = 0;
  std::vector<std::pair<Index, bool>> facts_;      ///< Of the branches by tiles that are open.
  std::map<const TensorInfo *, unsigned> tensors_; ///< Looked up, never listed.
};

} // namespace placid::pro
