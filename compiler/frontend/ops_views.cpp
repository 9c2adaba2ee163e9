// SPDX-License-Identifier: Apache-2.0
// Slices, reshapes, views and writes into windows.
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using syntax::Expr;

KernelBuilder::Window KernelBuilder::windowOf(const std::vector<Entry> &offsets, const std::vector<Entry> &extents) {
  Window out;
  out.offsets = offsets;
  out.extents = extents;
  for (const Entry &entry : extents) {
    out.dims.push_back(entry.value.isInt() ? pl::extentAttr(context_, entry.value.constant.integer)
                                           : pl::extentAttr(context_, entry.expr ? syntax::spell(*entry.expr) : "?"));
  }
  return out;
}

Val KernelBuilder::slice(const Expr &call, OpCall &args) {
  const Expr &baseExpr = args.get("tensor") ? *args.get("tensor") : *args.get("tile");
  Val base = args.value(args.get("tensor") ? "tensor" : args.get("tile") ? "tile" : "data");
  auto extents = entries(*args.get("shape"), "shape");
  auto offsets = entries(*args.get("offset"), "offset");
  std::vector<Entry> valid;
  const Expr *validExpr = args.get("valid_shape");
  if (validExpr && validExpr->kind != Expr::Kind::None) {
    auto list = entries(*validExpr, "valid_shape");
    if (!list) {
      return Val::poison();
    }
    valid = std::move(*list);
  }
  if (base.isPoison() || !extents || !offsets) {
    return Val::poison();
  }
  if (!base.isTensor()) {
    return typeMismatch(baseExpr.range, "`pl.slice`", "takes a tensor, got " + describe(base));
  }
  unsigned rank = base.tensorType().getRank();
  if (!sameRank(*extents, rank, base, *args.get("shape"), "shape list") ||
      !sameRank(*offsets, rank, base, *args.get("offset"), "offset list") ||
      (!valid.empty() && !sameRank(valid, rank, base, *validExpr, "valid_shape list"))) {
    return Val::poison();
  }
  if (!soundShape(*extents, *args.get("shape"))) {
    return Val::poison();
  }
  if (!valid.empty() && !base.tensorType().isNz() && !soundValid(valid, *extents, *validExpr)) {
    return Val::poison();
  }
  Window window = windowOf(*offsets, *extents);
  if (const Expr *drop = args.get("drop_dims"); drop && drop->kind != Expr::Kind::None) {
    auto list = entries(*drop, "drop_dims");
    auto numbers = list ? constants(*list, *drop, "a dropped axis") : std::nullopt;
    if (!numbers) {
      return Val::poison();
    }
    for (int64_t axis : *numbers) {
      if (axis < 0 || axis >= static_cast<int64_t>(rank)) {
        reporter_.report(diag::Rank, drop->range, "a dropped axis",
                         std::to_string(axis) + " is not an axis of " + describe(base));
        return Val::poison();
      }
    }
    window.dropped = std::move(*numbers);
  }
  bool clamp = flag(args, "clamp");
  if (!clamp && !inBounds(base, window.offsets, valid.empty() ? window.extents : valid, call)) {
    return Val::poison();
  }
  if (clamp) {
    std::optional<std::vector<Entry>> cut =
        cutAtEdges(base, window.offsets, valid.empty() ? window.extents : valid, call);
    if (!cut) {
      return Val::poison();
    }
    valid = std::move(*cut);
  }
  Val out = sliceTensor(call, base, window, valid);
  if (clamp && out.isTensor()) {
    out.ir.getDefiningOp()->setAttr(pl::kTrimmedAttr, builder_.getUnitAttr());
  }
  return out;
}

Val KernelBuilder::sliceTensor(const Expr &call, Val base, const Window &window, const std::vector<Entry> &valid) {
  llvm::SmallVector<mlir::Attribute> dims;
  for (auto [axis, dim] : llvm::enumerate(window.dims)) {
    if (!llvm::is_contained(window.dropped, static_cast<int64_t>(axis))) {
      dims.push_back(dim);
    }
  }
  if (dims.empty()) {
    return notSupported(call.range, "a slice that drops every axis");
  }
  Mixed offsets = mixed(window.offsets);
  Mixed extents = mixed(window.extents);
  Mixed live = mixed(valid);
  ArgLists lists{{pl::kOffsetsArg, exprsOf(window.offsets, call)}, {pl::kSizesArg, exprsOf(window.extents, call)}};
  if (!valid.empty()) {
    lists.push_back({pl::kValidArg, exprsOf(valid, call)});
  }
  Val out = Val::ofTensor(pl::TensorSliceOp::create(builder_, accessLocation(call.range, lists),
                                                    base.tensorType().withDims(dims), base.ir, offsets.dynamic,
                                                    offsets.statics, extents.dynamic, extents.statics, live.dynamic,
                                                    live.statics, window.dropped),
                          base.origin);
  out.ragged = base.ragged || !valid.empty();
  if (isPaddedBlock(base, window.extents)) {
    out.ir.getDefiningOp()->setAttr(pl::kTrimmedAttr, builder_.getUnitAttr());
  }
  return out;
}

namespace {

/// The live part under another shape: kept where only axes of extent 1 come or go, known at run time elsewhere.
llvm::SmallVector<int64_t> reshapedValid(pl::TileType type, llvm::ArrayRef<int64_t> shape) {
  auto wide = [](llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> by) {
    llvm::SmallVector<int64_t> out;
    for (auto [extent, size] : llvm::zip(extents, by)) {
      if (size != 1) {
        out.push_back(extent);
      }
    }
    return out;
  };
  bool same = wide(type.getShape(), type.getShape()) == wide(shape, shape);
  llvm::SmallVector<int64_t> live = wide(type.getValid(), type.getShape());
  llvm::SmallVector<int64_t> out(shape);
  size_t next = 0;
  for (int64_t &extent : out) {
    if (extent != 1) {
      extent = same ? live[next++] : mlir::ShapedType::kDynamic;
    }
  }
  return out;
}

} // namespace

Val KernelBuilder::reshape(const Expr &call, OpCall &args) {
  const Expr &baseExpr = args.get("tensor") ? *args.get("tensor") : *args.get("tile");
  Val base = args.value(args.get("tensor") ? "tensor" : args.get("tile") ? "tile" : "data");
  auto extents = entries(*args.get("shape"), "shape");
  if (base.isPoison() || !extents) {
    return Val::poison();
  }
  auto count = [](llvm::ArrayRef<int64_t> shape) {
    int64_t out = 1;
    bool overflow = false;
    for (int64_t extent : shape) {
      overflow |= __builtin_mul_overflow(out, extent, &out);
    }
    return overflow ? std::optional<int64_t>() : std::optional<int64_t>(out);
  };
  mlir::Location at = accessLocation(call.range, {{pl::kSizesArg, exprsOf(*extents, *args.get("shape"))}});
  if (base.isTile()) {
    auto shape = constants(*extents, *args.get("shape"), "an extent of a tile");
    if (!shape) {
      return Val::poison();
    }
    pl::TileType type = base.tileType();
    if (count(*shape) != count(type.getShape())) {
      return shapeMismatch(call.range, "`pl.reshape`",
                           "the element count changes from " + describe(base) + " to " +
                               frontend::showExtents(pl::extentAttrs(context_, *shape)));
    }
    llvm::SmallVector<int64_t> valid;
    if (!type.getValid().empty()) {
      valid = reshapedValid(type, *shape);
    }
    auto result = pl::TileType::get(context_, *shape, type.getDtype(), type.getMem(), valid, type.getTransposed());
    return Val::ofTile(pl::TileReshapeOp::create(builder_, at, result, base.ir));
  }
  if (!base.isTensor()) {
    return typeMismatch(baseExpr.range, "`pl.reshape`", "takes a tensor or a tile, got " + describe(base));
  }
  pl::TensorType type = base.tensorType();
  llvm::SmallVector<mlir::Attribute> dims;
  llvm::SmallVector<int64_t> shape;
  bool isStatic = type.hasStaticShape();
  for (const Entry &entry : *extents) {
    isStatic &= entry.value.isInt();
    dims.push_back(entry.value.isInt() ? pl::extentAttr(context_, entry.value.constant.integer)
                                       : pl::extentAttr(context_, entry.expr ? syntax::spell(*entry.expr) : "?"));
    shape.push_back(entry.value.isInt() ? entry.value.constant.integer : 0);
  }
  if (isStatic) {
    llvm::SmallVector<int64_t> own;
    for (unsigned axis = 0; axis < type.getRank(); ++axis) {
      own.push_back(*type.getExtent(axis));
    }
    if (count(shape) != count(own) && base.open) {
      return gap(call.range, "a reshape by other extents than those that the caller gives");
    }
    if (count(shape) != count(own)) {
      return shapeMismatch(call.range, "`pl.reshape`",
                           "the element count changes from " + describe(base) + " to " + frontend::showExtents(dims));
    }
  }
  // A flat view reads the bytes in their own order, so a flattened NZ tensor is plain.
  auto result = pl::TensorType::get(context_, dims, type.getDtype(), pl::Layout::ND);
  Val out = Val::ofTensor(pl::TensorReshapeOp::create(builder_, at, result, base.ir));
  out.ragged = base.ragged;
  out.open = base.open;
  return out;
}

Val KernelBuilder::transposeView(const Expr &call, OpCall &args) {
  Val tile = args.value("tile");
  if (tile.isPoison()) {
    return tile;
  }
  if (!tile.isTile()) {
    return typeMismatch(args.get("tile")->range, "`pl.tile.transpose_view`", "takes a tile, got " + describe(tile));
  }
  pl::TileType type = tile.tileType();
  if (type.getRank() < 2) {
    reporter_.report(diag::Rank, call.range, "`pl.tile.transpose_view`",
                     "needs rows and columns, got " + describe(tile));
    return Val::poison();
  }
  auto swapped = [](llvm::ArrayRef<int64_t> list) {
    llvm::SmallVector<int64_t> out(list);
    if (!out.empty()) {
      std::swap(out[out.size() - 1], out[out.size() - 2]);
    }
    return out;
  };
  auto result = pl::TileType::get(context_, swapped(type.getShape()), type.getDtype(), type.getMem(),
                                  swapped(type.getValid()), !type.getTransposed());
  return Val::ofTile(pl::TileTransposeViewOp::create(builder_, loc(call.range), result, tile.ir));
}

std::optional<Val> KernelBuilder::refusedView(const Expr &call, OpCall &args) {
  const Expr &baseExpr = args.get("tensor") ? *args.get("tensor") : *args.get("data");
  Val base = args.value(args.get("tensor") ? "tensor" : "data");
  args.firstExpr = &baseExpr;
  args.first = base;
  ConstValue layout = constantArgument(args, "layout");
  bool makesNz = layout.kind == ConstValue::Kind::Layout && layout.layout == pl::Layout::NZ;
  bool nz = base.isTensor() && base.tensorType().isNz();
  if (base.isPoison() || (!nz && !makesNz)) {
    return std::nullopt;
  }
  std::string name = base.origin ? base.origin->name : syntax::spell(baseExpr);
  diag::Diagnostic &d = reporter_.report(diag::NzView, call.range, args.path,
                                         nz ? "takes NZ tensor `" + name + "`" : "makes an NZ view of `" + name + "`");
  if (base.origin) {
    d.annotation = base.origin->annotation;
    reporter_.note(d, base.origin->annotation, "`" + name + "` is declared NZ here", diag::Related::Role::Annotation);
  }
  d.fixes.push_back({nz ? "slice a leading axis, or flatten the whole tensor with pl.reshape"
                        : "declare the parameter itself `pl.NZ`; the bytes must already be in NZ order",
                     {}});
  return Val::poison();
}

Val KernelBuilder::assemble(const Expr &call, OpCall &args) {
  Val target = args.value("target");
  Val source = args.value("source");
  auto offsets = entries(*args.get("offset"), "offset");
  if (target.isPoison() || source.isPoison() || !offsets) {
    return target;
  }
  if (!target.isTensor() || !source.isTensor()) {
    return notSupported(call.range, "`pl.assemble` of tiles");
  }
  pl::TensorType type = target.tensorType();
  if (!sameRank(*offsets, type.getRank(), target, *args.get("offset"), "offset list")) {
    return target;
  }
  pl::TensorType given = source.tensorType();
  if (unsigned extra = given.getRank() - std::min(given.getRank(), type.getRank()); extra != 0) {
    bool unit = true;
    for (unsigned axis = 0; axis < extra; ++axis) {
      unit &= given.getExtent(axis) == 1;
    }
    if (unit) { // leading axes of extent 1 say nothing of the place
      given = pl::TensorType::get(context_, given.getDims().drop_front(extra), given.getDtype(), pl::Layout::ND);
      source.ir = pl::TensorReshapeOp::create(builder_, loc(call.range), given, source.ir);
    }
  }
  if (given.getRank() > type.getRank()) {
    reporter_.report(diag::Rank, args.get("source")->range, "the source",
                     describe(source) + " has more axes than " + describe(target));
    return target;
  }
  std::vector<Entry> extents;
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    unsigned skipped = type.getRank() - std::min(type.getRank(), given.getRank());
    std::optional<int64_t> extent = axis < skipped ? 1 : given.getExtent(axis - skipped);
    extents.push_back({extent ? Val::ofConst(ConstValue::ofInt(*extent)) : Val::poison(), nullptr});
  }
  if (!source.ragged && !inBounds(target, *offsets, extents, call)) {
    return target;
  }
  ConstValue atomic = constantArgument(args, "atomic");
  std::string mode = atomic.kind == ConstValue::Kind::PlPath ? atomic.text.substr(atomic.text.rfind('.') + 1) : "";
  Window window;
  window.offsets = *offsets;
  return assembleInto(call.range, target, source, window, call, mode == "None_" ? "" : mode);
}

namespace {

/// Where the elements of a tensor come from.
struct Making {
  bool kept = false;  ///< From memory or the vector unit: what the cube unit makes may be converted on its way out.
  bool part = false;  ///< A part of what was computed, which is no tile of its own.
  bool fresh = false; ///< A new tensor that was filled, which is none either.
  mlir::Value factor; ///< Of a matrix product: its left operand.
};

Making makingOf(mlir::Value tensor, unsigned &steps) {
  Making out;
  bool part = false;
  bool kept = true; // what was written into it
  while (mlir::Operation *op = tensor.getDefiningOp()) {
    if (++steps > 256) {
      return {};
    }
    if (auto slice = mlir::dyn_cast<pl::TensorSliceOp>(op)) {
      tensor = slice.getSource();
      part = true;
    } else if (auto reshape = mlir::dyn_cast<pl::TensorReshapeOp>(op)) {
      tensor = reshape.getSource();
    } else if (auto assemble = mlir::dyn_cast<pl::TensorAssembleOp>(op)) {
      kept &= makingOf(assemble.getSource(), steps).kept;
      tensor = assemble.getTarget();
    } else if (mlir::isa<pl::TensorCreateOp>(op)) {
      out.kept = kept;
      out.fresh = true;
      return out;
    } else if (auto product = mlir::dyn_cast<pl::TensorMatmulOp>(op)) {
      out.factor = product.getLhs();
      return out;
    } else {
      auto generic = mlir::dyn_cast<pl::GenericOp>(op);
      switch (generic ? generic.getRow().category : ops::Category::Matmul) {
      case ops::Category::Elementwise:
      case ops::Category::ScalarOperand:
      case ops::Category::Bitwise:
      case ops::Category::Unary:
      case ops::Category::Reduction:
      case ops::Category::Expand:
        out.kept = kept;
        out.part = part;
        return out;
      default:
        return out;
      }
    }
  }
  out.kept = kept && mlir::isa<mlir::func::FuncOp>(mlir::cast<mlir::BlockArgument>(tensor).getOwner()->getParentOp());
  return out;
}

} // namespace

/// False, and reported: the elements of `source` cannot become those of `target` on their way.
bool KernelBuilder::assignable(const Val &source, const Val &target, source::ByteRange range) {
  if (target.tensorType().isNz()) {
    return true; // has rules of its own
  }
  unsigned steps = 0;
  const Making making = makingOf(source.ir, steps);
  const pl::DType to = target.tensorType().getDtype();
  if (making.factor) {
    const bool floats = pl::isFloat(mlir::cast<pl::TensorType>(making.factor.getType()).getDtype());
    if (floats != pl::isFloat(to)) {
      typeMismatch(range, "the assignment",
                   std::string("a matrix product of ") + (floats ? "floats" : "integers") + " is stored to " +
                       describe(target) + ": an accumulator of " +
                       (floats ? "floats leaves as FP32, FP16 or BF16" : "integers leaves as INT32"));
      return false;
    }
    return true;
  }
  const bool sameWidth = pl::bitWidth(source.tensorType().getDtype()) == pl::bitWidth(to);
  // Another width of a whole tile is told where tiles are known (CheckTiles).
  const bool told = sameWidth ? !making.fresh : (making.part || making.fresh) && inCore_;
  return !making.kept || !told || bytesFit(source, target, range, "the assignment");
}

Val KernelBuilder::assembleInto(source::ByteRange range, Val target, Val source, const Window &window, const Expr &at,
                                std::string atomic) {
  if (!assignable(source, target, range)) {
    return target;
  }
  Mixed offsets = mixed(window.offsets);
  ArgLists lists{{pl::kOffsetsArg, exprsOf(window.offsets, at)}};
  if (!window.extents.empty()) {
    lists.push_back({pl::kSizesArg, exprsOf(window.extents, at)});
  }
  std::vector<Entry> covered; // by the axes of the target
  pl::TensorType given = source.tensorType();
  for (unsigned axis = 0, rank = target.tensorType().getRank(); axis < rank; ++axis) {
    unsigned skipped = rank - std::min(rank, given.getRank());
    std::optional<int64_t> extent = axis < skipped ? 1 : given.getExtent(axis - skipped);
    covered.push_back({extent ? Val::ofConst(ConstValue::ofInt(*extent)) : Val::poison(), nullptr});
  }
  bool padded = isPaddedBlock(target, covered);
  auto made = pl::TensorAssembleOp::create(builder_, accessLocation(range, lists), target.ir.getType(), target.ir,
                                           source.ir, offsets.dynamic, offsets.statics,
                                           atomic.empty() ? mlir::StringAttr() : builder_.getStringAttr(atomic));
  if (source.ragged || padded) {
    made->setAttr(pl::kTrimmedAttr, builder_.getUnitAttr());
  }
  if (!window.extents.empty() && given.getRank() != target.tensorType().getRank()) {
    llvm::SmallVector<int64_t> extents;
    for (const Entry &entry : window.extents) {
      extents.push_back(entry.value.isInt() ? entry.value.constant.integer : mlir::ShapedType::kDynamic);
    }
    made->setAttr(pl::kCoveredAttr, builder_.getDenseI64ArrayAttr(extents));
  }
  Val out = Val::ofTensor(made, target.origin);
  out.open = target.open;
  return out;
}

} // namespace placid::frontend
