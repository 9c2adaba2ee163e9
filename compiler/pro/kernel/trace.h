// SPDX-License-Identifier: Apache-2.0
// What one core runs of a kernel, as a tree of operations, loops and branches: made while the kernel is read, turned
// into IR by compiler/pro/lower. Constants are folded, helpers inlined; tiles are the places they lie in. Knows no IR.
// What has no form here is refused once, with its place. One thread.
#pragma once

#include "compiler/pro/kernel/value.h"
#include "compiler/pro/ops.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace placid::pro {

/// One place in on-chip memory. Tiles of `make_tile` and single slots have one each, the turning slots of a group share
/// one: what it holds is what the slot in turn was filled with.
struct TraceTile {
  std::string name;
  TileTypeInfo type;
  Extent begin; ///< Bytes; nothing where the address is not known.
  Extent end;
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
  std::string mode;         ///< Of a cast: "rint".
  int64_t dim = -1;         ///< Of a reduction: 0 rows, 1 columns.
  std::vector<Index> valid; ///< Rows and columns in use of its tiles; empty: all.
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
  explicit Tracer(Trace &out) : out_(out), open_{&out.body} {}

  void parameter(const Value &value, int number, std::string name, Site at);
  void operation(KernelReader &reader, const Call &call);
  /// A group moves on to its next tile.
  void turn(const GroupInfo &group, Site at);
  void beginLoop(std::string name, const Index &variable, Index first, Index end, Index step, Site at);
  void endLoop() { open_.pop_back(); }
  void beginBranch(const Index &condition, Site at);
  void otherwise();
  void endBranch() { open_.pop_back(); }
  /// The first reason is kept.
  void refuse(Site at, std::string why);

private:
  std::optional<unsigned> place(KernelReader &reader, const Value &tile, Site at);
  bool window(KernelReader &reader, const Call &call, TraceNode &node, bool load);
  bool takeValid(KernelReader &reader, const Call &call, TraceNode &node);
  TraceNode &add(TraceNode::Kind kind, Site at);

  Trace &out_;
  std::vector<std::vector<TraceNode> *> open_;
  std::map<std::pair<const GroupInfo *, int>, unsigned> slots_; ///< -1: the one in turn. Looked up, never listed.
  std::map<unsigned, unsigned> singles_;                        ///< By TileInfo::id.
  std::map<const TensorInfo *, unsigned> tensors_;              ///< Looked up, never listed.
};

} // namespace placid::pro
