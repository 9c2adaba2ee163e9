// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lane_tensors.h"

#include "compiler/dialect/pl/analysis/offset_form.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/analysis/tensor_view.h"

using namespace mlir;

namespace placid::pl {

namespace {

enum class Kind : uint8_t { Load, Store, Other };

/// What the vector core does with a tensor in one operation.
struct Access {
  Operation *op;
  Kind kind = Kind::Other;
  Value view; ///< What the offsets are those of.
  std::optional<int64_t>
      tensorAxis;     ///< The axis of the view that the lanes' halves lie along; none where both have all.
  int64_t extent = 0; ///< Of both halves, in elements.
  OpFoldResult offset;
};

struct Uses {
  SmallVector<Access> accesses;
  bool written = false;
  bool repeated = false;
};

bool isVec(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile && tile.getMem() == Mem::Vec;
}

/// Its tiles are in memories of the cube core.
bool isCubes(Operation *op) {
  auto inCube = [](Value value) { return isa<TileType>(value.getType()) && !isVec(value); };
  return llvm::any_of(op->getOperands(), inCube) || llvm::any_of(op->getResults(), inCube);
}

Access describe(Operation *op, Kind kind, Value tensor, Value tile, ArrayRef<OpFoldResult> offsets,
                ArrayRef<int64_t> sizes, const LaneHalves &halves) {
  Access out{op, kind, tensorView(tensor), std::nullopt, 0, {}};
  if (const std::optional<int64_t> axis = halves.axisOf(tile)) {
    if (const std::optional<unsigned> at = LaneHalves::windowAxis(sizes, *axis)) {
      out.tensorAxis = *at;
      out.extent = sizes[*at];
      out.offset = offsets[*at];
    }
  }
  return out;
}

/// The tensors that the vector core uses, in program order. What the cube core alone does is not in question: a token
/// orders it against both lanes.
llvm::MapVector<Value, Uses> usesOf(func::FuncOp function, const LaneHalves &halves) {
  llvm::MapVector<Value, Uses> out;
  auto note = [&](const Access &access, bool writes) {
    Uses &uses = out[memoryRoot(access.view)];
    uses.accesses.push_back(access);
    uses.written |= writes;
    uses.repeated |= access.op->getParentOp() != function;
  };
  function.walk([&](Operation *op) {
    if (auto load = dyn_cast<TileLoadOp>(op)) {
      if (isVec(load.getResult())) {
        note(describe(op, Kind::Load, load.getSource(), load.getResult(),
                      mixedList(load.getOffsets(), load.getStaticOffsets(), op->getContext()), load.getSizes(), halves),
             false);
      }
      return;
    }
    if (auto store = dyn_cast<TileStoreOp>(op)) {
      if (isVec(store.getTile())) {
        note(describe(op, Kind::Store, store.getDest(), store.getTile(),
                      mixedList(store.getOffsets(), store.getStaticOffsets(), op->getContext()), windowOf(store),
                      halves),
             true);
      }
      return;
    }
    if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, TensorSliceOp, TensorReshapeOp, DimOp>(op)) {
      return; // hands the tensor on
    }
    if (isCubes(op)) {
      return;
    }
    for (Value operand : op->getOperands()) {
      if (isa<TensorType>(operand.getType())) {
        note({op, Kind::Other, tensorView(operand), std::nullopt, 0, {}}, !isa<ReadOp>(op) && !isMemoryEffectFree(op));
      }
    }
  });
  return out;
}

/// Both lanes do all of it. They are not in step: who reads must see nothing that the other lane writes later. One
/// store that everything reads after is the same from both lanes, and so is whatever they only store.
bool isSameForBoth(const Uses &uses) {
  auto isStore = [](const Access &access) { return access.kind == Kind::Store; };
  if (llvm::all_of(uses.accesses, isStore)) {
    return true;
  }
  return !uses.repeated && isStore(uses.accesses.front()) && llvm::count_if(uses.accesses, isStore) == 1 &&
         llvm::none_of(uses.accesses,
                       [](const Access &access) { return access.kind == Kind::Other && !isa<ReadOp>(access.op); });
}

/// Each lane only ever touches its own part: halves of windows of one length that begin at its multiples, or of one
/// window.
bool isDivided(const Access &access, const Access &first, func::FuncOp function, OffsetForms &forms) {
  auto isFixed = [&](Value value) { return value.getParentRegion() == &function.getBody(); };
  if (access.view != first.view || !isFixed(access.view) || access.tensorAxis != first.tensorAxis ||
      access.extent != first.extent) {
    return false;
  }
  auto value = dyn_cast<Value>(access.offset);
  return (access.offset == first.offset && (!value || isFixed(value))) ||
         (forms.isMultiple(access.offset, access.extent) && forms.isMultiple(first.offset, first.extent));
}

} // namespace

std::optional<LaneHalves::Refusal> findTensorFault(func::FuncOp function, const LaneHalves &halves) {
  OffsetForms forms;
  for (auto &[tensor, uses] : usesOf(function, halves)) {
    const Access &first = uses.accesses.front();
    if (!uses.written || (uses.accesses.size() == 1 && !uses.repeated && first.kind != Kind::Other)) {
      continue;
    }
    const bool whole = llvm::none_of(uses.accesses, [](const Access &access) { return access.tensorAxis.has_value(); });
    for (const Access &access : uses.accesses) {
      if (whole ? !isSameForBoth(uses) : !access.tensorAxis || !isDivided(access, first, function, forms)) {
        // Of two that do not go together the second is the one to look at.
        const Access &blamed = &access == &first && uses.accesses.size() > 1 ? uses.accesses[1] : access;
        return LaneHalves::Refusal{blamed.op, "`" + tensorOrigin(tensor).name +
                                                  "`, whose windows the two vector lanes do not divide in one way,"};
      }
    }
  }
  return std::nullopt;
}

} // namespace placid::pl
