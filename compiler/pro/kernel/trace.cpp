// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/trace.h"

#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>

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

} // namespace

void Tracer::refuse(Site at, std::string why) {
  if (out_.refused.empty()) {
    out_.refused = std::move(why);
    out_.refusedAt = at;
  }
}

TraceNode &Tracer::add(TraceNode::Kind kind, Site at) {
  TraceNode &made = open_.back()->emplace_back();
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
  TraceNode &made = add(TraceNode::Kind::Loop, at);
  made.name = std::move(name);
  made.loop = variable ? variable->constant : -1;
  made.first = std::move(first);
  made.end = std::move(end);
  made.step = std::move(step);
  open_.push_back(&made.body);
}

void Tracer::beginBranch(const Index &condition, Site at) {
  if (!condition) {
    refuse(at, "this condition is not known while compiling");
  }
  TraceNode &made = add(TraceNode::Kind::Branch, at);
  made.condition = condition;
  open_.push_back(&made.body);
}

void Tracer::otherwise() {
  open_.pop_back();
  open_.push_back(&open_.back()->back().otherwise);
}

void Tracer::turn(const GroupInfo &group, Site at) {
  auto known = slots_.find({&group, -1});
  if (group.addresses.size() != 1 && known != slots_.end()) {
    add(TraceNode::Kind::Forget, at).read = {known->second};
  }
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
    auto found = slots_.try_emplace({tile.group, tile.slot}, made);
    added = found.second;
    number = found.first->second;
    auto other = std::any_of(slots_.begin(), slots_.end(), [&](const auto &slot) {
      return slot.first.first == tile.group && (slot.first.second < 0) != (tile.slot < 0);
    });
    if (other) {
      refuse(at, "a group of tiles that is used in turn and by index is not lowered");
    }
  }
  if (added) {
    TraceTile &place = out_.tiles.emplace_back();
    place.name = tile.name.empty() ? "tile" : tile.name;
    place.type = *tile.type;
    std::vector<int64_t> shape;
    for (const Extent &extent : tile.type->shape) {
      shape.push_back(*extent);
    }
    int64_t bytes = footprint(shape, *tile.type->dtype);
    if (tile.address) {
      place.begin = tile.address;
      place.end = *tile.address + bytes;
    } else if (tile.group && !tile.group->addresses.empty()) {
      // Every slot may be the one in turn.
      for (const Extent &address : tile.group->addresses) {
        place.begin = address ? Extent(place.begin ? std::min(*place.begin, *address) : *address) : std::nullopt;
        place.end =
            address ? Extent(place.end ? std::max(*place.end, *address + bytes) : *address + bytes) : std::nullopt;
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

void Tracer::operation(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  if (path == "system.set_cross_core" || path == "system.wait_cross_core" || path == "system.sync_all") {
    return refuse(call.at, "synchronisation between cores is not lowered");
  }
  // Within one core the order of the program holds, and the toolchain puts the events that keep it. A `phase=` is such
  // an event between the cube and the fixpipe.
  bool inOrder = path.starts_with("system.") || path.starts_with("mutex.") || path == "set_validshape";
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
    std::string_view mode = call.get("mode").value.path();
    size_t begin = mode.find("CAST_");
    node.mode = begin != std::string_view::npos ? lower(mode.substr(begin + 5)) : "round";
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
      good = second.value.isPython(py::Kind::Float) || second.value.integer().has_value();
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
    open_.back()->push_back(std::move(node));
  }
}

} // namespace placid::pro
