// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/core_handoffs.h"

#include "compiler/dialect/pl/analysis/offset_form.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/analysis/tensor_view.h"
#include "compiler/dialect/pl/lower/lane_halves.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cstdlib>

using namespace mlir;

namespace placid::pl {

namespace {

/// A load or store of a window.
struct Access {
  Operation *op;
  unsigned cores;
  bool write;
  bool plain; ///< A load or store of a tile, as opposed to elements.
  SmallVector<OpFoldResult> offsets;
  SmallVector<int64_t> sizes;
  Value view; ///< What the offsets are those of; null where the access is none of a window.
};

struct Uses {
  SmallVector<Access> accesses;
  unsigned cores = 0;
  bool written = false;
};

Access describe(Operation *op, unsigned cores) {
  Access out{op, cores, false, true, {}, {}, {}};
  if (auto load = dyn_cast<TileLoadOp>(op)) {
    out.view = tensorView(load.getSource());
    out.offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), op->getContext());
    out.sizes.assign(load.getSizes().begin(), load.getSizes().end());
  } else if (auto store = dyn_cast<TileStoreOp>(op)) {
    out.write = true;
    out.view = tensorView(store.getDest());
    out.offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), op->getContext());
    out.sizes = windowOf(store);
  } else if (auto generic = dyn_cast<GenericOp>(op); generic && generic.getName() == "tile.gather_row") {
    out.view = tensorView(generic.getArgument("src"));
    out.offsets = generic.getList("src_offset");
    for (OpFoldResult size : generic.getList("shapes")) {
      out.sizes.push_back(getConstantIntValue(size).value_or(1));
    }
  } else {
    out.plain = false;
    out.write = !isa<ReadOp>(op) && !isMemoryEffectFree(op);
  }
  return out;
}

/// Each round of the loop uses a window of its own: along some axis all accesses begin at one place, which moves on by
/// at least the window's length. A lane's window is part of the one that both lanes have.
bool movesOn(const Uses &uses, scf::ForOp loop, OffsetForms &forms) {
  const Access &first = uses.accesses.front();
  Value view = first.view;
  if (!view || loop->isAncestor(view.getParentRegion()->getParentOp())) {
    return false;
  }
  for (unsigned axis = 0; axis < first.offsets.size(); ++axis) {
    const std::optional<OffsetForm> begin = forms.formOf(first.offsets[axis]);
    const bool good = begin && llvm::all_of(uses.accesses, [&](const Access &access) {
                        if (access.view != view || access.offsets.size() != first.offsets.size()) {
                          return false;
                        }
                        const std::optional<OffsetForm> form = forms.formOf(access.offsets[axis]);
                        if (!form || !form->beginsWith(*begin) || form->lane < 0) {
                          return false;
                        }
                        const std::optional<int64_t> move = moveOf(*form, loop);
                        return move && std::abs(*move) >= access.sizes[axis] + form->lane;
                      });
    if (good) {
      return true;
    }
  }
  return false;
}

/// The innermost block that holds all accesses, each inside of some operation of it.
Block *commonBlock(const Uses &uses) {
  for (Block *block = uses.accesses.front().op->getBlock(); block;) {
    const bool holds =
        llvm::all_of(uses.accesses, [&](const Access &access) { return block->findAncestorOpInBlock(*access.op); });
    if (holds) {
      return block;
    }
    Operation *parent = block->getParentOp();
    block = parent && !isa<func::FuncOp>(parent) ? parent->getBlock() : nullptr;
  }
  return nullptr;
}

std::string coreName(unsigned cores) { return cores == kOnCube ? "cube core" : "vector core"; }

/// One tensor that is written and that both cores use.
std::optional<HandoffFault> handOver(Value tensor, const Uses &uses, OffsetForms &forms,
                                     SmallVectorImpl<CoreHandoff> &out) {
  const std::string name = "`" + tensorOrigin(tensor).name + "`";
  const Access *second = nullptr;
  for (const Access &access : uses.accesses) {
    second = !second && access.cores != uses.accesses.front().cores ? &access : second;
  }
  for (const Access &access : uses.accesses) {
    if (!access.plain || (access.cores != kOnCube && access.cores != kOnVector)) {
      return HandoffFault{access.op, name + ", an element of which one core uses while the other uses it in memory,"};
    }
  }
  const unsigned from = uses.accesses.front().cores;
  auto fault = [&](StringRef how) {
    return HandoffFault{second->op, name + ", which the " + coreName(from) + " and then the " +
                                        coreName(second->cores) + " of one kernel use in memory" + how.str()};
  };
  Block *block = commonBlock(uses);
  if (!block) {
    return fault(" in different places,");
  }
  for (Operation *parent = block->getParentOp(); parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (isa<LoopLikeOpInterface>(parent) && !(loop && movesOn(uses, loop, forms))) {
      // The next round would overwrite what the other core still reads.
      return fault(" in a loop whose rounds have no windows of their own, from one place for both cores,");
    }
  }
  unsigned last = 0;
  Operation *lastOp = nullptr;
  for (const Access &access : uses.accesses) {
    Operation *op = block->findAncestorOpInBlock(*access.op);
    if (op == lastOp && access.cores != last) {
      return fault(", by turns,");
    }
    if (last != 0 && access.cores != last && llvm::none_of(out, [&](const CoreHandoff &other) {
          return other.before == op && other.toVector == (access.cores == kOnVector);
        })) {
      out.push_back({op, access.cores == kOnVector});
    }
    last = access.cores;
    lastOp = op;
  }
  return std::nullopt;
}

} // namespace

std::optional<HandoffFault> findHandoffs(func::FuncOp function, llvm::function_ref<unsigned(Operation *)> coresOf,
                                         SmallVectorImpl<CoreHandoff> &out) {
  llvm::MapVector<Value, Uses> tensors;
  function.getBody().walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, TensorSliceOp, TensorReshapeOp, DimOp>(op)) {
      return; // hands the tensor on
    }
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        continue;
      }
      Uses &uses = tensors[memoryRoot(operand)];
      uses.accesses.push_back(describe(op, coresOf(op)));
      uses.cores |= uses.accesses.back().cores;
      uses.written |= uses.accesses.back().write;
    }
  });
  OffsetForms forms;
  for (auto &[tensor, uses] : tensors) {
    if (uses.written && uses.cores == (kOnCube | kOnVector)) {
      if (std::optional<HandoffFault> fault = handOver(tensor, uses, forms, out)) {
        return fault;
      }
    }
  }
  return std::nullopt;
}

} // namespace placid::pl
