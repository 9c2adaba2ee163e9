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
  int number = 0; ///< Of the parameter.
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
  std::string mode;             ///< Of a cast: "rint".
  int64_t dim = -1;             ///< Of a reduction: 0 rows, 1 columns.
  std::vector<Index> valid;     ///< Rows and columns in use of its tiles; empty: all.
  // Loop and branch.
  std::string name;
  int64_t loop = 0; ///< The number in Index expressions.
  Index first, end, step;
  Index condition;
  std::vector<TraceNode> body;
  std::vector<TraceNode> otherwise;
};

struct Trace {
  std::deque<TraceTensor> tensors;  ///< In the order of the parameters,
  std::vector<TraceScalar> scalars; ///< as these are.
  std::deque<TraceTile> tiles;
  std::vector<TraceNode> body;
  std::string refused; ///< Why it cannot be lowered; empty when it can.
  Site refusedAt;
};

struct Call;
class KernelReader;

/// Fills a trace. The reader calls it in the order of the program.
class Tracer {
public:
  explicit Tracer(Trace &out) : out_(out) { open_.emplace_back().list = &out.body; }

  void parameter(const Value &value, int number, std::string name, Site at);
  void operation(KernelReader &reader, const Call &call);
  /// A tile is taken from a group in turn, which moves on before that for `next` and `previous`.
  void take(TileInfo &tile, std::string_view method, Site at);
  /// The part of a tile in use is set.
  void setValid(KernelReader &reader, const Call &call);
  /// Grows with what is traced, so that two readings tell whether an expression did something.
  uint64_t activity() const { return activity_; }
  void beginLoop(std::string name, const Index &variable, Index first, Index end, Index step, Site at);
  void endLoop();
  void beginBranch(const Index &condition, Site at);
  void otherwise();
  void endBranch();
  /// The first reason is kept.
  void refuse(Site at, std::string why);

private:
  std::optional<unsigned> place(KernelReader &reader, const Value &tile, Site at);
  bool window(KernelReader &reader, const Call &call, TraceNode &node, bool load);
  bool takeValid(KernelReader &reader, const Call &call, TraceNode &node);
  std::optional<int> keyInGroup(const TileInfo &tile, Site at);
  bool slotsApart(const TileInfo &tile) const;
  bool isOver(const Index &index) const;
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
  std::map<const TensorInfo *, unsigned> tensors_; ///< Looked up, never listed.
};

} // namespace placid::pro
