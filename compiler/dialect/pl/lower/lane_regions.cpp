// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lane_regions.h"

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/analysis/tensor_view.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"

using namespace mlir;

namespace placid::pl {

namespace {

StringRef modeOf(Operation *op) {
  auto mode = isa<SubblockIdxOp>(op) ? op->getAttrOfType<StringAttr>(kLaneModeAttr) : StringAttr();
  return mode ? mode.getValue() : StringRef();
}

bool isVec(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile && tile.getMem() == Mem::Vec;
}

/// The operations of the region that `begin` opens.
template <class Visit> void eachOf(Operation *begin, Visit visit) {
  for (Operation *op = begin->getNextNode(); op && modeOf(op) != kLaneModeEnd; op = op->getNextNode()) {
    op->walk(visit);
  }
}

/// Writes to other devices, and signals to them.
bool isDeviceEffect(Operation *op) {
  auto generic = dyn_cast<GenericOp>(op);
  return generic && generic.getRow().category == ops::Category::Distributed && generic.getName() != "pld.system.wait" &&
         generic.getRow().effect != ops::Effect::Pure && generic.getRow().effect != ops::Effect::Reads;
}

bool touchesVec(Operation *op) {
  return llvm::any_of(op->getOperands(), isVec) || llvm::any_of(op->getResults(), isVec);
}

/// The vector core writes to memory in this operation.
bool writesMemory(Operation *op) {
  if (auto store = dyn_cast<TileStoreOp>(op)) {
    return isVec(store.getTile());
  }
  if (auto generic = dyn_cast<GenericOp>(op); generic && generic.getRow().category == ops::Category::Distributed) {
    return isDeviceEffect(op);
  }
  auto isCube = [](Value value) { return isa<TileType>(value.getType()) && !isVec(value); };
  auto isTensor = [](Value value) { return isa<TensorType>(value.getType()); };
  return llvm::any_of(op->getOperands(), isTensor) && llvm::none_of(op->getOperands(), isCube) &&
         !isMemoryEffectFree(op) &&
         !isa<scf::ForOp, scf::IfOp, scf::YieldOp, func::ReturnOp, TensorSliceOp, TensorReshapeOp, DimOp, ReadOp,
              TileLoadOp>(op);
}

/// Why an operation outside of all regions cannot be: both lanes would do it, and nothing orders one lane against the
/// other. `written` are the tensors that the vector core writes. Empty where it does no harm.
std::string faultOutside(Operation *op, const llvm::DenseSet<Value> &written) {
  const std::string outside = " outside of every `pl.split_aiv` of its kernel";
  if (isDeviceEffect(op)) {
    return "an effect on other devices" + outside + ", which both vector lanes would have,";
  }
  if (writesMemory(op)) {
    return "a store of the vector core" + outside + ", which both vector lanes would do,";
  }
  if (isa<TileLoadOp, ReadOp>(op)) {
    Value source = op->getOperand(0);
    const bool reads = isa<TensorType>(source.getType()) && (isa<ReadOp>(op) || touchesVec(op));
    return reads && written.contains(memoryRoot(source))
               ? "a read of `" + tensorOrigin(source).name + "`, which the other vector lane may write at any time," +
                     outside
               : std::string();
  }
  auto move = dyn_cast<TileMoveOp>(op);
  const bool crosses = move && isVec(move.getSource()) != isVec(move.getResult());
  if (crosses || isa<scf::ForOp, scf::IfOp, scf::YieldOp, TileCreateOp>(op) || isBufferView(op) || !touchesVec(op)) {
    return {};
  }
  return "work of the vector core" + outside;
}

} // namespace

std::optional<LaneFault> findLaneFault(func::FuncOp function) {
  llvm::DenseSet<Operation *> inside;
  bool any = false;
  std::optional<LaneFault> fault;
  function.walk<WalkOrder::PreOrder>([&](SubblockIdxOp begin) {
    StringRef mode = modeOf(begin);
    if (mode.empty() || mode == kLaneModeEnd || mode == kLaneModeAuto) {
      return;
    }
    any = true;
    bool divides = false;
    bool vector = false;
    eachOf(begin, [&](Operation *op) {
      inside.insert(op);
      divides |= op->hasAttr(kLaneAxisAttr);
      vector |= llvm::any_of(op->getOperands(), isVec) || llvm::any_of(op->getResults(), isVec);
    });
    if (mode != "NONE" && vector && !divides && !fault) {
      fault = LaneFault{begin,
                        "a region of `pl.split_aiv` in halves that names no tile of which each lane takes its own", ""};
    }
  });
  if (!any || fault) {
    return fault;
  }
  llvm::DenseSet<Value> written;
  function.walk([&](Operation *op) {
    for (Value operand : writesMemory(op) ? op->getOperands() : ValueRange()) {
      if (isa<TensorType>(operand.getType())) {
        written.insert(memoryRoot(operand));
      }
    }
  });
  function.walk([&](Operation *op) {
    if (!fault && !inside.contains(op)) {
      if (std::string why = faultOutside(op, written); !why.empty()) {
        fault = {
            op, std::move(why),
            "put it into one: `for lane in pl.split_aiv(2, mode=pl.SplitMode.NONE):`, where `lane` says who does what"};
      }
    }
  });
  return fault;
}

} // namespace placid::pl
