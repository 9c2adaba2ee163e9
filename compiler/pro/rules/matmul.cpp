// SPDX-License-Identifier: Apache-2.0
// `pl.matmul`, `pl.matmul_acc` and what the MX forms share with them: memories, extents, types.
#include "compiler/pro/rules/matmul.h"

namespace placid::pro::rules {

namespace {

std::string text(const Extent &extent) { return show(extent); }

struct Sums {
  DType lhs;
  DType rhs;
  DType acc;
};
constexpr Sums kSums[] = {
    {DType::Int8, DType::Int8, DType::Int32}, {DType::Fp16, DType::Fp16, DType::Fp32},
    {DType::Bf16, DType::Bf16, DType::Fp32},  {DType::Fp32, DType::Fp32, DType::Fp32},
    {DType::Hf8, DType::Hf8, DType::Fp32},
};

std::optional<DType> sumOf(DType lhs, DType rhs) {
  for (const Sums &one : kSums) {
    if (one.lhs == lhs && one.rhs == rhs) {
      return one.acc;
    }
  }
  return isFp8Data(lhs) && isFp8Data(rhs) ? std::optional(DType::Fp32) : std::nullopt;
}

void checkDtypes(KernelReader &reader, const Call &call, const TileTypeInfo &dst, const TileTypeInfo &lhs,
                 const TileTypeInfo &rhs) {
  if (!dst.dtype || !lhs.dtype || !rhs.dtype) {
    return;
  }
  std::optional<DType> sum = sumOf(*lhs.dtype, *rhs.dtype);
  std::string pair = *lhs.dtype == *rhs.dtype
                         ? std::string(name(*lhs.dtype)) + " operands"
                         : std::string(name(*lhs.dtype)) + " and " + std::string(name(*rhs.dtype)) + " operands";
  if (!sum) {
    reader.report(diag::ProMatmulDtype, call.at,
                  pair + " are not multiplied: the cube takes INT8, FP16, BF16, FP32, HF8 pairs, and any pair of "
                         "FP8E4M3FN and FP8E5M2");
  } else if (*sum != *dst.dtype) {
    reader
        .report(diag::ProMatmulDtype, call.at,
                pair + " accumulate in " + std::string(name(*sum)) + ", the destination is " +
                    std::string(name(*dst.dtype)))
        .note(dst.at, "the destination's type");
  }
}

} // namespace

bool inSpace(KernelReader &reader, const Argument &argument, const TileInfo *tile, std::string_view role, Space wanted,
             const Message &kind) {
  if (!tile || !tile->type->space || *tile->type->space == wanted) {
    return true;
  }
  auto report = reader.report(kind, argument.at,
                              std::string(role) + " must be in " + std::string(hardwareName(wanted)) + " (" +
                                  std::string(name(wanted)) + "), got " + std::string(name(*tile->type->space)));
  report.note(tile->type->at, "the tile type is made here");
  // A memory that is written out is what other uses of the tile count on.
  if (!tile->type->layoutGiven && !tile->type->spaceAt.module) {
    declareSpace(report, *tile->type, wanted);
  }
  return false;
}

/// Of operands that are in use in part: K of lhs counts, and rhs has to have that much.
static bool checkParts(KernelReader &reader, const Call &call, const TileInfo &lhs, const TileInfo &rhs) {
  std::vector<Extent> left = reader.validOf(lhs);
  std::vector<Extent> right = reader.validOf(rhs);
  if (left.size() != 2 || right.size() != 2 || !left[1] || !right[0] || *left[1] <= *right[0]) {
    return true;
  }
  reader
      .report(diag::ProMatmulShape, call.at,
              "of lhs " + showShape(left) + " is in use, of rhs " + showShape(right) + ": K is " + text(left[1]) +
                  ", of which rhs has " + text(right[0]))
      .note(lhs.type->at, "lhs")
      .note(rhs.type->at, "rhs");
  return false;
}

bool checkExtents(KernelReader &reader, const Call &call, const TileInfo &dst, const TileInfo &lhs,
                  const TileInfo &rhs) {
  // The instruction takes M and K of lhs and N of rhs: what is in use, which may be less than the tile.
  for (const TileInfo *tile : {&dst, &lhs, &rhs}) {
    bool whole = reader.state(*tile).valid == TileState::Valid::Declared && tile->type->valid.empty();
    if (!whole || tile->type->shape.size() != 2) {
      return checkParts(reader, call, lhs, rhs);
    }
  }
  Extent m = lhs.type->extent(0);
  Extent k = lhs.type->extent(1);
  Extent k2 = rhs.type->extent(0);
  Extent n = rhs.type->extent(1);
  std::string shapes = "lhs " + showShape(lhs.type->shape) + " x rhs " + showShape(rhs.type->shape);
  if (k && k2 && *k != *k2) {
    reader
        .report(diag::ProMatmulShape, call.at,
                shapes + ": K is " + text(k) + " on the left and " + text(k2) + " on the right")
        .note(lhs.type->at, "lhs")
        .note(rhs.type->at, "rhs");
    return false;
  }
  Extent rows = dst.type->extent(0);
  Extent columns = dst.type->extent(1);
  if ((m && rows && *m != *rows) || (n && columns && *n != *columns)) {
    reader
        .report(diag::ProMatmulShape, call.at,
                shapes + " gives [" + text(m) + ", " + text(n) + "], the destination is " + showShape(dst.type->shape))
        .note(dst.type->at, "the destination's type");
    return false;
  }
  return true;
}

void checkAcc(KernelReader &reader, const Call &call, const TileInfo &dst) {
  const Argument &argument = call.get("acc_tile");
  const TileInfo *acc = usable(reader, argument);
  if (!acc || !inSpace(reader, argument, acc, "acc_tile", Space::Acc, diag::ProMatmulSpace)) {
    return;
  }
  const TileTypeInfo &a = *acc->type;
  const TileTypeInfo &d = *dst.type;
  bool dtypes = a.dtype && d.dtype && *a.dtype != *d.dtype;
  bool shapes = a.isStatic() && d.isStatic() && a.shape != d.shape;
  if (dtypes || shapes) {
    auto typeText = [](const TileTypeInfo &type) {
      return showShape(type.shape) + (type.dtype ? " of " + std::string(name(*type.dtype)) : "");
    };
    reader
        .report(diag::ProMatmulAcc, argument.at,
                "the accumulator is " + typeText(a) + ", the destination is " + typeText(d) + ": both have one type")
        .note(a.at, "the accumulator's type")
        .note(d.at, "the destination's type");
  }
}

void matmul(KernelReader &reader, const Call &call) {
  const Argument &dstArgument = call.get("dst_tile");
  const Argument &lhsArgument = call.get("lhs_tile");
  const Argument &rhsArgument = call.get("rhs_tile");
  const TileInfo *dst = usable(reader, dstArgument);
  const TileInfo *lhs = usable(reader, lhsArgument);
  const TileInfo *rhs = usable(reader, rhsArgument);
  bool placed = inSpace(reader, dstArgument, dst, "dst_tile", Space::Acc, diag::ProMatmulSpace);
  placed = inSpace(reader, lhsArgument, lhs, "lhs_tile", Space::Left, diag::ProMatmulSpace) && placed;
  placed = inSpace(reader, rhsArgument, rhs, "rhs_tile", Space::Right, diag::ProMatmulSpace) && placed;
  if (!placed || !dst || !lhs || !rhs) {
    return;
  }
  checkExtents(reader, call, *dst, *lhs, *rhs);
  checkDtypes(reader, call, *dst->type, *lhs->type, *rhs->type);
  if (call.row->path == "matmul_acc") {
    checkAcc(reader, call, *dst);
    return;
  }
  const Argument &biasArgument = call.get("bias_tile");
  const TileInfo *bias = usable(reader, biasArgument);
  if (!bias || !inSpace(reader, biasArgument, bias, "bias_tile", Space::Bias, diag::ProMatmulBias)) {
    return;
  }
  const TileTypeInfo &b = *bias->type;
  if (b.dtype && dst->type->dtype && *b.dtype != *dst->type->dtype) {
    reader
        .report(diag::ProMatmulBias, biasArgument.at,
                "the bias is " + std::string(name(*b.dtype)) + ", the destination is " +
                    std::string(name(*dst->type->dtype)) + ": a bias has the destination's dtype")
        .note(b.at, "the bias tile's type");
  } else if (b.extent(1) && dst->type->extent(1) && *b.extent(1) != *dst->type->extent(1)) {
    reader
        .report(diag::ProMatmulBias, biasArgument.at,
                "the bias is " + showShape(b.shape) + ", the destination is " + showShape(dst->type->shape) +
                    ": a bias is [1, N]")
        .note(b.at, "the bias tile's type");
  }
}

} // namespace placid::pro::rules
