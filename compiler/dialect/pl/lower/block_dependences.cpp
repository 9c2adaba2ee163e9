// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/block_dependences.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/analysis/tensor_view.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr unsigned kNoBuffer = ~0U;
constexpr unsigned kPipe = kNoBuffer - 1; ///< Stands for the pipe to the other core.

/// A piece of memory: a tile buffer or a GM tensor.
struct Place {
  unsigned buffer = 0; ///< Of a tile …
  Value tensor;        ///< … or the root of a tensor.

  bool operator==(const Place &other) const { return buffer == other.buffer && tensor == other.tensor; }
};

struct Access {
  Place place;
  bool write;
};

class Effects {
public:
  Effects(const TileBuffers &tiles) : tiles_(tiles) {}

  /// Appends what `op` and everything inside it touches; false when that is not known.
  bool collect(Operation *op, SmallVectorImpl<Access> &out) {
    bool known = true;
    op->walk([&](Operation *inner) { known &= collectOne(inner, out); });
    return known;
  }

private:
  void tile(Value value, bool write, SmallVectorImpl<Access> &out) {
    if (isa<TileType>(value.getType())) {
      out.push_back({{tiles_.bufferOf(value), {}}, write});
    }
  }
  void tensor(Value value, bool write, SmallVectorImpl<Access> &out) {
    if (isa<TensorType>(value.getType())) {
      Value &root = roots_[value];
      root = root ? root : memoryRoot(value);
      out.push_back({{kNoBuffer, root}, write});
    }
  }

  bool collectOne(Operation *op, SmallVectorImpl<Access> &out) {
    if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, TileCreateOp>(op) || isBufferView(op)) {
      return true; // hands buffers on
    }
    if (op->hasAttr(kTokenAttr)) {
      return false;
    }
    if (isa<PipePushOp, PipePopOp, PipeFreeOp>(op)) {
      // Both cores count on one order. Freed bytes are as good as overwritten.
      out.push_back({{kPipe, {}}, true});
      for (Value operand : op->getOperands()) {
        tile(operand, isa<PipeFreeOp>(op), out);
      }
    } else if (isa<TileLoadOp, ReadOp, DimOp>(op)) {
      tensor(op->getOperand(0), false, out);
      tile(op->getOperand(0), false, out);
    } else if (auto store = dyn_cast<TileStoreOp>(op)) {
      tile(store.getTile(), false, out);
      tensor(store.getDest(), true, out);
      return true; // its result is the destination
    } else if (isa<TileMoveOp, TileExtractOp, TileMatmulOp, TileMatmulAccOp>(op)) {
      for (Value operand : op->getOperands()) {
        tile(operand, false, out);
      }
    } else if (isMemoryEffectFree(op)) {
      for (Value operand : op->getOperands()) {
        tile(operand, false, out);
        tensor(operand, false, out);
      }
    } else {
      // Not modelled: everything it is given may be written, and without anything to go by it is a barrier.
      bool any = false;
      for (Value operand : op->getOperands()) {
        tile(operand, true, out);
        tensor(operand, true, out);
        any |= isa<TileType, TensorType>(operand.getType());
      }
      if (!any) {
        return false;
      }
    }
    for (Value result : op->getResults()) {
      tile(result, true, out);
    }
    return true;
  }

  const TileBuffers &tiles_;
  llvm::DenseMap<Value, Value> roots_;
};

/// The operations since and with the last write of one place.
struct History {
  std::optional<unsigned> write;
  SmallVector<unsigned> readers;
};

} // namespace

SmallVector<SmallVector<unsigned>> findDependences(ArrayRef<Operation *> ops, const TileBuffers &tiles) {
  SmallVector<SmallVector<unsigned>> after(ops.size());
  llvm::DenseMap<Operation *, unsigned> indexOf;
  for (auto [i, op] : llvm::enumerate(ops)) {
    indexOf[op] = i;
  }
  auto follow = [&](unsigned before, unsigned next) {
    if (before != next && (after[before].empty() || after[before].back() != next)) {
      after[before].push_back(next);
    }
  };
  Block *block = ops.empty() ? nullptr : ops.front()->getBlock();
  Effects effects(tiles);
  llvm::MapVector<std::pair<unsigned, Value>, History> histories;
  std::optional<unsigned> barrier;
  for (auto [index, op] : llvm::enumerate(ops)) {
    const unsigned i = index;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        Operation *here = definition ? block->findAncestorOpInBlock(*definition) : nullptr;
        auto found = here ? indexOf.find(here) : indexOf.end();
        if (found != indexOf.end() && found->second < i) {
          follow(found->second, i);
        }
      }
    });
    SmallVector<Access> accesses;
    const bool known = effects.collect(op, accesses);
    if (barrier) {
      follow(*barrier, i);
    }
    for (const Access &access : accesses) {
      History &history = histories[{access.place.buffer, access.place.tensor}];
      if (history.write) {
        follow(*history.write, i);
      }
      if (!access.write) {
        history.readers.push_back(i);
        continue;
      }
      for (unsigned reader : history.readers) {
        follow(reader, i);
      }
      history.readers.clear();
      history.write = i;
    }
    if (!known) {
      for (unsigned before = barrier.value_or(0); before < i; ++before) {
        follow(before, i);
      }
      barrier = i;
    }
  }
  return after;
}

} // namespace placid::pl
