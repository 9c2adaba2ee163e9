// SPDX-License-Identifier: Apache-2.0
// `pl.load` and `pl.load_tile`: operands, and which layouts of tensor and tile go together.
#include "compiler/pro/rules/rules.h"

namespace placid::pro::rules {

namespace {

std::string text(int64_t value) { return std::to_string(value); }

/// Destination first, source second, then the offsets.
bool operandsFit(KernelReader &reader, const Call &call) {
  const Argument &dst = call.get("dst_tile");
  const Argument &src = call.get("src_tensor");
  std::string op = "pl." + std::string(call.row->path);
  auto otherDialect = [&](const Argument &at, const std::string &what) {
    reader.report(diag::ProLoadArgOrder, at.at,
                  what + ", got " + describe(at.value) + ": `" + op +
                      "` takes (tile, tensor, offsets), the destination first; "
                      "`pypto.language` takes the tensor first");
  };
  bool dstKnown = dst.given() && !dst.value.isUnknown();
  bool srcKnown = src.given() && !src.value.isUnknown();
  if (dstKnown && dst.value.kind != ValueKind::Tile) {
    otherDialect(dst, "dst must be a Tile");
    return false;
  }
  if (srcKnown && src.value.kind != ValueKind::Tensor) {
    otherDialect(src, "src must be a Tensor");
    return false;
  }
  const Argument &offsets = call.get(call.row->path == "load" ? "offsets" : "tile_offsets");
  if (!offsets.given()) {
    reader.report(diag::ProOffsetMissing, call.at,
                  "`" + op + "` misses its offsets: one for each axis of the tensor, `[0, 0]` for the start");
    return false;
  }
  return true;
}

bool dtypesFit(KernelReader &reader, const Call &call, const TileInfo &tile, const TensorInfo &tensor) {
  std::optional<DType> tileType = tile.type->dtype;
  std::optional<DType> tensorType = tensor.dtype;
  for (std::optional<DType> one : {tileType, tensorType}) {
    if (one && !isTransferable(*one)) {
      reader.report(diag::ProLoadDtype, call.at,
                    std::string(name(*one)) + " is not loaded: load and store move " + transferableNames());
      return false;
    }
  }
  if (tileType && tensorType && bits(*tileType) != bits(*tensorType)) {
    reader
        .report(diag::ProLoadDtype, call.at,
                "the tile is " + std::string(name(*tileType)) + ", the tensor is " + std::string(name(*tensorType)) +
                    ": a load converts nothing, so both have one width")
        .note(tensor.annotation, "`" + tensor.name + "` is declared here")
        .note(tile.type->at, "the tile type is made here");
    return false;
  }
  return true;
}

/// MX scales: a tensor of pairs of groups, and an order that leaves the pairs alone.
void checkScales(KernelReader &reader, const Call &call, const Window &window) {
  const TensorInfo &tensor = *window.tensor;
  if (!tensor.rankKnown) {
    return;
  }
  auto rank = static_cast<int64_t>(tensor.shape.size());
  bool pairs = rank >= 3 && (!tensor.shape.back() || *tensor.shape.back() == 2);
  bool dynamic = rank >= 3 && !tensor.shape.back();
  if (!pairs || dynamic) {
    bool left = window.tile->type->layout == Layout::ZZ;
    reader
        .report(diag::ProMxScaleGm, call.at,
                "scale tensor `" + tensor.name + "` is " + showShape(tensor.shape) + ": declare " +
                    (left ? "[M, G/2, 2]" : "[G/2, N, 2]") +
                    ", rank >= 3 with a last axis of 2, the two groups of a pair")
        .note(tensor.annotation, "declared here");
    return;
  }
  for (int64_t axis : window.axes) {
    if (window.order.given() && axis == rank - 1) {
      reader
          .report(diag::ProMxScaleOrder, window.order.at,
                  "axis " + text(axis) + " is the phase axis, the two groups of a pair: `order` names the other two")
          .fix("use [" + text(rank - 3) + ", " + text(rank - 2) + "]", window.order.at,
               "[" + text(rank - 3) + ", " + text(rank - 2) + "]");
      return;
    }
  }
}

void checkMat(KernelReader &reader, const Call &call, const Window &window) {
  const TileTypeInfo &type = *window.tile->type;
  Layout layout = *type.layout;
  bool descending = window.descending();
  std::string tileText = "the tile is " + std::string(name(layout)) + (type.layoutGiven ? "" : " by default");
  switch (layout) {
  case Layout::ZN:
    if (!descending) {
      auto report = reader.report(diag::ProLoadLayout, call.at,
                                  "ND to ZN is unsupported: a ZN L1 tile is filled by a transposing load; add "
                                  "`order=[1, 0]`, or use an NZ tile");
      report.note(type.at, tileText);
      auto rank = static_cast<int64_t>(window.tensor->shape.size());
      if (!window.order.given() && window.tensor->rankKnown && rank >= 2) {
        addOrder(report, call.at, rank - 1, rank - 2);
      }
      declareLayout(report, type, Layout::NZ);
    }
    return;
  case Layout::NZ:
    if (type.dtype && is64Bit(*type.dtype)) {
      auto report = reader.report(diag::ProLoadB64Nz, call.at,
                                  std::string(name(*type.dtype)) +
                                      " is not loaded into an NZ tile of L1: use `layout=pl.ND` for 64-bit L1 tiles");
      report.note(type.at, tileText);
      declareLayout(report, type, Layout::ND);
    } else if (descending && type.dtype && isFp4(*type.dtype)) {
      auto report = reader.report(diag::ProLoadLayout, window.order.at,
                                  "a transposing load of " + std::string(name(*type.dtype)) +
                                      " into an NZ tile is unsupported: use `layout=pl.ZN`");
      report.note(type.at, tileText);
      declareLayout(report, type, Layout::ZN);
    } else if (descending) {
      reader
          .report(diag::ProLoadLayout, window.order.at,
                  "a transposing load into an NZ tile keeps the transposed data in NZ order: use `layout=pl.ZN` for "
                  "the operand of a "
                  "matmul")
          .severity(diag::Severity::Warning)
          .note(type.at, tileText);
    }
    return;
  case Layout::ND:
    if (descending) {
      reader.report(diag::ProLoadLayout, window.order.at, "an ND tile of L1 is not loaded transposed")
          .note(type.at, tileText);
    }
    return;
  case Layout::ZZ:
  case Layout::NN:
    checkScales(reader, call, window);
    return;
  default:
    return;
  }
}

void checkVec(KernelReader &reader, const Call &call, const Window &window) {
  const TileTypeInfo &type = *window.tile->type;
  if (*type.layout == Layout::ND && window.descending()) {
    reader
        .report(diag::ProLoadLayout, window.order.at,
                "a Vec ND tile cannot be loaded transposed: load it as it is, then `pl.transpose`")
        .note(type.at, "the tile is ND" + std::string(type.layoutGiven ? "" : " by default"));
  } else if (*type.layout == Layout::DN && !window.descending() && type.extent(1) && *type.extent(1) > 1) {
    reader
        .report(diag::ProLoadLayout, call.at,
                "a DN tile of UB is one column, [rows, 1], this one is " + showShape(type.shape) +
                    ": its rows and columns would change places; load into an ND tile")
        .note(type.at, "the tile is DN");
  } else if (*type.layout == Layout::NZ) {
    reader
        .report(diag::ProLoadLayout, call.at,
                "ND to NZ is unsupported in UB: an NZ tile of Vec is loaded from an NZ tensor; load ND and `pl.move` "
                "it, or use an ND tile")
        .note(type.at, "the tile is NZ");
  }
}

void checkLoad(KernelReader &reader, const Call &call) {
  if (!operandsFit(reader, call)) {
    return;
  }
  const TileInfo *tile = usable(reader, call.get("dst_tile"));
  const TensorInfo *tensor = usableTensor(reader, call.get("src_tensor"));
  if (tile && tile->type->space && *tile->type->space != Space::Vec && *tile->type->space != Space::Mat) {
    std::string got(name(*tile->type->space));
    bool viaMat = got != "Acc";
    auto report =
        reader.report(diag::ProLoadSpace, call.at,
                      "the destination of a load must be in Vec (UB) or Mat (L1), got " + got +
                          (viaMat ? ": load to Mat and move" : ": an accumulator is written by matmul alone"));
    report.note(tile->type->at, "the tile type is made here");
    // A row of biases or scales would be no tile of Mat as it stands.
    bool operand = *tile->type->space == Space::Left || *tile->type->space == Space::Right;
    if (operand && !tile->type->layoutGiven) {
      declareSpace(report, *tile->type, Space::Mat);
    }
    return;
  }
  if (tile && tile->type->space && reader.section() != Core::Any) {
    bool cube = reader.section() == Core::Cube;
    bool vec = *tile->type->space == Space::Vec;
    if (cube == vec) {
      reader.report(diag::ProSectionSpace, call.at,
                    std::string(vec ? "a UB" : "an L1") + " load in the " + (cube ? "cube" : "vector") +
                        " section: cube sections load Mat tiles, vector sections Vec tiles");
    }
  }
  if (tile && reader.state(*tile).loading) {
    const TileState &now = reader.state(*tile);
    reader
        .report(diag::ProLoadWaw, call.at,
                "`" + spelled(call.get("dst_tile")) +
                    "` is loaded again with nothing read in between: the previous MTE2 write may be "
                    "pending; put `pl.system.bar_mte2()` between the two")
        .note(now.loadAt, "the load before");
  }
  if (!tile || !tensor) {
    return;
  }
  Window where = window(reader, call, tensor, tile);
  checkOffsets(reader, where);
  if (!dtypesFit(reader, call, *tile, *tensor) || !tile->type->layout || !tensor->layout || !tile->type->space) {
    return;
  }
  if (*tensor->layout == Layout::NZ) {
    checkNzWindow(reader, call, where);
    return;
  }
  if (where.orderRefused || (where.order.given() && where.axes.empty()) || *tensor->layout != Layout::ND) {
    return;
  }
  if (*tile->type->space == Space::Mat) {
    checkMat(reader, call, where);
  } else {
    checkVec(reader, call, where);
  }
}

} // namespace

void load(KernelReader &reader, const Call &call) {
  checkLoad(reader, call);
  noteRefused(reader, call, call.get("src_tensor"));
}

} // namespace placid::pro::rules
