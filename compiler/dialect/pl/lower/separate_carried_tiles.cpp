// SPDX-License-Identifier: Apache-2.0
// SeparateCarriedTiles: see passes.td. A copy too many costs a move and some bytes, one too few a wrong result: where
// the order of reads and writes is not plain, it copies, unless all that loops and branches hand through is one buffer
// in which nobody overwrites what is still needed. Only vector tiles can be copied in place.
#include "compiler/dialect/pl/lower/in_place.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"

#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_SEPARATECARRIEDTILES
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

bool isVectorTile(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile && tile.getMem() == Mem::Vec;
}

class Separator {
public:
  explicit Separator(func::FuncOp function) : function_(function) {}

  void run() {
    findShared();
    SmallVector<Operation *> ops;
    function_.walk([&](Operation *op) {
      if (isa<scf::ForOp, scf::IfOp>(op)) {
        ops.push_back(op);
      }
    });
    for (Operation *op : ops) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        separate(loop);
      } else {
        auto branch = cast<scf::IfOp>(op);
        for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
          if (!region->empty()) {
            separateYield(cast<scf::YieldOp>(region->front().getTerminator()));
          }
        }
      }
    }
  }

private:
  /// The uses by loops and branches of tiles that need no bytes of their own: those of a class of values, all that are
  /// handed on to each other, in which every write comes after the last reader of what it is written over.
  void findShared() {
    TileBuffers tiles(function_);
    llvm::SmallDenseSet<unsigned> kept;
    for (const TileBuffers::Conflict &conflict : tiles.conflicts()) {
      kept.insert(conflict.buffer);
    }
    for (auto [index, buffer] : llvm::enumerate(tiles.buffers())) {
      if (llvm::any_of(buffer.members, [&](Value member) { return !isPlain(member, tiles); })) {
        kept.insert(static_cast<unsigned>(index));
      }
    }
    function_.walk([&](Operation *op) {
      if (!isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op)) {
        return;
      }
      for (OpOperand &use : op->getOpOperands()) {
        if (isVectorTile(use.get()) && !kept.contains(tiles.bufferOf(use.get()))) {
          shared_.insert(&use);
        }
      }
    });
  }

  /// A vector tile that a loop or a branch hands on, or that an operation writes, over no operand but one that it may
  /// overwrite. Elements that are changed one at a time are looked at by copies.
  static bool isPlain(Value value, const TileBuffers &tiles) {
    Operation *op = value.getDefiningOp();
    if (!isVectorTile(value) || (op && (isElementWrite(op) || isa<PipePopOp>(op)))) {
      return false;
    }
    if (!op || isa<scf::ForOp, scf::IfOp>(op) || isBufferView(op)) {
      return true;
    }
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      bool same = isa<TileType>(operand.getType()) && tiles.bufferOf(operand) == tiles.bufferOf(value);
      return !same || operand == overwrittenOperand(op) || mayOverwrite(op, operand);
    });
  }

  /// What wrote the bytes a value shows, looking through views.
  static Value written(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isBufferView(op)) {
        break;
      }
      value = op->getOperand(0);
    }
    return value;
  }

  static void copy(OpOperand &use, Operation *before) {
    OpBuilder builder(before);
    Value value = use.get();
    Location loc = namedLoc(before->getLoc(), nameOf(value, "tile"), "_copy");
    use.set(TileMoveOp::create(builder, loc, cast<TileType>(value.getType()), value));
  }

  /// All uses of `value`, through views, but `except`, that are not over before `op` begins.
  static bool usedFrom(Value value, Operation *op, OpOperand *except, bool atOpAllowed) {
    for (OpOperand &use : value.getUses()) {
      if (&use == except) {
        continue;
      }
      Operation *user = use.getOwner();
      if (isBufferView(user)) {
        if (usedFrom(user->getResult(0), op, except, atOpAllowed)) {
          return true;
        }
        continue;
      }
      Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
      if (!here) {
        return true; // outside the block altogether: it comes later, or again
      }
      if (here == op ? !(atOpAllowed && user == op && mayOverwrite(op, value)) : !here->isBeforeInBlock(op)) {
        return true;
      }
    }
    return false;
  }

  void separate(scf::ForOp loop) {
    for (auto [i, use] : llvm::enumerate(loop.getInitArgsMutable())) {
      Value init = use.get();
      if (isVectorTile(init) && !shared_.contains(&use) &&
          (init.getParentBlock() != loop->getBlock() || usedFrom(written(init), loop, &use, false))) {
        copy(use, loop);
      }
    }
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    // Tiles that change places: all of them are saved before the first is overwritten.
    for (auto [i, use] : llvm::enumerate(yield->getOpOperands())) {
      Value value = isVectorTile(use.get()) ? written(use.get()) : Value();
      if (value && !shared_.contains(&use) && value != loop.getRegionIterArgs()[i] &&
          llvm::is_contained(loop.getRegionIterArgs(), value)) {
        copy(use, yield);
      }
    }
    for (auto [i, use] : llvm::enumerate(yield->getOpOperands())) {
      if (!isVectorTile(use.get()) || shared_.contains(&use)) {
        continue;
      }
      Value argument = loop.getRegionIterArgs()[i];
      Value value = written(use.get());
      if (value == argument || isInPlaceOf(value, argument)) {
        continue;
      }
      Operation *writer = value.getDefiningOp();
      if (!writer || writer->getBlock() != loop.getBody() || writer->getNumRegions() > 0 ||
          usedFrom(value, yield, &use, false) || usedFrom(argument, writer, nullptr, true)) {
        copy(use, yield);
      }
    }
  }

  /// `value` is what in-place operations, loops and branches made of `argument`, and of nothing else.
  static bool isInPlaceOf(Value value, Value argument) {
    while (Operation *op = value.getDefiningOp()) {
      if (value == argument) {
        return true;
      }
      if (isBufferView(op)) {
        value = op->getOperand(0);
      } else if (Value over = overwrittenOperand(op)) {
        value = over;
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        value = loop.getInitArgs()[cast<OpResult>(value).getResultNumber()];
      } else {
        return false;
      }
    }
    return value == argument;
  }

  void separateYield(scf::YieldOp yield) {
    for (OpOperand &use : yield->getOpOperands()) {
      if (!isVectorTile(use.get()) || shared_.contains(&use)) {
        continue;
      }
      Value value = written(use.get());
      Operation *writer = value.getDefiningOp();
      if (!writer || writer->getBlock() != yield->getBlock() || usedFrom(value, yield, &use, false)) {
        copy(use, yield);
      }
    }
  }

  func::FuncOp function_;
  llvm::SmallPtrSet<OpOperand *, 16> shared_;
};

struct SeparateCarriedTiles : impl::SeparateCarriedTilesBase<SeparateCarriedTiles> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) { Separator(function).run(); });
  }
};

} // namespace

} // namespace placid::pl
