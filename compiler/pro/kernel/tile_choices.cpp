// SPDX-License-Identifier: Apache-2.0
// Tiles that a number of run time chooses, for a trace: by the way that leads to where they are used, by an index into
// a group, or by how often a group has turned. An operation on such a tile becomes a branch with one of it for each
// tile that it may be. Apart from trace_operations.cpp, which knows one tile an operand. One thread.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>

namespace placid::pro {

namespace {

constexpr std::string_view kCursor = " cursor"; ///< Of a group: no field of a program has a blank in its name.
constexpr size_t kMaxSlots = 16;                ///< Of a group whose tiles are chosen.

} // namespace

//===-- Operations on them ----------------------------------------------------------------------------------------===//

/// Whether a condition holds where the branches that are open chose: nothing where that is not known.
std::optional<bool> Tracer::decided(const Index &when) const {
  for (const auto &[fact, holds] : facts_) {
    if (sameIndex(fact, when)) {
      return holds;
    }
    bool ofOne = holds && fact->kind == IndexNode::Kind::Equal && when->kind == IndexNode::Kind::Equal &&
                 sameIndex(fact->a, when->a) && fact->b->range && fact->b->range->isSingle() && when->b->range &&
                 when->b->range->isSingle();
    if (ofOne) {
      return false; // it equals another number
    }
  }
  return std::nullopt;
}

const TileInfo *Tracer::chosenTile(const Call &call) {
  for (const Argument &argument : call.arguments) {
    if (argument.value.kind == ValueKind::Tile && !argument.value.tile->choices.empty()) {
      return argument.value.tile;
    }
  }
  return nullptr;
}

/// The operation with each tile that `tile` may be, from the choice `from` on.
void Tracer::overChoices(KernelReader &reader, const Call &call, const TileInfo &tile, size_t from) {
  const TileChoice &choice = tile.choices[from];
  bool last = from + 1 == tile.choices.size();
  Index when = last ? nullptr : makeIndex(IndexNode::Kind::Equal, tile.selector, constantIndex(choice.value));
  if (!last && !when) {
    return refuse(call.at, "which tile this is, is not known while compiling");
  }
  std::optional<bool> known = last ? std::optional(true) : decided(when);
  if (known && !*known) {
    return overChoices(reader, call, tile, from + 1);
  }
  Call one = call;
  for (Argument &argument : one.arguments) {
    if (argument.value.kind == ValueKind::Tile && argument.value.tile == &tile) {
      argument.value.tile = choice.tile;
    }
  }
  if (known) {
    operation(reader, one);
    return;
  }
  beginBranch(when, call.at);
  facts_.emplace_back(when, true);
  operation(reader, one);
  facts_.back().second = false;
  otherwise();
  overChoices(reader, call, tile, from + 1);
  facts_.pop_back();
  endBranch();
}

//===-- Where they come from --------------------------------------------------------------------------------------===//

/// Two ways that give two tiles: which it is, is a number that the branch around gives.
void KernelReader::chooseByWay(TileInfo &made, TileInfo *then, TileInfo *otherwise) {
  if (!joins_ || joinReason_) {
    return;
  }
  // The numbers of the second way come behind those of the first.
  int64_t next = 0;
  auto numbers = [&](TileInfo *tile) {
    if (tile->choices.empty()) {
      made.choices.push_back({next++, tile});
      return constantIndex(next - 1);
    }
    int64_t shift = next - tile->choices.front().value;
    for (const TileChoice &one : tile->choices) {
      made.choices.push_back({one.value + shift, one.tile});
    }
    next = made.choices.back().value + 1;
    return makeIndex(IndexNode::Kind::Add, tile->selector, constantIndex(shift));
  };
  Index first = numbers(then);
  Index second = numbers(otherwise);
  int64_t behind = tracer_->variable("which tile this is", joinsAt_);
  joins_->push_back({behind, first, second});
  made.selector = variableIndex(behind);
}

/// A slot of a group by a number: a tile of each slot that it may be.
void KernelReader::chooseSlot(TileInfo &made, GroupInfo &group, const Index &which, Site at) {
  if (!which || group.addresses.size() > kMaxSlots) {
    return;
  }
  made.selector = which;
  for (size_t i = 0; i < group.addresses.size(); ++i) {
    auto slot = static_cast<int64_t>(i);
    if (which->range && (slot < which->range->low || slot > which->range->high)) {
      continue;
    }
    TileInfo &one = newTile();
    one.type = made.type;
    one.group = &group;
    one.at = made.at;
    one.name = made.name;
    one.slot = static_cast<int>(i);
    one.address = group.addresses[i];
    made.choices.push_back({slot, &one});
  }
  if (made.choices.empty()) {
    tracer_->refuse(at, "the group has no tile of this index");
  }
}

/// An item of a list or tuple by a number of run time, which counts from 0: numbers, or tiles of one type. Nothing for
/// other lists.
std::optional<Value> KernelReader::pickItem(const std::vector<Value> &items, const Index &which, Site at) {
  if (!tracer_ || !which || (which->range && which->range->isSingle()) || items.empty() || items.size() > kMaxSlots) {
    return std::nullopt;
  }
  auto isTile = [&](const Value &item) {
    const TileTypeInfo *type = item.kind == ValueKind::Tile ? item.tile->type : nullptr;
    const TileTypeInfo *first = items[0].tile->type;
    return type && first && item.tile->choices.empty() && type->shape == first->shape && type->dtype == first->dtype &&
           type->space == first->space && type->layout == first->layout;
  };
  if (items[0].kind == ValueKind::Tile && std::all_of(items.begin(), items.end(), isTile)) {
    TileInfo &made = newTile();
    made.type = items[0].tile->type;
    made.at = at;
    made.name = items[0].tile->name;
    made.selector = which;
    for (size_t i = 0; i < items.size(); ++i) {
      made.choices.push_back({static_cast<int64_t>(i), items[i].tile});
    }
    Value out;
    out.kind = ValueKind::Tile;
    out.tile = &made;
    return out;
  }
  std::vector<Index> numbers;
  for (const Value &item : items) {
    numbers.push_back(item.asIndex());
  }
  if (std::find(numbers.begin(), numbers.end(), nullptr) != numbers.end()) {
    return std::nullopt;
  }
  Value out = Value::scalar(ScalarOrigin::Other);
  out.index = numbers.back();
  for (size_t i = numbers.size() - 1; i-- > 0;) {
    Index when = makeIndex(IndexNode::Kind::Equal, which, constantIndex(static_cast<int64_t>(i)));
    out.index = when ? chosen(when, numbers[i], out.index, at) : nullptr;
    if (!out.index) {
      return std::nullopt;
    }
  }
  return out;
}

/// Where the tiles of groups are chosen, how often one has turned is a number like those in structs.
void KernelReader::declareCursor(GroupInfo &group, Site at) {
  if (!tracer_ || !setup_.chooseSlots || group.addresses.size() < 2) {
    return;
  }
  group.structure = ++structures_;
  auto last = static_cast<int64_t>(group.addresses.size()) - 1;
  Value owner;
  owner.structure = group.structure;
  owner.structures = 1;
  declareCells(owner, kCursor, Value::ofPython(py::Value::ofInt(last)), at);
}

bool KernelReader::takeByCursor(TileInfo &made, GroupInfo &group, std::string_view method, Site at) {
  if (!tracer_ || group.structure == 0) {
    return false;
  }
  Value owner;
  owner.structure = group.structure;
  owner.structures = 1;
  Index depth = constantIndex(static_cast<int64_t>(group.addresses.size()));
  Index now = readCells(owner, kCursor, nullptr, Value(), 0, at).asNumber();
  auto turned = [&](int64_t by) {
    using Kind = IndexNode::Kind;
    return makeIndex(Kind::FloorMod, makeIndex(Kind::Add, now, constantIndex(by)), depth);
  };
  if (method == "next") {
    now = turned(1);
    Value moved = Value::scalar(ScalarOrigin::Other);
    moved.index = now;
    writeCells(owner, kCursor, nullptr, moved, 0, at);
  }
  chooseSlot(made, group, method == "previous" ? turned(static_cast<int64_t>(group.addresses.size()) - 1) : now, at);
  return true;
}

/// `group.next()` in a loop turns a group that it did not make.
void KernelReader::notesTurn(const syntax::Expr &call, AssignedFields &out) {
  const syntax::Expr &callee = *call.children[0];
  if (callee.kind == syntax::Expr::Kind::Attribute && callee.text == "next") {
    out.anywhere.insert(kCursor);
  }
}

} // namespace placid::pro
