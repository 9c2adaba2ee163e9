// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/parts.h"

#include <algorithm>

namespace placid::pro {

namespace {

/// The smaller of two extents, where one surely is.
Index smaller(const Index &a, const Index &b) {
  if (sameIndex(a, b)) {
    return a;
  }
  bool known = a->range && b->range;
  return known && a->range->high <= b->range->low ? a : known && b->range->high <= a->range->low ? b : nullptr;
}

} // namespace

bool samePart(const Part &a, const Part &b) { return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameIndex); }

bool covers(const Part &outer, const Part &inner) {
  for (size_t i = 0; i < outer.size(); ++i) {
    if (i >= inner.size()) {
      return false;
    }
    Index least = smaller(inner[i], outer[i]);
    if (!least || !sameIndex(least, inner[i])) {
      return false;
    }
  }
  return true;
}

Part PartSettler::spelled(unsigned place, const Part &part) const {
  if (!part.empty()) {
    return part;
  }
  Part out;
  for (const Extent &extent : trace.tiles[place].type.shape) {
    out.push_back(constantIndex(*extent));
  }
  return out;
}

std::string PartSettler::uncovered(unsigned place) const {
  return "the part of `" + trace.tiles[place].name + "` in use is not surely within what was written of it";
}

std::string PartSettler::settle(TraceNode &node) const {
  if (node.op.starts_with("matmul")) {
    return settleProduct(node);
  }
  if (node.op == "move" && !node.offsets.empty()) {
    // A window, wherever it lies: what is in use of the source does not count.
    node.parts[0] = written[node.read[0]];
    return node.parts[0].empty() ? "" : uncovered(node.read[0]);
  }
  if (node.byResult || node.op == "move") {
    return settleByResult(node);
  }
  for (size_t i = 0; i < node.read.size(); ++i) {
    // An element may be any one of the tile.
    if (!covers(written[node.read[i]], i < node.parts.size() ? node.parts[i] : spelled(node.read[i], {}))) {
      return uncovered(node.read[i]);
    }
  }
  return {};
}

/// As much as the result says and as every operand has.
std::string PartSettler::settleByResult(TraceNode &node) const {
  Part region = node.valid;
  auto within = [&](const Part &part, unsigned place) -> std::string {
    if (!covers(part, region)) {
      if (!covers(region, part)) {
        return uncovered(place);
      }
      region = part;
    }
    return {};
  };
  bool copies = node.op == "move" && *trace.tiles[node.read[0]].type.space == Space::Vec &&
                *trace.tiles[*node.written].type.space == Space::Vec;
  for (size_t i = 0; i < node.read.size(); ++i) {
    unsigned place = node.read[i];
    std::string why = within(written[place], place);
    if (why.empty() && copies) {
      why = within(node.parts[i], place); // a copy in UB takes what both say
    }
    if (!why.empty()) {
      return why;
    }
  }
  node.valid = region;
  for (size_t i = 0; i < node.read.size(); ++i) {
    node.parts[i] = region;
    if (!covers(written[node.read[i]], region)) {
      return uncovered(node.read[i]);
    }
  }
  return {};
}

/// One scale for 32 elements of the axis that the operands share, for each row of the one and each column of the other.
std::string PartSettler::settleScales(const TraceNode &node, const Part &left, const Part &right) const {
  constexpr int64_t kScaled = 32;
  size_t first = accumulates(node.op) ? 3 : 2;
  bool known = left[1]->range && left[1]->range->isSingle();
  if (!known) {
    return "an MX product over a number of elements that is known at run time only is not lowered";
  }
  Index groups = constantIndex((left[1]->range->low + kScaled - 1) / kScaled);
  const Part wanted[] = {{left[0], groups}, {groups, right[1]}};
  for (size_t side : {size_t{0}, size_t{1}}) {
    unsigned place = node.read[first + side];
    if (!covers(spelled(place, written[place]), wanted[side])) {
      return uncovered(place);
    }
  }
  return {};
}

/// Rows of the left operand and columns of the right one, over the columns of the left one.
std::string PartSettler::settleProduct(TraceNode &node) const {
  for (size_t i = 0; i < node.read.size(); ++i) {
    unsigned place = node.read[i];
    if (!covers(written[place], node.parts[i])) {
      if (!covers(node.parts[i], written[place])) {
        return uncovered(place);
      }
      node.parts[i] = written[place];
    }
  }
  size_t first = accumulates(node.op) ? 1 : 0;
  Part left = spelled(node.read[first], node.parts[first]);
  Part right = spelled(node.read[first + 1], node.parts[first + 1]);
  bool wholeRight = node.parts[first + 1].empty() && !node.parts[first].empty();
  Index inner = wholeRight ? left[1] : smaller(left[1], right[0]);
  if (!inner || !sameIndex(inner, left[1])) {
    return uncovered(node.read[first + 1]);
  }
  if (!sameIndex(inner, right[0])) {
    right[0] = inner;
    node.parts[first + 1] = right;
  }
  if (node.op.starts_with("matmul_mx")) {
    if (std::string why = settleScales(node, left, right); !why.empty()) {
      return why;
    }
  }
  Part made{left[0], right[1]};
  bool whole = samePart(made, spelled(*node.written, {}));
  node.valid = whole ? Part() : made;
  if (first == 1) {
    if (!covers(written[node.read[0]], node.valid)) {
      return uncovered(node.read[0]);
    }
    node.parts[0] = node.valid;
  }
  return {};
}

} // namespace placid::pro
