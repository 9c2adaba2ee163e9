// SPDX-License-Identifier: Apache-2.0
// CheckWindowBounds: see passes.td. Windows whose offset and extent are constants were judged by the front end; here
// are those that move with a loop. What the loops do is IterationSpace's to know; this file knows accesses and words.
#include "compiler/dialect/pl/analysis/iteration_space.h"
#include "compiler/dialect/pl/analysis/nz_annotation.h"
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/analysis/symbolic_values.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {

#define GEN_PASS_DEF_CHECKWINDOWBOUNDS
#include "compiler/dialect/pl/transforms/passes.h.inc"

using namespace mlir;

namespace {

/// Iterations looked at in one module, all accesses together: a bound on time, far above what programs need.
constexpr int64_t kBudget = 400'000;

/// One access to a tensor: offsets and extents by axis. An empty OpFoldResult is an extent that is not known.
struct Access {
  Operation *op;
  Value tensor;
  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes;
  StringRef sizeList;   ///< Where the extents have locations, if anywhere.
  bool element = false; ///< A single element, by its indices.
};

SmallVector<OpFoldResult> constants(ArrayRef<int64_t> values, MLIRContext *context) {
  SmallVector<OpFoldResult> out;
  for (int64_t value : values) {
    out.push_back(ShapedType::isDynamic(value) ? OpFoldResult() : Builder(context).getIndexAttr(value));
  }
  return out;
}

/// Leading extents of 1 up to `rank`.
SmallVector<OpFoldResult> padded(SmallVector<OpFoldResult> sizes, unsigned rank, MLIRContext *context) {
  while (sizes.size() < rank) {
    sizes.insert(sizes.begin(), Builder(context).getIndexAttr(1));
  }
  return sizes;
}

std::optional<Access> accessOf(Operation *op) {
  MLIRContext *context = op->getContext();
  if (op->hasAttr(kTrimmedAttr)) {
    return std::nullopt;
  }
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([&](TileLoadOp load) {
        SmallVector<OpFoldResult> live = mixedList(load.getValid(), load.getStaticValid(), context);
        bool whole = live.empty();
        return Access{op,
                      load.getSource(),
                      mixedList(load.getOffsets(), load.getStaticOffsets(), context),
                      whole ? constants(load.getSizes(), context) : live,
                      whole ? kSizesArg : kValidArg,
                      false};
      })
      .Case([&](TensorSliceOp slice) {
        SmallVector<OpFoldResult> live = mixedList(slice.getValid(), slice.getStaticValid(), context);
        bool whole = live.empty();
        return Access{op,
                      slice.getSource(),
                      mixedList(slice.getOffsets(), slice.getStaticOffsets(), context),
                      whole ? mixedList(slice.getSizes(), slice.getStaticSizes(), context) : live,
                      whole ? kSizesArg : kValidArg,
                      false};
      })
      .Case([&](TileStoreOp store) {
        unsigned rank = cast<TensorType>(store.getDest().getType()).getRank();
        ArrayRef<int64_t> sizes =
            store.getSizes() ? *store.getSizes() : cast<TileType>(store.getTile().getType()).getValidOrShape();
        return Access{op,
                      store.getDest(),
                      mixedList(store.getOffsets(), store.getStaticOffsets(), context),
                      padded(constants(sizes, context), rank, context),
                      kSizesArg,
                      false};
      })
      .Case([&](TensorAssembleOp assemble) -> std::optional<Access> {
        unsigned rank = cast<TensorType>(assemble.getTarget().getType()).getRank();
        auto source = cast<TensorType>(assemble.getSource().getType());
        SmallVector<int64_t> sizes;
        if (auto covered = op->getAttrOfType<DenseI64ArrayAttr>(kCoveredAttr)) {
          sizes.assign(covered.asArrayRef().begin(), covered.asArrayRef().end());
        } else if (source.getRank() != rank) {
          sizes.assign(rank, 1); // whatever axes it covers, it has an element on each
        } else {
          for (unsigned axis = 0; axis < source.getRank(); ++axis) {
            sizes.push_back(source.getExtent(axis).value_or(ShapedType::kDynamic));
          }
        }
        return Access{op,
                      assemble.getTarget(),
                      mixedList(assemble.getOffsets(), assemble.getStaticOffsets(), context),
                      constants(sizes, context),
                      kSizesArg,
                      false};
      })
      .Case([&](GenericOp write) -> std::optional<Access> {
        Value tensor = write.getName() == "tensor.write" ? write.getArgument("tensor") : Value();
        if (!tensor || !isa<TensorType>(tensor.getType())) {
          return std::nullopt;
        }
        SmallVector<OpFoldResult> offsets = write.getList("indices");
        if (Value index = offsets.empty() ? write.getArgument("indices") : Value()) {
          offsets.push_back(index); // alone it is no list
        }
        SmallVector<OpFoldResult> ones(offsets.size(), Builder(context).getIndexAttr(1));
        return Access{op, tensor, std::move(offsets), std::move(ones), kOffsetsArg, true};
      })
      .Case([&](ReadOp read) -> std::optional<Access> {
        if (!isa<TensorType>(read.getSource().getType())) {
          return std::nullopt;
        }
        SmallVector<OpFoldResult> indices = mixedList(read.getIndices(), read.getStaticIndices(), context);
        SmallVector<OpFoldResult> ones(indices.size(), Builder(context).getIndexAttr(1));
        return Access{op, read.getSource(), std::move(indices), std::move(ones), kOffsetsArg, true};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether the trailing offsets of an NZ access are whole fractals that are not negative. Where they are not, the NZ
/// rules refuse the access with better words, and one report is enough.
bool hasWholeFractals(const Access &access) {
  auto type = cast<TensorType>(access.tensor.getType());
  unsigned rank = type.getRank();
  std::optional<int64_t> c0 = c0Elements(type.getDtype());
  if (!type.isNz() || rank < 2 || !c0) {
    return !type.isNz();
  }
  OffsetProver prover;
  auto fits = [&](OpFoldResult offset, int64_t factor) {
    if (std::optional<int64_t> number = getConstantIntValue(offset)) {
      return *number >= 0 && *number % factor == 0;
    }
    return prover.isMultiple(cast<Value>(offset), factor) && prover.isNonNegative(cast<Value>(offset));
  };
  return fits(access.offsets[rank - 2], kFractalRows) && fits(access.offsets[rank - 1], *c0);
}

/// An NZ access is refused for the same offset: one wrong offset is one report.
bool isRefusedElsewhere(OpFoldResult offset) {
  auto value = dyn_cast_if_present<Value>(offset);
  return value && llvm::any_of(value.getUsers(), [](Operation *user) {
           std::optional<Access> other = accessOf(user);
           return other && cast<TensorType>(other->tensor.getType()).isNz() && !hasWholeFractals(*other);
         });
}

bool isConstant(OpFoldResult value) { return value && getConstantIntValue(value); }

struct CheckWindowBounds : impl::CheckWindowBoundsBase<CheckWindowBounds> {
  void runOnOperation() override {
    int64_t budget = kBudget;
    DenseSet<Location> told; // a helper that is pasted in twice says it once
    getOperation().walk([&](Operation *op) {
      if (std::optional<Access> access = accessOf(op)) {
        if (told.contains(op->getLoc()) || check(*access, budget)) {
          told.insert(op->getLoc());
          op->setAttr(kOutsideToldAttr, UnitAttr::get(&getContext()));
          Operation *scope = op->getParentOfType<IncoreOp>();
          scope = scope ? scope : op->getParentOfType<func::FuncOp>().getOperation();
          scope->setAttr(kIncompleteAttr, UnitAttr::get(&getContext()));
        }
      }
    });
  }

  /// Reports at most one axis; true when it did.
  static bool check(const Access &access, int64_t &budget) {
    auto type = cast<TensorType>(access.tensor.getType());
    if (access.offsets.size() != type.getRank() || access.sizes.size() != type.getRank()) {
      return false;
    }
    std::optional<IterationSpace> space; // most windows need none
    for (unsigned axis = 0; axis < type.getRank(); ++axis) {
      std::optional<int64_t> extent = type.getExtent(axis);
      OpFoldResult size = access.sizes[axis];
      if (!size || (isConstant(access.offsets[axis]) && isConstant(size))) {
        continue;
      }
      if (!space) {
        if (!hasWholeFractals(access)) {
          return false;
        }
        space.emplace(access.op);
      }
      IterationSpace::Expr low = space->expression(access.offsets[axis]);
      IterationSpace::Expr high = space->sum(low, space->expression(size));
      int64_t limit = extent.value_or(INT64_MAX);
      // Of an offset in the plane the NZ rules say more.
      bool negative = !type.isNz() || axis + 2 < type.getRank();
      std::optional<IndexRange> lowest = space->range(low);
      std::optional<IndexRange> highest = space->range(high);
      if (lowest && highest && highest->high <= limit && (lowest->low >= 0 || !negative)) {
        continue; // proven
      }
      std::optional<IterationSpace::Witness> witness = space->worst(low, high, limit, negative, budget);
      if (isRefusedElsewhere(access.offsets[axis])) {
        continue;
      }
      if (witness) {
        report(access, axis, extent, *witness);
        return true;
      }
      if (checkForEveryExtent(access, axis, negative)) {
        return true;
      }
    }
    return false;
  }

  /// What no iteration with numbers shows, because a run decides an extent: whether it goes wrong whatever that is.
  static bool checkForEveryExtent(const Access &access, unsigned axis, bool negative) {
    SymbolicValues values;
    symbolic::Form low = values.of(access.offsets[axis]);
    symbolic::Form high = low.plus(values.of(access.sizes[axis]));
    symbolic::Form limit = values.extent(access.tensor, axis);
    std::vector<symbolic::Condition> conditions = values.conditionsAround(access.op);
    auto past = values.table().surelyPositive(high.minus(limit), conditions);
    auto before =
        past || !negative ? std::nullopt : values.table().surelyPositive(symbolic::Form().minus(low), conditions);
    if (!past && !before) {
      return false;
    }
    TensorOrigin origin = tensorOrigin(access.tensor);
    const symbolic::Table::Certainty &sure = past ? *past : *before;
    Attribute extent = cast<TensorType>(access.tensor.getType()).getDims()[axis];
    std::string distance = (sure.exact ? "" : "at least ") + std::to_string(sure.atLeast);
    std::string text;
    if (before) {
      text = llvm::formatv("{0} {1} before axis {2} of `{3}`{4}: an offset is not negative",
                           access.element ? "the index is" : "the window begins", distance, axis, origin.name,
                           roundsOf(values, sure));
    } else {
      auto number = dyn_cast<IntegerAttr>(extent);
      text = llvm::formatv("{0} {1} past the end of axis {2} of `{3}`{4}: its extent is `{5}`",
                           access.element ? "the index is" : "the window ends", distance, axis, origin.name,
                           roundsOf(values, sure),
                           number ? std::to_string(number.getInt()) : cast<StringAttr>(extent).getValue().str());
    }
    ArgLoc at = placeOf(access, axis);
    auto diagnostic = bridge::emitDiag(at.range, diag::LoopBounds, text);
    for (const symbolic::Table::Certainty::Round &round : sure.rounds) {
      noteLoop(diagnostic, values.loopOf(round.loop));
    }
    noteDeclaration(diagnostic, at, origin);
    annotatePastes(diagnostic, access.op);
    return true;
  }

  /// " in the last round of `i`, the first of `j`"
  static std::string roundsOf(SymbolicValues &values, const symbolic::Table::Certainty &sure) {
    std::string out;
    for (const symbolic::Table::Certainty::Round &round : sure.rounds) {
      Operation *op = values.loopOf(round.loop);
      auto loop = dyn_cast<scf::ForOp>(op);
      StringRef name = loop ? valueName(loop.getInductionVar()) : StringRef();
      std::string what = !loop ? "block" : name.empty() ? "round" : "round of `" + name.str() + "`";
      out += (out.empty() ? " in the " : ", ") + std::string(round.last ? "last " : "first ") + what;
    }
    return out;
  }

  /// What has to change: the offset, or the extent where only that moves.
  static ArgLoc placeOf(const Access &access, unsigned axis) {
    if (isa<GenericOp>(access.op)) { // whose locations are those of its operands
      auto index = dyn_cast<Value>(access.offsets[axis]);
      auto at = llvm::find(access.op->getOperands(), index);
      return argLoc(access.op, kOperandsArg, std::distance(access.op->operand_begin(), at));
    }
    bool movingSize = isConstant(access.offsets[axis]) && !isConstant(access.sizes[axis]);
    return argLoc(access.op, movingSize ? access.sizeList : StringRef(kOffsetsArg), axis);
  }

  template <class Diagnostic> static void noteLoop(Diagnostic &diagnostic, Operation *loop) {
    diagnostic.note(Location(loop->getLoc()), isa<scf::ForOp>(loop) ? "this loop reaches it" : "these blocks reach it");
  }

  template <class Diagnostic>
  static void noteDeclaration(Diagnostic &diagnostic, const ArgLoc &at, const TensorOrigin &origin) {
    if (at.binding) {
      diagnostic.binding(*at.binding, llvm::formatv("`{0}` is bound here", at.spelling).str());
    }
    diagnostic.note(origin.annotation, llvm::formatv("`{0}` is declared here", origin.name).str());
  }

  static void report(const Access &access, unsigned axis, std::optional<int64_t> extent,
                     const IterationSpace::Witness &witness) {
    TensorOrigin origin = tensorOrigin(access.tensor);
    bool before = !extent || witness.high <= *extent;
    ArgLoc at = placeOf(access, axis);
    std::string when = witness.iteration.empty() ? "" : " at " + witness.iteration;
    std::string text;
    if (access.element) {
      text = llvm::formatv("the index on axis {0} of `{1}` is {2}{3}, where it has extent {4}", axis, origin.name,
                           witness.low, when, extent ? std::to_string(*extent) : "unknown");
    } else if (before) {
      text = llvm::formatv("the window begins at {0}{1} on axis {2} of `{3}`: an offset is not negative", witness.low,
                           when, axis, origin.name);
    } else {
      text = llvm::formatv("the window covers {0}..{1}{2} on axis {3} of `{4}`, which has extent {5}", witness.low,
                           witness.high, when, axis, origin.name, *extent);
    }
    auto diagnostic = bridge::emitDiag(at.range, diag::LoopBounds, text);
    for (Operation *loop : witness.loops) {
      noteLoop(diagnostic, loop);
    }
    noteDeclaration(diagnostic, at, origin);
    annotatePastes(diagnostic, access.op);
  }
};

} // namespace

} // namespace placid::pl
