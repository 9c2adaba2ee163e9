// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lowering.h"

#include "compiler/mlir_bridge/error_watch.h"
#include "compiler/target/planner.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace placid::pl {

bool isLowerable(func::FuncOp function) {
  auto kind = function->getAttrOfType<StringAttr>(kKindAttr);
  return kind && kind.getValue() == "incore" && !function.isExternal() && !function->hasAttr(kFailedAttr) &&
         !function->hasAttr(kLeftAttr);
}

void markFailed(func::FuncOp function) { function->setAttr(kFailedAttr, UnitAttr::get(function.getContext())); }

void forEachKernel(ModuleOp module, llvm::function_ref<void(func::FuncOp)> run) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isLowerable(function) && bridge::reportsError(module.getContext(), [&] { run(function); })) {
      markFailed(function);
    }
  }
}

const target::Target &targetOf(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto arch = op->getAttrOfType<StringAttr>(kArchAttr)) {
      const target::Target *found = target::find(arch.getValue());
      return found ? *found : target::get(target::Arch::A3);
    }
  }
  return target::get(target::Arch::A3);
}

bool isPlannedByAssembler(Operation *op) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto planner = module ? module->getAttrOfType<StringAttr>(kPlannerAttr) : StringAttr();
  return planner && planner.getValue() == StringRef(target::plannerName(target::Planner::Ptoas));
}

std::optional<target::Space> spaceOf(Mem mem) {
  switch (mem) {
  case Mem::Vec:
    return target::Space::Vec;
  case Mem::Mat:
    return target::Space::Mat;
  case Mem::Left:
    return target::Space::Left;
  case Mem::Right:
    return target::Space::Right;
  case Mem::Acc:
    return target::Space::Acc;
  case Mem::Bias:
    return target::Space::Bias;
  case Mem::LeftScale:
    return target::Space::LeftScale;
  case Mem::RightScale:
    return target::Space::RightScale;
  case Mem::Scaling:
    return target::Space::Scaling;
  case Mem::Unset:
  case Mem::DDR:
    break;
  }
  return std::nullopt;
}

int64_t tileBytes(const target::Target &target, TileType type) {
  std::optional<target::Space> space = spaceOf(type.getMem());
  if (!space || type.getRank() == 0) {
    return 0;
  }
  int64_t rows = 1;
  for (int64_t extent : type.getShape().drop_back()) {
    rows = target::saturatingMul(rows, extent);
  }
  return target::physicalTileBytes(target, *space, rows, type.getShape().back(), bitWidth(type.getDtype()),
                                   !isFloat(type.getDtype()));
}

bool isHalvedByLanes(func::FuncOp function) {
  return function->hasAttr(kSplitAttr) &&
         !function.walk([](SubblockIdxOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool isImpliedOperand(Value value) {
  auto load = value.getDefiningOp<TileLoadOp>();
  return load && cast<TileType>(value.getType()).getMem() == Mem::Mat &&
         argLoc(load, kTargetArg, 0).range == Location(load->getLoc());
}

std::string bytesText(int64_t bytes) {
  return bytes == target::kSaturated ? "more than 2^60 bytes" : std::to_string(bytes) + " bytes";
}

std::string shapeText(ArrayRef<int64_t> shape) {
  std::string out = "[";
  for (auto [i, extent] : llvm::enumerate(shape)) {
    out += (i ? ", " : "") + std::to_string(extent);
  }
  return out + "]";
}

Location rangeLoc(Location loc) {
  while (auto name = dyn_cast<NameLoc>(loc)) {
    loc = name.getChildLoc();
  }
  return loc;
}

Location namedLoc(Location loc, StringRef name, StringRef suffix) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name + suffix), rangeLoc(loc));
}

std::string nameOf(Value value, StringRef fallback) {
  StringRef name = valueName(value);
  return name.empty() ? fallback.str() : name.str();
}

} // namespace placid::pl
