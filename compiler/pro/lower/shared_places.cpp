// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/shared_places.h"

#include <algorithm>
#include <tuple>

namespace placid::pro {

namespace {

struct Item {
  size_t core = 0;
  unsigned place = 0;
  Space space = Space::Vec;
  bool known = false; ///< Which bytes it is.
  int64_t begin = 0;
  int64_t end = 0;
  bool shared = false;
};

/// The first operation that names the place.
Site useOf(const std::vector<TraceNode> &list, unsigned place) {
  for (const TraceNode &node : list) {
    bool named = node.written == place || std::find(node.read.begin(), node.read.end(), place) != node.read.end();
    Site at = named && node.kind == TraceNode::Kind::Operation ? node.at : useOf(node.body, place);
    at = at.module ? at : useOf(node.otherwise, place);
    if (at.module) {
      return at;
    }
  }
  return {};
}

void refuse(Trace &trace, unsigned place, std::string why, bool slots) {
  if (trace.refused.empty()) {
    trace.refused = std::move(why);
    trace.refusedAt = useOf(trace.body, place);
    trace.slots = slots;
  }
}

std::vector<Item> itemsOf(const std::array<Trace *, 2> &traces, const std::array<std::set<unsigned>, 2> &asBytes) {
  std::vector<Item> out;
  for (size_t core = 0; core < traces.size(); ++core) {
    for (unsigned place = 0; place < traces[core]->tiles.size(); ++place) {
      const TraceTile &tile = traces[core]->tiles[place];
      Item item{core, place, *tile.type.space};
      // Of a tile in turn any slot may be meant.
      item.known = tile.begin && tile.end && tile.group < 0 && !tile.index;
      item.begin = tile.begin.value_or(0);
      item.end = tile.end.value_or(INT64_MAX);
      item.shared = (core == 0) == (item.space == Space::Vec) || asBytes[core].contains(place);
      out.push_back(item);
    }
  }
  return out;
}

/// What may share bytes with what is shared is shared.
void spread(std::vector<Item> &items) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Item &one : items) {
      bool meets = std::any_of(items.begin(), items.end(), [&](const Item &other) {
        return other.shared && other.space == one.space && other.begin < one.end && one.begin < other.end;
      });
      changed |= meets && !one.shared;
      one.shared |= meets;
    }
  }
}

} // namespace

SharedPlaces sharePlaces(Trace &cube, Trace &vector, const std::array<std::set<unsigned>, 2> &asBytes) {
  constexpr int64_t kAlignment = 512;
  SharedPlaces out;
  const std::array<Trace *, 2> traces{&cube, &vector};
  std::vector<Item> items = itemsOf(traces, asBytes);
  spread(items);
  for (size_t core = 0; core < traces.size(); ++core) {
    out.addresses[core].resize(traces[core]->tiles.size());
  }
  std::erase_if(items, [](const Item &item) { return !item.shared; });
  for (const Item &item : items) {
    Trace &trace = *traces[item.core];
    const TraceTile &tile = trace.tiles[item.place];
    if (item.space != Space::Vec && item.space != Space::Mat) {
      refuse(trace, item.place, "`" + tile.name + "` in the cube core's own memory is used by the vector core", false);
    } else if (!item.known) {
      bool turns = tile.group >= 0 || tile.index;
      refuse(trace, item.place,
             "which bytes `" + tile.name + "` takes, which both cores use, is not known while compiling", turns);
    }
  }
  std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
    return std::tuple(a.space, a.begin, a.end, a.core, a.place) < std::tuple(b.space, b.begin, b.end, b.core, b.place);
  });
  // What shares no bytes keeps no distance.
  for (size_t i = 0; i < items.size();) {
    int64_t &used = items[i].space == Space::Vec ? out.vecBytes : out.matBytes;
    const int64_t begin = items[i].begin;
    const int64_t base = (used + kAlignment - 1) / kAlignment * kAlignment;
    int64_t end = items[i].end;
    for (const Space space = items[i].space; i < items.size() && items[i].space == space && items[i].begin < end; ++i) {
      end = std::max(end, items[i].end);
      out.addresses[items[i].core][items[i].place] = base + items[i].begin - begin;
    }
    used = base + end - begin;
  }
  return out;
}

} // namespace placid::pro
