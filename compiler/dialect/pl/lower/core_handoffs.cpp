// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/core_handoffs.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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
};

struct Uses {
  SmallVector<Access> accesses;
  unsigned cores = 0;
  bool written = false;
};

Access describe(Operation *op, unsigned cores) {
  Access out{op, cores, false, true, {}, {}};
  if (auto load = dyn_cast<TileLoadOp>(op)) {
    out.offsets = mixedList(load.getOffsets(), load.getStaticOffsets(), op->getContext());
    out.sizes.assign(load.getSizes().begin(), load.getSizes().end());
  } else if (auto store = dyn_cast<TileStoreOp>(op)) {
    out.write = true;
    out.offsets = mixedList(store.getOffsets(), store.getStaticOffsets(), op->getContext());
    ArrayRef<int64_t> shape = store.getTile().getType().getShape();
    out.sizes.assign(out.offsets.size(), 1);
    for (size_t i = 0; i < std::min(out.sizes.size(), shape.size()); ++i) {
      out.sizes[out.sizes.size() - 1 - i] = shape[shape.size() - 1 - i];
    }
    if (store.getSizes()) {
      out.sizes.assign(store.getSizes()->begin(), store.getSizes()->end());
    }
  } else {
    out.plain = false;
    out.write = !isa<ReadOp>(op) && !isMemoryEffectFree(op);
  }
  return out;
}

/// Sub-expressions that a question about one offset may look at; shared ones would otherwise be looked at without end.
constexpr int kLooks = 1000;

/// The two compute the same number, as far as their operations show it.
bool isSame(Value lhs, Value rhs, int &looks) {
  if (lhs == rhs) {
    return true;
  }
  if (--looks < 0) {
    return false;
  }
  Operation *a = lhs.getDefiningOp();
  Operation *b = rhs.getDefiningOp();
  const bool plain = a && b && a->getName() == b->getName() && lhs.getType() == rhs.getType() &&
                     isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, CastOp>(a) &&
                     a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
  if (!plain || a->getNumOperands() != b->getNumOperands()) {
    return false;
  }
  for (auto [one, other] : llvm::zip(a->getOperands(), b->getOperands())) {
    if (!isSame(one, other, looks)) {
      return false;
    }
  }
  return true;
}

bool isSame(OpFoldResult lhs, OpFoldResult rhs) {
  auto one = dyn_cast<Value>(lhs);
  auto other = dyn_cast<Value>(rhs);
  if (one && other) {
    int looks = kLooks;
    return isSame(one, other, looks);
  }
  std::optional<int64_t> left = getConstantIntValue(lhs);
  return left && left == getConstantIntValue(rhs);
}

/// `c` with `value = c * iv + something that does not change in the loop`.
std::optional<int64_t> coefficient(Value value, scf::ForOp loop, int &looks) {
  if (--looks < 0) {
    return std::nullopt;
  }
  if (value == loop.getInductionVar()) {
    return 1;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op)) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && loop->isAncestor(argument.getOwner()->getParentOp()) ? std::nullopt : std::optional<int64_t>(0);
  }
  if (auto cast = dyn_cast<CastOp>(op)) {
    return coefficient(cast.getInput(), loop, looks);
  }
  if (isa<arith::ConstantOp>(op)) {
    return 0;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) {
    return std::nullopt;
  }
  const std::optional<int64_t> lhs = coefficient(op->getOperand(0), loop, looks);
  const std::optional<int64_t> rhs = coefficient(op->getOperand(1), loop, looks);
  if (!lhs || !rhs) {
    return std::nullopt;
  }
  if (isa<arith::AddIOp>(op)) {
    return *lhs + *rhs;
  }
  if (isa<arith::SubIOp>(op)) {
    return *lhs - *rhs;
  }
  for (auto [part, factor] : {std::pair(*lhs, op->getOperand(1)), std::pair(*rhs, op->getOperand(0))}) {
    if (std::optional<int64_t> constant = getConstantIntValue(factor)) {
      return part * *constant;
    }
  }
  return *lhs == 0 && *rhs == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

/// Each round of the loop uses a window of its own: along some axis all accesses begin at one place, which moves on by
/// at least the window's length.
bool movesOn(const Uses &uses, scf::ForOp loop) {
  const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  const Access &first = uses.accesses.front();
  for (unsigned axis = 0; step && axis < first.offsets.size(); ++axis) {
    const bool good = llvm::all_of(uses.accesses, [&](const Access &access) {
      if (access.offsets.size() != first.offsets.size() || !isSame(access.offsets[axis], first.offsets[axis])) {
        return false;
      }
      auto offset = dyn_cast<Value>(access.offsets[axis]);
      int looks = kLooks;
      const std::optional<int64_t> factor = offset ? coefficient(offset, loop, looks) : std::nullopt;
      return factor && std::abs(*factor * *step) >= access.sizes[axis];
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
std::optional<HandoffFault> handOver(Value tensor, const Uses &uses, SmallVectorImpl<CoreHandoff> &out) {
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
                                        coreName(second->cores) + " of one kernel use in memory" + how.str() + ","};
  };
  Block *block = commonBlock(uses);
  if (!block) {
    return fault(" in different places");
  }
  for (Operation *parent = block->getParentOp(); parent && !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (isa<LoopLikeOpInterface>(parent) && !(loop && movesOn(uses, loop))) {
      // The next round would overwrite what the other core still reads.
      return fault(", again and again in a loop");
    }
  }
  unsigned last = 0;
  Operation *lastOp = nullptr;
  for (const Access &access : uses.accesses) {
    Operation *op = block->findAncestorOpInBlock(*access.op);
    if (op == lastOp && access.cores != last) {
      return fault(", by turns");
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
      Uses &uses = tensors[tensorRoot(operand)];
      uses.accesses.push_back(describe(op, coresOf(op)));
      uses.cores |= uses.accesses.back().cores;
      uses.written |= uses.accesses.back().write;
    }
  });
  for (auto &[tensor, uses] : tensors) {
    if (uses.written && uses.cores == (kOnCube | kOnVector)) {
      if (std::optional<HandoffFault> fault = handOver(tensor, uses, out)) {
        return fault;
      }
    }
  }
  return std::nullopt;
}

} // namespace placid::pl
