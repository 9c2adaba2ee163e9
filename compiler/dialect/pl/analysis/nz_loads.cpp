// SPDX-License-Identifier: Apache-2.0
// What an NZ load must satisfy, in the order of the rule list: target memory, row offset, column offset, window, valid
// extents, GM row gap.
#include "compiler/dialect/pl/analysis/expr_text.h"
#include "compiler/dialect/pl/analysis/gm_gap_guard.h"
#include "compiler/dialect/pl/analysis/nz_checker.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

std::vector<NzExpr> tileShape(TileType tile) {
  std::vector<NzExpr> out;
  for (int64_t extent : tile.getShape()) {
    out.emplace_back(extent);
  }
  return out;
}

/// The rows and columns that are read: `valid` where given, else the window. A dynamic entry is a Value.
SmallVector<OpFoldResult> partition(TileLoadOp load) {
  MLIRContext *context = load.getContext();
  return load.getStaticValid().empty() ? mixedList({}, load.getSizes(), context)
                                       : mixedList(load.getValid(), load.getStaticValid(), context);
}

} // namespace

NzChecker::Slug NzChecker::checkLoad(TileLoadOp load, Access &access) {
  access.fact.result = valueName(load.getResult()).str();
  access.fact.tile = tileShape(load.getType());
  accesses_.push_back(load);

  Mem mem = load.getType().getMem();
  if (mem != Mem::Mat) {
    ArgLoc at = argLoc(load, kTargetArg, 0);
    auto builder = refuse(access, at.range, diag::NzTargetMemory, access.origin.name, plName(mem).str());
    builder.help(
        "only a product reads it: `pl.load` takes `target_memory=pl.Mem.Mat`, a slice goes there when a product "
        "uses it; for anything else declare the tensor ND");
    return slugOf(diag::NzTargetMemory);
  }
  SmallVector<OpFoldResult> offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), load.getContext());
  unsigned rank = offsets.size();
  if (Slug slug = checkTrailingOffset(access, -2, offsets[rank - 2]); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkTrailingOffset(access, -1, offsets[rank - 1]); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkWindow(load, access); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkValid(load, access); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkGap(load, access); !slug.empty()) {
    return slug;
  }
  if (Slug slug = checkLeadingOffsets(access, offsets); !slug.empty()) {
    return slug;
  }

  SmallVector<OpFoldResult> read = partition(load);
  StringRef list = load.getStaticValid().empty() ? kSizesArg : kValidArg;
  access.fact.offsets = blockedOffsets(access, offsets);
  access.fact.sizes =
      blockedSizes(access, int64_t{1}, blockedCoordinate(access, list, rank - 2, read[rank - 2], kFractalRows),
                   blockedCoordinate(access, list, rank - 1, read[rank - 1], access.plane.c0));
  return {};
}

NzChecker::Slug NzChecker::checkWindow(TileLoadOp load, Access &access) {
  ArrayRef<int64_t> sizes = load.getSizes();
  unsigned rank = sizes.size();
  for (unsigned axis = 0; axis + 2 < rank; ++axis) {
    if (sizes[axis] != 1) {
      // Rows of two panels lie a whole plane apart; a 2-D tile has one row pitch.
      ArgLoc at = argLoc(load, kSizesArg, axis);
      auto builder =
          refuse(access, at.range, diag::NzWindow,
                 "the load spans " + std::to_string(sizes[axis]) + " panels on axis " + std::to_string(axis) +
                     " of NZ tensor `" + access.origin.name + "`: one load reads one panel, leading extents are 1");
      builder.help("load each panel on its own, or give the whole stack to one batched matmul");
      return slugOf(diag::NzWindow);
    }
  }
  int64_t rows = sizes[rank - 2];
  int64_t cols = sizes[rank - 1];
  if (rows <= 0 || rows % kFractalRows != 0) {
    auto builder = refuse(access, argLoc(load, kSizesArg, rank - 2).range, diag::NzRowsAlign, "the window's shape[-2]",
                          access.origin.name, rows);
    builder.help("load whole fractals and narrow with `valid_shape` in steps of 16 rows");
    return slugOf(diag::NzRowsAlign);
  }
  if (cols <= 0 || cols % access.plane.c0 != 0) {
    auto builder = refuse(access, argLoc(load, kSizesArg, rank - 1).range, diag::NzColsAlign, "the window's shape[-1]",
                          access.origin.name, cols, access.plane.c0, plName(access.type.getDtype()).str());
    builder.help("load whole C0 lines: a multiple of " + std::to_string(access.plane.c0) + " columns");
    return slugOf(diag::NzColsAlign);
  }
  return {};
}

NzChecker::Slug NzChecker::checkValid(TileLoadOp load, Access &access) {
  if (load.getStaticValid().empty()) {
    return {};
  }
  SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), load.getContext());
  unsigned rank = valid.size();
  std::string tensor = " of NZ tensor `" + access.origin.name + "`";
  auto refuseValid = [&](unsigned axis, const std::string &message, const ProofFailure *failure) {
    ArgLoc at = argLoc(load, kValidArg, axis);
    auto builder = refuse(access, at.range, diag::NzValidShape, message);
    bindings(builder, at, valid[axis], failure);
    return builder;
  };
  for (unsigned axis = 0; axis + 2 < rank; ++axis) {
    std::optional<int64_t> constant = getConstantIntValue(valid[axis]);
    if (constant != 1) {
      refuseValid(axis,
                  "valid_shape[" + std::to_string(axis) + "] = " + argText(load, kValidArg, axis, valid[axis]) +
                      tensor + " must be 1: one load reads one panel",
                  nullptr);
      return slugOf(diag::NzValidShape);
    }
  }
  std::string rowRule = "must be a positive multiple of 16, a partial fractal has no blocked form";
  if (std::optional<int64_t> rows = getConstantIntValue(valid[rank - 2])) {
    if (*rows <= 0 || *rows % kFractalRows != 0) {
      refuseValid(rank - 2, "valid_shape[-2] = " + std::to_string(*rows) + tensor + " " + rowRule, nullptr)
          .help("round the valid rows to whole fractals; padded rows must be zero in GM");
      return slugOf(diag::NzValidShape);
    }
  } else {
    auto value = cast<Value>(valid[rank - 2]);
    std::string text = argText(load, kValidArg, rank - 2, valid[rank - 2]);
    if (!prover_.isMultiple(value, kFractalRows)) {
      ProofFailure failure = prover_.blameMultiple(value, kFractalRows);
      auto builder = refuseValid(rank - 2,
                                 "the dynamic valid_shape[-2] = `" + text + "`" + tensor +
                                     " is not a provable multiple of 16, it may end inside a fractal: " + failure.why,
                                 &failure);
      listForms(builder, argLoc(load, kValidArg, rank - 2).range, kFractalRows, /*sign=*/false, failure);
      return slugOf(diag::NzValidShape);
    }
    if (report_) {
      access.fact.proof.push_back({-2, kFractalRows, text, prover_.explainMultiple(value, kFractalRows), ""});
    }
  }
  std::string c0 = std::to_string(access.plane.c0);
  std::optional<int64_t> cols = getConstantIntValue(valid[rank - 1]);
  if (!cols) {
    refuseValid(rank - 1,
                "valid_shape[-1] = `" + argText(load, kValidArg, rank - 1, valid[rank - 1]) + "`" + tensor +
                    " is dynamic: only valid_shape[-2], the rows, may be; shape[-1] must be static",
                nullptr)
        .help("give a static multiple of c0 = " + c0);
    return slugOf(diag::NzValidShape);
  }
  if (*cols <= 0 || *cols % access.plane.c0 != 0) {
    refuseValid(rank - 1,
                "valid_shape[-1] = " + std::to_string(*cols) + tensor + " must be a positive multiple of c0 = " + c0 +
                    ", a partial C0 line has no blocked form",
                nullptr)
        .help("round the valid columns to whole C0 lines");
    return slugOf(diag::NzValidShape);
  }
  return {};
}

NzChecker::Slug NzChecker::checkGap(TileLoadOp load, Access &access) {
  SmallVector<OpFoldResult> read = partition(load);
  unsigned rank = read.size();
  std::optional<int64_t> rows = getConstantIntValue(read[rank - 2]);
  int64_t columnBlocks = getConstantIntValue(read[rank - 1]).value_or(0) / access.plane.c0;
  std::optional<int64_t> gap = gmGapBlocks(access.plane.rows, rows, columnBlocks);
  access.fact.gapBlocks = gap;
  if (!gap || *gap <= kMaxGmGapBlocks) {
    return {};
  }
  // Sizes where nothing narrows them; the extent that can be widened is the row extent.
  StringRef list = load.getStaticValid().empty() ? kSizesArg : kValidArg;
  ArgLoc at = argLoc(load, list, rank - 2);
  auto builder = refuse(access, at.range, diag::NzGmGap, access.origin.name, *gap, access.plane.rows, rows.value_or(0),
                        rows ? "" : ": the loaded rows are dynamic, the worst case is none");
  builder.note(at.range,
               "ways out: a taller row tile leaves a smaller gap; a stacked weight declared with the stacked "
               "axis as a leading axis ([LAYERS, R, C]) keeps it out of the gap; a load of one column block is exempt");
  if (!rows) {
    builder.help("give the valid rows as a constant, or declare the stacked axis as a leading axis");
    return slugOf(diag::NzGmGap);
  }
  builder.help("load at least " +
               std::to_string((access.plane.rows - kMaxGmGapBlocks + kFractalRows - 1) / kFractalRows * kFractalRows) +
               " rows at once, or make the stacked axis a leading axis");
  return slugOf(diag::NzGmGap);
}

} // namespace placid::pl
