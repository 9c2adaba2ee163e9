// SPDX-License-Identifier: Apache-2.0
// `pl.store` and `pl.store_tile`: operands, conversion on the way out of L0C, and what NZ destinations take.
#include "compiler/pro/rules/rules.h"

#include <algorithm>

namespace placid::pro::rules {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

bool operandsFit(KernelReader &reader, const Call &call) {
  const Argument &dst = call.get("dst_tensor");
  const Argument &src = call.get("src_tile");
  std::string op = "pl." + std::string(call.row->path);
  auto report = [&](const Argument &at, const std::string &what) {
    reader.report(diag::ProStoreArgOrder, at.at,
                  what + ", got " + describe(at.value) + ": `" + op +
                      "` takes (tensor, tile, offsets), the destination first; "
                      "`pypto.language` takes the tile first");
  };
  if (dst.given() && !dst.value.isUnknown() && dst.value.kind != ValueKind::Tensor) {
    report(dst, "dst must be a Tensor");
    return false;
  }
  if (src.given() && !src.value.isUnknown() && src.value.kind != ValueKind::Tile) {
    report(src, "src must be a Tile");
    return false;
  }
  const Argument &offsets = call.get(call.row->path == "store" ? "offsets" : "tile_offsets");
  if (!offsets.given()) {
    reader.report(diag::ProOffsetMissing, call.at,
                  "`" + op + "` misses its offsets: one for each axis of the tensor, `[0, 0]` for the start");
    return false;
  }
  return true;
}

bool oneOf(DType dtype, std::initializer_list<DType> list) {
  return std::find(list.begin(), list.end(), dtype) != list.end();
}

/// Accumulator to memory: what the fixpipe converts.
void checkAccDtype(KernelReader &reader, const Call &call, DType from, DType to) {
  bool scaled = call.get("scale").given() || call.foreign;
  bool good = true;
  if (from == DType::Fp32) {
    good = oneOf(to, {DType::Fp32, DType::Fp16, DType::Bf16}) ||
           (scaled && oneOf(to, {DType::Int8, DType::UInt8, DType::Hf8, DType::Fp8E4M3FN}));
  } else if (from == DType::Int32) {
    good = oneOf(to, {DType::Int32, DType::Fp16, DType::Bf16}) || (scaled && oneOf(to, {DType::Int8, DType::UInt8}));
  } else {
    return;
  }
  if (good) {
    return;
  }
  bool withScale =
      oneOf(to, {DType::Int8, DType::UInt8}) || (from == DType::Fp32 && oneOf(to, {DType::Hf8, DType::Fp8E4M3FN}));
  reader.report(diag::ProStoreDtype, call.at,
                "an accumulator of " + std::string(name(from)) + " is stored to " + std::string(name(to)) +
                    (withScale && !scaled ? ": it needs `scale=`" : ": the store converts to no such type"));
}

/// L0C to an NZ tensor without a stop in UB.
void checkAccNz(KernelReader &reader, const Call &call, const Window &window) {
  const TensorInfo &tensor = *window.tensor;
  std::vector<Extent> used = reader.validOf(*window.tile);
  if (used.size() != 2 || !tensor.rankKnown || tensor.shape.size() < 2) {
    return;
  }
  if (used[1] && *used[1] % 16 != 0) {
    reader.settleShape(*window.tile->type);
    reader
        .report(diag::ProAccNzCols, call.at,
                "a direct store of " + text(*used[1]) + " columns from L0C to NZ tensor `" + tensor.name +
                    "`: columns must be a multiple of 16, even where C0 is 8")
        .declaredNz(tensor.annotation)
        .note(window.tile->type->at, "the tile type is made here");
    return;
  }
  Extent rows = tensor.shape[tensor.shape.size() - 2];
  if (!rows || !used[0] || !used[1] || !tensor.dtype || c0(*tensor.dtype) == 0) {
    return; // an extent of run time decides
  }
  int64_t padded = nzPlane(*rows, 1, *tensor.dtype).paddedRows;
  int64_t line = c0(*tensor.dtype);
  if (*used[0] >= padded || *used[1] <= line) {
    return;
  }
  reader
      .report(diag::ProAccNzPartial, call.at,
              "a direct store from L0C to NZ tensor `" + tensor.name + "` of " + text(*used[0]) + " of " +
                  text(padded) + " rows and " + text(*used[1]) + " columns > C0 " + text(line) +
                  ": it takes all rows of align(M, 16), or at most one block of C0 columns; go through Vec (move to an "
                  "NZ tile of UB, then "
                  "store)")
      .declaredNz(tensor.annotation)
      .note(window.tile->type->at, "the tile type is made here");
}

/// What an atomic store adds, and the dtypes it does.
void checkAtomic(KernelReader &reader, const Call &call, const TensorInfo &tensor) {
  const Argument &atomic = call.get("atomic");
  bool adds = atomic.value.path().ends_with(".AtomicAdd");
  if (adds && tensor.dtype &&
      !oneOf(*tensor.dtype, {DType::Fp32, DType::Fp16, DType::Bf16, DType::Int32, DType::Int16, DType::Int8})) {
    reader
        .report(diag::ProAtomicDtype, atomic.at,
                "`" + spelled(atomic) + "` into `" + tensor.name + "` of " + std::string(name(*tensor.dtype)) +
                    ": sums in memory are of FP32, FP16, BF16, INT32, INT16 or INT8")
        .note(tensor.annotation, "`" + tensor.name + "` is declared here");
  }
}

} // namespace

void checkScale(KernelReader &reader, const Argument &scale) {
  if (!scale.given()) {
    return;
  }
  if (scale.value.kind == ValueKind::Tensor) {
    reader.report(
        diag::ProScaleTensor, scale.at,
        "`scale` is a float, a scalar, or a Scaling tile, got a Tensor: load it into L1 and move it to Scaling first");
    return;
  }
  const TileInfo *tile = usable(reader, scale);
  if (!tile) {
    return;
  }
  const TileTypeInfo &type = *tile->type;
  std::string what;
  if (type.shapeKnown && type.shape.size() != 2) {
    what = "it has rank " + text(static_cast<int64_t>(type.shape.size()));
  } else if (type.space && *type.space != Space::Scaling) {
    what = "it is in " + std::string(name(*type.space)) + ", not in Scaling";
  } else if (type.dtype && !is64Bit(*type.dtype)) {
    what = "its dtype is " + std::string(name(*type.dtype)) + ", not INT64";
  } else if (type.extent(0) && *type.extent(0) != 1) {
    what = "it has " + show(type.extent(0)) + " rows, not 1";
  } else if (type.extent(1) && *type.extent(1) % 16 != 0) {
    what = "N is " + show(type.extent(1)) + ", not a multiple of 16";
  } else if (type.extent(1) && *type.extent(1) > 512) {
    what = "N is " + show(type.extent(1)) + ", above 512";
  }
  if (!what.empty()) {
    reader
        .report(diag::ProScaleTile, scale.at,
                "the scale tile `" + spelled(scale) +
                    "` must be a Scaling tile [1, N] of INT64 with N a multiple of 16, at most 512: " + what)
        .note(type.at, "the tile type is made here");
  }
}

namespace {

void checkStore(KernelReader &reader, const Call &call) {
  if (!operandsFit(reader, call)) {
    return;
  }
  const TensorInfo *tensor = usableTensor(reader, call.get("dst_tensor"));
  const TileInfo *tile = usable(reader, call.get("src_tile"));
  checkScale(reader, call.get("scale"));
  if (!tile) {
    return;
  }
  const TileTypeInfo &type = *tile->type;
  if (type.space && *type.space != Space::Vec && *type.space != Space::Acc) {
    reader
        .report(diag::ProStoreSpace, call.at,
                "the source of a store must be in Vec (UB) or Acc (L0C), got " + std::string(name(*type.space)))
        .note(type.at, "the tile type is made here");
    return;
  }
  bool acc = type.space == Space::Acc;
  const Argument &relu = call.get("relu_pre_mode");
  if (relu.given() && type.space && !acc) {
    reader.report(diag::ProStoreRelu, relu.at,
                  "`relu_pre_mode` needs an Acc source: it is fixpipe only, and this tile is in Vec");
  }
  if (!tensor) {
    return;
  }
  Window where = window(reader, call, tensor, tile);
  checkOffsets(reader, where);
  if (where.descending()) {
    reader
        .report(diag::ProStoreOrder, where.order.at,
                "the order of a store must be ascending, got `" + spelled(where.order) + "`")
        .fix("use [" + text(where.axes[1]) + ", " + text(where.axes[0]) + "]", where.order.at,
             "[" + text(where.axes[1]) + ", " + text(where.axes[0]) + "]");
    return;
  }
  checkAtomic(reader, call, *tensor);
  for (std::optional<DType> one : {type.dtype, tensor->dtype}) {
    if (one && !isTransferable(*one)) {
      reader.report(diag::ProStoreDtype, call.at,
                    std::string(name(*one)) + " is not stored: load and store move " + transferableNames());
      return;
    }
  }
  if (type.dtype && tensor->dtype && acc) {
    checkAccDtype(reader, call, *type.dtype, *tensor->dtype);
  } else if (type.dtype && tensor->dtype && type.space && bits(*type.dtype) != bits(*tensor->dtype)) {
    reader
        .report(diag::ProStoreDtype, call.at,
                "the tile is " + std::string(name(*type.dtype)) + ", the tensor is " +
                    std::string(name(*tensor->dtype)) + ": a store from UB converts nothing, so both have one width")
        .note(tensor->annotation, "`" + tensor->name + "` is declared here")
        .note(type.at, "the tile type is made here");
    return;
  }
  if (tensor->layout == Layout::ND && type.space == Space::Vec && type.layout == Layout::DN && type.extent(1) &&
      *type.extent(1) > 1) {
    reader
        .report(diag::ProLoadLayout, call.at,
                "a DN tile of UB is one column, [rows, 1], this one is " + showShape(type.shape) +
                    ": a store from UB keeps the order of bytes, so rows and columns would change places")
        .note(type.at, "the tile is DN");
    return;
  }
  if (tensor->layout == Layout::NZ && checkNzWindow(reader, call, where) && acc) {
    checkAccNz(reader, call, where);
  } else if (tensor->layout == Layout::ND && type.space == Space::Vec && type.layout == Layout::NZ) {
    reader
        .report(diag::ProNzTileLayout, call.at,
                "an NZ tile of UB is stored to the ND tensor `" + tensor->name +
                    "`: a store from UB keeps the layout; declare the tensor NZ, "
                    "or use an ND tile")
        .note(tensor->annotation, "declared here")
        .note(type.at, "the tile is NZ");
  }
}

} // namespace

void store(KernelReader &reader, const Call &call) {
  checkStore(reader, call);
  noteRefused(reader, call, call.get("dst_tensor"));
}

} // namespace placid::pro::rules
