// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/trace.h"

#include "compiler/pro/kernel/reader.h"

#include <algorithm>
#include <iterator>

namespace placid::pro {

namespace {

/// The least that a number can be, where the program runs at all: extents are above zero. Nothing where that is not
/// known or not within bounds that sums and products stay clear of.
std::optional<int64_t> lowest(const IndexNode &node) {
  using Kind = IndexNode::Kind;
  using Origin = IndexNode::Origin;
  constexpr int64_t kMost = int64_t{1} << 30;
  if (node.range) {
    return std::clamp(node.range->low, -kMost, kMost);
  }
  if (node.kind == Kind::Symbol) {
    bool counts = node.symbol == Origin::BlockCount || node.symbol == Origin::Extent;
    return counts ? std::optional<int64_t>(1) : std::nullopt;
  }
  if (!node.a || !node.b) {
    return std::nullopt;
  }
  std::optional<int64_t> a = lowest(*node.a);
  std::optional<int64_t> b = lowest(*node.b);
  bool bounded = node.b->range && node.b->range->high <= kMost && node.b->range->low >= -kMost;
  auto kept = [&](int64_t value) { return std::optional<int64_t>(std::clamp(value, -kMost, kMost)); };
  switch (node.kind) {
  case Kind::Add:
    return a && b ? kept(*a + *b) : std::nullopt;
  case Kind::Sub:
    return a && bounded ? kept(*a - node.b->range->high) : std::nullopt;
  case Kind::Mul:
    return a && b && *a >= 0 && *b >= 0 ? kept(*a * *b) : std::nullopt;
  case Kind::FloorDiv:
    return a && *a >= 0 && bounded && node.b->range->low > 0 ? kept(*a / node.b->range->high) : std::nullopt;
  case Kind::FloorMod:
    return bounded && node.b->range->low > 0 ? std::optional<int64_t>(0) : std::nullopt;
  case Kind::Min:
    return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
  case Kind::Max:
    return a && b ? std::optional(std::max(*a, *b)) : a ? a : b;
  default:
    return std::nullopt;
  }
}

} // namespace

bool isPositive(const IndexNode &node) { return lowest(node).value_or(0) > 0; }

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
    int64_t real = value.index ? -1 : value.real;
    out_.scalars.push_back({std::move(name), *value.dtype, number, real});
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
        refuseSlot(at, "a tile taken before this loop is not lowered where the loop turns its group");
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
  std::set<unsigned> first = open_.back().validSet;
  settleTurns();
  std::vector<TraceNode> *second = &list().back().otherwise;
  Open &open = open_.emplace_back();
  open.list = second;
  open.begun = taken_;
  open.setOnFirst = std::move(first);
}

void Tracer::endBranch(std::vector<TraceJoined> joined) {
  std::set<unsigned> both;
  const Open &second = open_.back();
  std::set_intersection(second.setOnFirst.begin(), second.setOnFirst.end(), second.validSet.begin(),
                        second.validSet.end(), std::inserter(both, both.end()));
  settleTurns();
  open_.back().validSet.merge(both); // on every way
  list().back().joined = std::move(joined);
}

void Tracer::carry(TraceCarried one) { open_[open_.size() - 2].list->back().carried.push_back(std::move(one)); }

int64_t Tracer::variable(std::string name, Site at, bool behind) {
  TraceVariable &made = out_.variables.emplace_back();
  made.name = std::move(name);
  made.at = at;
  for (const Open &open : open_) {
    if (open.loop) {
      made.loops.push_back(open.number);
    }
  }
  if (behind) {
    made.loops.pop_back();
  }
  return static_cast<int64_t>(out_.variables.size()) - 1;
}

void Tracer::take(TileInfo &tile, std::string_view method, Site at) {
  ++activity_;
  if (tile.slot >= 0) {
    return; // the only one of its group
  }
  GroupUse &use = groups_[tile.group];
  if (method == "previous") {
    refuseSlot(at, "`previous` of a group of several tiles is not lowered");
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
    refuseSlot(at, std::move(why));
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
    bool ranges = tile.index && tile.index->range;
    if (ranges &&
        (tile.index->range->high < 0 || tile.index->range->low >= static_cast<int64_t>(tile.group->addresses.size()))) {
      return fail("the group has no tile of this index"); // rules do not look at numbers in structs
    }
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
  auto over = [&](int64_t loop) {
    return std::none_of(open_.begin(), open_.end(), [&](const Open &one) { return one.loop && one.number == loop; });
  };
  bool changes = index->kind == IndexNode::Kind::Symbol && index->symbol == IndexNode::Origin::Variable;
  const std::vector<int64_t> none;
  const std::vector<int64_t> &around = changes ? out_.variables[static_cast<size_t>(index->constant)].loops : none;
  return (index->kind == IndexNode::Kind::Loop && over(index->constant)) ||
         std::any_of(around.begin(), around.end(), over) || isOver(index->a) || isOver(index->b);
}

/// It is another number in the next round of a loop.
bool Tracer::mentions(const Index &index, int64_t loop) const {
  if (!index) {
    return false;
  }
  bool changes = index->kind == IndexNode::Kind::Symbol && index->symbol == IndexNode::Origin::Variable;
  const std::vector<int64_t> none;
  const std::vector<int64_t> &around = changes ? out_.variables[static_cast<size_t>(index->constant)].loops : none;
  return (index->kind == IndexNode::Kind::Loop && index->constant == loop) ||
         std::find(around.begin(), around.end(), loop) != around.end() || mentions(index->a, loop) ||
         mentions(index->b, loop);
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
  if (!tile.choices.empty()) {
    refuse(at, "a tile that a number of run time chooses is not lowered here");
    return std::nullopt;
  }
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

} // namespace placid::pro
