// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that shows tiles as buffers: which handle stands for a tile where, of which PTO type, and
// how much of it is live.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
#include "compiler/dialect/pl/lower/live_extents.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

std::optional<pto::Loc> ptoLoc(Mem mem) {
  switch (mem) {
  case Mem::Vec:
    return pto::Loc::Vec;
  case Mem::Mat:
    return pto::Loc::Mat;
  case Mem::Left:
    return pto::Loc::Left;
  case Mem::Right:
    return pto::Loc::Right;
  case Mem::Acc:
    return pto::Loc::Acc;
  case Mem::Bias:
    return pto::Loc::Bias;
  case Mem::Scaling:
  case Mem::LeftScale:
  case Mem::RightScale:
    return pto::Loc::Scaling;
  default:
    return std::nullopt;
  }
}

TileType tileType(Value value) { return cast<TileType>(value.getType()); }

} // namespace

bool KernelConverter::isVisible(Value value) {
  Block *here = kernel_->body().getInsertionBlock();
  while (here && here != value.getParentBlock()) {
    Operation *parent = here->getParentOp();
    here = parent ? parent->getBlock() : nullptr;
  }
  // Constants and views are in blocks of their own, which will stand at the top.
  return here || !value.getParentRegion();
}

std::optional<KernelConverter::View> KernelConverter::viewOf(Value tile) {
  View view;
  view.type = tileType(tile);
  Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
  if (view.type.getRank() != 2) {
    (void)notLowered(op, "a tile of rank " + Twine(view.type.getRank()));
    return std::nullopt;
  }
  for (unsigned axis : {0u, 1u}) {
    if (ShapedType::isDynamic(view.type.getValidOrShape()[axis])) {
      view.live[axis] = validExtent(tile, axis);
      if (!view.live[axis]) {
        (void)notLowered(op, "a tile whose valid extent is not known where its buffer begins");
        return std::nullopt;
      }
    }
  }
  return view;
}

Value KernelConverter::handle(Value tile) {
  std::optional<View> view = viewOf(tile);
  return view ? handle(tile, *view) : Value();
}

Value KernelConverter::handle(Value tile, const View &view) {
  if (Operation *op = tile.getDefiningOp(); op && op->hasAttr(kWindowAttr)) {
    return view.type == tileType(tile) ? windows_.lookup(tile) : Value(); // made where the window is taken, or refused
  }
  const HandleKey key{buffers_.bufferOf(tile), view.type, view.live[0], view.live[1], view.pad};
  auto known = handles_.find(key);
  if (known != handles_.end() && known->second) {
    // A buffer that one branch named is named anew in the other: same address, and the name must be in sight.
    Block *here = kernel_->body().getInsertionBlock();
    while (here && here != known->second.getParentBlock()) {
      Operation *parent = here->getParentOp();
      here = parent ? parent->getBlock() : nullptr;
    }
    if (here) {
      return known->second;
    }
  } else if (known != handles_.end()) {
    return {}; // reported
  }
  Value made = makeHandle(tile, view);
  handles_[key] = made;
  return made;
}

std::optional<pto::TileBufType> KernelConverter::bufferType(Value tile, const View &view) {
  TileType type = view.type;
  Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
  std::optional<pto::Loc> loc = ptoLoc(type.getMem());
  Type element = elementType(source_.getContext(), type.getDtype());
  if (!loc || !element) {
    (void)notLowered(op, "a tile of " + plName(type.getDtype()) + " in " + plName(type.getMem()));
    return std::nullopt;
  }
  const int64_t rows = type.getShape()[0];
  const int64_t columns = type.getShape()[1];
  const bool scales = type.getDtype() == DType::F8E8M0 && type.getMem() == Mem::Mat;
  const target::Space space = scales ? target::Space::LeftScale : *pl::spaceOf(type.getMem());
  const target::Box box =
      isLine(type) && !scales ? target::Box() : target::tileBox(space, bitWidth(type.getDtype()), type.getTransposed());
  std::string shown = nameOf(tile, "");
  shown = shown.empty() ? "a tile" : "tile `" + shown + "`";
  if (rows % box.rows != 0 || columns % box.columns != 0) {
    bridge::emitDiag(rangeLoc(op->getLoc()), diag::TileAlign,
                     llvm::formatv("{0} {1} {2} is not whole fractals: in {3} its rows are multiples of {4} and its "
                                   "columns of {5}",
                                   shown, shapeText(type.getShape()), plName(type.getDtype()), plName(type.getMem()),
                                   box.rows, box.columns)
                         .str());
    return std::nullopt;
  }
  const int64_t line = rows > 1 && columns == 1 ? rows : columns;
  if (box.columns == 1 && line * bitWidth(type.getDtype()) % (target::kLineBytes * 8) != 0) {
    bridge::emitDiag(
        rangeLoc(op->getLoc()), diag::TileAlign,
        llvm::formatv("tile `{0}` {1} {2} is not aligned: in {3} its contiguous extent is a multiple of 32 "
                      "bytes",
                      nameOf(tile, "a tile"), shapeText(type.getShape()), plName(type.getDtype()),
                      plName(type.getMem()))
            .str());
    return std::nullopt;
  }
  ArrayRef<int64_t> valid = type.getValidOrShape();
  auto buffer =
      pto::makeTileType([&]() { return source_->emitOpError(); }, target_, *loc, element, rows, columns, valid[0],
                        valid[1], type.getTransposed() || type.getMem() == Mem::RightScale, view.pad);
  return buffer ? std::optional(buffer) : std::nullopt;
}

void KernelConverter::spellEmpty(pto::TileBufType &type, Value &rows, Value &columns) {
  if (type.getValidRows() == 0 || type.getValidCols() == 0) {
    rows = columns = kernel_->constantIndex(0);
    type = pto::TileBufType::get(type.getContext(), type.getLoc(), type.getDtype(), type.getRows(), type.getCols(),
                                 ShapedType::kDynamic, ShapedType::kDynamic, type.getBlayout(), type.getSlayout(),
                                 type.getFractal(), type.getPad());
  }
}

Value KernelConverter::makeHandle(Value tile, const View &view) {
  std::optional<pto::TileBufType> buffer = bufferType(tile, view);
  if (!buffer) {
    return {};
  }
  if (!planned_) {
    return plannedHandle(tile, view, *buffer);
  }
  Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
  IntegerAttr address;
  for (Value member : buffers_.buffers()[buffers_.bufferOf(tile)].members) {
    Operation *definition = member.getDefiningOp();
    address = definition && !address ? definition->getAttrOfType<IntegerAttr>(kAddrAttr) : address;
    auto named = dyn_cast_or_null<SharedTileOp>(definition);
    address = named ? named.getAddressAttr() : address;
  }
  if (!address && llvm::any_of(buffers_.buffers()[buffers_.bufferOf(tile)].members,
                               [](Value member) { return member.getDefiningOp<PipePopOp>() != nullptr; })) {
    if (!refused_) { // a kernel that was found not to fit has no addresses
      (void)notLowered(op, "another view of a tile that lies in the pipe between the cores");
    }
    return {};
  }
  if (!address) {
    bridge::emitDiag(rangeLoc(op->getLoc()), diag::InternalError,
                     "tile `" + nameOf(tile, "a tile") + "` has no address");
    return {};
  }
  Location at = namedLoc(locOf(op), nameOf(tile, "tile"), "");
  Value rows = view.live[0];
  Value columns = view.live[1];
  spellEmpty(*buffer, rows, columns);
  auto alloc = pto::AllocTileOp::create(kernel_->body(), at, *buffer, kernel_->constant(address), rows, columns);
  const bool shared = llvm::any_of(buffers_.buffers()[buffers_.bufferOf(tile)].members,
                                   [](Value member) { return member.getDefiningOp<SharedTileOp>() != nullptr; });
  if (!shared) { // whose bytes are the other core's as well: who writes them last is not for one function to say
    alloc->setAttr(kBufferAttr, kernel_->body().getI64IntegerAttr(buffers_.bufferOf(tile)));
  }
  return alloc;
}

Value KernelConverter::validExtent(Value tile, unsigned axis) {
  if (!ShapedType::isDynamic(tileType(tile).getValidOrShape()[axis])) {
    return kernel_->constantIndex(tileType(tile).getValidOrShape()[axis]);
  }
  // No recursion: a chain of accumulating matmuls may be as long as an unrolled program.
  SmallVector<std::pair<Value, unsigned>> open{{tile, axis}};
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  while (!open.empty()) {
    const std::pair<Value, unsigned> at = open.pop_back_val();
    if (!ShapedType::isDynamic(tileType(at.first).getValidOrShape()[at.second]) || !seen.insert(at).second) {
      continue;
    }
    Value &known = validExtents_[at];
    if (known && isVisible(known)) {
      return known;
    }
    if (Value own = ownExtent(at.first, at.second)) {
      return validExtents_[at] = own;
    }
    SmallVector<std::pair<Value, unsigned>> sources;
    liveSources(at.first, at.second, sources);
    if (isTileJoin(at.first) && !agreeOnLiveExtent(at, sources)) {
      return {}; // which of them holds is known at run time only
    }
    open.append(sources.rbegin(), sources.rend());
  }
  return {};
}

Value KernelConverter::ownExtent(Value tile, unsigned axis) {
  Operation *op = tile.getDefiningOp();
  if (auto load = dyn_cast_or_null<TileLoadOp>(op)) {
    return loadExtent(load, axis);
  }
  if (auto pop = dyn_cast_or_null<PipePopOp>(op)) {
    const bool second = axis == 1 && ShapedType::isDynamic(tileType(tile).getValidOrShape()[0]);
    return indexScalar(locOf(op), pop.getValid()[second ? 1 : 0]);
  }
  auto generic = dyn_cast_or_null<GenericOp>(op);
  if (!generic) {
    return {};
  }
  if (generic.getName() == "tile.set_validshape") {
    Value given = generic.getArgument(axis == 0 ? "valid_rows" : "valid_cols");
    return given ? indexScalar(locOf(op), given) : Value();
  }
  SmallVector<OpFoldResult> list = generic.getList("valid_shape");
  return list.size() == 2 ? extent(locOf(op), list[axis]) : Value();
}

Value KernelConverter::loadExtent(TileLoadOp load, unsigned axis) {
  if (load.getStaticValid().empty()) {
    return {};
  }
  Location loc = locOf(load);
  TensorType type = load.getSource().getType();
  SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), source_.getContext());
  if (!type.isNz()) {
    for (OpFoldResult leading : ArrayRef(valid).drop_back(std::min<size_t>(2, valid.size()))) {
      if (getConstantIntValue(leading) != 1) {
        return {};
      }
    }
    // A rank-1 window is one row.
    return valid.size() == 1 && axis == 0 ? kernel_->constantIndex(1) : extent(loc, valid[valid.size() - 2 + axis]);
  }
  // Blocked extents count fractals and C0 lines; a tile counts elements. Where the count was made by a division, its
  // dividend is the extent.
  const int64_t factor = axis == 0 ? kFractalRows : *c0Elements(type.getDtype());
  auto count = dyn_cast<Value>(valid[axis == 0 ? 2 : 1]);
  if (!count) {
    return {};
  }
  auto divided = count.getDefiningOp<arith::FloorDivSIOp>();
  if (divided && getConstantIntValue(divided.getRhs()) == factor) {
    return indexScalar(loc, divided.getLhs());
  }
  Value index = indexScalar(loc, count);
  return index ? arith::MulIOp::create(kernel_->body(), loc, index, kernel_->constantIndex(factor)).getResult()
               : Value();
}

Value KernelConverter::validOf(Value tile, unsigned axis) {
  const int64_t valid = tileType(tile).getValidOrShape()[axis];
  if (!ShapedType::isDynamic(valid)) {
    return kernel_->constantIndex(valid);
  }
  return validExtent(tile, axis);
}

} // namespace placid::conversion
