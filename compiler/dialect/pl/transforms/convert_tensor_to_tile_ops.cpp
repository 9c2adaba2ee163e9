// SPDX-License-Identifier: Apache-2.0
// ConvertTensorToTileOps: see passes.td. The walk, and what brings GM to tiles: where a value lives is decided by what
// defines it; which memory a loaded tile goes to by what consumes it (see analysis/tile_demand.h).
#include "compiler/dialect/pl/analysis/tile_demand.h"
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/dialect/pl/transforms/slice_compose.h"
#include "compiler/dialect/pl/transforms/tile_converter.h"
#include "compiler/mlir_bridge/emit_diag.h"
#include "compiler/mlir_bridge/error_watch.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {
#define GEN_PASS_DEF_CONVERTTENSORTOTILEOPS
#include "compiler/dialect/pl/transforms/passes.h.inc"
} // namespace placid::pl

using namespace mlir;

namespace placid::pl {

std::optional<SmallVector<int64_t>> staticShape(TensorType type) {
  SmallVector<int64_t> out;
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    std::optional<int64_t> extent = type.getExtent(axis);
    if (!extent) {
      return std::nullopt;
    }
    out.push_back(*extent);
  }
  return out;
}

void TileConverter::notLowered(Location loc, const std::string &what) { bridge::emitDiag(loc, diag::NotLowered, what); }

LogicalResult TileConverter::run() {
  convert(function_.getBody().front());
  // Later ops first: what they read goes after them.
  for (Operation *op : llvm::reverse(dead_)) {
    if (op->use_empty()) {
      op->erase();
    }
  }
  return failure(broken_);
}

void TileConverter::becomes(Operation *op, Value tile) {
  tiles_[op->getResult(0)] = tile;
  dead_.insert(op);
}

void TileConverter::convert(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    convert(&op);
  }
}

void TileConverter::convert(Operation *op) {
  OpBuilder builder(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](TensorSliceOp slice) { convertSlice(builder, slice); })
      .Case([&](TensorReshapeOp reshape) { convertReshape(builder, reshape); })
      .Case([&](TensorCreateOp create) { convertCreate(builder, create); })
      .Case([&](TensorMatmulOp matmul) { convertMatmul(builder, matmul); })
      .Case([&](TensorMatmulAccOp matmul) { convertMatmulAcc(builder, matmul); })
      .Case([&](TensorAssembleOp assemble) { convertAssemble(builder, assemble); })
      .Case([&](scf::ForOp loop) { convertLoop(loop); })
      .Case([&](scf::IfOp branch) { convertIf(branch); })
      .Case([&](func::ReturnOp ret) { convertReturn(builder, ret); })
      .Case([&](scf::WhileOp loop) { convertWhile(loop); })
      .Case([&](GenericOp generic) { convertGeneric(builder, generic); })
      .Case<scf::YieldOp>([&](Operation *reader) {
        for (OpOperand &operand : reader->getOpOperands()) {
          if (Value tile = tileOf(operand.get())) {
            operand.set(tile);
          }
        }
      })
      .Case([&](ReadOp read) {
        if (Value tile = tileOf(read.getSource()); tile && !read.getSource().getDefiningOp<TensorSliceOp>()) {
          read.getSourceMutable().assign(tile);
        }
      })
      .Case([&](func::CallOp call) {
        for (Value operand : call.getOperands()) {
          // A slice of GM is handed over as the window it is; only what was computed on chip has no address.
          if (isOnChip(operand) && !operand.getDefiningOp<TensorSliceOp>()) {
            notLowered(call.getLoc(), "a tile as an argument of a kernel call");
          }
        }
      })
      .Default([](Operation *) {});
}

//===-- GM to tile ------------------------------------------------------------------------------------------------===//

void TileConverter::convertSlice(OpBuilder &builder, TensorSliceOp slice) {
  if (Value source = tileOf(operand(slice, 0))) {
    extract(builder, slice, source);
    return;
  }
  if (!wantsTile(slice)) {
    return;
  }
  keepInnerSlicesShort(slice);
  Window window = composedWindow(builder, slice);
  if (llvm::any_of(window.sizes, [](int64_t size) { return ShapedType::isDynamic(size); })) {
    notLowered(slice.getLoc(), "a window with a dynamic extent as a tile (give `valid_shape` for the live part)");
    return;
  }
  Mem mem = demandedMemory(slice.getResult());
  auto source = cast<TensorType>(window.source.getType());
  auto type = TileType::get(builder.getContext(), window.sizes, source.getDtype(), mem, window.tileValid(), false);
  SmallVector<Value> offsets;
  SmallVector<int64_t> staticOffsets;
  splitMixedList(window.offsets, offsets, staticOffsets);
  SmallVector<Value> valid;
  SmallVector<int64_t> staticValid;
  splitMixedList(window.valid, valid, staticValid);
  auto load = TileLoadOp::create(builder, window.loc, type, window.source, offsets, staticOffsets, window.sizes, valid,
                                 staticValid);
  load->setDiscardableAttrs(slice->getDiscardableAttrDictionary());
  Value tile = load;
  // Scalar-indexed axes, of this slice or of one it looks through, leave the tile's rank.
  std::optional<SmallVector<int64_t>> shape = staticShape(slice.getType());
  if (shape && shape->size() != type.getShape().size()) {
    auto reshape =
        TileReshapeOp::create(builder, slice.getLoc(), type.withShape(*shape, reshapedValid(type, *shape)), tile);
    reshape->setDiscardableAttrs(slice->getDiscardableAttrDictionary());
    tile = reshape;
  }
  becomes(slice, tile);
}

void TileConverter::keepInnerSlicesShort(TensorSliceOp slice) {
  SmallVector<Operation *> chain;
  for (auto inner = slice.getSource().getDefiningOp<TensorSliceOp>(); inner;
       inner = inner.getSource().getDefiningOp<TensorSliceOp>()) {
    chain.push_back(inner);
  }
  dead_.insert(chain.rbegin(), chain.rend());
}

/// A copy from tile to tile moves the whole window, whatever of it is live.
static bool mayLeave(TensorSliceOp slice, TileType whole) {
  std::optional<SmallVector<int64_t>> shape = staticShape(slice.getType());
  for (auto [axis, begin] : llvm::enumerate(slice.getStaticOffsets())) {
    if (axis >= whole.getShape().size() || !shape || ShapedType::isDynamic(begin) || begin < 0 ||
        begin + (*shape)[axis] > whole.getShape()[axis]) {
      return true;
    }
  }
  return false;
}

void TileConverter::extract(OpBuilder &builder, TensorSliceOp slice, Value source) {
  std::optional<SmallVector<int64_t>> shape = staticShape(slice.getType());
  if (!shape || !slice.getDropDims().empty()) {
    notLowered(slice.getLoc(), "this slice of a tile");
    return;
  }
  if (slice->hasAttr(kTrimmedAttr) && mayLeave(slice, cast<TileType>(source.getType()))) {
    notLowered(slice.getLoc(), "a window with `clamp` of a tile on the chip, which it may leave,");
    return;
  }
  SmallVector<int64_t> live(slice.getStaticValid());
  const bool known = !live.empty() && !llvm::is_contained(live, ShapedType::kDynamic);
  auto type = TileType::get(builder.getContext(), *shape, slice.getType().getDtype(), demandedMemory(slice.getResult()),
                            known && live != *shape ? ArrayRef(live) : ArrayRef<int64_t>(), false);
  auto tile =
      TileExtractOp::create(builder, slice.getLoc(), type, source, slice.getOffsets(), slice.getStaticOffsets());
  tile->setDiscardableAttrs(slice->getDiscardableAttrDictionary());
  becomes(slice, live.empty() || known ? tile.getResult() : narrowed(builder, slice, tile));
}

Value TileConverter::narrowed(OpBuilder &builder, TensorSliceOp slice, Value tile) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<OpFoldResult> live = mixedList(slice.getValid(), slice.getStaticValid(), builder.getContext());
  if (type.getRank() != 2 || live.size() != 2) {
    notLowered(slice.getLoc(), "this live part of a slice of a tile");
    return tile;
  }
  SmallVector<Value> operands{tile};
  SmallVector<StringRef> names{"tile"};
  SmallVector<NamedAttribute> constants;
  constexpr StringLiteral kNames[] = {"valid_rows", "valid_cols"};
  for (auto [extent, name] : llvm::zip(live, kNames)) {
    if (auto value = dyn_cast<Value>(extent)) {
      operands.push_back(value);
      names.push_back(name);
    } else {
      constants.emplace_back(builder.getStringAttr(name), cast<Attribute>(extent));
    }
  }
  auto narrow = TileType::get(type.getContext(), type.getShape(), type.getDtype(), type.getMem(),
                              SmallVector<int64_t>(slice.getStaticValid()), type.getTransposed());
  auto view = GenericOp::create(builder, slice.getLoc(), TypeRange{narrow},
                                builder.getStringAttr("tile.set_validshape"), operands, builder.getStrArrayAttr(names));
  for (NamedAttribute constant : constants) {
    view->setDiscardableAttr(constant.getName(), constant.getValue());
  }
  return view->getResult(0);
}

Value TileConverter::loadWhole(OpBuilder &builder, Value tensor, Mem mem, Location loc) {
  auto type = cast<TensorType>(tensor.getType());
  std::optional<SmallVector<int64_t>> shape = staticShape(type);
  if (!shape) {
    notLowered(loc, "a whole tensor with a dynamic extent as a tile");
    return {};
  }
  SmallVector<int64_t> zeros(shape->size(), 0);
  return TileLoadOp::create(builder, loc, TileType::get(builder.getContext(), *shape, type.getDtype(), mem), tensor,
                            ValueRange(), zeros, *shape, ValueRange(), ArrayRef<int64_t>());
}

void TileConverter::convertCreate(OpBuilder &builder, TensorCreateOp create) {
  std::optional<SmallVector<int64_t>> shape = staticShape(create.getType());
  // What a core function makes lives on the chip, unless another kernel is given it.
  const bool handedOn = llvm::any_of(create->getUsers(), [](Operation *user) { return isa<func::CallOp>(user); });
  if ((!wantsTile(create) && (handedOn || create->use_empty())) || !shape) {
    return;
  }
  auto tile = TileCreateOp::create(
      builder, create.getLoc(),
      TileType::get(builder.getContext(), *shape, create.getType().getDtype(), demandedMemory(create.getResult())));
  tile->setDiscardableAttrs(create->getDiscardableAttrDictionary());
  becomes(create, tile);
}

void TileConverter::convertReshape(OpBuilder &builder, TensorReshapeOp reshape) {
  Value source = tileOf(operand(reshape, 0));
  std::optional<SmallVector<int64_t>> shape = staticShape(reshape.getType());
  if (!source) {
    return; // a view of GM stays one
  }
  if (!shape) {
    notLowered(reshape.getLoc(), "a reshape of a tile to a dynamic shape");
    return;
  }
  auto from = cast<TileType>(source.getType());
  auto tile =
      TileReshapeOp::create(builder, reshape.getLoc(), from.withShape(*shape, reshapedValid(from, *shape)), source);
  tile->setDiscardableAttrs(reshape->getDiscardableAttrDictionary());
  becomes(reshape, tile);
}

SmallVector<int64_t> TileConverter::reshapedValid(TileType from, ArrayRef<int64_t> shape) {
  auto squeeze = [](ArrayRef<int64_t> extents, ArrayRef<int64_t> by) {
    SmallVector<int64_t> out;
    for (auto [extent, size] : llvm::zip(extents, by)) {
      if (size != 1) {
        out.push_back(extent);
      }
    }
    return out;
  };
  SmallVector<int64_t> valid(shape);
  if (squeeze(from.getShape(), from.getShape()) != squeeze(shape, shape)) {
    return valid;
  }
  SmallVector<int64_t> live = squeeze(from.getValidOrShape(), from.getShape());
  unsigned next = 0;
  for (int64_t &extent : valid) {
    if (extent != 1) {
      extent = live[next++];
    }
  }
  return valid;
}

namespace {

struct ConvertTensorToTileOps : impl::ConvertTensorToTileOpsBase<ConvertTensorToTileOps> {
  void runOnOperation() override {
    llvm::StringMap<SmallVector<func::CallOp>> callers; // no call is made or erased below
    getOperation().walk([&](func::CallOp call) { callers[call.getCallee()].push_back(call); });
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      auto kind = function->getAttrOfType<StringAttr>(kKindAttr);
      if (kind && kind.getValue() == "incore" && !function.isDeclaration()) {
        bool sound = true;
        if (bridge::reportsError(&getContext(), [&] {
              sound = succeeded(TileConverter(function, callers[function.getName()]).run());
            })) {
          function->setAttr(kIncompleteAttr, UnitAttr::get(&getContext()));
        }
        if (!sound) {
          function.eraseBody(); // the others are checked all the same
          function.setPrivate();
        }
      }
    }
  }
};

} // namespace

} // namespace placid::pl
