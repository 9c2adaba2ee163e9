// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/core_split.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/ADT/MapVector.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

constexpr llvm::StringLiteral kCubeName = "cube core";
constexpr llvm::StringLiteral kVectorName = "vector core";

/// The operation only computes scalars, or only says which part of a tensor is meant.
bool isShared(Operation *op) {
  return isa<ReadOp, DimOp, BlockIdxOp, BlockNumOp, SubblockIdxOp, scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp>(
             op) ||
         isMemoryEffectFree(op);
}

} // namespace

CoreSplit::Place CoreSplit::placeOf(Mem mem) {
  switch (mem) {
  case Mem::Vec:
    return Place::Vector;
  case Mem::Unset:
  case Mem::DDR:
    return Place::Both;
  default:
    return Place::Cube;
  }
}

CoreSplit::CoreSplit(func::FuncOp function) {
  lanes_ = function->hasAttr(kSplitAttr);
  function.getBody().walk([&](Operation *op) { classify(op); });
  if (!(cube_ && vector_) && !isMixed()) {
    return;
  }
  if (lanes_ && !refusal_) {
    refuse(firstVector_, "a kernel for both cores that gives each vector lane its half");
  }
  if (open_) {
    refuse(open_, "a loop of unknown length in a kernel for both cores");
  }
  checkSharedTensors(function);
}

void CoreSplit::refuse(Operation *op, std::string why) {
  if (!refusal_) {
    refusal_ = {op, std::move(why)};
  }
}

void CoreSplit::classify(Operation *op) {
  lanes_ |= isa<SubblockIdxOp>(op);
  bool cube = false;
  bool vector = false;
  auto look = [&](Value value) {
    if (auto tile = dyn_cast<TileType>(value.getType())) {
      cube |= placeOf(tile.getMem()) == Place::Cube;
      vector |= placeOf(tile.getMem()) == Place::Vector;
    }
  };
  Place &place = places_[op];
  place = Place::Both;
  if (op->getNumRegions() > 0 && !isa<scf::ForOp, scf::IfOp>(op)) {
    open_ = open_ ? open_ : op;
  }
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op)) {
    return; // what they hand on is looked at value by value
  }
  llvm::for_each(op->getOperands(), look);
  llvm::for_each(op->getResults(), look);
  if (cube && vector) {
    place = Place::Crossing;
    if (auto move = dyn_cast<TileMoveOp>(op)) {
      checkCrossing(move);
    } else {
      toVector_ = toCube_ = true; // mixed in any case
      refuse(op, "an operation on tiles of the cube and of the vector core");
    }
  } else if (cube) {
    place = Place::Cube;
    cube_ = true;
  } else if (vector || !isShared(op)) {
    // What touches GM element by element has to happen once.
    place = Place::Vector;
    vector_ |= vector;
  }
  firstVector_ = firstVector_ || !vector ? firstVector_ : op;
}

void CoreSplit::checkCrossing(TileMoveOp move) {
  TileType from = move.getSource().getType();
  TileType to = move.getResult().getType();
  const bool toVector = to.getMem() == Mem::Vec;
  (toVector ? toVector_ : toCube_) = true;
  const target::Target &target = targetOf(move);
  largestTile_ = std::max({largestTile_, tileBytes(target, to), tileBytes(target, from)});
  if (from.getShape() != to.getShape() || from.getDtype() != to.getDtype()) {
    refuse(move, "a tile that changes its shape or dtype between the cores");
  } else if (!from.getValid().empty() && from.getValidOrShape() != from.getShape()) {
    refuse(move, "a tile that is live only in part and goes from one core to the other");
  } else if (!toVector && target.arch == target::Arch::A5) {
    refuse(move, "a tile from the vector core to the cube core on " + std::string(target.displayName));
  } else if (toVector && from.getMem() != Mem::Acc) {
    refuse(move, "a tile in " + plName(from.getMem()).str() + " that the vector core uses");
  } else if (!toVector && to.getMem() != Mem::Mat && to.getMem() != Mem::Left && to.getMem() != Mem::Right) {
    refuse(move, "a tile of the vector core that is moved to " + plName(to.getMem()).str());
  } else if (from.getTransposed() || to.getTransposed()) {
    refuse(move, "a transposed tile that goes from one core to the other");
  }
}

void CoreSplit::checkSharedTensors(func::FuncOp function) {
  // Through GM nothing says when the other core may read: that would need a signal for each access.
  struct Uses {
    Operation *first[2] = {}; // by the cube and by the vector core
    bool written = false;
  };
  llvm::MapVector<Value, Uses> tensors;
  function.getBody().walk([&](Operation *op) {
    const Place place = placeOf(op);
    const bool hands =
        isa<scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, TensorSliceOp, TensorReshapeOp, DimOp>(op);
    if (hands) {
      return;
    }
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        continue;
      }
      Uses &uses = tensors[tensorRoot(operand)];
      auto store = dyn_cast<TileStoreOp>(op);
      const bool reads = isa<TileLoadOp, ReadOp>(op) || (!store && isMemoryEffectFree(op));
      uses.written |= !reads;
      for (unsigned core : {0u, 1u}) {
        const bool here = place == Place::Both || place == (core == 0 ? Place::Cube : Place::Vector);
        uses.first[core] = uses.first[core] || !here ? uses.first[core] : op;
      }
    }
  });
  for (auto &[tensor, uses] : tensors) {
    if (uses.written && uses.first[0] && uses.first[1]) {
      const bool cubeFirst = uses.first[0]->getBlock() != uses.first[1]->getBlock() ||
                             uses.first[0]->isBeforeInBlock(uses.first[1]) || uses.first[0] == uses.first[1];
      refuse(uses.first[cubeFirst ? 1 : 0],
             "`" + tensorOrigin(tensor).name + "`, which the " + (cubeFirst ? kCubeName : kVectorName).str() +
                 " and then the " + (cubeFirst ? kVectorName : kCubeName).str() + " of one kernel use in memory,");
    }
  }
}

} // namespace placid::pl
