// SPDX-License-Identifier: Apache-2.0
// `pl.matmul_mx` and `pl.matmul_mx_acc`: data in FP8 or FP4 with one E8M0 scale for 32 elements of K.
#include "compiler/pro/rules/matmul.h"

namespace placid::pro::rules {

namespace {

constexpr int64_t kGroup = 32;
constexpr int64_t kMultipleOfK = 64;

std::string text(int64_t value) { return std::to_string(value); }

struct Side {
  bool left;
  const Argument &argument;
  const TileInfo *scale;
  const TileInfo *data;
  std::string_view role() const { return left ? "scale_a" : "scale_b"; }
  std::string_view dataRole() const { return left ? "lhs_tile" : "rhs_tile"; }
  Space space() const { return left ? Space::ScaleLeft : Space::ScaleRight; }
};

bool checkScaleType(KernelReader &reader, const Side &side) {
  const TileTypeInfo &type = *side.scale->type;
  if (type.dtype && *type.dtype != DType::Fp8E8M0) {
    reader
        .report(diag::ProMxScaleDtype, side.argument.at,
                std::string(side.role()) + " must use FP8E8M0, got " + std::string(name(*type.dtype)))
        .note(type.at, "the tile type is made here");
    return false;
  }
  if (type.space && *type.space != side.space()) {
    bool swapped = *type.space == (side.left ? Space::ScaleRight : Space::ScaleLeft);
    reader
        .report(diag::ProMxScaleSpace, side.argument.at,
                std::string(side.role()) + " must be in " + std::string(name(side.space())) + ", got " +
                    std::string(name(*type.space)) + (swapped ? ": are the two scales swapped?" : ""))
        .note(type.at, "the tile type is made here");
    return false;
  }
  return true;
}

bool checkScaleShape(KernelReader &reader, const Side &side) {
  const TileTypeInfo &type = *side.scale->type;
  const TileTypeInfo &data = *side.data->type;
  if (!type.isStatic() || !data.isStatic() || data.shape.size() != 2 || type.shape.size() != 2) {
    return true;
  }
  std::vector<Extent> expected = data.shape;
  size_t axis = side.left ? 1 : 0;
  expected[axis] = *expected[axis] / kGroup;
  if (type.shape == expected) {
    return true;
  }
  reader
      .report(diag::ProMxScaleShape, side.argument.at,
              std::string(side.role()) + " has one scale for 32 elements of K: expected " + showShape(expected) +
                  " for " + std::string(side.dataRole()) + " " + showShape(data.shape) + ", got " +
                  showShape(type.shape))
      .note(type.at, "the tile type is made here");
  return false;
}

/// The instruction finds the scales at the data's address >> 4.
void checkScaleAddress(KernelReader &reader, const Call &call, const Side &side) {
  auto one = [&](const Extent &data, const Extent &scale) {
    if (!data || !scale || *scale == *data >> 4) {
      return true;
    }
    reader
        .report(diag::ProMxScaleAddr, call.at,
                "the address of " + std::string(side.role()) + " is that of " + std::string(side.dataRole()) +
                    " >> 4: " + std::string(side.dataRole()) + " is at " + hex(*data) + ", expected " +
                    hex(*data >> 4) + ", actual " + hex(*scale))
        .note(side.data->at, std::string(side.dataRole()) + " is placed here")
        .note(side.scale->at, std::string(side.role()) + " is placed here");
    return false;
  };
  if (side.data->address && side.scale->address) {
    one(side.data->address, side.scale->address);
    return;
  }
  // Two groups that turn alike: slot by slot.
  const GroupInfo *data = side.data->group;
  const GroupInfo *scale = side.scale->group;
  bool alike =
      data && scale && data->addresses.size() == scale->addresses.size() && side.data->slot == side.scale->slot;
  for (size_t i = 0; alike && i < data->addresses.size(); ++i) {
    if (!one(data->addresses[i], scale->addresses[i])) {
      return;
    }
  }
}

void checkTypes(KernelReader &reader, const Call &call, const TileInfo &dst, const TileInfo &lhs, const TileInfo &rhs) {
  if (lhs.type->dtype && rhs.type->dtype) {
    DType a = *lhs.type->dtype;
    DType b = *rhs.type->dtype;
    auto isFp4Data = [](DType dtype) { return dtype == DType::Fp4E2M1 || dtype == DType::Fp4E1M2; };
    if (!(isFp8Data(a) && isFp8Data(b)) && !(isFp4Data(a) && isFp4Data(b))) {
      reader.report(diag::ProMxDtype, call.at,
                    "lhs is " + std::string(name(a)) + ", rhs is " + std::string(name(b)) +
                        ": an MX product takes both FP8 or both FP4 operands");
    }
  }
  const Argument &dstArgument = call.get("dst_tile");
  if (dst.type->dtype && *dst.type->dtype != DType::Fp32) {
    reader
        .report(diag::ProMxDst, dstArgument.at,
                "an MX product has dst FP32, got " + std::string(name(*dst.type->dtype)))
        .note(dst.type->at, "the destination's type");
  }
}

bool checkK(KernelReader &reader, const Call &call, const TileInfo &lhs, const TileInfo &rhs) {
  Extent left = lhs.type->extent(1);
  Extent right = rhs.type->extent(0);
  for (const Extent &k : {left, right}) {
    if (k && *k % kMultipleOfK != 0) {
      reader.report(diag::ProMxK, call.at, "K=" + text(*k) + ": K of an MX product is a multiple of 64");
      return false;
    }
  }
  return true;
}

} // namespace

void matmulMx(KernelReader &reader, const Call &call) {
  const Argument &dstArgument = call.get("dst_tile");
  const Argument &lhsArgument = call.get("lhs_tile");
  const Argument &rhsArgument = call.get("rhs_tile");
  const TileInfo *dst = usable(reader, dstArgument);
  const TileInfo *lhs = usable(reader, lhsArgument);
  const TileInfo *rhs = usable(reader, rhsArgument);
  bool placed = inSpace(reader, dstArgument, dst, "dst_tile", Space::Acc, diag::ProMatmulSpace);
  placed = inSpace(reader, lhsArgument, lhs, "lhs_tile", Space::Left, diag::ProMatmulSpace) && placed;
  placed = inSpace(reader, rhsArgument, rhs, "rhs_tile", Space::Right, diag::ProMatmulSpace) && placed;
  const Argument &a = call.get("scale_a");
  const Argument &b = call.get("scale_b");
  const Side sides[] = {{true, a, usable(reader, a), lhs}, {false, b, usable(reader, b), rhs}};
  if (placed && dst && lhs && rhs) {
    bool good = checkK(reader, call, *lhs, *rhs) && checkExtents(reader, call, *dst, *lhs, *rhs);
    checkTypes(reader, call, *dst, *lhs, *rhs);
    if (!good) {
      return; // the scales' extents follow from K
    }
    if (call.row->path == "matmul_mx_acc") {
      checkAcc(reader, call, *dst);
    }
  }
  for (const Side &side : sides) {
    if (!side.scale) {
      continue;
    }
    if (!checkScaleType(reader, side)) {
      return; // swapped scales are one mistake
    }
    if (placed && side.data && checkScaleShape(reader, side)) {
      checkScaleAddress(reader, call, side);
    }
  }
}

} // namespace placid::pro::rules
