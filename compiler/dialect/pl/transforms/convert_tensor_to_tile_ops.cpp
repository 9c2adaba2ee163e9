// SPDX-License-Identifier: Apache-2.0
// ConvertTensorToTileOps: one forward walk over each in-core function that keeps, for every tensor value that lives on
// chip, the tile that stands for it. GM tensors keep their values. Where a value lives is decided by what defines it;
// which memory a loaded tile goes to by what consumes it (see analysis/tile_demand.h).
#include "compiler/dialect/pl/analysis/tile_demand.h"
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/dialect/pl/transforms/slice_compose.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace placid::pl {
#define GEN_PASS_DEF_CONVERTTENSORTOTILEOPS
#include "compiler/dialect/pl/transforms/passes.h.inc"
} // namespace placid::pl

using namespace mlir;

namespace placid::pl {

namespace {

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

DType accumulatorDtype(DType operand) { return isFloat(operand) ? DType::F32 : DType::I32; }

TileType swapped(TileType type) {
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> valid(type.getValidOrShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  std::swap(valid[valid.size() - 1], valid[valid.size() - 2]);
  return TileType::get(type.getContext(), shape, type.getDtype(), type.getMem(),
                       ArrayRef(valid) == ArrayRef(shape) ? ArrayRef<int64_t>() : ArrayRef(valid),
                       !type.getTransposed());
}

class TileConverter {
public:
  TileConverter(func::FuncOp function, ArrayRef<func::CallOp> callers) : function_(function), callers_(callers) {}

  /// Failure only when the IR could not be kept consistent; a diagnostic was reported.
  LogicalResult run() {
    convert(function_.getBody().front());
    // Later ops first: what they read goes after them.
    for (Operation *op : llvm::reverse(dead_)) {
      if (op->use_empty()) {
        op->erase();
      }
    }
    return failure(broken_);
  }

private:
  /// An operand by number: a loop's variable may be a tile by now, which the typed accessors would not take.
  static Value operand(Operation *op, unsigned number) { return op->getOperand(number); }

  Value tileOf(Value tensor) const { return tiles_.lookup(tensor); }
  bool isOnChip(Value tensor) const { return tiles_.contains(tensor); }

  void becomes(Operation *op, Value tile) {
    tiles_[op->getResult(0)] = tile;
    dead_.insert(op);
  }

  void notLowered(Location loc, const std::string &what) { bridge::emitDiag(loc, diag::NotLowered, what); }

  void convert(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      convert(&op);
    }
  }

  void convert(Operation *op) {
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
        .Case([&](scf::WhileOp loop) {
          if (llvm::any_of(loop.getInits(), [&](Value init) { return isOnChip(init); })) {
            notLowered(loop.getLoc(), "a tile that a `while` loop carries");
            broken_ = true;
          }
          convert(loop.getBefore().front());
          convert(loop.getAfter().front());
        })
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

  //===-- GM to tile ----------------------------------------------------------------------------------------------===//

  void convertSlice(OpBuilder &builder, TensorSliceOp slice) {
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
    auto load = TileLoadOp::create(builder, window.loc, type, window.source, offsets, staticOffsets, window.sizes,
                                   valid, staticValid);
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

  /// Slices that a composed window looks through die with the last slice of them.
  void keepInnerSlicesShort(TensorSliceOp slice) {
    SmallVector<Operation *> chain;
    for (auto inner = slice.getSource().getDefiningOp<TensorSliceOp>(); inner;
         inner = inner.getSource().getDefiningOp<TensorSliceOp>()) {
      chain.push_back(inner);
    }
    dead_.insert(chain.rbegin(), chain.rend());
  }

  void extract(OpBuilder &builder, TensorSliceOp slice, Value source) {
    std::optional<SmallVector<int64_t>> shape = staticShape(slice.getType());
    if (!shape || !slice.getDropDims().empty()) {
      notLowered(slice.getLoc(), "this slice of a tile");
      return;
    }
    SmallVector<int64_t> live(slice.getStaticValid());
    const bool known = !live.empty() && !llvm::is_contained(live, ShapedType::kDynamic);
    auto type =
        TileType::get(builder.getContext(), *shape, slice.getType().getDtype(), demandedMemory(slice.getResult()),
                      known && live != *shape ? ArrayRef(live) : ArrayRef<int64_t>(), false);
    auto tile =
        TileExtractOp::create(builder, slice.getLoc(), type, source, slice.getOffsets(), slice.getStaticOffsets());
    tile->setDiscardableAttrs(slice->getDiscardableAttrDictionary());
    becomes(slice, live.empty() || known ? tile.getResult() : narrowed(builder, slice, tile));
  }

  /// The tile with the live part that a slice of rank 2 says.
  Value narrowed(OpBuilder &builder, TensorSliceOp slice, Value tile) {
    auto type = cast<TileType>(tile.getType());
    SmallVector<OpFoldResult> live = mixedList(slice.getValid(), slice.getStaticValid(), builder.getContext());
    if (type.getRank() != 2 || live.size() != 2) {
      notLowered(slice.getLoc(), "this live part of a slice of a tile");
      return tile;
    }
    SmallVector<Value> operands{tile};
    SmallVector<StringRef> names{"tile"};
    SmallVector<NamedAttribute> constants;
    for (auto [extent, name] : llvm::zip(live, ArrayRef<StringRef>{"valid_rows", "valid_cols"})) {
      if (auto value = dyn_cast<Value>(extent)) {
        operands.push_back(value);
        names.push_back(name);
      } else {
        constants.emplace_back(builder.getStringAttr(name), cast<Attribute>(extent));
      }
    }
    auto narrow = TileType::get(type.getContext(), type.getShape(), type.getDtype(), type.getMem(),
                                SmallVector<int64_t>(slice.getStaticValid()), type.getTransposed());
    auto view =
        GenericOp::create(builder, slice.getLoc(), TypeRange{narrow}, builder.getStringAttr("tile.set_validshape"),
                          operands, builder.getStrArrayAttr(names));
    for (NamedAttribute constant : constants) {
      view->setDiscardableAttr(constant.getName(), constant.getValue());
    }
    return view->getResult(0);
  }

  /// The whole tensor as one tile; null (and reported) when its shape is dynamic.
  Value loadWhole(OpBuilder &builder, Value tensor, Mem mem, Location loc) {
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

  void convertCreate(OpBuilder &builder, TensorCreateOp create) {
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

  //===-- Compute -------------------------------------------------------------------------------------------------===//

  void convertReshape(OpBuilder &builder, TensorReshapeOp reshape) {
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

  /// The live part under another shape: kept where only unit axes come or go, else all of it.
  static SmallVector<int64_t> reshapedValid(TileType from, ArrayRef<int64_t> shape) {
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

  Value matmulOperand(OpBuilder &builder, Operation *op, unsigned number, bool transposed) {
    Value tensor = op->getOperand(number);
    Value tile = tileOf(tensor);
    if (!tile) {
      tile = loadWhole(builder, tensor, Mem::Mat, argLoc(op, kOperandsArg, number).range);
    }
    if (!tile || !transposed) {
      return tile;
    }
    auto type = cast<TileType>(tile.getType());
    if (type.getMem() == Mem::Vec) {
      type = type.withMem(Mem::Mat);
      tile = TileMoveOp::create(builder, op->getLoc(), type, tile);
    }
    return TileTransposeViewOp::create(builder, op->getLoc(), swapped(type), tile);
  }

  void convertMatmul(OpBuilder &builder, TensorMatmulOp matmul) {
    Value lhs = matmulOperand(builder, matmul, 0, matmul.getATrans());
    Value rhs = matmulOperand(builder, matmul, 1, matmul.getBTrans());
    std::optional<SmallVector<int64_t>> shape = staticShape(matmul.getType());
    if (!lhs || !rhs || !shape) {
      return;
    }
    auto lhsType = cast<TileType>(lhs.getType());
    auto rhsType = cast<TileType>(rhs.getType());
    SmallVector<int64_t> valid(*shape);
    unsigned rank = shape->size();
    valid[rank - 2] = lhsType.getValidOrShape()[lhsType.getRank() - 2];
    valid[rank - 1] = rhsType.getValidOrShape()[rhsType.getRank() - 1];
    auto type = TileType::get(builder.getContext(), *shape, accumulatorDtype(lhsType.getDtype()), Mem::Acc,
                              ArrayRef(valid) == ArrayRef(*shape) ? ArrayRef<int64_t>() : ArrayRef(valid), false);
    Operation *tile = rank == 2 ? TileMatmulOp::create(builder, matmul.getLoc(), type, lhs, rhs).getOperation()
                                : TileBatchMatmulOp::create(builder, matmul.getLoc(), type, lhs, rhs).getOperation();
    tile->setDiscardableAttrs(matmul->getDiscardableAttrDictionary());
    becomes(matmul, tile->getResult(0));
  }

  void convertMatmulAcc(OpBuilder &builder, TensorMatmulAccOp matmul) {
    Value acc = tileOf(operand(matmul, 0));
    if (!acc) {
      notLowered(matmul.getLoc(), "a matmul_acc into a tensor in GM");
      return;
    }
    Value lhs = matmulOperand(builder, matmul, 1, matmul.getATrans());
    Value rhs = matmulOperand(builder, matmul, 2, matmul.getBTrans());
    if (!lhs || !rhs) {
      return;
    }
    auto type = cast<TileType>(acc.getType());
    Operation *tile = type.getRank() == 2
                          ? TileMatmulAccOp::create(builder, matmul.getLoc(), type, acc, lhs, rhs).getOperation()
                          : TileBatchMatmulAccOp::create(builder, matmul.getLoc(), type, acc, lhs, rhs).getOperation();
    tile->setDiscardableAttrs(matmul->getDiscardableAttrDictionary());
    becomes(matmul, tile->getResult(0));
  }

  void convertAssemble(OpBuilder &builder, TensorAssembleOp assemble) {
    Value source = tileOf(operand(assemble, 1));
    if (Value target = tileOf(operand(assemble, 0))) {
      if (!source) {
        source = loadWhole(builder, operand(assemble, 1), Mem::Vec, argLoc(assemble, kOperandsArg, 1).range);
      }
      if (source) {
        becomes(assemble, assembleTile(builder, assemble, target, source));
      }
      return;
    }
    if (!source) {
      source = loadWhole(builder, operand(assemble, 1), Mem::Vec, argLoc(assemble, kOperandsArg, 1).range);
      if (!source) {
        return;
      }
    }
    auto store = TileStoreOp::create(builder, assemble.getLoc(), assemble.getType(), source, operand(assemble, 0),
                                     assemble.getOffsets(), assemble.getStaticOffsets(), DenseI64ArrayAttr(),
                                     assemble.getAtomicAttr(), false, false, StringAttr());
    store->setDiscardableAttrs(assemble->getDiscardableAttrDictionary());
    assemble.replaceAllUsesWith(store.getResult());
    dead_.insert(assemble);
  }

  Value assembleTile(OpBuilder &builder, TensorAssembleOp assemble, Value target, Value source) {
    SmallVector<Value> operands{target, source};
    SmallVector<StringRef> names{"target", "source"};
    for (Value offset : assemble.getOffsets()) {
      operands.push_back(offset);
      names.push_back("offset");
    }
    auto tile = GenericOp::create(builder, assemble.getLoc(), TypeRange{target.getType()},
                                  builder.getStringAttr("tile.assemble"), operands, builder.getStrArrayAttr(names));
    tile->setDiscardableAttr("offset", assemble.getStaticOffsetsAttr());
    return tile->getResult(0);
  }

  //===-- Operations of the table ---------------------------------------------------------------------------------===//

  /// True for rows whose two forms take the same operands in the same order.
  static bool hasParallelForms(const ops::OpRow &row) {
    switch (row.tensor ? row.tensor->rule : ops::Rule::None) {
    case ops::Rule::FillPad:
    case ops::Rule::SetValidShape:
    case ops::Rule::Concat:
    case ops::Rule::Transpose:
    case ops::Rule::Sort32:
    case ops::Rule::MrgSort:
      return row.tile != nullptr;
    case ops::Rule::Compare: // one element an element; on tiles one bit
      return false;
    default:
      break;
    }
    switch (row.category) {
    case ops::Category::Elementwise:
    case ops::Category::ScalarOperand:
    case ops::Category::Bitwise:
    case ops::Category::Unary:
    case ops::Category::Reduction:
    case ops::Category::Expand:
      return row.tensor && row.tile;
    default:
      return false;
    }
  }

  /// The tile type of a tensor result. Along each axis the live part is that of an operand of the same length. Null
  /// when the shape is dynamic.
  static TileType tileResult(GenericOp generic, ValueRange operands) {
    Type type = generic->getResult(0).getType();
    auto tensor = dyn_cast<TensorType>(type);
    std::optional<SmallVector<int64_t>> shape = tensor ? staticShape(tensor) : std::nullopt;
    if (!shape) {
      return {};
    }
    SmallVector<int64_t> valid(*shape);
    const ops::Rule rule = generic.getRow().tensor->rule;
    if (rule == ops::Rule::SetValidShape && shape->size() == 2) {
      for (unsigned axis : {0u, 1u}) {
        auto constant = dyn_cast_or_null<IntegerAttr>(generic.getConfig(axis == 0 ? "valid_rows" : "valid_cols"));
        valid[axis] = constant ? constant.getInt() : ShapedType::kDynamic;
      }
    } else if (rule == ops::Rule::Transpose) {
      auto source = dyn_cast<TileType>(operands[0].getType());
      auto first = dyn_cast_or_null<IntegerAttr>(generic.getConfig("axis1"));
      auto second = dyn_cast_or_null<IntegerAttr>(generic.getConfig("axis2"));
      if (source && source.getRank() == shape->size() && first && second) {
        auto at = [&](int64_t axis) { return axis < 0 ? axis + static_cast<int64_t>(shape->size()) : axis; };
        valid = SmallVector<int64_t>(source.getValidOrShape());
        std::swap(valid[at(first.getInt())], valid[at(second.getInt())]);
      }
    } else if (rule != ops::Rule::FillPad && rule != ops::Rule::Concat) {
      for (unsigned axis = 0; axis < shape->size(); ++axis) {
        for (Value operand : operands) {
          auto tile = dyn_cast<TileType>(operand.getType());
          if (tile && tile.getRank() == shape->size() && tile.getShape()[axis] == (*shape)[axis]) {
            valid[axis] = tile.getValidOrShape()[axis];
            break;
          }
        }
      }
    }
    return TileType::get(type.getContext(), *shape, tensor.getDtype(), Mem::Vec,
                         ArrayRef(valid) == ArrayRef(*shape) ? ArrayRef<int64_t>() : ArrayRef(valid), false);
  }

  /// Operands that live on chip are read there. Where the row has a tile form of the same operands, that is what it
  /// becomes.
  void convertGeneric(OpBuilder &builder, GenericOp generic) {
    SmallVector<Value> operands;
    bool onChip = false;
    for (Value operand : generic.getOperands()) {
      Value tile = tileOf(operand);
      onChip |= static_cast<bool>(tile);
      operands.push_back(tile ? tile : operand);
    }
    const ops::OpRow &row = generic.getRow();
    const bool tensors = generic.getFormKind() == ops::FormKind::Tensor;
    if (tensors && row.tensor->rule == ops::Rule::Gather && generic->getNumResults() == 1) {
      convertGather(builder, generic, operands);
      return;
    }
    const bool parallel = tensors && generic->getNumResults() == 1 &&
                          (hasParallelForms(row) || (row.tensor->rule == ops::Rule::Write && !operands.empty() &&
                                                     isa<TileType>(operands.front().getType())));
    // What is made from nothing is made where it is read.
    bool made = tensors && generic->getNumResults() == 1 &&
                (row.tensor->rule == ops::Rule::Full || row.tensor->rule == ops::Rule::Arange) && wantsTile(generic);
    // An NZ operand is BlockNzTensorViews' to refuse.
    if (llvm::any_of(operands, [](Value operand) {
          auto tensor = dyn_cast<TensorType>(operand.getType());
          return tensor && tensor.isNz();
        })) {
      generic->setOperands(operands);
      return;
    }
    if (!onChip && !made && !parallel) {
      return;
    }
    if (parallel) {
      // The unit reads no GM: what is still there comes whole.
      for (auto [number, operand] : llvm::enumerate(operands)) {
        if (isa<TensorType>(operand.getType())) {
          operand = loadWhole(builder, operand, Mem::Vec, argLoc(generic, kOperandsArg, number).range);
          if (!operand) {
            return;
          }
        }
      }
    }
    TileType type = generic->getNumResults() == 1 && tensors ? tileResult(generic, operands) : TileType();
    if ((!parallel && !made) || !type) {
      generic->setOperands(operands);
      return;
    }
    // Tiles have an operation of its own for a number on the right where tensors take either.
    std::string tileName = ops::irName(row, ops::FormKind::Tile);
    const ops::Form *form = row.tile;
    for (auto [name, operand] : llvm::zip(generic.getOperandNames().getAsRange<StringAttr>(), operands)) {
      ops::OpMatch scalar = ops::findIrName(ops::irNameWithScalar(tileName));
      if (name.getValue() == "rhs" && !isa<TileType, TensorType>(operand.getType()) && scalar.row) {
        tileName = ops::irNameWithScalar(tileName);
        form = scalar.row->tile;
        break;
      }
    }
    // A parameter keeps its name where the tile form has one of that name, else it is the one at its place.
    auto renamed = [&](StringRef name) -> StringRef {
      if (form->find(std::string_view(name.data(), name.size()))) {
        return name;
      }
      for (size_t i = 0; i < row.tensor->parameters.size() && i < form->parameters.size(); ++i) {
        if (row.tensor->parameters[i].name == std::string_view(name.data(), name.size())) {
          std::string_view tile = form->parameters[i].name;
          return {tile.data(), tile.size()};
        }
      }
      return name;
    };
    SmallVector<StringRef> names;
    for (StringAttr name : generic.getOperandNames().getAsRange<StringAttr>()) {
      names.push_back(renamed(name.getValue()));
    }
    auto tile = GenericOp::create(builder, generic.getLoc(), type ? TypeRange(ArrayRef<Type>(type)) : TypeRange(),
                                  builder.getStringAttr(tileName), operands, builder.getStrArrayAttr(names));
    for (NamedAttribute attribute : generic->getDiscardableAttrs()) {
      StringRef name = attribute.getName().getValue();
      if (name.contains('.') || form->find(std::string_view(name.data(), name.size()))) {
        tile->setDiscardableAttr(attribute.getName(), attribute.getValue());
      }
    }
    if (type) {
      becomes(generic, tile->getResult(0));
    } else {
      dead_.insert(generic);
    }
  }

  GenericOp makeTile(OpBuilder &builder, Location loc, StringRef name, TileType type, ArrayRef<Value> operands,
                     ArrayRef<StringRef> names) {
    return GenericOp::create(builder, loc, TypeRange{type}, builder.getStringAttr(name), operands,
                             builder.getStrArrayAttr(names));
  }

  /// By a mask pattern: `gather_mask`. By index along the last axis: the unit counts elements from the first of the
  /// tile, so the index of each row is moved on by the rows above it.
  void convertGather(OpBuilder &builder, GenericOp generic, ArrayRef<Value> operands) {
    auto result = dyn_cast<TensorType>(generic->getResult(0).getType());
    std::optional<SmallVector<int64_t>> shape = result ? staticShape(result) : std::nullopt;
    auto given = [&](StringRef name) -> Value {
      for (auto [parameter, value] : llvm::zip(generic.getOperandNames().getAsRange<StringAttr>(), operands)) {
        if (parameter.getValue() == name) {
          return isa<TensorType>(value.getType()) && !cast<TensorType>(value.getType()).isNz()
                     ? loadWhole(builder, value, Mem::Vec, generic.getLoc())
                     : value;
        }
      }
      return {};
    };
    auto dim = dyn_cast_or_null<IntegerAttr>(generic.getConfig("dim"));
    const bool byMask = generic.getConfig("mask_pattern") != nullptr;
    const bool byIndex = !byMask && generic.getArgument("index") && !generic.getConfig("kvalue") &&
                         !generic.getArgument("kvalue") && dim && (dim.getInt() == -1 || dim.getInt() == 1);
    if (!shape || shape->size() != 2 || (!byMask && !byIndex)) {
      generic->setOperands(operands);
      return; // the conversion names it
    }
    Value source = given("input");
    Value index = byIndex ? given("index") : Value();
    if (!source || !isa<TileType>(source.getType()) || (byIndex && !isa_and_nonnull<TileType>(index.getType()))) {
      return;
    }
    auto from = cast<TileType>(source.getType());
    Location loc = generic.getLoc();
    auto type = TileType::get(builder.getContext(), *shape, result.getDtype(), Mem::Vec);
    if (byMask) {
      GenericOp mask = makeTile(builder, loc, "tile.gather_mask", type, {source}, {"src"});
      mask->setDiscardableAttr("mask_pattern", generic.getConfig("mask_pattern"));
      becomes(generic, mask->getResult(0));
      return;
    }
    const int64_t rows = (*shape)[0];
    auto indexType = cast<TileType>(index.getType());
    if (rows > 1) {
      auto line = TileType::get(builder.getContext(), {1, rows}, indexType.getDtype(), Mem::Vec);
      GenericOp count = makeTile(builder, loc, "tile.arange", line, {}, {});
      count->setDiscardableAttr("start", builder.getI64IntegerAttr(0));
      Value length = arith::ConstantOp::create(
          builder, loc,
          builder.getIntegerAttr(scalarType(builder.getContext(), indexType.getDtype()), from.getShape()[1]));
      GenericOp begin = makeTile(builder, loc, "tile.muls", line, {count->getResult(0), length}, {"lhs", "rhs"});
      Value column = TileReshapeOp::create(builder, loc, line.withShape({rows, 1}), begin->getResult(0));
      index =
          makeTile(builder, loc, "tile.row_expand_add", indexType, {index, column}, {"tile", "row_vec"})->getResult(0);
    }
    Value tmp = TileCreateOp::create(builder, loc, indexType.withShape(indexType.getShape()));
    becomes(generic,
            makeTile(builder, loc, "tile.gather", type, {source, index, tmp}, {"src", "indices", "tmp"})->getResult(0));
  }

  //===-- Control flow --------------------------------------------------------------------------------------------===//

  void convertLoop(scf::ForOp loop) {
    for (auto [index, init] : llvm::enumerate(loop.getInitArgsMutable())) {
      if (Value tile = tileOf(init.get())) {
        init.set(tile);
        for (Value carried : {Value(loop.getRegionIterArgs()[index]), Value(loop.getResult(index))}) {
          carried.setType(tile.getType());
          tiles_[carried] = carried;
        }
      }
    }
    convert(*loop.getBody());
    auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
    for (auto [index, operand] : llvm::enumerate(yield->getOpOperands())) {
      if (operand.get().getType() != loop.getResult(index).getType() &&
          !agreeOnLivePart(operand.get(), loop.getResult(index))) {
        notLowered(yield.getLoc(), "a variable that is a tensor before the loop and a tile in it");
        broken_ = true;
      }
    }
  }

  /// Gives two tiles that are to be one buffer one type where they differ in their live parts only. What a tile is
  /// started with but says nothing in it (a new tile) follows; a tile that has contents keeps its live part, and what
  /// is computed into it is live where its operands are.
  bool agreeOnLivePart(Value a, Value b) {
    auto first = dyn_cast<TileType>(a.getType());
    auto second = dyn_cast<TileType>(b.getType());
    if (!first || !second || first.withShape(first.getShape()) != second.withShape(second.getShape())) {
      return false;
    }
    SmallVector<int64_t> valid;
    for (auto [left, right] : llvm::zip(first.getValidOrShape(), second.getValidOrShape())) {
      const bool dynamic = ShapedType::isDynamic(left) || ShapedType::isDynamic(right);
      valid.push_back(dynamic ? ShapedType::kDynamic : std::min(left, right));
    }
    auto narrow = TileType::get(first.getContext(), first.getShape(), first.getDtype(), first.getMem(),
                                ArrayRef(valid) == first.getShape() ? ArrayRef<int64_t>() : ArrayRef(valid),
                                first.getTransposed());
    SmallVector<Value> tied = tiedValues({a, b});
    // Values with contents of their own decide; then everything takes their type.
    TileType type = narrow;
    for (Value value : tied) {
      Operation *op = value.getDefiningOp();
      if (op && isa<TileLoadOp, TileReshapeOp, TileExtractOp, TileMoveOp, TileTransposeViewOp>(op)) {
        type = cast<TileType>(value.getType());
      }
      auto generic = dyn_cast_or_null<GenericOp>(op);
      if (generic && generic.getRow().tile && generic.getRow().tile->rule == ops::Rule::Full) {
        type = cast<TileType>(value.getType());
      }
    }
    for (Value value : tied) {
      Operation *op = value.getDefiningOp();
      if (op && isa<TileLoadOp, TileReshapeOp, TileExtractOp, TileMoveOp, TileTransposeViewOp>(op) &&
          value.getType() != type) {
        return false;
      }
    }
    for (Value value : tied) {
      value.setType(type);
    }
    return true;
  }

  /// Everything that is one buffer with one of the values because a loop, a branch or an accumulation hands it on.
  static SmallVector<Value> tiedValues(ArrayRef<Value> from) {
    llvm::SetVector<Value> out(from.begin(), from.end());
    for (size_t i = 0; i < out.size(); ++i) {
      Value value = out[i];
      auto tieLoop = [&](scf::ForOp loop, unsigned index) {
        out.insert(loop.getInitArgs()[index]);
        out.insert(loop.getRegionIterArgs()[index]);
        out.insert(loop.getResult(index));
        if (auto yield = dyn_cast<scf::YieldOp>(loop.getBody()->getTerminator())) {
          out.insert(yield.getOperand(index));
        }
      };
      auto tieBranch = [&](scf::IfOp branch, unsigned index) {
        out.insert(branch.getResult(index));
        out.insert(branch.thenYield().getOperand(index));
        out.insert(branch.elseYield().getOperand(index));
      };
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
          tieLoop(loop, argument.getArgNumber() - 1);
        }
      } else if (auto loop = value.getDefiningOp<scf::ForOp>()) {
        tieLoop(loop, cast<OpResult>(value).getResultNumber());
      } else if (auto branch = value.getDefiningOp<scf::IfOp>()) {
        tieBranch(branch, cast<OpResult>(value).getResultNumber());
      } else if (auto matmul = value.getDefiningOp<TileMatmulAccOp>()) {
        out.insert(matmul.getAcc());
      } else if (auto batched = value.getDefiningOp<TileBatchMatmulAccOp>()) {
        out.insert(batched.getAcc());
      }
      for (OpOperand &use : value.getUses()) {
        Operation *user = use.getOwner();
        if (auto loop = dyn_cast<scf::ForOp>(user)) {
          if (use.getOperandNumber() >= loop.getNumControlOperands()) {
            tieLoop(loop, use.getOperandNumber() - loop.getNumControlOperands());
          }
        } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
          if (auto outer = dyn_cast<scf::ForOp>(yield->getParentOp())) {
            tieLoop(outer, use.getOperandNumber());
          } else if (auto branch = dyn_cast<scf::IfOp>(yield->getParentOp())) {
            tieBranch(branch, use.getOperandNumber());
          }
        } else if (isa<TileMatmulAccOp, TileBatchMatmulAccOp>(user) && use.getOperandNumber() == 0) {
          out.insert(user->getResult(0));
        }
      }
    }
    SmallVector<Value> tiles;
    llvm::copy_if(out, std::back_inserter(tiles), [](Value value) { return isa<TileType>(value.getType()); });
    return tiles;
  }

  void convertIf(scf::IfOp branch) {
    convert(*branch.thenBlock());
    if (branch.getElseRegion().empty()) {
      return;
    }
    convert(*branch.elseBlock());
    for (auto [index, result] : llvm::enumerate(branch.getResults())) {
      if (branch.thenYield()->getOperand(index).getType() != branch.elseYield()->getOperand(index).getType()) {
        agreeOnLivePart(branch.thenYield()->getOperand(index), branch.elseYield()->getOperand(index));
      }
      Type then = branch.thenYield()->getOperand(index).getType();
      if (then != branch.elseYield()->getOperand(index).getType()) {
        notLowered(branch.getLoc(), "a variable whose two branches give different kinds of tile");
        broken_ = true;
      } else if (isa<TileType>(then)) {
        result.setType(then);
        tiles_[result] = result;
      }
    }
  }

  /// A tile that is returned is stored to a new argument, which the callers supply.
  void convertReturn(OpBuilder &builder, func::ReturnOp ret) {
    for (auto [index, operand] : llvm::enumerate(ret->getOpOperands())) {
      Value tile = tileOf(operand.get());
      if (!tile) {
        continue;
      }
      auto declared = cast<TensorType>(function_.getResultTypes()[index]);
      std::string name = "ret" + std::to_string(index) + "__out";
      unsigned number = function_.getNumArguments();
      NamedAttrList attrs;
      attrs.append(kNameAttr, builder.getStringAttr(name));
      attrs.append(kDirAttr, builder.getStringAttr("out"));
      if (failed(function_.insertArgument(number, declared, attrs.getDictionary(builder.getContext()), ret.getLoc()))) {
        broken_ = true;
        return;
      }
      SmallVector<int64_t> zeros(declared.getRank(), 0);
      auto store =
          TileStoreOp::create(builder, ret.getLoc(), declared, tile, function_.getArgument(number), ValueRange(), zeros,
                              DenseI64ArrayAttr(), StringAttr(), false, false, StringAttr());
      operand.set(store.getResult());
      addCallerBuffers(index);
    }
  }

  void addCallerBuffers(unsigned result) {
    for (func::CallOp call : callers_) {
      OpBuilder builder(call);
      auto buffer = TensorCreateOp::create(builder, call.getLoc(), cast<TensorType>(call.getResult(result).getType()));
      call.getOperandsMutable().append(ValueRange{buffer});
    }
  }

  func::FuncOp function_;
  ArrayRef<func::CallOp> callers_;
  DenseMap<Value, Value> tiles_;
  llvm::SetVector<Operation *> dead_; ///< Erased at the end, unless something kept a use.
  bool broken_ = false;
};

struct ConvertTensorToTileOps : impl::ConvertTensorToTileOpsBase<ConvertTensorToTileOps> {
  void runOnOperation() override {
    bool ok = true;
    llvm::StringMap<SmallVector<func::CallOp>> callers; // no call is made or erased below
    getOperation().walk([&](func::CallOp call) { callers[call.getCallee()].push_back(call); });
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>()) {
      auto kind = function->getAttrOfType<StringAttr>(kKindAttr);
      if (kind && kind.getValue() == "incore" && !function.isDeclaration()) {
        ok &= succeeded(TileConverter(function, callers[function.getName()]).run());
      }
    }
    if (!ok) {
      signalPassFailure();
    }
  }
};

} // namespace

} // namespace placid::pl
