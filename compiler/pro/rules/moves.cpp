// SPDX-License-Identifier: Apache-2.0
// `pl.move` and `pl.insert`: paths between memories, shapes with and without an offset.
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>

namespace placid::pro::rules {

namespace {

struct Path {
  Space from;
  Space to;
};
constexpr std::array<Path, 10> kPaths{{
    {Space::Mat, Space::Left},
    {Space::Mat, Space::Right},
    {Space::Mat, Space::Bias},
    {Space::Mat, Space::Scaling},
    {Space::Mat, Space::ScaleLeft},
    {Space::Mat, Space::ScaleRight},
    {Space::Acc, Space::Vec},
    {Space::Acc, Space::Mat},
    {Space::Vec, Space::Vec},
    {Space::Vec, Space::Mat},
}};

bool pathExists(Space from, Space to) {
  return std::any_of(kPaths.begin(), kPaths.end(),
                     [&](const Path &path) { return path.from == from && path.to == to; });
}

std::string text(int64_t value) { return std::to_string(value); }

/// Every extent of `a` is at least that of `b`.
bool covers(const std::vector<Extent> &a, const std::vector<Extent> &b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (*a[i] < *b[i]) {
      return false;
    }
  }
  return true;
}

void checkShapes(KernelReader &reader, const Call &call, const TileTypeInfo &dst, const TileTypeInfo &src) {
  const Argument &offset = call.get("offset");
  if (!dst.isStatic() || !src.isStatic()) {
    return;
  }
  if (dst.shape.size() != src.shape.size()) {
    reader.report(diag::ProMoveShape, call.at,
                  "the tiles have different ranks: " + showShape(dst.shape) + " and " + showShape(src.shape));
    return;
  }
  std::vector<Extent> turned(src.shape.rbegin(), src.shape.rend());
  if (!offset.given()) {
    if (dst.shape != src.shape && dst.shape != turned) {
      reader
          .report(diag::ProMoveShape, call.at,
                  "the destination is " + showShape(dst.shape) + ", the source is " + showShape(src.shape) +
                      ": without an offset both have one shape; give `offset=` to move a part")
          .note(dst.at, "the destination's type")
          .note(src.at, "the source's type");
    }
    return;
  }
  bool transposes = dst.layout && src.layout && isBoxed(*src.layout) && transposed(*src.layout) == *dst.layout;
  bool inserts = covers(dst.shape, src.shape) || (transposes && covers(dst.shape, turned));
  if (!inserts && !covers(src.shape, dst.shape)) {
    reader
        .report(diag::ProMoveShape, call.at,
                "the destination is " + showShape(dst.shape) + ", the source is " + showShape(src.shape) +
                    ": with an offset one of them is a part of the other")
        .note(dst.at, "the destination's type")
        .note(src.at, "the source's type");
    return;
  }
  std::optional<std::vector<KernelReader::Item>> items = reader.items(offset);
  const std::vector<Extent> &whole = inserts && dst.shape != src.shape ? dst.shape : src.shape;
  std::string which = inserts && dst.shape != src.shape ? "destination" : "source";
  for (size_t i = 0; items && i < items->size() && i < whole.size(); ++i) {
    Extent start = constant((*items)[i].value);
    Index changes = start ? nullptr : (*items)[i].value.asIndex();
    if (std::optional<Loops::Witness> most = reader.loops().above(changes, *whole[i] - 1)) {
      reader
          .report(diag::ProMoveOffset, (*items)[i].at,
                  "offset[" + text(static_cast<int64_t>(i)) + "] is " + text(most->value) + " with " + most->round +
                      ": it exceeds the " + which + " shape " + showShape(whole))
          .note(most->loop, "the loop");
    }
    if (start && *start >= *whole[i]) {
      reader.report(diag::ProMoveOffset, (*items)[i].at,
                    "offset[" + text(static_cast<int64_t>(i)) + "] is " + text(*start) + ": it exceeds the " + which +
                        " shape " + showShape(whole));
    }
  }
}

} // namespace

void move(KernelReader &reader, const Call &call) {
  const TileInfo *dst = usable(reader, call.get("dst_tile"));
  const TileInfo *src = usable(reader, call.get("src_tile"));
  if (!dst || !src) {
    return;
  }
  const TileTypeInfo &to = *dst->type;
  const TileTypeInfo &from = *src->type;
  if (call.row->path == "insert") {
    std::optional<std::vector<KernelReader::Item>> items = reader.items(call.get("offset"));
    for (size_t i = 0; items && i < items->size() && i < to.shape.size(); ++i) {
      Extent start = constant((*items)[i].value);
      if (start && to.extent(i) && *start >= *to.extent(i)) {
        reader.report(diag::ProMoveOffset, (*items)[i].at,
                      "offset[" + text(static_cast<int64_t>(i)) + "] is " + text(*start) +
                          ": it exceeds the destination shape " + showShape(to.shape));
      }
    }
    return;
  }
  if (to.space && from.space && !pathExists(*from.space, *to.space)) {
    bool viaMat = *from.space == Space::Vec && (*to.space == Space::Left || *to.space == Space::Right);
    reader
        .report(diag::ProMovePath, call.at,
                std::string(name(*from.space)) + " to " + std::string(name(*to.space)) + " is unsupported" +
                    (viaMat ? ": go through Mat"
                            : ": tiles move from Mat to Left, Right, Bias, Scaling, ScaleLeft and ScaleRight, from Acc "
                              "to Vec and Mat, from Vec to Vec and Mat"))
        .note(from.at, "the source's type")
        .note(to.at, "the destination's type");
    return;
  }
  bool toScale = to.space == Space::ScaleLeft || to.space == Space::ScaleRight;
  if (toScale && from.layout && to.layout && *from.layout != *to.layout) {
    bool left = to.space == Space::ScaleLeft;
    std::string needed = left ? "ZZ" : "NN";
    auto report =
        reader.report(diag::ProMxScaleDefault, call.at,
                      "the scales in `" + spelled(call.get("src_tile")) + "` are " + std::string(name(*from.layout)) +
                          (from.layoutGiven ? "" : " by default") + ": " + std::string(name(*to.space)) + " takes " +
                          needed + "; declare layout=pl.ZZ for A scales, pl.NN for B");
    report.note(from.at, "the source's type");
    declareLayout(report, from, left ? Layout::ZZ : Layout::NN);
    return;
  }
  const Argument &mode = call.get("acc_to_vec_mode");
  const Argument &scale = call.get("scale");
  bool dual = mode.value.path().find(".DualMode") != std::string_view::npos;
  if (dual && scale.value.kind == ValueKind::Tile) {
    reader.report(diag::ProMoveDualScale, mode.at,
                  "a scale tile is for single-mode only: `" + spelled(mode) +
                      "` splits the accumulator between two vector cores");
    return;
  }
  if (!mode.given()) {
    checkShapes(reader, call, to, from);
  }
}

} // namespace placid::pro::rules
