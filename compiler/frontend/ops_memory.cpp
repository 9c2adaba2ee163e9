// SPDX-License-Identifier: Apache-2.0
// Loads, stores, allocation, element reads and moves.
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using syntax::Expr;

namespace {

/// The product of extents; nullopt when it does not fit.
std::optional<int64_t> count(llvm::ArrayRef<int64_t> extents) {
  int64_t out = 1;
  for (int64_t extent : extents) {
    if (__builtin_mul_overflow(out, extent, &out)) {
      return std::nullopt;
    }
  }
  return out;
}

} // namespace

Val KernelBuilder::load(const Expr &call, OpCall &args) {
  const Expr &tensorExpr = *args.get("tensor");
  Val tensor = args.value("tensor");
  auto offsets = entries(*args.get("offsets"), "offsets");
  auto extents = entries(*args.get("shapes"), "shapes");
  std::optional<std::vector<Entry>> valid;
  const Expr *validExpr = args.get("valid_shape");
  bool hasValid = validExpr && validExpr->kind != Expr::Kind::None;
  if (hasValid) {
    valid = entries(*validExpr, "valid_shape");
  }
  if (tensor.isPoison() || !offsets || !extents || (hasValid && !valid)) {
    return Val::poison();
  }
  if (!tensor.isTensor()) {
    return typeMismatch(tensorExpr.range, "`pl.load`", "reads a tensor, got " + describe(tensor));
  }
  unsigned rank = tensor.tensorType().getRank();
  if (!sameRank(*offsets, rank, tensor, *args.get("offsets"), "offsets list") ||
      !sameRank(*extents, rank, tensor, *args.get("shapes"), "shapes list") ||
      (valid && !sameRank(*valid, rank, tensor, *validExpr, "valid_shape list"))) {
    return Val::poison();
  }
  auto shape = constants(*extents, *args.get("shapes"), "an extent of the loaded tile");
  if (!shape || !soundShape(*extents, *args.get("shapes"))) {
    return Val::poison();
  }
  pl::Mem target = pl::Mem::Vec;
  const Expr *targetExpr = args.get("target_memory");
  if (targetExpr) {
    ConstValue value = staticValue(*targetExpr);
    if (value.kind != ConstValue::Kind::Mem) {
      if (!expression(*targetExpr).isPoison()) {
        typeMismatch(targetExpr->range, "`target_memory`", "must be a member of `pl.Mem`");
      }
      return Val::poison();
    }
    target = value.mem;
    if (target != pl::Mem::Vec && target != pl::Mem::Mat && !tensor.tensorType().isNz()) { // NZ says more about it
      return typeMismatch(targetExpr->range, "`target_memory`",
                          "a load reaches Vec and Mat, not " + pl::plName(target).str() +
                              ": load to one of them and `pl.move` the tile");
    }
  }
  const bool leftToNz =
      tensor.tensorType().isNz() && valid && llvm::any_of(*valid, [](const Entry &entry) {
        return entry.value.isInt() && entry.value.constant.integer == 0; // the NZ pass says more about it
      });
  if (valid && !leftToNz && !soundValid(*valid, *extents, *validExpr)) {
    return Val::poison();
  }
  bool clamp = flag(args, "clamp");
  if (!clamp && !inBounds(tensor, *offsets, valid ? *valid : *extents, call)) {
    return Val::poison();
  }
  if (clamp) {
    valid = cutAtEdges(tensor, *offsets, valid ? *valid : *extents, call);
    if (!valid) {
      return Val::poison();
    }
  }
  Mixed offsetList = mixed(*offsets);
  Mixed validList = valid ? mixed(*valid) : Mixed{};
  llvm::SmallVector<int64_t> tileValid(validList.statics);
  if (llvm::ArrayRef<int64_t>(tileValid) == llvm::ArrayRef<int64_t>(*shape)) {
    tileValid.clear();
  }
  auto type = pl::TileType::get(context_, *shape, tensor.tensorType().getDtype(), target, tileValid, false);
  ArgLists lists{{pl::kOffsetsArg, exprsOf(*offsets, *args.get("offsets"))},
                 {pl::kSizesArg, exprsOf(*extents, *args.get("shapes"))},
                 {pl::kOperandsArg, {&tensorExpr}}};
  if (valid) {
    lists.push_back({pl::kValidArg, exprsOf(*valid, hasValid ? *validExpr : call)});
  }
  if (targetExpr) {
    lists.push_back({pl::kTargetArg, {targetExpr}});
  }
  auto made = pl::TileLoadOp::create(builder_, accessLocation(call.range, lists), type, tensor.ir, offsetList.dynamic,
                                     offsetList.statics, *shape, validList.dynamic, validList.statics);
  if (clamp || isPaddedBlock(tensor, *extents)) {
    made->setAttr(pl::kTrimmedAttr, builder_.getUnitAttr());
  }
  return Val::ofTile(made);
}

/// A store copies bytes: it converts only what leaves the accumulator. NZ has rules of its own.
bool KernelBuilder::storable(const Val &tile, const Val &dest, OpCall &args) {
  pl::TileType from = tile.tileType();
  pl::TensorType to = dest.tensorType();
  bool accumulator = from.getMem() == pl::Mem::Acc;
  bool quantized = args.get("pre_quant") && args.get("pre_quant")->kind != Expr::Kind::None;
  if (to.isNz() || quantized || from.getMem() == pl::Mem::Unset) {
    return true;
  }
  if (!accumulator) {
    return bytesFit(tile, dest, args.get("tile")->range, "`pl.store`");
  }
  const bool integers = !pl::isFloat(from.getDtype());
  const bool fits =
      integers ? to.getDtype() == pl::DType::I32
               : to.getDtype() == pl::DType::F32 || to.getDtype() == pl::DType::F16 || to.getDtype() == pl::DType::BF16;
  if (!fits) {
    typeMismatch(args.get("tile")->range, "`pl.store`",
                 describe(tile) + " is stored to " + describe(dest) +
                     (integers ? ": of integers, an accumulator leaves as INT32"
                               : ": of floats, an accumulator leaves as FP32, FP16 or BF16"));
  }
  return fits;
}

bool KernelBuilder::bytesFit(const Val &value, const Val &dest, source::ByteRange at, const char *what) {
  pl::DType from = value.isTile() ? value.tileType().getDtype() : value.tensorType().getDtype();
  pl::DType to = dest.tensorType().getDtype();
  if (pl::bitWidth(from) != pl::bitWidth(to)) {
    typeMismatch(at, what,
                 describe(value) + " is stored to " + describe(dest) +
                     ": a store converts nothing, convert the tile with `pl.cast`");
    return false;
  }
  // INT32 and UINT32 hold one another's bits on purpose often enough; a float has no use as an integer.
  if (from != to && (pl::isFloat(from) || pl::isFloat(to))) {
    reporter_.report(diag::BitsStored, at, describe(value), describe(dest));
  }
  return true;
}

/// What the store writes of the destination, an entry an axis; `sizes`: where the call says so itself.
std::optional<std::vector<KernelBuilder::Entry>> KernelBuilder::storeWindow(const Val &tile, const Val &dest,
                                                                            const std::vector<Entry> *extents,
                                                                            const Expr *shapesExpr,
                                                                            mlir::DenseI64ArrayAttr &sizes) {
  pl::TensorType type = dest.tensorType();
  llvm::ArrayRef<int64_t> live = tile.tileType().getValidOrShape();
  std::vector<Entry> window;
  if (!extents) {
    for (unsigned axis = 0; axis < type.getRank(); ++axis) {
      size_t skipped = type.getRank() - std::min<size_t>(type.getRank(), live.size());
      Val extent = Val::ofConst(ConstValue::ofInt(axis < skipped ? 1 : live[axis - skipped]));
      if (mlir::ShapedType::isDynamic(extent.constant.integer)) {
        extent = Val::poison();
      }
      window.push_back({extent, nullptr});
    }
    return window;
  }
  auto numbers = constants(*extents, *shapesExpr, "an extent of the stored window");
  if (!numbers) {
    return std::nullopt;
  }
  // A window of several NZ panels is the NZ pass's to refuse, with its reason.
  bool panels =
      type.isNz() && count(llvm::ArrayRef<int64_t>(*numbers).drop_back(std::min<size_t>(2, numbers->size()))) != 1;
  bool fixed = !llvm::is_contained(live, mlir::ShapedType::kDynamic);
  if (fixed && !panels && count(*numbers) != count(live)) {
    shapeMismatch(shapesExpr->range, "`shapes`",
                  "the window " + frontend::showExtents(pl::extentAttrs(context_, *numbers)) +
                      " does not hold the elements of " + describe(tile));
    return std::nullopt;
  }
  // Rows may be split over leading axes; a store moves no element to another row.
  auto rowsOf = [](llvm::ArrayRef<int64_t> shape) {
    return count(shape.drop_back(std::min<size_t>(1, shape.size()))).value_or(0);
  };
  if (fixed && !panels && rowsOf(*numbers) != rowsOf(live)) {
    shapeMismatch(shapesExpr->range, "`shapes`",
                  "the window " + frontend::showExtents(pl::extentAttrs(context_, *numbers)) + " has " +
                      std::to_string(rowsOf(*numbers)) + " rows, " + describe(tile) + " has " +
                      std::to_string(rowsOf(live)) + ": a store keeps rows and columns");
    return std::nullopt;
  }
  sizes = builder_.getDenseI64ArrayAttr(*numbers);
  return *extents;
}

KernelBuilder::StoreOptions KernelBuilder::storeOptions(OpCall &args) {
  StoreOptions out;
  for (const char *keyword : {"atomic", "pre_quant", "pre_relu", "st_phase"}) {
    const Expr *expr = args.get(keyword);
    if (!expr) {
      continue;
    }
    ConstValue value = staticValue(*expr);
    std::string text = value.kind == ConstValue::Kind::PlPath ? value.text.substr(value.text.rfind('.') + 1)
                       : value.kind == ConstValue::Kind::Str  ? value.text
                                                              : frontend::show(value);
    bool off = value.kind == ConstValue::Kind::None || value.isUnknown() || (value.isBool() && !value.truthy()) ||
               text == "None_";
    std::string_view which = keyword;
    if (which == "st_phase") {
      out.phase = builder_.getStringAttr(text);
    } else if (!off) {
      out.first = out.first ? out.first : expr;
      out.atomic = which == "atomic" ? builder_.getStringAttr(text) : out.atomic;
      out.preQuant |= which == "pre_quant";
      out.preRelu |= which == "pre_relu";
    }
  }
  return out;
}

Val KernelBuilder::store(const Expr &call, OpCall &args) {
  const Expr &tileExpr = *args.get("tile");
  Val tile = args.value("tile");
  auto offsets = entries(*args.get("offsets"), "offsets");
  const Expr &destExpr = *args.get("output_tensor");
  Val dest = args.value("output_tensor");
  std::optional<std::vector<Entry>> extents;
  const Expr *shapesExpr = args.get("shapes");
  if (shapesExpr && shapesExpr->kind != Expr::Kind::None) {
    extents = entries(*shapesExpr, "shapes");
    if (!extents) {
      return dest;
    }
  }
  // A store that fails still leaves the destination what it was: later statements go on with it.
  if (tile.isPoison() || dest.isPoison() || !offsets) {
    return dest;
  }
  if (!tile.isTile()) {
    const bool swapped = tile.isTensor() && dest.isTile();
    typeMismatch(tileExpr.range, "`pl.store`",
                 "writes a tile, got " + describe(tile) + (swapped ? ": the tile comes first, the tensor last" : ""));
    return swapped ? tile : dest;
  }
  if (!dest.isTensor()) {
    return typeMismatch(destExpr.range, "`pl.store`", "writes to a tensor, got " + describe(dest));
  }
  pl::TensorType type = dest.tensorType();
  if (!sameRank(*offsets, type.getRank(), dest, *args.get("offsets"), "offsets list") ||
      (extents && !sameRank(*extents, type.getRank(), dest, *shapesExpr, "shapes list"))) {
    return dest;
  }
  if (tile.tileType().getRank() > type.getRank()) {
    reporter_.report(diag::Rank, tileExpr.range, "the stored tile",
                     describe(tile) + " has more axes than " + describe(dest));
    return dest;
  }
  mlir::DenseI64ArrayAttr sizes;
  auto window = storeWindow(tile, dest, extents ? &*extents : nullptr, shapesExpr, sizes);
  if (!window || !inBounds(dest, *offsets, *window, call) || !storable(tile, dest, args)) {
    return dest;
  }
  Mixed offsetList = mixed(*offsets);
  StoreOptions options = storeOptions(args);
  ArgLists lists{{pl::kOffsetsArg, exprsOf(*offsets, *args.get("offsets"))},
                 {pl::kOperandsArg, {&tileExpr, &destExpr}}};
  if (extents) {
    lists.push_back({pl::kSizesArg, exprsOf(*extents, *shapesExpr)});
  }
  if (options.first) {
    lists.push_back({pl::kTargetArg, {options.first}});
  }
  mlir::Value result = pl::TileStoreOp::create(builder_, accessLocation(call.range, lists), type, tile.ir, dest.ir,
                                               offsetList.dynamic, offsetList.statics, sizes, options.atomic,
                                               options.preQuant, options.preRelu, options.phase, mlir::Value());
  return Val::ofTensor(result, dest.origin);
}

Val KernelBuilder::createTensor(const Expr &call, OpCall &args) {
  auto extents = entries(*args.get("shape"), "shape");
  std::optional<pl::DType> dtype = dtypeArgument(args, "dtype");
  if (!extents) {
    return Val::poison();
  }
  if (!dtype) {
    return typeMismatch(args.get("dtype")->range, "`dtype`", "must be a PL dtype such as `pl.FP32`");
  }
  if (!soundShape(*extents, *args.get("shape"))) {
    return Val::poison();
  }
  llvm::SmallVector<mlir::Attribute> dims;
  for (const Entry &entry : *extents) {
    if (entry.value.isInt()) {
      dims.push_back(pl::extentAttr(context_, entry.value.constant.integer));
    } else {
      dims.push_back(pl::extentAttr(context_, entry.expr ? syntax::spell(*entry.expr) : "?"));
    }
  }
  pl::Layout layout = pl::Layout::ND;
  const Expr *layoutExpr = args.get("layout");
  if (layoutExpr) {
    ConstValue value = staticValue(*layoutExpr);
    if (value.kind != ConstValue::Kind::Layout) {
      return typeMismatch(layoutExpr->range, "`layout`", "must be a tensor layout such as `pl.NZ`");
    }
    layout = value.layout;
  }
  auto type = pl::TensorType::get(context_, dims, *dtype, layout);
  auto op = pl::TensorCreateOp::create(builder_, loc(call.range), type);
  const NzOrigin *origin = nullptr;
  if (layout == pl::Layout::NZ) {
    op->setAttr(pl::kAnnotationAttr, loc(layoutExpr->range));
    origin =
        origins_
            .emplace_back(std::make_unique<NzOrigin>(NzOrigin{"the new tensor", reporter_.location(layoutExpr->range)}))
            .get();
  }
  return Val::ofTensor(op, origin);
}

Val KernelBuilder::createTile(const Expr &call, OpCall &args) {
  auto extents = entries(*args.get("shape"), "shape");
  std::optional<pl::DType> dtype = dtypeArgument(args, "dtype");
  if (!extents) {
    return Val::poison();
  }
  if (!dtype) {
    return typeMismatch(args.get("dtype")->range, "`dtype`", "must be a PL dtype such as `pl.FP32`");
  }
  auto shape = constants(*extents, *args.get("shape"), "an extent of a tile");
  if (!shape || !soundShape(*extents, *args.get("shape"))) {
    return Val::poison();
  }
  const Expr *targetExpr = args.get("target_memory");
  ConstValue target = targetExpr ? staticValue(*targetExpr) : ConstValue::make(ConstValue::Kind::None);
  if (targetExpr && target.kind != ConstValue::Kind::Mem) {
    return target.isUnknown() ? Val::poison()
                              : typeMismatch(targetExpr->range, "`target_memory`", "must be a member of `pl.Mem`");
  }
  pl::Mem mem = target.kind == ConstValue::Kind::Mem ? target.mem : pl::Mem::Vec;
  return Val::ofTile(
      pl::TileCreateOp::create(builder_, loc(call.range), pl::TileType::get(context_, *shape, *dtype, mem)));
}

Val KernelBuilder::move(const Expr &call, OpCall &args) {
  Val tile = args.value("tile");
  ConstValue target = constantArgument(args, "target_memory");
  if (tile.isPoison()) {
    return tile;
  }
  if (!tile.isTile() || target.kind != ConstValue::Kind::Mem) {
    return typeMismatch(call.range, "`pl.move`", "moves a tile to a member of `pl.Mem`, got " + describe(tile));
  }
  return Val::ofTile(pl::TileMoveOp::create(builder_, loc(call.range), tile.tileType().withMem(target.mem), tile.ir));
}

Val KernelBuilder::read(const Expr &call, Val base, const std::vector<Entry> &indices) {
  pl::DType dtype = base.isTensor() ? base.tensorType().getDtype() : base.tileType().getDtype();
  unsigned rank = base.isTensor() ? base.tensorType().getRank() : base.tileType().getRank();
  if (!sameRank(indices, rank, base, call, "index list")) {
    return Val::poison();
  }
  if (!elementInBounds(base, indices, call)) {
    return Val::poison();
  }
  mlir::Type type = pl::scalarType(context_, dtype);
  if (!type) {
    return notSupported(call.range, "reading one element of dtype " + pl::plName(dtype).str());
  }
  Mixed list = mixed(indices);
  mlir::Location at = accessLocation(call.range, {{pl::kOffsetsArg, exprsOf(indices, call)}});
  return Val::ofScalar(pl::ReadOp::create(builder_, at, type, base.ir, list.dynamic, list.statics), dtype);
}

Val KernelBuilder::dim(const Expr &call, OpCall &args) {
  Val tensor = args.value("tensor");
  Val axis = args.value("axis");
  if (tensor.isPoison() || axis.isPoison()) {
    return Val::poison();
  }
  if (!tensor.isTensor() || !axis.isInt()) {
    return typeMismatch(call.range, "`pl.tensor.dim`", "takes a tensor and a constant axis");
  }
  auto rank = static_cast<int64_t>(tensor.tensorType().getRank());
  int64_t index = axis.constant.integer < 0 ? axis.constant.integer + rank : axis.constant.integer;
  if (index < 0 || index >= rank) {
    reporter_.report(diag::Rank, args.get("axis")->range, "the axis",
                     std::to_string(axis.constant.integer) + " is not an axis of " + describe(tensor));
    return Val::poison();
  }
  if (std::optional<int64_t> extent = tensor.tensorType().getExtent(static_cast<unsigned>(index))) {
    return Val::ofConst(ConstValue::ofInt(*extent));
  }
  return Val::ofScalar(pl::DimOp::create(builder_, loc(call.range), builder_.getIndexType(), tensor.ir, index),
                       pl::DType::Index);
}

Val KernelBuilder::cast(const Expr &call, OpCall &args) {
  Val value = args.first;
  std::optional<pl::DType> dtype = dtypeArgument(args, "target_type");
  if (!dtype) {
    return typeMismatch(call.range, "`pl.cast`", "`target_type` must be a PL dtype");
  }
  if (value.isConst() && value.constant.isFloat() && !pl::isFloat(*dtype)) {
    return notSupported(call.range, "a cast of a float literal to an integer");
  }
  if (value.isConst() && value.constant.isNumber()) {
    mlir::Value made = materialize(value, *dtype, call.range);
    return made ? Val::ofScalar(made, *dtype) : Val::poison();
  }
  if (!value.isScalar()) {
    return typeMismatch(call.range, "`pl.cast`", "converts scalars, tensors and tiles, got " + describe(value));
  }
  return castScalar(value, *dtype, call.range);
}

Val KernelBuilder::readElement(const Expr &call, OpCall &args) {
  const Expr &baseExpr = args.get("tensor") ? *args.get("tensor") : *args.get("tile");
  Val base = args.value(args.get("tensor") ? "tensor" : "tile");
  const Expr &list = *args.get("indices");
  std::optional<std::vector<Entry>> indices = entries(list, "indices", /*loneIsOne=*/true);
  if (base.isPoison() || !indices) {
    return Val::poison();
  }
  if (!base.isTensor() && !base.isTile()) {
    return typeMismatch(baseExpr.range, "`pl.read`", "reads a tensor or a tile, got " + describe(base));
  }
  return read(call, base, *indices);
}

} // namespace placid::frontend
