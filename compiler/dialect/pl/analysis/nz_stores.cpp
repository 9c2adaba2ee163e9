// SPDX-License-Identifier: Apache-2.0
// What an accumulator store to NZ must satisfy: arch, source, dtypes, keywords, tile, one panel, whole row axis, column
// offset. Field widths and L0C capacity are judged after tiling, on what is emitted: an oversized logical tile may be
// split.
#include "compiler/dialect/pl/analysis/expr_text.h"
#include "compiler/dialect/pl/analysis/nz_checker.h"
#include "compiler/target/target.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr int64_t kTileStep = 16; ///< Rows and columns of the accumulator's fractal.

/// True when the tile comes from a refused load: its valid extents are then no fault of the store.
bool fromRefused(Value tile, const DenseSet<Value> &poisoned) {
  SmallVector<Value> open{tile};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second) {
      continue;
    }
    if (poisoned.contains(value)) {
      return true;
    }
    if (Operation *op = value.getDefiningOp(); op && op->getNumRegions() == 0) {
      for (Value operand : op->getOperands()) {
        if (isa<TileType>(operand.getType())) {
          open.push_back(operand);
        }
      }
    }
  }
  return false;
}

} // namespace

NzChecker::Slug NzChecker::checkStoredTile(TileStoreOp store, Access &access) {
  TileType tile = store.getTile().getType();
  std::string name = valueName(store.getTile()).str();
  std::string what = name.empty() ? "the stored tile" : "tile `" + name + "`";
  Location at = argLoc(store, kOperandsArg, 0).range;
  auto refuseTile = [&](const std::string &message, const std::string &help) {
    auto builder = refuse(access, at, diag::NzStoreShape, message);
    if (!name.empty()) {
      builder.binding(store.getTile().getLoc(), what + " is bound here");
    }
    builder.help(help);
    return slugOf(diag::NzStoreShape);
  };
  std::string into = " cannot be stored to NZ tensor `" + access.origin.name + "`: ";
  ArrayRef<int64_t> shape = tile.getShape();
  int64_t rows = shape[shape.size() - 2];
  int64_t cols = shape[shape.size() - 1];
  if (rows <= 0 || cols <= 0 || rows % kTileStep != 0 || cols % kTileStep != 0) {
    int64_t odd = rows <= 0 || rows % kTileStep != 0 ? rows : cols;
    return refuseTile(what + " of shape [" + std::to_string(rows) + ", " + std::to_string(cols) + "]" + into +
                          "rows and columns must be positive multiples of 16, and " + std::to_string(odd) + " is not",
                      "store a tile of whole 16 x 16 accumulator fractals");
  }
  if (tile.getValidOrShape() != shape && !fromRefused(store.getTile(), poisoned_)) {
    bool dynamic = llvm::is_contained(tile.getValidOrShape(), ShapedType::kDynamic);
    std::string valid;
    for (int64_t extent : tile.getValidOrShape()) {
      valid += (valid.empty() ? "" : ", ") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
    }
    return refuseTile(what + into + "its valid extents [" + valid + "] are " +
                          (dynamic ? "dynamic; they must be static and cover the tile ["
                                   : "partial; the tile must be fully valid [") +
                          std::to_string(rows) + ", " + std::to_string(cols) + "]",
                      "load the operands without a narrower valid_shape, or store to an ND tensor");
  }
  return {};
}

NzChecker::Slug NzChecker::checkStore(TileStoreOp store, Access &access) {
  TileType tile = store.getTile().getType();
  access.fact.result = valueName(store.getTile()).str();
  for (int64_t extent : tile.getShape()) {
    access.fact.tile.emplace_back(extent);
  }
  accesses_.push_back(store);
  const std::string &name = access.origin.name;

  auto arch = module_->getAttrOfType<StringAttr>(kArchAttr);
  const target::Target *target = arch ? target::find(arch.getValue()) : nullptr;
  if (target && !target->nzStore) {
    std::string chip(target->displayName);
    refuse(access, store.getLoc(), diag::NzStoreArch, name, chip).help("store to an ND tensor on " + chip);
    return slugOf(diag::NzStoreArch);
  }
  if (tile.getMem() != Mem::Acc) {
    refuse(access, argLoc(store, kOperandsArg, 0).range, diag::NzStoreShape,
           "a tile in " + plName(tile.getMem()).str() + " cannot be stored to NZ tensor `" + name +
               "`: the source must be in Acc, the accumulator of a matmul")
        .help("store the matmul's result directly, or declare the destination ND");
    return slugOf(diag::NzStoreShape);
  }
  if (tile.getDtype() != DType::F32 || access.type.getDtype() != DType::F32) {
    refuse(access, store.getLoc(), diag::NzStoreDtype, plName(tile.getDtype()).str(),
           plName(access.type.getDtype()).str(), name)
        .help("declare the destination FP32 and multiply floating-point operands");
    return slugOf(diag::NzStoreDtype);
  }
  StringRef keyword = store.getAtomic()     ? "atomic"
                      : store.getPreQuant() ? "pre_quant"
                      : store.getPreRelu()  ? "pre_relu"
                                            : "";
  if (!keyword.empty()) {
    refuse(access, argLoc(store, kTargetArg, 0).range, diag::NzAtomic, name, "`" + keyword.str() + "`")
        .help("drop `" + keyword.str() + "`, or declare the destination ND");
    return slugOf(diag::NzAtomic);
  }
  if (Slug slug = checkStoredTile(store, access); !slug.empty()) {
    return slug;
  }

  SmallVector<OpFoldResult> offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), store.getContext());
  unsigned rank = offsets.size();
  int64_t rows = tile.getShape()[tile.getRank() - 2];
  int64_t cols = tile.getShape()[tile.getRank() - 1];
  if (store.getSizes()) {
    int64_t panels = 1;
    for (int64_t extent : store.getSizes()->drop_back(2)) {
      panels *= extent;
    }
    if (panels != 1) {
      refuse(access, store.getLoc(), diag::NzBatchPanel, panels, name).help("store each panel on its own");
      return slugOf(diag::NzBatchPanel);
    }
    rows = (*store.getSizes())[rank - 2];
    cols = (*store.getSizes())[rank - 1];
  }
  std::string rowRule =
      "the store must cover the entire row axis at row offset 0, because A2/A3 takes the column pitch from "
      "the stored height";
  std::string rowHelp = "tile along the columns instead, or declare the panels as a leading axis ([PANELS, R, C])";
  std::optional<int64_t> rowOffset = getConstantIntValue(offsets[rank - 2]);
  if (rowOffset != 0) {
    ArgLoc at = argLoc(store, kOffsetsArg, rank - 2);
    auto builder = refuse(access, at.range, diag::NzRowWindow,
                          "the row offset " +
                              (rowOffset ? std::to_string(*rowOffset)
                                         : "`" + argText(store, kOffsetsArg, rank - 2, offsets[rank - 2]) + "`") +
                              " places a row window in NZ tensor `" + name + "`: " + rowRule);
    bindings(builder, at, offsets[rank - 2], nullptr);
    builder.help(rowHelp);
    return slugOf(diag::NzRowWindow);
  }
  if (rows != access.plane.rows) {
    refuse(access, store.getLoc(), diag::NzRowWindow,
           "the store covers " + std::to_string(rows) + " of " + std::to_string(access.plane.rows) +
               " rows of NZ tensor `" + name + "`: " + rowRule)
        .help(rowHelp);
    return slugOf(diag::NzRowWindow);
  }
  if (Slug slug = checkTrailingOffset(access, -1, offsets[rank - 1]); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkLeadingOffsets(access, offsets); !slug.empty()) {
    return slug;
  }
  access.fact.offsets = blockedOffsets(access, offsets);
  access.fact.sizes = blockedSizes(access, int64_t{1}, rows / kFractalRows, cols / access.plane.c0);
  return {};
}

} // namespace placid::pl
