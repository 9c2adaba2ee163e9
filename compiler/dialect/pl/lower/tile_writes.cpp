// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/tile_writes.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// The operation computes contents, rather than making, handing on or showing a buffer.
bool writesResult(Operation *op) { return !isa<TileCreateOp, scf::ForOp, scf::IfOp>(op) && !isBufferView(op); }

} // namespace

TileWrites::TileWrites(func::FuncOp function) : buffers_(function), writes_(buffers_.buffers().size()) {
  for (auto [index, buffer] : llvm::enumerate(buffers_.buffers())) {
    auto add = [&writes = writes_[index]](Operation *op) {
      if (!llvm::is_contained(writes, op)) {
        writes.push_back(op);
      }
    };
    for (Value member : buffer.members) {
      if (Operation *op = member.getDefiningOp(); op && writesResult(op)) {
        add(op);
      }
      for (Operation *user : member.getUsers()) {
        if (isElementWrite(user)) {
          add(user);
        }
      }
    }
  }
}

unsigned TileWrites::bufferOf(Value tile) const {
  auto found = made_.find(tile);
  return found != made_.end() ? found->second : buffers_.bufferOf(tile);
}

bool TileWrites::isWrittenBetween(Value tile, Operation *from, Operation *to) const {
  Block *block = from->getBlock();
  Operation *end = block->findAncestorOpInBlock(*to);
  return !end || llvm::any_of(writes_[bufferOf(tile)], [&](Operation *write) {
    Operation *here = write == from || write == to ? nullptr : block->findAncestorOpInBlock(*write);
    // Beside `to` in a loop or a branch: an earlier round may have written.
    return here && from->isBeforeInBlock(here) && (here == end || here->isBeforeInBlock(end));
  });
}

bool TileWrites::isAliveAfter(Value tile, Operation *op) const {
  return buffers_.buffers()[bufferOf(tile)].end > buffers_.pointOf(op);
}

bool TileWrites::isTileMadeBetween(Mem mem, Operation *from, Operation *to) {
  if (from->getBlock() != to->getBlock()) {
    return true;
  }
  auto makes = [&](Operation *op) {
    return !isBufferView(op) && !overwrittenOperand(op) && llvm::any_of(op->getResultTypes(), [&](Type type) {
      auto tile = dyn_cast<TileType>(type);
      return tile && (tile.getMem() == mem || tile.getMem() == Mem::Unset);
    });
  };
  for (Operation *op = from->getNextNode(); op && op != to; op = op->getNextNode()) {
    if (op->walk([&](Operation *nested) {
            return makes(nested) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted()) {
      return true;
    }
  }
  return false;
}

void TileWrites::addView(Value made, Value shown) { made_[made] = bufferOf(shown); }

void TileWrites::replace(Operation *gone, Operation *made) {
  const unsigned buffer = bufferOf(gone->getResult(0));
  made_[made->getResult(0)] = buffer;
  made_.erase(gone->getResult(0));
  llvm::replace(writes_[buffer], gone, made);
}

} // namespace placid::pl
