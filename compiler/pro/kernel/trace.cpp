// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/trace.h"

#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace placid::pro {

namespace {

constexpr std::array<std::string_view, 8> kBinary{"add", "sub", "mul", "div", "maximum", "minimum", "and_", "expands"};
constexpr std::array<std::string_view, 8> kUnary{"neg", "abs", "exp", "log", "sqrt", "rsqrt", "recip", "relu"};
constexpr std::array<std::string_view, 3> kBroadcasts{"expand_mul", "expand_sub", "expand_div"};

template <size_t N> bool among(std::string_view path, const std::array<std::string_view, N> &list) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

/// Surely above zero, where the program runs at all: extents that bound a loop's step are.
bool isPositive(const IndexNode &node) {
  using Kind = IndexNode::Kind;
  using Origin = IndexNode::Origin;
  if (node.range) {
    return node.range->low > 0;
  }
  switch (node.kind) {
  case Kind::Symbol:
    return node.symbol == Origin::BlockCount || node.symbol == Origin::Extent;
  case Kind::Add:
  case Kind::Mul:
  case Kind::Min:
    return isPositive(*node.a) && isPositive(*node.b);
  case Kind::Max:
    return isPositive(*node.a) || isPositive(*node.b);
  default:
    return false;
  }
}

bool mentions(const Index &index, int64_t loop) {
  return index && ((index->kind == IndexNode::Kind::Loop && index->constant == loop) || mentions(index->a, loop) ||
                   mentions(index->b, loop));
}

} // namespace

void Tracer::refuse(Site at, std::string why) {
  if (out_.refused.empty()) {
    out_.refused = std::move(why);
    out_.refusedAt = at;
  }
}

TraceNode &Tracer::add(TraceNode::Kind kind, Site at) {
  TraceNode &made = list().emplace_back();
  made.kind = kind;
  made.at = at;
  return made;
}

void Tracer::parameter(const Value &value, int number, std::string name, Site at) {
  if (value.kind == ValueKind::Tensor) {
    tensors_[value.tensor] = static_cast<unsigned>(out_.tensors.size());
    out_.tensors.push_back({*value.tensor, false, false});
  } else if (value.kind == ValueKind::Scalar && value.dtype) {
    out_.scalars.push_back({std::move(name), *value.dtype, number});
  } else {
    refuse(at, "a parameter that is no tensor and no number is not lowered");
  }
}

void Tracer::beginLoop(std::string name, const Index &variable, Index first, Index end, Index step, Site at) {
  if (!variable) {
    refuse(at, "the rounds of this loop are not known while compiling");
  }
  if (!step || !isPositive(*step)) {
    refuse(at, "a loop whose step may not be positive is not lowered");
  }
  TraceNode &made = add(TraceNode::Kind::Loop, at);
  made.name = std::move(name);
  made.loop = variable ? variable->constant : -1;
  made.first = std::move(first);
  made.end = std::move(end);
  made.step = std::move(step);
  int64_t number = made.loop;
  Open &open = open_.emplace_back();
  open.list = &made.body;
  open.loop = true;
  open.number = number;
  open.begun = taken_;
}

/// Each round begins with other tiles of the groups that have turned in it: what an earlier round left there is not
/// what a place of this reading stands for.
void Tracer::endLoop() {
  const Open &done = open_.back();
  std::set<unsigned> others;
  for (const GroupInfo *group : done.turned) {
    const GroupUse &use = groups_[group];
    others.insert(use.places.begin(), use.places.end());
    for (const auto &[used, at] : done.earlier) {
      if (used == group) {
        refuse(at, "a tile taken before this loop is not lowered where the loop turns its group");
      }
    }
  }
  for (unsigned place : indexed_) {
    if (mentions(out_.tiles[place].index, done.number)) {
      others.insert(place);
    }
  }
  if (!others.empty()) {
    TraceNode node;
    node.kind = TraceNode::Kind::Forget;
    node.read.assign(others.begin(), others.end());
    done.list->insert(done.list->begin(), std::move(node));
  }
  for (const auto &[place, at] : done.validUsed) {
    if (done.validSetWithin.contains(place)) {
      refuse(at, "the part of this tile in use changes later in the loop");
    }
  }
  settleTurns();
}

/// Leaves a loop or a branch: how often its groups have turned is not known from here on.
void Tracer::settleTurns() {
  Open done = std::move(open_.back());
  open_.pop_back();
  Open &outer = open_.back();
  for (const GroupInfo *group : done.turned) {
    GroupUse &use = groups_[group];
    use.oldest = ++use.now;
    outer.turned.push_back(group);
  }
  outer.validSetWithin.insert(done.validSetWithin.begin(), done.validSetWithin.end());
}

void Tracer::beginBranch(const Index &condition, Site at) {
  if (!condition) {
    refuse(at, "this condition is not known while compiling");
  }
  TraceNode &made = add(TraceNode::Kind::Branch, at);
  made.condition = condition;
  Open &open = open_.emplace_back();
  open.list = &made.body;
  open.begun = taken_;
}

void Tracer::otherwise() {
  settleTurns();
  std::vector<TraceNode> *second = &list().back().otherwise;
  Open &open = open_.emplace_back();
  open.list = second;
  open.begun = taken_;
}

void Tracer::endBranch() { settleTurns(); }

void Tracer::take(TileInfo &tile, std::string_view method, Site at) {
  ++activity_;
  if (tile.slot >= 0) {
    return; // the only one of its group
  }
  GroupUse &use = groups_[tile.group];
  if (method == "previous") {
    refuse(at, "`previous` of a group of several tiles is not lowered");
  }
  if (method != "current") {
    ++use.now;
    open_.back().turned.push_back(tile.group);
  }
  tile.turn = use.now;
  tile.taken = ++taken_;
}

/// The number of a tile's place within its group; nothing where another tile of the group may lie there.
std::optional<int> Tracer::keyInGroup(const TileInfo &tile, Site at) {
  using Kind = GroupUse::Kind;
  auto fail = [&](std::string why) {
    refuse(at, std::move(why));
    return std::nullopt;
  };
  GroupUse &use = groups_[tile.group];
  Kind kind = tile.slot >= 0 ? Kind::Constant : tile.turn >= 0 ? Kind::Turn : Kind::Indexed;
  if (use.kind != Kind::Unused && use.kind != kind) {
    return fail("a group of tiles that is used in turn and by index, or by constant and other indices, is not lowered");
  }
  if (use.kind == Kind::Unused) {
    use.kind = kind;
    use.number = ++groupsUsed_;
    use.index = tile.index;
  }
  if (kind == Kind::Constant) {
    return tile.slot;
  }
  if (!slotsApart(tile)) {
    return fail("a group of which slots may share bytes is not lowered");
  }
  if (kind == Kind::Indexed) {
    if (tile.index && !sameIndex(tile.index, use.index) && isOver(use.index)) {
      use.index = tile.index; // nobody comes back to what the loop before used
      ++use.now;
    }
    if (!tile.index || !sameIndex(tile.index, use.index)) {
      return fail("which slot of the group this is, is not known while compiling");
    }
    return use.now;
  }
  if (tile.turn < use.oldest || use.now - tile.turn >= static_cast<int>(tile.group->addresses.size())) {
    return fail("the group has turned on since this tile was taken");
  }
  for (Open &open : open_) {
    if (open.loop && tile.taken <= open.begun) {
      open.earlier.emplace_back(tile.group, at);
    }
  }
  return tile.turn;
}

/// A number of a loop that is closed.
bool Tracer::isOver(const Index &index) const {
  if (!index) {
    return false;
  }
  bool open = index->kind != IndexNode::Kind::Loop || std::any_of(open_.begin(), open_.end(), [&](const Open &one) {
                return one.loop && one.number == index->constant;
              });
  return !open || isOver(index->a) || isOver(index->b);
}

bool Tracer::slotsApart(const TileInfo &tile) const {
  std::vector<int64_t> shape;
  for (const Extent &extent : tile.type->shape) {
    shape.push_back(*extent);
  }
  int64_t bytes = footprint(shape, *tile.type->dtype);
  std::vector<int64_t> begins;
  for (const Extent &address : tile.group->addresses) {
    if (!address) {
      return false;
    }
    begins.push_back(*address);
  }
  std::sort(begins.begin(), begins.end());
  for (size_t i = 1; i < begins.size(); ++i) {
    if (begins[i] - begins[i - 1] < bytes) {
      return false;
    }
  }
  return !begins.empty();
}

/// The place a tile lies in.
std::optional<unsigned> Tracer::place(KernelReader &reader, const Value &value, Site at) {
  if (value.kind != ValueKind::Tile || !value.tile->type || !value.tile->type->isStatic() || !value.tile->type->dtype ||
      !value.tile->type->space || !value.tile->type->layout || value.tile->type->poisoned) {
    refuse(at, "this tile is not known while compiling");
    return std::nullopt;
  }
  const TileInfo &tile = *value.tile;
  auto made = static_cast<unsigned>(out_.tiles.size());
  bool added = false;
  unsigned number = made;
  if (!tile.group) {
    auto found = singles_.try_emplace(tile.id, made);
    added = found.second;
    number = found.first->second;
  } else {
    std::optional<int> key = keyInGroup(tile, at);
    if (!key) {
      return std::nullopt;
    }
    auto found = slots_.try_emplace({tile.group, *key}, made);
    added = found.second;
    number = found.first->second;
  }
  if (added) {
    TraceTile &place = out_.tiles.emplace_back();
    place.name = tile.name.empty() ? "tile" : tile.name;
    place.type = *tile.type;
    if (tile.group && tile.slot < 0) {
      GroupUse &use = groups_[tile.group];
      use.places.push_back(number);
      place.group = use.number;
      if (use.kind == GroupUse::Kind::Indexed) {
        place.index = use.index;
        indexed_.push_back(number);
      }
    }
    std::vector<int64_t> shape;
    for (const Extent &extent : tile.type->shape) {
      shape.push_back(*extent);
    }
    int64_t bytes = footprint(shape, *tile.type->dtype);
    if (tile.address) {
      place.begin = tile.address;
      place.end = *tile.address + bytes;
    } else if (tile.group && !tile.group->addresses.empty()) {
      // Every slot may be the one in turn; that each has an address was looked at.
      for (const Extent &address : tile.group->addresses) {
        int64_t begin = address.value_or(0);
        place.begin = std::min(place.begin.value_or(begin), begin);
        place.end = std::max(place.end.value_or(begin + bytes), begin + bytes);
      }
    }
  }
  return number;
}

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

/// The part of its tiles that is in use: one for all of them.
bool Tracer::takeValid(KernelReader &reader, const Call &call, TraceNode &node) {
  bool first = true;
  for (const Argument &argument : call.arguments) {
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
    if (valid.size() != 2 || !valid[0] || !valid[1]) {
      refuse(argument.at, "the part of this tile in use is not known while compiling");
      return false;
    }
    std::optional<unsigned> part = place(reader, argument.value, argument.at);
    if (!part) {
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
    valid = whole ? std::vector<Index>() : valid;
    bool same = valid.size() == node.valid.size() &&
                (valid.empty() || (sameIndex(valid[0], node.valid[0]) && sameIndex(valid[1], node.valid[1])));
    if (!first && !same) {
      refuse(argument.at, "tiles of which different parts are in use are not lowered");
      return false;
    }
    node.valid = std::move(valid);
    first = false;
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

void Tracer::operation(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  activity_ += path == "get_block_idx" || path == "get_block_num" ? 0 : 1;
  if (call.open || call.foreign || !call.extra.empty() || !call.repeated.empty()) {
    return refuse(call.at, "the arguments of this call are not followed");
  }
  if (path == "system.set_cross_core" || path == "system.wait_cross_core" || path == "system.sync_all") {
    return refuse(call.at, "synchronisation between cores is not lowered");
  }
  // Within one core the order of the program holds, and the toolchain puts the events that keep it. A `phase=` is such
  // an event between the cube and the fixpipe.
  if (path == "set_validshape") {
    return setValid(reader, call);
  }
  bool inOrder = path.starts_with("system.bar_") || path == "system.sync_src" || path == "system.sync_dst" ||
                 path == "system.mutex_lock" || path == "system.mutex_unlock" || path == "system.dcci" ||
                 path.starts_with("mutex.mutex_");
  if (inOrder || path == "get_block_idx" || path == "get_block_num") {
    return;
  }
  TraceNode node;
  node.at = call.at;
  node.op = path;
  auto use = [&](std::string_view parameter) {
    const Argument &argument = call.get(parameter);
    return place(reader, argument.value, argument.given() ? argument.at : call.at);
  };
  auto reads = [&](std::initializer_list<std::string_view> parameters) {
    for (std::string_view parameter : parameters) {
      std::optional<unsigned> tile = use(parameter);
      if (!tile) {
        return false;
      }
      node.read.push_back(*tile);
    }
    return true;
  };
  auto plain = [&](std::initializer_list<std::string_view> parameters) {
    for (std::string_view parameter : parameters) {
      const Argument &argument = call.get(parameter);
      bool off = argument.value.path().ends_with(".AtomicNone") || argument.value.path().ends_with(".CAST_ROUND");
      if (argument.given() && !off) {
        refuse(argument.at, "`" + std::string(parameter) + "=` of `pl." + std::string(path) + "` is not lowered");
        return false;
      }
    }
    return true;
  };
  bool good = true;
  if (path == "load" || path == "load_tile") {
    node.written = use("dst_tile");
    good = node.written && window(reader, call, node, true);
  } else if (path == "store" || path == "store_tile") {
    good = plain({"relu_pre_mode", "scale", "atomic"}) && reads({"src_tile"}) && window(reader, call, node, false);
  } else if (path == "move") {
    node.written = use("dst_tile");
    good = node.written && plain({"acc_to_vec_mode", "relu_pre_mode", "scale"}) && reads({"src_tile"});
    const Argument &offset = call.get("offset");
    std::optional<std::vector<KernelReader::Item>> items;
    if (good && offset.given()) {
      items = reader.items(offset);
      good = items && items->size() == 2;
    }
    for (size_t i = 0; good && items && i < items->size(); ++i) {
      node.offsets.push_back((*items)[i].value.asIndex());
      good = node.offsets.back() != nullptr;
    }
    if (!good) {
      refuse(call.at, "this move is not known while compiling");
    }
  } else if (path == "matmul" || path == "matmul_acc") {
    node.written = use("dst_tile");
    good = node.written && plain({"bias_tile"}) &&
           (path == "matmul" ? reads({"lhs_tile", "rhs_tile"}) : reads({"acc_tile", "lhs_tile", "rhs_tile"}));
  } else if (path == "cast") {
    node.written = use("out");
    good = node.written && reads({"src"});
    const Argument &given = call.get("mode");
    std::string_view mode = given.value.path();
    size_t begin = mode.find("CAST_");
    if (given.given() && begin == std::string_view::npos) {
      return refuse(given.at, "this mode is not known while compiling");
    }
    node.mode = given.given() ? lower(mode.substr(begin + 5)) : "round";
  } else if (path == "sum" || among(path, kBroadcasts) ||
             ((path == "maximum" || path == "minimum") && call.get("dim").given())) {
    const Argument &dim = call.get("dim");
    node.dim = dim.given() ? dim.value.integer().value_or(-1) : 0;
    node.written = use("out");
    good = node.written && (among(path, kBroadcasts) ? reads({"src", "scalar"})
                            : path == "sum"          ? reads({"src"})
                                                     : reads({"lhs"}));
    if (good && node.dim != 0 && node.dim != 1) {
      return refuse(call.at, "this `dim` is not known while compiling");
    }
  } else if (among(path, kUnary)) {
    node.written = use("out");
    good = node.written && reads({"src"});
  } else if (among(path, kBinary)) {
    node.written = use("out");
    const Argument &second = call.get(path == "expands" ? "scalar" : "rhs");
    good = node.written && (path == "expands" || reads({"lhs"}));
    if (good && second.value.kind == ValueKind::Python && second.value.python.isNumber()) {
      node.number = second.value.isPython(py::Kind::Float) ? second.value.python.real
                                                           : static_cast<double>(second.value.python.integer);
      node.whole = second.value.integer();
      bool real = second.value.isPython(py::Kind::Float);
      constexpr double kWhole = 9007199254740992; // up to which a double holds every integer
      if (real && *node.number >= -kWhole && *node.number <= kWhole && *node.number == std::floor(*node.number)) {
        node.whole = static_cast<int64_t>(*node.number);
      }
      good = real || node.whole.has_value();
    } else if (good && path != "expands" && second.value.kind == ValueKind::Tile) {
      good = reads({"rhs"});
    } else {
      good = false;
    }
    if (!good) {
      refuse(second.given() ? second.at : call.at, "this operand is not known while compiling");
    }
  } else {
    return refuse(call.at, "`pl." + std::string(path) + "` has no counterpart at the tile level yet");
  }
  if (good && out_.refused.empty() && takeValid(reader, call, node)) {
    list().push_back(std::move(node));
  }
}

} // namespace placid::pro
