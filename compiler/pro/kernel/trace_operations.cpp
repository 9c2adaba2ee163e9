// SPDX-License-Identifier: Apache-2.0
// What a call of an operation becomes in a trace: its places, windows, numbers and the part of its tiles in use. Apart
// from trace.cpp, which gives places and keeps the order of loops and branches. Knows no IR. One thread.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/kernel/trace.h"
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace placid::pro {

namespace {

constexpr std::array<std::string_view, 10> kBinary{"add",     "sub",  "mul", "div", "maximum",
                                                   "minimum", "and_", "shl", "shr", "xor"};
constexpr std::array<std::string_view, 6> kCompares{"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::array<std::string_view, 9> kUnary{"neg",   "abs",   "exp",  "log",      "sqrt",
                                                 "rsqrt", "recip", "relu", "transpose"};
constexpr std::array<std::string_view, 5> kBroadcasts{"expand_max", "expand_min", "expand_mul", "expand_sub",
                                                      "expand_div"};
constexpr std::array<std::string_view, 3> kReductions{"sum", "argmax", "argmin"};
// Within one core the order of the program holds, and the toolchain puts the events that keep it. How the fixpipe walks
// through an accumulator is a matter of speed.
constexpr std::array<std::string_view, 5> kOrders{"system.sync_src", "system.sync_dst", "system.mutex_lock",
                                                  "system.mutex_unlock", "system.set_mm_layout_transform"};
// What a kernel says of itself to whoever looks for a fault: it computes the same without. What the scalar unit reads
// is read from global memory each time, so that no line has to be dropped; but that is ours, and so it is said.
constexpr std::array<std::string_view, 4> kDropped{"printf", "dump_data", "pto_assert", "system.dcci"};
// Made of several instructions, of which the first ones write `lhs`.
constexpr std::array<std::string_view, 8> kFused{"add_relu", "sub_relu",    "add_relu_cast", "sub_relu_cast",
                                                 "mul_cast", "mul_add_dst", "fused_mul_add", "fused_mul_add_relu"};

// Of trace_arranged.cpp.
constexpr std::array<std::string_view, 14> kArranged{"sort32",  "mrgsort", "mrgsort2", "histogram", "scatter",
                                                     "gatherb", "axpy",    "addc",     "partadd",   "partmul",
                                                     "partmax", "partmin", "quant",    "dequant"};

template <size_t N> bool among(std::string_view path, const std::array<std::string_view, N> &list) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

} // namespace

bool Tracer::window(KernelReader &reader, const Call &call, TraceNode &node, bool load) {
  const Argument &tensor = call.get(load ? "src_tensor" : "dst_tensor");
  const Argument &tile = call.get(load ? "dst_tile" : "src_tile");
  auto known = tensor.value.kind == ValueKind::Tensor ? tensors_.find(tensor.value.tensor) : tensors_.end();
  if (known == tensors_.end()) {
    refuse(tensor.at, "only tensors that are parameters are lowered");
    return false;
  }
  const TensorInfo &info = *tensor.value.tensor;
  if (!info.rankKnown || !info.dtype || !info.layout || info.poisoned) {
    refuse(tensor.at, "`" + info.name + "` is not known while compiling");
    return false;
  }
  rules::Window where = rules::window(reader, call, &info, tile.value.tile);
  std::optional<std::vector<KernelReader::Item>> items = reader.items(where.offsets);
  if (!items || items->size() != info.shape.size() || where.axes.size() != 2) {
    refuse(call.at, "this window is not known while compiling");
    return false;
  }
  const std::vector<Extent> &extents = tile.value.tile->type->shape;
  for (size_t axis = 0; axis < items->size(); ++axis) {
    Index offset = (*items)[axis].value.asIndex();
    auto ordered = std::find(where.axes.begin(), where.axes.end(), static_cast<int64_t>(axis));
    if (where.inTiles && ordered != where.axes.end()) {
      if (where.descending() && *extents[0] != *extents[1]) {
        refuse(call.at, "offsets that count tiles of a transposing load are not lowered");
        return false;
      }
      offset = makeIndex(IndexNode::Kind::Mul, offset,
                         constantIndex(*extents[static_cast<size_t>(ordered - where.axes.begin())]));
    }
    if (!offset) {
      refuse((*items)[axis].at, "this offset is not known while compiling");
      return false;
    }
    node.offsets.push_back(std::move(offset));
  }
  node.axes = where.axes;
  node.tensor = known->second;
  (load ? out_.tensors[known->second].read : out_.tensors[known->second].written) = true;
  return true;
}

/// Whether what the program says of the part of a tile in use decides what the operation takes: a product goes by its
/// operands, a vector operation by its result, and a move by what it fills, in UB by both.
bool Tracer::partCounts(const TraceNode &node, unsigned place) const {
  if (node.op.starts_with("matmul")) {
    size_t first = accumulates(node.op) ? 1 : 0;
    return node.read.size() > first + 1 && (node.read[first] == place || node.read[first + 1] == place);
  }
  if (node.op == "insert" || node.op == kToLanes) {
    return node.written != place; // what the other core sees of it is for that core to say
  }
  if (node.byResult) {
    return node.written == place;
  }
  return node.op != "move" || node.written == place || *out_.tiles[place].type.space == Space::Vec;
}

/// The part of its tiles that is in use. A product has others for its operands; else it is one for all of them.
bool Tracer::takeValid(KernelReader &reader, const Call &call, TraceNode &node) {
  // The vector unit counts by what it writes.
  node.byResult =
      node.dim < 0 && (among(node.op, kBinary) || among(node.op, kFused) || node.op == "cast" || node.op == "axpy" ||
                       node.op == "addc" || (among(node.op, kUnary) && node.op != "transpose"));
  std::map<unsigned, std::vector<Index>> parts;
  std::vector<Argument> given = call.arguments;
  given.insert(given.end(), call.variadic.begin(), call.variadic.end());
  for (const Argument &argument : given) {
    if (argument.value.kind != ValueKind::Tile) {
      continue;
    }
    const TileInfo &tile = *argument.value.tile;
    const TileState &state = reader.state(tile);
    std::vector<Index> valid;
    if (state.valid == TileState::Valid::Set) {
      valid = state.indices;
    } else if (state.valid == TileState::Valid::Declared) {
      for (const Extent &extent : reader.validOf(tile)) {
        valid.push_back(extent ? constantIndex(*extent) : nullptr);
      }
    }
    std::optional<unsigned> part = place(reader, argument.value, argument.at);
    if (!part) {
      return false;
    }
    bool used = node.written == part || std::find(node.read.begin(), node.read.end(), *part) != node.read.end();
    if (!used || !partCounts(node, *part)) {
      continue;
    }
    if (valid.size() != 2 || !valid[0] || !valid[1]) {
      refuse(argument.at, "the part of this tile in use is not known while compiling");
      return false;
    }
    useValid(*part, argument.at);
    auto setBy = validBy_.find(*part);
    if (setBy != validBy_.end() && setBy->second != tile.id) {
      refuse(argument.at, "the part of this tile in use was set through another name of it");
      return false;
    }
    bool whole = sameIndex(valid[0], constantIndex(*tile.type->shape[0])) &&
                 sameIndex(valid[1], constantIndex(*tile.type->shape[1]));
    parts[*part] = whole ? std::vector<Index>() : valid;
  }
  auto same = [](const std::vector<Index> &a, const std::vector<Index> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameIndex);
  };
  bool apart = node.byResult || node.op.starts_with("matmul") || node.op == "move" || node.op == "fillpad" ||
               node.op == "insert" || node.op == kToLanes || node.op.starts_with("gather") || among(node.op, kArranged);
  node.valid = node.written ? parts[*node.written] : node.read.empty() ? std::vector<Index>() : parts[node.read[0]];
  for (unsigned read : node.read) {
    node.parts.push_back(parts[read]);
    bool scales = node.op.starts_with("store") && read != node.read[0];
    if (!apart && !scales && !same(parts[read], node.valid)) {
      refuse(call.at, "tiles of which different parts are in use are not lowered");
      return false;
    }
  }
  return true;
}

/// A part that is used as the loops around begin with it; what sets it first, sets it in every round.
void Tracer::useValid(unsigned place, Site at) {
  for (size_t i = open_.size(); i-- > 0 && !open_[i].validSet.contains(place);) {
    if (open_[i].loop) {
      open_[i].validUsed.emplace(place, at);
    }
  }
}

void Tracer::setValid(KernelReader &reader, const Call &call) {
  const Value &value = call.arguments.empty() ? Value() : call.arguments[0].value;
  if (value.kind == ValueKind::Group) {
    return refuse(call.at, "the part in use of a whole group is not lowered");
  }
  std::optional<unsigned> tile = place(reader, value, call.at);
  if (!tile) {
    return;
  }
  validBy_[*tile] = value.tile->id;
  open_.back().validSet.insert(*tile);
  open_.back().validSetWithin.insert(*tile);
}

//===-- Operations ------------------------------------------------------------------------------------------------===//

bool Tracer::writes(KernelReader &reader, const Call &call, TraceNode &node, std::string_view parameter) {
  const Argument &argument = call.get(parameter);
  node.written = place(reader, argument.value, argument.given() ? argument.at : call.at);
  return node.written.has_value();
}

bool Tracer::reads(KernelReader &reader, const Call &call, TraceNode &node,
                   std::initializer_list<std::string_view> names) {
  for (std::string_view parameter : names) {
    const Argument &argument = call.get(parameter);
    std::optional<unsigned> tile = place(reader, argument.value, argument.given() ? argument.at : call.at);
    if (!tile) {
      return false;
    }
    node.read.push_back(*tile);
  }
  return true;
}

/// Options that are not lowered are off.
bool Tracer::plain(const Call &call, std::initializer_list<std::string_view> parameters) {
  for (std::string_view parameter : parameters) {
    const Argument &argument = call.get(parameter);
    std::string_view path = argument.value.path();
    bool off = path.ends_with(".AtomicNone") || path.ends_with(".CAST_ROUND") || path.ends_with(".NoRelu");
    if (argument.given() && !off) {
      refuse(argument.at,
             "`" + std::string(parameter) + "=` of `pl." + std::string(call.row->path) + "` is not lowered");
      return false;
    }
  }
  return true;
}

/// An operand that is a number.
bool Tracer::number(const Argument &argument, TraceNode &node) {
  const Value &value = argument.value;
  bool keyed = value.isUnknown() && value.index; // what a tiling key makes is no number for rules
  if (value.kind == ValueKind::Scalar || keyed) {
    node.value = value.index;
    node.real = value.real;
    return value.index || value.real >= 0;
  }
  if (value.kind != ValueKind::Python || !value.python.isNumber()) {
    return false;
  }
  bool real = value.isPython(py::Kind::Float);
  node.number = real ? value.python.real : static_cast<double>(value.python.integer);
  node.whole = value.integer();
  constexpr double kWhole = 9007199254740992; // up to which a double holds every integer
  if (real && *node.number >= -kWhole && *node.number <= kWhole && *node.number == std::floor(*node.number)) {
    node.whole = static_cast<int64_t>(*node.number);
  }
  return real || node.whole.has_value();
}

/// What happens to an accumulator on its way out. A scale that is constant is a number; one that is known at run time
/// is an FP32, or an integer that holds the bits of one.
bool Tracer::fixpipe(KernelReader &reader, const Call &call, TraceNode &node) {
  const Argument &relu = call.get("relu_pre_mode");
  const Argument &scale = call.get("scale");
  node.relu = relu.given() && relu.value.path().ends_with(".NormalRelu");
  if (!node.relu && !plain(call, {"relu_pre_mode"})) {
    return false;
  }
  if (!scale.given() || scale.value.isPython(py::Kind::None)) {
    return true;
  }
  node.scaled = true;
  if (scale.value.kind == ValueKind::Tile) {
    return reads(reader, call, node, {"scale"});
  }
  bool known = number(scale, node);
  if (node.number && !std::isfinite(static_cast<float>(*node.number))) {
    refuse(scale.at, "a scale is a finite number");
    return false;
  }
  if (!known || scale.value.isUnknown()) { // of a key it would be a constant, no word
    refuse(scale.at,
           "a scale is a constant, a parameter or an element that is read: an FP32 that is computed, or what a "
           "branch or a tiling key chooses, is not followed");
    return false;
  }
  bool integer =
      node.value && (!scale.value.dtype || *scale.value.dtype == DType::Int32 || *scale.value.dtype == DType::Int64);
  if (!node.number && !integer && (node.real < 0 || scale.value.dtype != DType::Fp32)) {
    refuse(scale.at, "a scale that is known at run time is FP32, or INT32 or INT64 with the bits of one");
    return false;
  }
  return true;
}

bool Tracer::transfer(KernelReader &reader, const Call &call, TraceNode &node) {
  std::string_view path = call.row->path;
  if (path == "load" || path == "load_tile") {
    return writes(reader, call, node, "dst_tile") && window(reader, call, node, true);
  }
  if (path == "store" || path == "store_tile") {
    const Argument &atomic = call.get("atomic");
    bool adds = atomic.given() && atomic.value.path().ends_with(".AtomicAdd");
    node.mode = adds ? "add" : "";
    bool good = (adds || plain(call, {"atomic"})) && reads(reader, call, node, {"src_tile"}) &&
                fixpipe(reader, call, node) && window(reader, call, node, false);
    if (good && adds) {
      out_.tensors[*node.tensor].read = true; // what is there is part of the sum
    }
    return good;
  }
  if (path == "move" || path == "insert") {
    return move(reader, call, node);
  }
  bool product = plain(call, {}) && writes(reader, call, node, "dst_tile");
  if (path == "matmul" && call.get("bias_tile").given()) {
    return product && reads(reader, call, node, {"lhs_tile", "rhs_tile", "bias_tile"});
  }
  product = product && (!accumulates(path) || reads(reader, call, node, {"acc_tile"})) &&
            reads(reader, call, node, {"lhs_tile", "rhs_tile"});
  return product && (!path.starts_with("matmul_mx") || reads(reader, call, node, {"scale_a", "scale_b"}));
}

bool Tracer::castMode(const Call &call, TraceNode &node) {
  const Argument &given = call.get("mode");
  std::string_view mode = given.value.path();
  size_t begin = mode.find("CAST_");
  if (given.given() && begin == std::string_view::npos) {
    refuse(given.at, "this mode is not known while compiling");
    return false;
  }
  node.mode = given.given() ? lower(mode.substr(begin + 5)) : "round";
  return true;
}

/// Several instructions in one call: what they leave in `lhs` is no number that anybody wanted.
bool Tracer::fused(KernelReader &reader, const Call &call, TraceNode &node) {
  bool third = call.row->path == "fused_mul_add_relu";
  if (call.row->path.ends_with("_cast") && !castMode(call, node)) {
    return false;
  }
  bool good = writes(reader, call, node, "out") &&
              (third ? reads(reader, call, node, {"a", "b"}) : reads(reader, call, node, {"lhs", "rhs"}));
  if (good && call.row->path.find("mul_add") != std::string_view::npos) {
    node.read.push_back(*node.written);
  }
  return good;
}

/// Fills and picks: the part of each operand in use is its own.
bool Tracer::indexed(KernelReader &reader, const Call &call, TraceNode &node) {
  std::string_view path = call.row->path;
  if (!writes(reader, call, node, "out")) {
    return false;
  }
  if (path == "fill_index") {
    const Argument &start = call.get("start");
    if (!number(start, node) || !(node.whole || node.value)) {
      refuse(start.given() ? start.at : call.at, "this start is not known while compiling");
    }
    return true;
  }
  if (path == "gathermask") {
    constexpr std::array<std::string_view, 7> kPatterns{"P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
    const Argument &given = call.get("pattern_mode");
    std::optional<int64_t> mode = given.value.integer();
    if (!mode || *mode < 1 || *mode > 7) {
      refuse(given.given() ? given.at : call.at, "this pattern is not known while compiling");
      return false;
    }
    node.mode = kPatterns[static_cast<size_t>(*mode) - 1];
    return reads(reader, call, node, {"src"});
  }
  if (path == "gather") {
    return plain(call, {"cmp_mode", "offset", "more"}) && reads(reader, call, node, {"src", "idx"});
  }
  const std::optional<int64_t> pad = out_.tiles[*node.written].type.pad;
  if (!pad || *pad == 0) {
    refuse(call.at, "what `pl.fillpad` fills with is not known while compiling");
    return false;
  }
  node.whole = *pad;
  return reads(reader, call, node, {"src"});
}

bool Tracer::vector(KernelReader &reader, const Call &call, TraceNode &node) {
  std::string_view path = call.row->path;
  bool extreme = path == "maximum" || path == "minimum";
  if (path == "cast") {
    return castMode(call, node) && writes(reader, call, node, "out") && reads(reader, call, node, {"src"});
  }
  if (among(path, kFused)) {
    return fused(reader, call, node);
  }
  if (among(path, kArranged)) {
    return arranged(reader, call, node);
  }
  if (path == "set_stride") {
    refuse(call.at, "strides that a program sets are not lowered: a view in PTO IR counts offsets by its own strides, "
                    "and `pl.set_stride` leaves offsets as they were");
    return false;
  }
  if (path == "fillpad" || path == "gather" || path == "gathermask" || path == "fill_index") {
    return indexed(reader, call, node);
  }
  if (among(path, kReductions) || among(path, kBroadcasts) || (extreme && call.get("dim").given())) {
    const Argument &dim = call.get("dim");
    node.dim = dim.given() ? dim.value.integer().value_or(-1) : 0;
    if (node.dim != 0 && node.dim != 1) {
      refuse(call.at, "this `dim` is not known while compiling");
      return false;
    }
    return writes(reader, call, node, "out") && (among(path, kBroadcasts) ? reads(reader, call, node, {"src", "scalar"})
                                                 : extreme                ? reads(reader, call, node, {"lhs"})
                                                                          : reads(reader, call, node, {"src"}));
  }
  if (among(path, kUnary)) {
    return writes(reader, call, node, "out") && reads(reader, call, node, {"src"});
  }
  bool selects = path == "select";
  if (path == "expands" || selects || among(path, kBinary) || among(path, kCompares)) {
    const Argument &second = call.get(path == "expands" ? "scalar" : "rhs");
    bool tiles = writes(reader, call, node, "out") && (!selects || reads(reader, call, node, {"mask"})) &&
                 (path == "expands" || reads(reader, call, node, {"lhs"}));
    if (among(path, kCompares) && second.value.kind == ValueKind::Tile) {
      refuse(call.at, "a comparison of two tiles has no form that the assembler takes");
      return false;
    }
    if (tiles && path != "expands" && second.value.kind == ValueKind::Tile) {
      return reads(reader, call, node, {"rhs"});
    }
    if (tiles && !number(second, node)) {
      refuse(second.given() ? second.at : call.at, "this operand is not known while compiling");
    }
    return tiles;
  }
  refuse(call.at, "`pl." + std::string(path) + "` has no counterpart at the tile level yet");
  return false;
}

Value Tracer::operation(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  bool asks = path.starts_with("get_block") || path.starts_with("get_subblock");
  activity_ += asks ? 0 : 1;
  if (call.open || call.foreign || !call.extra.empty() || !call.repeated.empty()) {
    refuse(call.at, "the arguments of this call are not followed");
    return {};
  }
  if (path == "system.sync_all") {
    refuse(call.at, "synchronisation between all cores is not lowered");
    return {};
  }
  if (path == "system.set_cross_core" || path == "system.wait_cross_core") {
    flag(call);
    return {};
  }
  if (path == "set_validshape") {
    setValid(reader, call);
    return {};
  }
  bool inOrder = path.starts_with("system.bar_") || path.starts_with("mutex.mutex_") || among(path, kOrders);
  if (inOrder || asks) {
    return {};
  }
  if (among(path, kDropped)) {
    out_.dropped.push_back({std::string(path), call.at});
    return {};
  }
  if (path == "getval" || path == "setval") {
    const Argument &offset = call.get("offset");
    const Argument &assigned = call.get("value");
    return element(reader, call.get("container").value, {offset.value.asIndex()},
                   path == "setval" ? &assigned.value : nullptr, call.at);
  }
  if (const TileInfo *tile = chosenTile(call)) {
    overChoices(reader, call, *tile, 0);
    return {};
  }
  TraceNode node;
  node.at = call.at;
  node.op = path;
  bool transfers = path.starts_with("load") || path.starts_with("store") || path == "move" || path == "insert" ||
                   path.starts_with("matmul");
  bool good = transfers ? transfer(reader, call, node) : vector(reader, call, node);
  if (good && out_.refused.empty() && takeValid(reader, call, node)) {
    if (among(path, kFused) && node.read[0] != *node.written) {
      node.spoilt.push_back(node.read[0]);
    }
    std::vector<unsigned> spoilt = node.spoilt;
    list().push_back(std::move(node));
    if (!spoilt.empty()) {
      add(TraceNode::Kind::Forget, call.at).read = std::move(spoilt);
    }
  }
  return {};
}

/// One element of a tensor or tile: read into a variable, or written with a number. One index counts through all axes.
Value Tracer::element(KernelReader &reader, const Value &container, std::vector<Index> indices, const Value *assigned,
                      Site at) {
  ++activity_;
  Value out = Value::scalar(ScalarOrigin::Other);
  TraceNode node;
  node.at = at;
  node.op = assigned ? "element.write" : "element.read";
  std::optional<DType> dtype;
  size_t rank = 0;
  if (container.kind == ValueKind::Tile) {
    std::optional<unsigned> tile = place(reader, container, at);
    if (!tile) {
      return out;
    }
    node.read = {*tile};
    node.written = assigned ? tile : std::nullopt;
    dtype = container.tile->type->dtype;
    rank = container.tile->type->shape.size();
    bool vec = *container.tile->type->space == Space::Vec && *container.tile->type->layout == Layout::ND;
    if (!vec || reader.state(*container.tile).valid != TileState::Valid::Declared) {
      refuse(at, "an element of this tile is not lowered");
      return out;
    }
  } else {
    auto known = container.kind == ValueKind::Tensor ? tensors_.find(container.tensor) : tensors_.end();
    const TensorInfo *info = container.tensor;
    if (known == tensors_.end() || !info->rankKnown || !info->dtype || info->layout != Layout::ND || info->poisoned) {
      refuse(at, "an element of this is not lowered");
      return out;
    }
    node.tensor = known->second;
    dtype = info->dtype;
    rank = info->shape.size();
    (assigned ? out_.tensors[known->second].written : out_.tensors[known->second].read) = true;
  }
  bool known = std::all_of(indices.begin(), indices.end(), [](const Index &index) { return index != nullptr; });
  if (!known || indices.empty() || (indices.size() != rank && indices.size() != 1)) {
    refuse(at, "which element this is, is not known while compiling");
    return out;
  }
  node.indices = std::move(indices);
  if (assigned) {
    Argument given;
    given.value = *assigned;
    if (!number(given, node)) {
      refuse(at, "the number that is written here is not known while compiling");
    }
  } else {
    node.result = variable("this element", at);
    out.dtype = dtype;
    if (dtype && (isInteger(*dtype) || *dtype == DType::Bool)) {
      out.index = variableIndex(node.result);
    } else {
      out.real = node.result;
    }
  }
  if (out_.refused.empty()) {
    list().push_back(std::move(node));
  }
  return out;
}

} // namespace placid::pro
