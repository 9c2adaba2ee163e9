// SPDX-License-Identifier: Apache-2.0
// What names, cells and tiles hold where two ways meet. Apart from statements.cpp, which says where they do. One
// thread.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>

namespace placid::pro {

KernelReader::Flow KernelReader::save() {
  forgetPlain();
  return {frames_.back().locals, cells_, tiles_, ended_};
}

/// Every turn of a group makes a tile: of those about which nothing is to be said, ways keep nothing.
void KernelReader::forgetPlain() {
  std::erase_if(tiles_, [](const auto &one) {
    const TileState &state = one.second;
    return state.valid == TileState::Valid::Declared && !state.loading && !state.unsynced;
  });
}

void KernelReader::restore(const Flow &flow) {
  frames_.back().locals = flow.locals;
  cells_ = flow.cells;
  tiles_ = flow.tiles;
  ended_ = flow.ended;
}

Value KernelReader::joined(const Value &a, const Value &b) {
  if (sameValue(a, b)) {
    return a;
  }
  Index x = joins_ ? a.asNumber() : nullptr;
  if (Index y = x ? b.asNumber() : nullptr) {
    // Where rules would know which way is gone, they see no number.
    bool hidden = joinReason_ || a.isUnknown() || b.isUnknown();
    Value out = hidden ? Value::unknown(a.isUnknown()   ? a.why
                                        : b.isUnknown() ? b.why
                                                        : *joinReason_)
                       : Value::scalar(ScalarOrigin::Other, a.dtype == b.dtype ? a.dtype : std::nullopt);
    int64_t behind = tracer_->variable("this number", joinsAt_);
    joins_->push_back({behind, y, x}); // what is joined to is the second way
    out.index = hidden ? ofTrace(variableIndex(behind)) : variableIndex(behind);
    return out;
  }
  if (a.isUnknown() || b.isUnknown()) {
    return a.isUnknown() ? a : b;
  }
  if (a.kind == ValueKind::Scalar && b.kind == ValueKind::Scalar && a.dtype == b.dtype) {
    return Value::scalar(a.origin, a.dtype); // of run time on both ways, and two numbers
  }
  if (a.kind == ValueKind::Sequence && b.kind == ValueKind::Sequence && a.items->size() == b.items->size()) {
    std::vector<Value> items;
    for (size_t i = 0; i < a.items->size(); ++i) {
      items.push_back(joined((*a.items)[i], (*b.items)[i]));
    }
    return Value::sequence(std::move(items));
  }
  bool ofOne = a.kind == b.kind && a.structure != 0 && a.structure == b.structure && a.structures == b.structures &&
               a.fields == b.fields && a.items == b.items;
  if (ofOne) {
    Value out = a; // of one array, and which of it depends on the way
    out.pick = nullptr;
    if (joins_ && !joinReason_ && a.pick && b.pick) {
      int64_t behind = tracer_->variable("which struct this is", joinsAt_);
      joins_->push_back({behind, b.pick, a.pick});
      out.pick = variableIndex(behind);
    }
    return out;
  }
  bool alike = a.kind == ValueKind::Struct && b.kind == ValueKind::Struct && a.structure == 0 && b.structure == 0 &&
               *a.fields == *b.fields;
  if (tracer_ && alike) {
    std::vector<Value> items;
    for (size_t i = 0; i < a.items->size(); ++i) {
      items.push_back(joined((*a.items)[i], (*b.items)[i]));
    }
    return Value::ofFields(*a.fields, std::move(items));
  }
  if (joinReason_) {
    return Value::unknown(*joinReason_);
  }
  if (a.isNumber() && b.isNumber()) {
    return Value::scalar(ScalarOrigin::Other);
  }
  if (a.kind == ValueKind::Tile && b.kind == ValueKind::Tile && sameType(*a.tile->type, *b.tile->type)) {
    TileInfo &made = newTile();
    made.type = a.tile->type;
    made.at = a.tile->at;
    made.name = a.tile->name;
    made.group = a.tile->group ? a.tile->group : b.tile->group;
    state(made).valid = TileState::Valid::Unknown;
    chooseByWay(made, b.tile, a.tile); // what is joined to is the second way
    Value out = a;
    out.tile = &made;
    return out;
  }
  return Value::unknown("it differs by the way that leads here");
}

/// After two ways: what both say. A name that one way alone binds keeps that value, as it does in the runtime.
void KernelReader::join(const Flow &other) {
  if (other.ended) {
    return;
  }
  if (ended_) {
    restore(other);
    return;
  }
  std::map<std::string_view, Local> &locals = frames_.back().locals;
  for (const auto &[name, theirs] : other.locals) {
    auto ours = locals.find(name);
    if (ours == locals.end()) {
      locals.emplace(name, theirs);
    } else {
      ours->second.value = joined(ours->second.value, theirs.value);
      ours->second.bound = std::min(ours->second.bound, theirs.bound);
    }
  }
  for (const auto &[id, theirs] : other.cells) {
    auto [ours, added] = cells_.try_emplace(id, theirs);
    ours->second.value = added ? theirs.value : joined(ours->second.value, theirs.value);
  }
  for (auto &[id, ours] : tiles_) {
    auto theirs = other.tiles.find(id);
    if (theirs != other.tiles.end() && joinPart(ours, theirs->second)) {
      ours.loading = ours.loading && theirs->second.loading;
      ours.unsynced = ours.unsynced && theirs->second.unsynced;
      continue;
    }
    bool known = theirs != other.tiles.end();
    bool same = known ? ours.valid == theirs->second.valid && ours.extents == theirs->second.extents &&
                            ours.indices == theirs->second.indices
                      : ours.valid == TileState::Valid::Declared;
    ours.valid = same ? ours.valid : TileState::Valid::Unknown;
    ours.loading = ours.loading && known && theirs->second.loading;
    ours.unsynced = ours.unsynced && known && theirs->second.unsynced;
  }
  for (const auto &[id, theirs] : other.tiles) {
    if (!tiles_.contains(id)) {
      TileState made = theirs;
      made.valid = made.valid == TileState::Valid::Declared ? made.valid : TileState::Valid::Unknown;
      made.loading = made.unsynced = false;
      tiles_[id] = made;
    }
  }
}

} // namespace placid::pro
