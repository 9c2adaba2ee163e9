// SPDX-License-Identifier: Apache-2.0
// `pl.make_tile(…)` and `pl.make_tile_group(…)`: where tiles lie in their memory.
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <set>

namespace placid::pro::rules {

using syntax::Expr;

namespace {

std::string text(int64_t value) { return std::to_string(value); }

const Expr *keyword(const Expr &call, std::string_view name) {
  auto found = std::find_if(call.keywords.begin(), call.keywords.end(),
                            [&](const syntax::Keyword &one) { return one.name == name; });
  return found != call.keywords.end() ? found->value : nullptr;
}

bool open(const Expr &call) {
  return std::any_of(call.keywords.begin(), call.keywords.end(),
                     [](const syntax::Keyword &one) { return one.name.empty(); });
}

/// One tile at its address. `slot` is -1 for a tile of its own. `warns`: a tile in the part of UB that kernels should
/// leave is told. False when it is refused.
bool place(KernelReader &reader, const TileTypeInfo &type, int64_t address, int slot, Site addressAt, Site callAt,
           bool warns = true) {
  if (!type.space) {
    return true;
  }
  Space space = *type.space;
  std::string spaceText(name(space));
  std::string which = slot < 0 ? "the tile" : "slot " + text(slot);
  if (address < 0) {
    reader.report(diag::ProAddrNegative, addressAt, which + " has the negative address " + text(address));
    return false;
  }
  std::string shown = hex(address) + " (" + text(address) + ")";
  if (address % addressAlignment(space) != 0) {
    int64_t above = (address / addressAlignment(space) + 1) * addressAlignment(space);
    auto report = reader.report(diag::ProAddrAlign, addressAt,
                                "address " + shown + " of " + which + " in " + spaceText + " is not a multiple of " +
                                    text(addressAlignment(space)));
    if (slot < 0) {
      report.fix("use " + hex(above), addressAt, hex(above));
    }
    return false;
  }
  if (address % documentedAlignment(space) != 0) {
    reader.report(diag::ProAddrAlignSoft, addressAt,
                  "address " + shown + " of " + which + " in " + spaceText +
                      ": the documentation asks for a multiple of " + text(documentedAlignment(space)) +
                      ", which nothing enforces");
  }
  if (!type.isStatic() || !type.dtype || type.poisoned) {
    return true;
  }
  std::vector<int64_t> shape;
  for (const Extent &extent : type.shape) {
    shape.push_back(*extent);
  }
  int64_t size = footprint(shape, *type.dtype);
  int64_t end = size > INT64_MAX - address ? INT64_MAX : address + size;
  int64_t limit = capacity(space, reader.arch());
  int64_t soft = softCapacity(space, reader.arch());
  std::string sum =
      which + " at " + hex(address) + " of " + text(size) + " bytes ends at " + text(end) + " (" + hex(end) + ")";
  std::string bounds = std::string(hardwareName(space)) + " (" + spaceText + ") of " +
                       std::string(target::archName(reader.arch())) + " has " + text(limit) + " bytes";
  const Message &kind = slot < 0 ? diag::ProCapacity : diag::ProCapacityGroup;
  if (limit > 0 && end > limit) {
    reader.report(kind, callAt, sum + ": " + bounds)
        .note(type.at, "the tile type is " + showShape(type.shape) + " of " + std::string(name(*type.dtype)));
    return false;
  }
  if (warns && limit > 0 && end > soft) {
    reader.report(kind, callAt, sum + ": " + bounds + ", of which a kernel has " + text(soft))
        .severity(diag::Severity::Warning);
  }
  std::string named = reader.target().empty() ? "a tile" : "`" + reader.target() + "`";
  for (const KernelReader::Placed &other : reader.placed) {
    bool shared = other.space == space && address < other.end && other.begin < end && address != other.begin;
    if (shared && !(other.at.range == callAt.range)) {
      reader
          .report(diag::ProTileOverlap, callAt,
                  named + " takes bytes " + hex(address) + ".." + hex(end) + " of " + spaceText + ", " + other.name +
                      " takes " + hex(other.begin) + ".." + hex(other.end) +
                      ": they share some (reuse may be intended)")
          .note(other.at, "the other one is made here");
      break;
    }
  }
  if (reader.placed.size() < 512) {
    reader.placed.push_back({space, address, end, callAt, named});
  }
  return true;
}

const TileTypeInfo *typeOf(KernelReader &reader, const Expr &expr) {
  Value value = reader.evaluate(expr);
  reader.noteUnknown({&expr, value, reader.site(expr)});
  if (value.kind != ValueKind::TileType && !value.isUnknown()) {
    reader.report(diag::ProArguments, reader.site(expr),
                  "a tile is made of a `pl.TileType`, got " + describe(value) +
                      ": declare one with its shape, dtype and "
                      "memory");
  }
  return value.kind == ValueKind::TileType ? value.type : nullptr;
}

/// A compile-time int, or a report for a value of run time. Nothing where it is not known.
Extent address(KernelReader &reader, const Value &value, Site at, std::string_view what) {
  if (std::optional<int64_t> constant = value.integer()) {
    return constant;
  }
  if (!value.isUnknown()) {
    reader.report(diag::ProAddrStatic, at,
                  "`" + std::string(what) + "` must be a compile-time integer, got " + describe(value) +
                      ": not a loop index or a tensor shape; use `pl.make_tile_group` for several tiles");
  }
  return std::nullopt;
}

/// mutex_ids: how many slots, or nothing where that is not known.
std::optional<int64_t> mutexes(KernelReader &reader, const Expr &list, bool &any, bool &refused) {
  Argument argument{&list, reader.evaluate(list), reader.site(list)};
  if (argument.value.isNone()) {
    return 0;
  }
  std::optional<std::vector<KernelReader::Item>> items = reader.items(argument);
  if (!items) {
    if (!argument.value.isUnknown()) {
      reader.report(diag::ProMutexRange, argument.at,
                    "`mutex_ids` is a list of ints in [0, 31], got " + describe(argument.value));
    }
    any = true;
    refused = true;
    return std::nullopt;
  }
  any = !items->empty();
  auto inRange = [&](const Value &value, Site at) {
    std::optional<int64_t> id = value.integer();
    if (id ? *id < 0 || *id > 31 : value.kind == ValueKind::Python) {
      reader.report(diag::ProMutexRange, at,
                    "mutex ids are ints in [0, 31], got " + (id ? text(*id) : describe(value)));
      refused = true;
    }
    return id;
  };
  for (const KernelReader::Item &item : *items) {
    std::optional<std::vector<Value>> inner = reader.itemsOf(item.value);
    if (!inner) {
      inRange(item.value, item.at);
      continue;
    }
    std::set<int64_t> seen;
    for (const Value &one : *inner) {
      std::optional<int64_t> id = inRange(one, item.at);
      if (id && !seen.insert(*id).second) {
        reader.report(diag::ProMutexDup, item.at,
                      "the mutex ids of one tile must not contain duplicates: " + text(*id) + " is there twice");
        refused = true;
        break;
      }
    }
  }
  return static_cast<int64_t>(items->size());
}

Value groupValue(GroupInfo &group) {
  Value out;
  out.kind = ValueKind::Group;
  out.group = &group;
  return out;
}

/// An argument behind another one, from the end of that; nothing for the first.
std::optional<Site> withComma(KernelReader &reader, const Expr &call, const Expr &argument) {
  uint32_t before = 0;
  auto note = [&](const Expr &other) {
    before = other.range.end < argument.range.begin ? std::max(before, other.range.end) : before;
  };
  for (size_t i = 1; i < call.children.size(); ++i) {
    note(*call.children[i]);
  }
  for (const syntax::Keyword &keyword : call.keywords) {
    note(*keyword.value);
  }
  Site at = reader.site(argument);
  // In parentheses the ranges are those of what is within.
  bool plain = before > 0 && reader.textOf({at.module, {before, argument.range.begin}}).find_first_of("()#") ==
                                 std::string_view::npos;
  return plain ? std::optional<Site>({at.module, {before, argument.range.end}}) : std::nullopt;
}

} // namespace

Value makeTile(KernelReader &reader, const Expr &call) {
  Site at = reader.site(call);
  if (call.children.size() > 2) {
    reader
        .report(diag::ProAddrPositional, reader.site(*call.children[2]),
                "`pl.make_tile` takes 1 positional argument, the tile type: the address is `addr=`")
        .fix("pass it as `addr=`", reader.site(*call.children[2]),
             "addr=" + std::string(reader.textOf(reader.site(*call.children[2]))));
    return Value::unknown("");
  }
  unknownKeywords(reader, call, "tile_type addr size");
  const Expr *typeExpr = call.children.size() > 1 ? call.children[1] : keyword(call, "tile_type");
  const TileTypeInfo *type = typeExpr ? typeOf(reader, *typeExpr) : nullptr;
  const Expr *addr = keyword(call, "addr");
  if (const Expr *size = keyword(call, "size")) {
    auto report = reader.report(
        diag::ProSizeRemoved, reader.site(*size),
        "`size=` of `pl.make_tile` was removed in September 2026: only `addr=` is supported by newer releases");
    if (std::optional<Site> written = withComma(reader, call, *size)) {
      report.fix("remove `size=`", *written, "");
    }
  }
  if (!addr && !open(call)) {
    reader.report(diag::ProAddrMissing, at,
                  "`pl.make_tile` misses the required keyword `addr`: a tile lies at a fixed address of its memory");
    return Value::unknown("");
  }
  Value value = addr ? reader.evaluate(*addr) : Value::unknown("");
  Extent where = addr ? address(reader, value, reader.site(*addr), "addr") : std::nullopt;
  if (!type) {
    return Value::unknown("");
  }
  TileInfo &made = reader.newTile();
  made.type = type;
  made.address = where;
  made.at = at;
  made.name = reader.target();
  if (where) {
    place(reader, *type, *where, -1, reader.site(*addr), at);
  }
  Value out;
  out.kind = ValueKind::Tile;
  out.tile = &made;
  return out;
}

Value makeTileGroup(KernelReader &reader, const Expr &call) {
  Site at = reader.site(call);
  if (call.children.size() > 1) {
    reader.report(diag::ProGroupKeyword, at,
                  "`pl.make_tile_group` takes keywords only: `type=`, `addrs=`, `mutex_ids=`, `depth=`");
    return Value::unknown("");
  }
  unknownKeywords(reader, call, "type addrs mutex_ids depth fwd_ids bwd_ids");
  const Expr *typeExpr = keyword(call, "type");
  const Expr *addrs = keyword(call, "addrs");
  const Expr *ids = keyword(call, "mutex_ids");
  const Expr *depthExpr = keyword(call, "depth");
  const TileTypeInfo *type = typeExpr ? typeOf(reader, *typeExpr) : nullptr;
  if (open(call)) {
    return Value::unknown("the keywords of this group are not followed");
  }
  if (!typeExpr) {
    reader.report(diag::ProGroupKeyword, at, "`pl.make_tile_group` misses the required keyword `type`");
    return Value::unknown("");
  }
  if (!addrs) {
    reader.report(diag::ProGroupAddrs, at, "`pl.make_tile_group` misses the required keyword `addrs`");
    return Value::unknown("");
  }
  GroupInfo &group = reader.newGroup();
  group.type = type;
  group.at = at;
  group.name = reader.target();
  bool refused = false;
  std::optional<int64_t> slots = ids ? mutexes(reader, *ids, group.mutexes, refused) : std::optional<int64_t>(0);
  std::optional<int64_t> depth;
  if (depthExpr) {
    Value value = reader.evaluate(*depthExpr);
    depth = value.integer();
    bool given = !value.isNone();
    if (given && depth && slots && *slots > 0 && *slots != *depth) {
      reader
          .report(diag::ProDepthMismatch, reader.site(*depthExpr),
                  "depth is " + text(*depth) + ", mutex_ids has " + text(*slots) + ": they must be equal")
          .fix("use depth=" + text(*slots), reader.site(*depthExpr), text(*slots));
      refused = true;
    } else if (given && depth && *depth <= 0) {
      reader.report(diag::ProDepthMismatch, reader.site(*depthExpr), "depth must be positive, got " + text(*depth));
      refused = true;
    }
    refused = refused || (given && !depth);
  } else if (slots && *slots == 0 && !refused) {
    reader.report(diag::ProDepthMissing, at, "`depth` is required when mutex_ids is None or empty");
    return Value::unknown("");
  }
  depth = depth ? depth : slots && *slots > 0 ? slots : std::nullopt;
  Argument list{addrs, reader.evaluate(*addrs), reader.site(*addrs)};
  std::optional<std::vector<KernelReader::Item>> items = reader.items(list);
  constexpr int64_t kMaxSlots = 256;
  if (refused || !depth || *depth > kMaxSlots) {
    return type ? groupValue(group) : Value::unknown("");
  }
  std::vector<Site> places;
  if (items) {
    if (static_cast<int64_t>(items->size()) != *depth) {
      reader.report(diag::ProAddrsLength, list.at,
                    "addrs has " + text(static_cast<int64_t>(items->size())) + " addresses, the group has " +
                        text(*depth) + " tiles");
      return type ? groupValue(group) : Value::unknown("");
    }
    for (const KernelReader::Item &item : *items) {
      group.addresses.push_back(address(reader, item.value, item.at, "addrs"));
      places.push_back(item.at);
    }
  } else if (Extent base = address(reader, list.value, list.at, "addrs");
             base && type && type->isStatic() && type->dtype) {
    std::vector<int64_t> shape;
    for (const Extent &extent : type->shape) {
      shape.push_back(*extent);
    }
    int64_t size = footprint(shape, *type->dtype);
    for (int64_t i = 0; i < *depth; ++i) {
      bool fits = size < INT64_MAX / kMaxSlots && *base < INT64_MAX / 2;
      group.addresses.push_back(fits ? Extent(*base + i * size) : std::nullopt);
      places.push_back(list.at);
    }
  } else {
    group.addresses.assign(static_cast<size_t>(*depth), std::nullopt);
    places.assign(static_cast<size_t>(*depth), list.at);
  }
  if (!type) {
    return Value::unknown("");
  }
  // One message for a group: that the last slot leaves the memory says more than that the first one is high up.
  bool leaves = false;
  if (type->isStatic() && type->dtype && type->space) {
    std::vector<int64_t> shape;
    for (const Extent &extent : type->shape) {
      shape.push_back(*extent);
    }
    int64_t size = footprint(shape, *type->dtype);
    int64_t limit = capacity(*type->space, reader.arch());
    leaves = std::any_of(group.addresses.begin(), group.addresses.end(), [&](const Extent &address) {
      return address && limit > 0 && (size > limit || *address > limit - size);
    });
  }
  for (size_t i = 0; i < group.addresses.size(); ++i) {
    if (group.addresses[i] && !place(reader, *type, *group.addresses[i], static_cast<int>(i), places[i], at, !leaves)) {
      break; // the following ones would say the same
    }
  }
  // How far slots of less than a byte an element lie apart differs between releases.
  for (size_t i = 1; !items && type->dtype && bits(*type->dtype) < 8 && i < group.addresses.size(); ++i) {
    group.addresses[i] = std::nullopt;
  }
  return groupValue(group);
}

} // namespace placid::pro::rules
