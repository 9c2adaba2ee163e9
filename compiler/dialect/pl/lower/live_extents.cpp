// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/live_extents.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

TileType tileType(Value value) { return cast<TileType>(value.getType()); }

/// The two compute one number: the same operations on the same values, as in the copies of a pipeline body.
bool sameNumber(Value a, Value b, unsigned depth = 0) {
  if (a == b) {
    return true;
  }
  Operation *left = a.getDefiningOp();
  Operation *right = b.getDefiningOp();
  if (!left || !right || depth > 16 || left->getName() != right->getName() || left->getNumRegions() != 0 ||
      left->getNumOperands() != right->getNumOperands() || left->getNumResults() != 1 || a.getType() != b.getType() ||
      left->getPropertiesAsAttribute() != right->getPropertiesAsAttribute() ||
      !(isMemoryEffectFree(left) || isa<BlockIdxOp, BlockNumOp>(left))) {
    return false;
  }
  return llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                      [&](auto pair) { return sameNumber(std::get<0>(pair), std::get<1>(pair), depth + 1); });
}

/// The live extent that the program says where the tile is made; nullopt where it follows from other tiles. Of a load
/// from a blocked tensor it counts blocks.
std::optional<OpFoldResult> ownExtent(TileAxis at) {
  Operation *op = at.first.getDefiningOp();
  if (auto load = dyn_cast_or_null<TileLoadOp>(op); load && !load.getStaticValid().empty()) {
    SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), at.first.getContext());
    const bool nz = load.getSource().getType().isNz();
    const size_t axis = nz ? (at.second == 0 ? 2 : 1) : valid.size() - std::min<size_t>(valid.size(), 2) + at.second;
    return axis < valid.size() ? std::optional(valid[axis]) : std::nullopt;
  }
  if (auto generic = dyn_cast_or_null<GenericOp>(op)) {
    if (generic.getName() == "tile.set_validshape") {
      Value given = generic.getArgument(at.second == 0 ? "valid_rows" : "valid_cols");
      return given ? std::optional(OpFoldResult(given)) : std::nullopt;
    }
    if (SmallVector<OpFoldResult> list = generic.getList("valid_shape"); list.size() == 2) {
      return list[at.second];
    }
  }
  return std::nullopt;
}

/// The tile's extent is said where it is made, whatever comes of it.
bool hasOwnExtent(Value tile) {
  auto load = tile.getDefiningOp<TileLoadOp>();
  auto generic = tile.getDefiningOp<GenericOp>();
  return (load && !load.getStaticValid().empty()) ||
         (generic && (generic.getName() == "tile.set_validshape" || generic.getList("valid_shape").size() == 2));
}

/// The extent that the source program gives a tile, or the first of those it was made of; never through `join`.
std::optional<OpFoldResult> originExtent(TileAxis from, TileAxis join) {
  SmallVector<TileAxis> open{from};
  llvm::DenseSet<TileAxis> seen{join};
  while (!open.empty()) {
    const TileAxis at = open.pop_back_val();
    const int64_t known = tileType(at.first).getValidOrShape()[at.second];
    if (!ShapedType::isDynamic(known)) {
      return OpFoldResult(IntegerAttr::get(IndexType::get(at.first.getContext()), known));
    }
    if (!seen.insert(at).second) {
      continue;
    }
    if (hasOwnExtent(at.first)) {
      return ownExtent(at);
    }
    SmallVector<TileAxis> sources;
    liveSources(at.first, at.second, sources);
    open.append(sources.rbegin(), sources.rend());
  }
  return std::nullopt;
}

} // namespace

bool isTileJoin(Value tile) {
  return isa<BlockArgument>(tile) || isa_and_nonnull<scf::ForOp, scf::IfOp>(tile.getDefiningOp());
}

void liveSources(Value tile, unsigned axis, SmallVectorImpl<TileAxis> &out) {
  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument.getArgNumber() > 0) {
      out.emplace_back(loop.getInitArgs()[argument.getArgNumber() - 1], axis);
      out.emplace_back(loop.getYieldedValues()[argument.getArgNumber() - 1], axis);
    }
    return;
  }
  Operation *op = tile.getDefiningOp();
  auto generic = dyn_cast<GenericOp>(op);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    const unsigned number = cast<OpResult>(tile).getResultNumber();
    out.emplace_back(loop.getInitArgs()[number], axis);
    out.emplace_back(loop.getYieldedValues()[number], axis);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    const unsigned number = cast<OpResult>(tile).getResultNumber();
    out.emplace_back(branch.thenYield().getOperand(number), axis);
    out.emplace_back(branch.elseYield().getOperand(number), axis);
  } else if (auto view = dyn_cast<TileTransposeViewOp>(op)) {
    out.emplace_back(view.getSource(), 1 - axis);
  } else if (generic && generic.getName() == "tile.transpose") {
    out.emplace_back(generic.getArgument("tile"), 1 - axis);
  } else if (auto matmul = dyn_cast<TileMatmulOp>(op)) {
    out.emplace_back(axis == 0 ? matmul.getLhs() : matmul.getRhs(), axis);
  } else if (auto matmulAcc = dyn_cast<TileMatmulAccOp>(op)) {
    out.emplace_back(matmulAcc.getAcc(), axis);
    out.emplace_back(axis == 0 ? matmulAcc.getLhs() : matmulAcc.getRhs(), axis);
  } else if (generic &&
             llvm::is_contained({"tile.matmul_bias", "tile.matmul_mx", "tile.matmul_mx_acc"}, generic.getName())) {
    out.emplace_back(generic.getArgument(axis == 0 ? "lhs" : "rhs"), axis);
  } else if (isa<TileMoveOp, TileExtractOp>(op)) {
    out.emplace_back(op->getOperand(0), axis);
  } else if (isa<GenericOp, TileReshapeOp>(op)) {
    // Operands of the same length along the axis; a reshape may turn a line.
    const int64_t length = tileType(tile).getShape()[axis];
    SmallVector<TileAxis> found;
    for (unsigned other : {axis, 1 - axis}) {
      for (Value operand : op->getOperands()) {
        auto source = dyn_cast<TileType>(operand.getType());
        if (source && source.getRank() == 2 && source.getShape()[other] == length) {
          found.emplace_back(operand, other);
        }
      }
      if (generic) {
        break;
      }
    }
    // Beside a part, what is whole takes nothing away.
    auto live = [](TileAxis at) { return tileType(at.first).getValidOrShape()[at.second]; };
    if (llvm::any_of(found, [&](TileAxis at) { return ShapedType::isDynamic(live(at)); })) {
      llvm::erase_if(found, [&](TileAxis at) { return live(at) == tileType(at.first).getShape()[at.second]; });
    }
    out.append(found);
  }
}

bool agreeOnLiveExtent(TileAxis join, ArrayRef<TileAxis> sources) {
  std::optional<OpFoldResult> common;
  for (const TileAxis &source : sources) {
    std::optional<OpFoldResult> extent = originExtent(source, join);
    if (!extent) {
      continue; // round the loop to itself, or from something that has no extent of its own
    }
    const std::optional<int64_t> number = getConstantIntValue(*extent);
    const auto before = common ? dyn_cast<Value>(*common) : Value();
    const auto now = dyn_cast<Value>(*extent);
    const bool same = !common || *common == *extent || (number && getConstantIntValue(*common) == number) ||
                      (before && now && sameNumber(before, now));
    if (!same) {
      return false;
    }
    common = extent;
  }
  return true;
}

Value liveExtentBefore(Value tile, unsigned axis, Operation *here) {
  SmallVector<TileAxis> open{{tile, axis}};
  llvm::DenseSet<TileAxis> seen;
  while (!open.empty()) {
    const TileAxis at = open.pop_back_val();
    if (!ShapedType::isDynamic(tileType(at.first).getValidOrShape()[at.second]) || !seen.insert(at).second) {
      continue;
    }
    SmallVector<TileAxis> sources;
    liveSources(at.first, at.second, sources);
    if (isTileJoin(at.first)) {
      if (!agreeOnLiveExtent(at, sources)) {
        return {};
      }
    } else if (hasOwnExtent(at.first)) {
      auto load = at.first.getDefiningOp<TileLoadOp>();
      const std::optional<OpFoldResult> own = load && load.getSource().getType().isNz() ? std::nullopt : ownExtent(at);
      auto value = own ? dyn_cast<Value>(*own) : Value();
      if (value && value.getParentRegion()->isAncestor(here->getParentRegion())) {
        return value;
      }
    }
    open.append(sources.rbegin(), sources.rend());
  }
  return {};
}

} // namespace placid::pl
