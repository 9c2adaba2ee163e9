// SPDX-License-Identifier: Apache-2.0
// Synchronisation between pipes and cores, the part of a tile that is in use, and tiles that nothing waited for.
#include "compiler/pro/rules/rules.h"

#include <algorithm>

namespace placid::pro::rules {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

void range(KernelReader &reader, const Argument &argument, int64_t most, const Message &kind, const std::string &what) {
  std::optional<int64_t> value = argument.value.integer();
  if (value && (*value < 0 || *value > most)) {
    reader.report(kind, argument.at, what + " are 0.." + text(most) + ", got " + text(*value));
    return;
  }
  Index index = value ? nullptr : argument.value.asIndex();
  std::optional<Loops::Witness> wrong = reader.loops().above(index, most);
  wrong = wrong ? wrong : reader.loops().below(index, 0);
  if (wrong) {
    reader
        .report(kind, argument.at,
                what + " are 0.." + text(most) + ", got " + text(wrong->value) + " with " + wrong->round)
        .note(wrong->loop, "the loop");
  }
}

} // namespace

void system(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  const Argument &event = call.get("event_id");
  if (path == "system.set_cross_core" || path == "system.wait_cross_core") {
    range(reader, event, 15, diag::ProEventRange, "event ids between cores");
    reader.crossCore({call.at, path == "system.set_cross_core"});
    return;
  }
  if (path == "system.sync_src" || path == "system.sync_dst") {
    range(reader, event, 7, diag::ProEventRange, "event ids between pipes");
  }
  if (path.starts_with("mutex.")) {
    range(reader, call.get("mutex_id"), 31, diag::ProMutexRange, "mutex ids");
  }
}

void validShape(KernelReader &reader, const Call &call) {
  const Argument &target = call.get("tile");
  const Argument &shape = call.get("shape");
  reader.noteUnknown(target);
  std::optional<std::vector<KernelReader::Item>> items = reader.items(shape);
  const TileTypeInfo *type = target.value.kind == ValueKind::Tile    ? target.value.tile->type
                             : target.value.kind == ValueKind::Group ? target.value.group->type
                                                                     : nullptr;
  if (!type) {
    return;
  }
  constexpr std::string_view kAxes[] = {"row", "column"};
  bool refused = type->poisoned;
  std::vector<Extent> extents;
  std::vector<Index> indices;
  for (size_t i = 0; items && i < items->size(); ++i) {
    std::optional<int64_t> value = (*items)[i].value.integer();
    extents.push_back(value);
    indices.push_back((*items)[i].value.asIndex());
    Extent whole = type->extent(i);
    std::string axis(i < 2 && items->size() == 2 ? kAxes[i] : "extent");
    Index index = value || refused ? nullptr : (*items)[i].value.asIndex();
    if (std::optional<Loops::Witness> most = whole ? reader.loops().above(index, *whole) : std::nullopt) {
      reader
          .report(diag::ProValidshapeRange, (*items)[i].at,
                  axis + " " + text(most->value) + " with " + most->round + " exceeds " + text(*whole) + ", the tile's")
          .note(type->shapeAt, "its shape")
          .note(most->loop, "the loop");
      refused = true;
    }
    if (refused || !value) {
      continue;
    }
    if (*value <= 0) {
      reader.report(diag::ProValidshapeRange, (*items)[i].at,
                    axis + " " + text(*value) + " must be positive: 1.." + show(whole));
      refused = true;
    } else if (whole && *value > *whole) {
      reader
          .report(diag::ProValidshapeRange, (*items)[i].at,
                  axis + " " + text(*value) + " exceeds " + text(*whole) + ", the tile's")
          .note(type->shapeAt, "its shape");
      refused = true;
    }
  }
  if (target.value.kind == ValueKind::Group) {
    target.value.group->validChanged = true;
    return;
  }
  TileState &now = reader.state(*target.value.tile);
  now.valid =
      refused || !items || extents.size() != type->shape.size() ? TileState::Valid::Unknown : TileState::Valid::Set;
  now.extents = extents;
  now.indices = std::move(indices);
  now.validAt = call.at;
  if (target.value.tile->group) {
    target.value.tile->group->validChanged = true;
  }
}

void reads(KernelReader &reader, const Call &call) {
  if (call.row->effect != Effect::Writes && call.row->effect != Effect::Reads) {
    return;
  }
  bool isStore = call.row->path.starts_with("store");
  size_t first = call.row->effect == Effect::Writes ? 1 : 0;
  for (size_t i = first; i < call.arguments.size(); ++i) {
    const Value &value = call.arguments[i].value;
    if (value.kind != ValueKind::Tile || value.tile->group || value.tile->slot >= 0) {
      continue;
    }
    const TileState &now = reader.state(*value.tile);
    if (now.unsynced && isStore) {
      reader
          .report(diag::ProMutexMakeTile, call.at,
                  "`" + spelled(call.arguments[i]) +
                      "` is stored right after it is loaded, with no event between MTE2 and MTE3: "
                      "`auto_mutex` does not protect tiles of `pl.make_tile`; use a group with mutex_ids, or "
                      "`pl.system.sync_src` and "
                      "`sync_dst`")
          .note(now.loadAt, "loaded here");
    }
  }
}

void check(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  arguments(reader, call);
  if (path == "load" || path == "load_tile") {
    load(reader, call);
  } else if (path == "store" || path == "store_tile") {
    store(reader, call);
  } else if (path == "move" || path == "insert") {
    move(reader, call);
  } else if (path == "matmul" || path == "matmul_acc") {
    matmul(reader, call);
  } else if (path == "matmul_mx" || path == "matmul_mx_acc") {
    matmulMx(reader, call);
  } else if (path == "set_validshape") {
    validShape(reader, call);
  } else if (call.row->effect == Effect::Orders) {
    system(reader, call);
  } else if (call.row->core == Core::Vector && !call.row->isVf()) {
    vectorOperation(reader, call);
  }
  reads(reader, call);
}

} // namespace placid::pro::rules
