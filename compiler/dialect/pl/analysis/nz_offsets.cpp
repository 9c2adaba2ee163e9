// SPDX-License-Identifier: Apache-2.0
// Offsets of NZ accesses: the checks that loads and stores share, and how blocked coordinates read.
#include "compiler/dialect/pl/analysis/expr_text.h"
#include "compiler/dialect/pl/analysis/nz_checker.h"
#include "compiler/dialect/pl/ir/window_attrs.h"

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

std::string axisText(int axis) { return "shape[" + std::to_string(axis) + "]"; }

/// "16, the rows of one fractal", "c0 = 32, one 32-byte line of INT8".
std::string factorText(int axis, int64_t factor, DType dtype) {
  if (axis == -2) {
    return std::to_string(factor) + ", the rows of one fractal";
  }
  return "c0 = " + std::to_string(factor) + ", one 32-byte C0 line of " + plName(dtype).str();
}

/// A constant as the user wrote it: `-16`, or `n0` = -16 where a name stands for it.
std::string constantText(const ArgLoc &at, int64_t value) {
  std::string number = std::to_string(value);
  return at.spelling.empty() || at.spelling == number ? number : "`" + at.spelling + "` = " + number;
}

} // namespace

void NzChecker::listForms(bridge::DiagBuilder &builder, Location at, int64_t factor, bool sign,
                          const ProofFailure &failure) {
  if (sign) {
    builder.note(at, "provable forms: a constant >= 0, a block index or count, a sum, product or min of non-negative "
                     "forms, a max with one, one divided by or modulo a positive constant, a loop variable whose start "
                     "and step are non-negative");
    builder.help("a negative offset is clamped to 0 later and reads the wrong fractal; count from 0, or wrap it in "
                 "`pl.max(…, 0)` where that is meant");
    return;
  }
  std::string d = std::to_string(factor);
  builder.note(at, "provable forms: a constant multiple of " + d +
                       ", a product with one provable factor, a sum, "
                       "difference, min or max of multiples, a loop variable whose start and step are multiples");
  if (isBoundOutside(failure.culprit)) {
    // What the loop around the scope does is not seen from inside, however it steps.
    std::string name = valueName(failure.culprit).str();
    name = name.empty() ? "value" : name;
    builder.help("compute it inside the core scope, from a block number (`for nb in pl.spmd(…):` with `nb * " + d +
                 "`) or a loop in there; or round it there: `pl.max(" + name + ", 0) // " + d + " * " + d + "`");
    return;
  }
  builder.help("make the multiple of " + d + " visible: `block * " + d +
               "`, or a loop with start and step that are "
               "multiples of " +
               d);
}

void NzChecker::bindings(bridge::DiagBuilder &builder, const ArgLoc &at, OpFoldResult offset,
                         const ProofFailure *failure) {
  auto value = dyn_cast<Value>(offset);
  std::string name = at.spelling;
  std::optional<Location> bound = at.binding;
  if (!bound && value && !valueName(value).empty()) {
    name = valueName(value).str();
    bound = value.getLoc();
  }
  // The reason stands where the culprit is bound, else where the offset is.
  bool elsewhere = failure && failure->culprit != value && !valueName(failure->culprit).empty();
  if (bound) {
    builder.binding(*bound, "`" + name + "` is bound here" + (failure && !elsewhere ? ": " + failure->why : ""));
  }
  if (elsewhere) {
    builder.binding(failure->culprit.getLoc(), failure->why);
  }
}

NzChecker::Slug NzChecker::checkTrailingOffset(Access &access, int axis, OpFoldResult offset) {
  unsigned index = access.type.getRank() + axis;
  int64_t factor = axis == -2 ? kFractalRows : access.plane.c0;
  if (!llvm::isPowerOf2_64(static_cast<uint64_t>(factor))) {
    // The proofs rest on it: a divisor that is no power of two does not divide 2^width.
    bridge::emitDiag(access.op->getLoc(), diag::InternalError,
                     "NZ axis factor " + std::to_string(factor) + " is no power of two");
    failed_ = true;
    return slugOf(diag::InternalError);
  }
  ArgLoc at = argLoc(access.op, kOffsetsArg, index);
  std::string where = " on " + axisText(axis) + " of NZ tensor `" + access.origin.name + "` ";
  std::string multiple = "a multiple of " + factorText(axis, factor, access.type.getDtype());

  if (std::optional<int64_t> constant = getConstantIntValue(offset)) {
    std::string shown = "the offset " + constantText(at, *constant) + where;
    if (*constant % factor != 0) {
      auto builder = refuse(access, at.range, diag::NzOffsetAlign, shown + "is not " + multiple);
      bindings(builder, at, offset, nullptr);
      int64_t below = *constant >= 0 ? *constant / factor * factor : 0;
      builder.help("the multiples nearby are " + std::to_string(below) + " and " + std::to_string(below + factor));
      return slugOf(diag::NzOffsetAlign);
    }
    if (*constant < 0) {
      auto builder = refuse(
          access, at.range, diag::NzOffsetSign,
          shown +
              "is negative: a coordinate must be non-negative, else it is clamped to 0 and the wrong fractal is read");
      bindings(builder, at, offset, nullptr);
      builder.help("count from 0");
      return slugOf(diag::NzOffsetSign);
    }
    return {};
  }

  Value value = cast<Value>(offset);
  std::string text = argText(access.op, kOffsetsArg, index, offset);
  std::string shown = "the offset `" + text + "`" + where;
  if (!prover_.isMultiple(value, factor)) {
    ProofFailure failure = prover_.blameMultiple(value, factor);
    auto builder =
        refuse(access, at.range, diag::NzOffsetAlign, shown + "is not provably " + multiple + ": " + failure.why);
    bindings(builder, at, offset, &failure);
    listForms(builder, at.range, factor, /*sign=*/false, failure);
    if (!prover_.isNonNegative(value)) {
      builder.note(at.range, kSignOpenNote);
    }
    return slugOf(diag::NzOffsetAlign);
  }
  if (!prover_.isNonNegative(value)) {
    ProofFailure failure = prover_.blameNonNegative(value);
    auto builder = refuse(access, at.range, diag::NzOffsetSign, shown + "is not provably non-negative: " + failure.why);
    bindings(builder, at, offset, &failure);
    listForms(builder, at.range, factor, /*sign=*/true, failure);
    return slugOf(diag::NzOffsetSign);
  }
  if (report_) {
    access.fact.proof.push_back(
        {axis, factor, text, prover_.explainMultiple(value, factor), prover_.explainNonNegative(value)});
  }
  return {};
}

NzChecker::Slug NzChecker::checkLeadingOffsets(Access &access, ArrayRef<OpFoldResult> offsets) {
  for (auto [axis, offset] : llvm::enumerate(offsets.drop_back(2))) {
    ArgLoc at = argLoc(access.op, kOffsetsArg, axis);
    std::string where = " on axis " + std::to_string(axis) + " of NZ tensor `" + access.origin.name + "` ";
    if (std::optional<int64_t> constant = getConstantIntValue(offset)) {
      if (*constant < 0) {
        auto builder = refuse(access, at.range, diag::NzOffsetSign,
                              "the batch offset " + constantText(at, *constant) + where +
                                  "is negative: a coordinate must be non-negative");
        bindings(builder, at, offset, nullptr);
        return slugOf(diag::NzOffsetSign);
      }
      continue;
    }
    auto value = cast<Value>(offset);
    if (!batchProver_.isNonNegative(value) && !access.op->hasAttr(kOutsideToldAttr)) {
      // No rule refuses it, but a negative batch would be clamped to 0 and panel 0 read instead.
      ProofFailure failure = batchProver_.blameNonNegative(value);
      std::string text = argText(access.op, kOffsetsArg, axis, offset);
      auto builder = bridge::emitDiagAs(diag::Severity::Warning, at.range, diag::NzOffsetSign,
                                        "the batch offset `" + text + "`" + where +
                                            "is not provably non-negative: " + failure.why + "; a negative one would " +
                                            (isa<TileStoreOp>(access.op) ? "write" : "read") + " panel 0");
      annotate(builder, access.origin);
      annotatePastes(builder, access.op);
      bindings(builder, at, offset, &failure);
      return {};
    }
  }
  return {};
}

//===-- How blocked coordinates read ------------------------------------------------------------------------------===//

NzExpr NzChecker::blockedCoordinate(Access &access, StringRef list, unsigned index, OpFoldResult value,
                                    int64_t factor) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return *constant / factor;
  }
  return "floordiv(" + argText(access.op, list, index, value) + ", " + std::to_string(factor) + ")";
}

NzExpr NzChecker::foldedBatch(Access &access, ArrayRef<OpFoldResult> offsets) {
  int64_t number = 0;
  std::string text; // the symbolic part so far; `number` is then what was added to it
  for (auto [axis, offset] : llvm::enumerate(offsets.drop_back(2))) {
    if (axis > 0) {
      int64_t extent = access.type.getExtent(axis).value_or(1);
      if (!text.empty()) {
        text += number != 0 ? " + " + std::to_string(number) : "";
        number = 0;
        if (extent != 1) {
          text = (isCompound(text) ? "(" + text + ")" : text) + " * " + std::to_string(extent);
        }
      } else {
        number *= extent;
      }
    }
    if (std::optional<int64_t> constant = getConstantIntValue(offset)) {
      number += *constant;
      continue;
    }
    std::string term = argText(access.op, kOffsetsArg, axis, offset);
    text = text.empty() ? (number != 0 ? std::to_string(number) + " + " + term : term) : text + " + " + term;
    number = 0;
  }
  if (text.empty()) {
    return number;
  }
  return number != 0 ? text + " + " + std::to_string(number) : text;
}

std::vector<NzExpr> NzChecker::blockedOffsets(Access &access, ArrayRef<OpFoldResult> offsets) {
  unsigned rank = offsets.size();
  return {foldedBatch(access, offsets),
          blockedCoordinate(access, kOffsetsArg, rank - 1, offsets[rank - 1], access.plane.c0),
          blockedCoordinate(access, kOffsetsArg, rank - 2, offsets[rank - 2], kFractalRows), int64_t{0}, int64_t{0}};
}

std::vector<NzExpr> NzChecker::blockedSizes(Access &access, NzExpr batch, NzExpr rows, NzExpr cols) {
  return {std::move(batch), std::move(cols), std::move(rows), kFractalRows, access.plane.c0};
}

} // namespace placid::pl
