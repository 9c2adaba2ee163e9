// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that names tiles for an assembler which places them itself. It takes each alloc_tile for
// memory of its own, so a buffer has exactly one, and everything else that shows it is a view of that one. Knows no
// address. One thread.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

pto::TileBufType withValidExtents(pto::TileBufType type, int64_t rows, int64_t columns) {
  return pto::TileBufType::get(type.getContext(), type.getLoc(), type.getDtype(), type.getRows(), type.getCols(), rows,
                               columns, type.getBlayout(), type.getSlayout(), type.getFractal(), type.getPad());
}

/// With every element valid.
pto::TileBufType whole(pto::TileBufType type) { return withValidExtents(type, type.getRows(), type.getCols()); }

bool isFloat(pto::TileBufType type) { return isa<FloatType>(type.getDtype()); }

Block *commonBlock(Block *a, Block *b) {
  llvm::SmallPtrSet<Block *, 8> around;
  for (; a; a = a->getParentOp() ? a->getParentOp()->getBlock() : nullptr) {
    around.insert(a);
  }
  while (b && !around.contains(b)) {
    b = b->getParentOp() ? b->getParentOp()->getBlock() : nullptr;
  }
  return b;
}

} // namespace

Block *KernelConverter::homeOf(unsigned buffer) {
  Block *home = nullptr;
  for (Value member : buffers_.buffers()[buffer].members) {
    // What a loop hands on, it holds in front of its first round.
    auto argument = dyn_cast<BlockArgument>(member);
    Block *block = argument ? argument.getOwner()->getParentOp()->getBlock() : member.getParentBlock();
    home = home ? commonBlock(home, block) : block;
  }
  return home;
}

Value KernelConverter::makeRoot(Value tile, const View &view, pto::TileBufType type) {
  const unsigned buffer = buffers_.bufferOf(tile);
  OpBuilder &builder = kernel_->body();
  Block *home = blocks_.lookup(homeOf(buffer));
  Block *here = builder.getInsertionBlock();
  OpBuilder::InsertionGuard guard(builder);
  View shown = view;
  // What a fill puts behind the live part is one view's affair, and windows of the tile have none.
  type = pto::TileBufType::get(type.getContext(), type.getLoc(), type.getDtype(), type.getRows(), type.getCols(),
                               type.getValidRows(), type.getValidCols(), type.getBlayout(), type.getSlayout(),
                               type.getFractal(), 0);
  if (home && home != here) {
    builder.setInsertionPoint(home->findAncestorOpInBlock(*here->getParentOp()));
    if (view.live[0] || view.live[1]) {
      // Extents that are computed in there are not known here.
      shown.live[0] = shown.live[1] = {};
      type = whole(type);
    }
  }
  Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
  auto alloc = pto::AllocTileOp::create(builder, namedLoc(locOf(op), nameOf(tile, "tile"), ""), type, Value(),
                                        shown.live[0], shown.live[1]);
  return roots_[buffer] = alloc;
}

Value KernelConverter::plannedHandle(Value tile, const View &view, pto::TileBufType type) {
  const unsigned buffer = buffers_.bufferOf(tile);
  Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
  if (llvm::any_of(buffers_.buffers()[buffer].members,
                   [](Value member) { return member.getDefiningOp<PipePopOp>() != nullptr; })) {
    (void)notLowered(op, "another view of a tile that lies in the pipe between the cores");
    return {};
  }
  Value root = roots_.lookup(buffer);
  root = root ? root : makeRoot(tile, view, type);
  auto alloc = root.getDefiningOp<pto::AllocTileOp>();
  if (root.getType() == type && alloc.getValidRow() == view.live[0] && alloc.getValidCol() == view.live[1]) {
    return root;
  }
  Location at = namedLoc(locOf(op), nameOf(tile, "tile"), "_view");
  if (whole(alloc.getResult().getType()) != whole(type)) {
    return reshaped(at, alloc, view, type);
  }
  Value zero = kernel_->constantIndex(0);
  SmallVector<Value> valid{liveExtent(view, type, 0), liveExtent(view, type, 1)};
  const int64_t sizes[] = {type.getRows(), type.getCols()};
  return pto::SubviewOp::create(kernel_->body(), at, type, root, ValueRange{zero, zero}, sizes, valid);
}

Value KernelConverter::liveExtent(const View &view, pto::TileBufType type, unsigned axis) {
  const int64_t live = axis == 0 ? type.getValidRows() : type.getValidCols();
  return ShapedType::isDynamic(live) ? view.live[axis] : kernel_->constantIndex(live);
}

Value KernelConverter::reshaped(Location at, Value source, const View &view, pto::TileBufType type) {
  OpBuilder &builder = kernel_->body();
  auto from = cast<pto::TileBufType>(source.getType());
  if (isFloat(from) != isFloat(type)) {
    // A reshape keeps to its kind of numbers; only a tile with known extents can change it, and keeps all else.
    if (ShapedType::isDynamic(from.getValidRows()) || ShapedType::isDynamic(from.getValidCols())) {
      from = whole(from);
      source = pto::TReshapeOp::create(builder, at, from, source);
    }
    from = pto::TileBufType::get(from.getContext(), from.getLoc(), type.getDtype(), from.getRows(), from.getCols(),
                                 from.getValidRows(), from.getValidCols(), from.getBlayout(), from.getSlayout(),
                                 from.getFractal(), from.getPad());
    source = pto::BitcastOp::create(builder, at, from, source);
  }
  if (!view.live[0] && !view.live[1]) {
    return from == type ? source : pto::TReshapeOp::create(builder, at, type, source).getResult();
  }
  auto open = withValidExtents(type, ShapedType::kDynamic, ShapedType::kDynamic);
  Value shown = pto::TReshapeOp::create(builder, at, open, source);
  pto::SetValidShapeOp::create(builder, rangeLoc(at), shown, liveExtent(view, type, 0), liveExtent(view, type, 1));
  return shown;
}

} // namespace placid::conversion
