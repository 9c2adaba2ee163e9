// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/core_split.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/lower/live_extents.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// The operation only computes scalars, or only says which part of a tensor is meant.
bool isShared(Operation *op) {
  return isa<ReadOp, DimOp, BlockIdxOp, BlockNumOp, SubblockIdxOp, scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp>(
             op) ||
         isMemoryEffectFree(op);
}

/// Writes to other devices, and signals: each of them once.
bool isDeviceOp(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getRow().category == ops::Category::Distributed;
}

bool isWait(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getName() == "pld.system.wait";
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
  function.getBody().walk([&](Operation *op) { classify(op); });
  if (!(cube_ && vector_) && !isMixed()) {
    return;
  }
  if (Attribute split = function->getAttr(kSplitAttr); split && !isa<IntegerAttr>(split) && !lanes_) {
    refuse(&function.getBody().front().front(),
           "a kernel for both cores whose vector lanes have halves along an axis that is not known");
  }
  if (device_ && !lanes_) {
    refuse(device_, "an operation between devices in a kernel for both cores");
  }
  if (signal_ && cubeWindow_) {
    refuse(signal_, "a signal of the vector core for windows that the cube core writes");
  }
  if (lane_ && !lanes_) {
    refuse(lane_, "the number of the vector lane, outside of `pl.split_aiv`, in a kernel for both cores");
  }
  if (open_) {
    refuse(open_, "a loop of unknown length in a kernel for both cores");
  }
  checkPipe(targetOf(function));
  findTokens(function);
}

void CoreSplit::checkPipe(const target::Target &target) {
  if (!lanes_ || !whole_) {
    return;
  }
  if (target.arch == target::Arch::A5) {
    refuse(whole_, "a tile that goes whole between the cores while both vector lanes work, which on " +
                       std::string(target.displayName) + " only the first lane takes part in,");
  } else if (halved_) {
    refuse(whole_, "a tile that goes whole between the cores of a kernel whose vector lanes have halves of another");
  }
}

void CoreSplit::refuse(Operation *op, std::string why) {
  if (!refusal_) {
    refusal_ = {op, std::move(why)};
  }
}

void CoreSplit::classify(Operation *op) {
  if (isa<SubblockIdxOp>(op)) {
    lanes_ |= op->hasAttr(kLaneModeAttr);
    lane_ = lane_ ? lane_ : op;
  }
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
    auto store = dyn_cast<TileStoreOp>(op);
    cubeWindow_ |=
        isDeviceOp(op) || (store && cast<TensorType>(tensorRoot(store.getDest()).getType()).getDistributed());
  } else if (!vector && isWait(op)) {
    device_ = device_ ? device_ : op; // both cores read what others wrote
  } else if (vector || !isShared(op)) {
    device_ = device_ || !isDeviceOp(op) ? device_ : op;
    auto generic = dyn_cast<GenericOp>(op);
    signal_ = !signal_ && generic && generic.getName() == "pld.system.notify" ? op : signal_;
    // What touches GM element by element has to happen once.
    place = Place::Vector;
    vector_ |= vector;
  }
}

void CoreSplit::checkCrossing(TileMoveOp move) {
  TileType from = move.getSource().getType();
  TileType to = move.getResult().getType();
  const bool toVector = to.getMem() == Mem::Vec;
  (toVector ? toVector_ : toCube_) = true;
  const target::Target &target = targetOf(move);
  largestTile_ = std::max({largestTile_, tileBytes(target, to), tileBytes(target, from)});
  // A lane has its half of what the cube core has whole.
  SmallVector<int64_t> lanePart((toVector ? from : to).getShape());
  if (auto axis = move->getAttrOfType<IntegerAttr>(kLaneAxisAttr)) {
    const auto i = static_cast<size_t>(axis.getInt());
    if (i >= lanePart.size() || lanePart[i] % 2 != 0) {
      return refuse(move, "a tile of an odd number of " + std::string(i == 0 ? "rows" : "columns") +
                              " of which each vector lane has its half");
    }
    lanePart[i] /= 2;
    halved_ = halved_ ? halved_ : move;
    ArrayRef<int64_t> whole = (toVector ? from : to).getShape();
    if (target.arch == target::Arch::A5 && (bitWidth(from.getDtype()) != 32 || (i == 1 && whole[1] % 32 != 0))) {
      return refuse(move, "a tile of " + shapeText(whole) + " " + plName(from.getDtype()).str() + " on " +
                              std::string(target.displayName) +
                              ", which divides elements of 32 bits, and columns by 32,");
    }
  } else {
    whole_ = whole_ ? whole_ : move;
  }
  if (ArrayRef(lanePart) != (toVector ? to : from).getShape() || from.getDtype() != to.getDtype()) {
    refuse(move, "a tile that changes its shape or dtype between the cores");
  } else if (std::string why = liveFault(move); !why.empty()) {
    refuse(move, std::move(why));
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

std::string CoreSplit::liveFault(TileMoveOp move) {
  TileType from = move.getSource().getType();
  TileType to = move.getResult().getType();
  auto isPart = [](TileType type, unsigned axis) { return type.getValidOrShape()[axis] != type.getShape()[axis]; };
  if (from.getRank() != 2) {
    return {};
  }
  auto lanes = move->getAttrOfType<IntegerAttr>(kLaneAxisAttr);
  for (unsigned axis : {0u, 1u}) {
    if (!isPart(from, axis) && !isPart(to, axis)) {
      continue;
    }
    if (targetOf(move).arch == target::Arch::A5) {
      return "a tile that is live only in part and goes from one core to the other on " +
             std::string(targetOf(move).displayName);
    }
    if (lanes && lanes.getInt() == static_cast<int64_t>(axis)) {
      return "a tile that is live only in part of the " + std::string(axis == 0 ? "rows" : "columns") +
             " of which each vector lane has its half";
    }
    if (from.getValidOrShape()[axis] != to.getValidOrShape()[axis] ||
        (ShapedType::isDynamic(from.getValidOrShape()[axis]) && !liveExtentBefore(move.getSource(), axis, move))) {
      return "a tile that goes from one core to the other and whose live part is not known where it does";
    }
  }
  return {};
}

void CoreSplit::findTokens(func::FuncOp function) {
  auto cores = [&](Operation *op) -> unsigned {
    const Place place = placeOf(op);
    return place == Place::Cube ? kOnCube : place == Place::Vector ? kOnVector : kOnCube | kOnVector;
  };
  if (std::optional<HandoffFault> fault = findHandoffs(function, cores, handoffs_)) {
    return refuse(fault->op, std::move(fault->why));
  }
  const target::Target &target = targetOf(function);
  for (const CoreHandoff &handoff : handoffs_) {
    if (!handoff.toVector && target.arch == target::Arch::A5) {
      return refuse(handoff.before, "a tensor that the cube core takes over from the vector core on " +
                                        std::string(target.displayName));
    }
    (handoff.toVector ? toVector_ : toCube_) = true;
    TileType token = tokenType(function.getContext(), handoff.toVector, /*cube=*/true);
    largestTile_ = std::max(largestTile_, tileBytes(target, token));
  }
}

TileType CoreSplit::tokenType(MLIRContext *context, bool toVector, bool cube) const {
  SmallVector<int64_t> shape(2, target::kFractalRows);
  if (!cube && tokenAxis()) {
    shape[static_cast<size_t>(*tokenAxis())] /= 2;
  }
  return TileType::get(context, shape, DType::F32, !cube ? Mem::Vec : toVector ? Mem::Acc : Mem::Mat);
}

} // namespace placid::pl
