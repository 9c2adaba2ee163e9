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

/// One entry of an offset within a tile: not negative in any round, and at most `most`.
void checkStart(KernelReader &reader, const KernelReader::Item &item, size_t axis, int64_t most, const Message &kind,
                const std::string &rest) {
  std::string where = "offset[" + text(static_cast<int64_t>(axis)) + "] is ";
  if (std::optional<int64_t> start = item.value.integer()) {
    if (*start < 0 || *start > most) {
      reader.report(kind, item.at,
                    where + text(*start) + (*start < 0 ? std::string(": an offset is not negative") : ": " + rest));
    }
    return;
  }
  Index changes = item.value.asIndex();
  std::optional<Loops::Witness> low = reader.loops().below(changes, 0);
  std::optional<Loops::Witness> high = low ? std::nullopt : reader.loops().above(changes, most);
  if (low || high) {
    const Loops::Witness &found = low ? *low : *high;
    reader
        .report(kind, item.at,
                where + text(found.value) + " with " + found.round +
                    (low ? std::string(": an offset is not negative") : ": " + rest))
        .note(found.loop, "the loop");
  }
}

/// The two entries of an offset; nothing, reported, where there are more or fewer.
std::optional<std::vector<KernelReader::Item>> starts(KernelReader &reader, const Argument &offset,
                                                      const Message &kind) {
  std::optional<std::vector<KernelReader::Item>> items = reader.items(offset);
  if (items && items->size() != 2) {
    reader.report(kind, offset.at,
                  "an offset within a tile has two entries, row and column, got " +
                      text(static_cast<int64_t>(items->size())));
    return std::nullopt;
  }
  return items;
}

bool oneOf(DType dtype, std::initializer_list<DType> list) {
  return std::find(list.begin(), list.end(), dtype) != list.end();
}

/// What a path between memories does to elements.
void checkDtypes(KernelReader &reader, const Call &call, const TileTypeInfo &to, const TileTypeInfo &from) {
  if (!to.dtype || !from.dtype || !to.space || !from.space) {
    return;
  }
  bool good = *to.dtype == *from.dtype;
  std::string rule =
      "a move from " + std::string(name(*from.space)) + " to " + std::string(name(*to.space)) + " converts nothing";
  if (*to.space == Space::Bias) {
    good = good || (*to.dtype == DType::Fp32 && oneOf(*from.dtype, {DType::Fp16, DType::Bf16}));
    rule = "a bias is FP32, from FP32, FP16 or BF16, or INT32 from INT32";
  } else if (*from.space == Space::Acc) {
    bool scaled = call.get("scale").given() || call.foreign;
    good = good || scaled || *to.space == Space::Mat ||
           (*from.dtype == DType::Fp32 && oneOf(*to.dtype, {DType::Fp16, DType::Bf16}));
    rule = "an accumulator of FP32 leaves as FP32, FP16 or BF16, one of INT32 as INT32, others by `scale=`";
  }
  if (!good) {
    reader
        .report(diag::ProMoveDtype, call.at,
                "the destination is " + std::string(name(*to.dtype)) + ", the source is " +
                    std::string(name(*from.dtype)) + ": " + rule)
        .note(to.at, "the destination's type")
        .note(from.at, "the source's type");
  }
}

/// A tile, or the part of it that is in use, placed within a larger one.
void insert(KernelReader &reader, const Call &call, const TileInfo &dst, const TileInfo &src) {
  const TileTypeInfo &to = *dst.type;
  const TileTypeInfo &from = *src.type;
  auto report = [&](Site at, const std::string &message) {
    reader.report(diag::ProInsert, at, message)
        .note(to.at, "the destination's type")
        .note(from.at, "the source's type");
  };
  if (to.dtype && from.dtype && *to.dtype != *from.dtype) {
    report(call.at, "the destination is " + std::string(name(*to.dtype)) + ", the source is " +
                        std::string(name(*from.dtype)) + ": an insert converts nothing");
  }
  if (from.space == Space::Vec && from.layout && !isBoxed(*from.layout)) {
    report(call.at, "the source is " + std::string(name(*from.layout)) +
                        ": an insert copies fractals, so a tile of UB is NZ before, by a move");
  }
  std::optional<std::vector<KernelReader::Item>> items = starts(reader, call.get("offset"), diag::ProInsert);
  std::vector<Extent> used = reader.validOf(src);
  if (!items || used.size() != 2 || to.shape.size() != 2) {
    return;
  }
  if (to.layout && from.layout && isBoxed(*from.layout) && transposed(*from.layout) == *to.layout) {
    std::reverse(used.begin(), used.end());
  }
  for (size_t axis = 0; axis < 2; ++axis) {
    Extent whole = to.extent(axis);
    Extent part = used[axis] ? used[axis] : Extent(1);
    const char *what = axis == 0 ? " rows" : " columns";
    if (whole && *part > *whole) {
      report(call.at, "the source has " + text(*part) + what + ", the destination " + text(*whole));
    } else if (whole) {
      checkStart(reader, (*items)[axis], axis, *whole - *part, diag::ProInsert,
                 "with " + text(*part) + what + " it ends behind the destination, which has " + text(*whole));
    }
  }
}

void checkShapes(KernelReader &reader, const Call &call, const TileInfo &to, const TileInfo &from) {
  const TileTypeInfo &dst = *to.type;
  const TileTypeInfo &src = *from.type;
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
  std::optional<std::vector<KernelReader::Item>> items = starts(reader, offset, diag::ProMoveOffset);
  const std::vector<Extent> &whole = inserts && dst.shape != src.shape ? dst.shape : src.shape;
  std::string which = inserts && dst.shape != src.shape ? "destination" : "source";
  // What is taken out is what the destination has in use.
  std::vector<Extent> part = inserts ? std::vector<Extent>() : reader.validOf(to);
  for (size_t i = 0; items && i < items->size() && i < whole.size(); ++i) {
    int64_t taken = i < part.size() && part[i] ? std::min(*part[i], *whole[i]) : 1;
    checkStart(reader, (*items)[i], i, *whole[i] - taken, diag::ProMoveOffset,
               (taken > 1 ? "with " + text(taken) + (i == 0 ? " rows" : " columns") : std::string("it")) +
                   (taken > 1 ? " it ends behind the " : " exceeds the ") + which + " shape " + showShape(whole));
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
    insert(reader, call, *dst, *src);
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
  checkDtypes(reader, call, to, from);
  const Argument &relu = call.get("relu_pre_mode");
  if (relu.given() && from.space && *from.space != Space::Acc) {
    reader.report(diag::ProStoreRelu, relu.at,
                  "`relu_pre_mode` needs an Acc source: it is fixpipe only, and this tile is in " +
                      std::string(name(*from.space)));
  }
  const Argument &mode = call.get("acc_to_vec_mode");
  const Argument &scale = call.get("scale");
  checkScale(reader, scale);
  bool dual = mode.value.path().find(".DualMode") != std::string_view::npos;
  if (dual && scale.value.kind == ValueKind::Tile) {
    reader.report(diag::ProMoveDualScale, mode.at,
                  "a scale tile is for single-mode only: `" + spelled(mode) +
                      "` splits the accumulator between two vector cores");
    return;
  }
  if (!mode.given()) {
    checkShapes(reader, call, *dst, *src);
  }
}

} // namespace placid::pro::rules
