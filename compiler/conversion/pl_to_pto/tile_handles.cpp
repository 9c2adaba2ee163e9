// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that shows tiles as buffers: which handle stands for a tile where, of which PTO type, and
// how much of it is live.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
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
    return pto::Loc::Scaling;
  default:
    return std::nullopt;
  }
}

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

/// One of several tiles, by a branch or by the round of a loop.
bool isJoin(Value tile) {
  return isa<BlockArgument>(tile) || isa_and_nonnull<scf::ForOp, scf::IfOp>(tile.getDefiningOp());
}

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
  const target::Space space = *pl::spaceOf(type.getMem());
  const target::Box box =
      isLine(type) ? target::Box() : target::tileBox(space, bitWidth(type.getDtype()), type.getTransposed());
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
  auto buffer = pto::makeTileType([&]() { return source_->emitOpError(); }, target_, *loc, element, rows, columns,
                                  valid[0], valid[1], type.getTransposed(), view.pad);
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
  }
  if (!address && llvm::any_of(buffers_.buffers()[buffers_.bufferOf(tile)].members,
                               [](Value member) { return member.getDefiningOp<PipePopOp>() != nullptr; })) {
    (void)notLowered(op, "another view of a tile that lies in the pipe between the cores");
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
  alloc->setAttr(kBufferAttr, kernel_->body().getI64IntegerAttr(buffers_.bufferOf(tile)));
  return alloc;
}

void KernelConverter::validSources(Value tile, unsigned axis, SmallVectorImpl<std::pair<Value, unsigned>> &out) {
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
  } else if (generic && generic.getName() == "tile.matmul_bias") {
    out.emplace_back(generic.getArgument(axis == 0 ? "lhs" : "rhs"), axis);
  } else if (isa<TileMoveOp, TileExtractOp>(op)) {
    out.emplace_back(op->getOperand(0), axis);
  } else if (isa<GenericOp, TileReshapeOp>(op)) {
    // Operands of the same length along the axis; a reshape may turn a line.
    const int64_t length = tileType(tile).getShape()[axis];
    for (unsigned other : {axis, 1 - axis}) {
      for (Value operand : op->getOperands()) {
        auto source = dyn_cast<TileType>(operand.getType());
        if (source && source.getRank() == 2 && source.getShape()[other] == length) {
          out.emplace_back(operand, other);
        }
      }
      if (generic) {
        break;
      }
    }
  }
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
    validSources(at.first, at.second, sources);
    if (isJoin(at.first) && !agreeOnExtent(at, sources)) {
      return {}; // which of them holds is known at run time only
    }
    open.append(sources.rbegin(), sources.rend());
  }
  return {};
}

bool KernelConverter::agreeOnExtent(std::pair<Value, unsigned> join, ArrayRef<std::pair<Value, unsigned>> sources) {
  std::optional<OpFoldResult> common;
  for (const std::pair<Value, unsigned> &source : sources) {
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

std::optional<OpFoldResult> KernelConverter::originExtent(std::pair<Value, unsigned> from,
                                                          std::pair<Value, unsigned> join) {
  SmallVector<std::pair<Value, unsigned>> open{from};
  llvm::DenseSet<std::pair<Value, unsigned>> seen{join};
  while (!open.empty()) {
    const std::pair<Value, unsigned> at = open.pop_back_val();
    const int64_t known = tileType(at.first).getValidOrShape()[at.second];
    if (!ShapedType::isDynamic(known)) {
      return OpFoldResult(IntegerAttr::get(IndexType::get(source_.getContext()), known));
    }
    if (!seen.insert(at).second) {
      continue;
    }
    Operation *op = at.first.getDefiningOp();
    if (auto load = dyn_cast_or_null<TileLoadOp>(op); load && !load.getStaticValid().empty()) {
      SmallVector<OpFoldResult> valid = mixedList(load.getValid(), load.getStaticValid(), source_.getContext());
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
    SmallVector<std::pair<Value, unsigned>> sources;
    validSources(at.first, at.second, sources);
    open.append(sources.rbegin(), sources.rend());
  }
  return std::nullopt;
}

Value KernelConverter::ownExtent(Value tile, unsigned axis) {
  Operation *op = tile.getDefiningOp();
  if (auto load = dyn_cast_or_null<TileLoadOp>(op)) {
    return loadExtent(load, axis);
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
