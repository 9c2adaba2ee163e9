// SPDX-License-Identifier: Apache-2.0
// Subscript sugar: `w[e, n0 : n0 + 64]` reads a window, `out[a:b, :] = x` writes one.
#include "compiler/dialect/pl/analysis/symbolic_values.h"
#include "compiler/frontend/frame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace placid::frontend {

using syntax::Expr;

namespace {

/// What lies between two bounds of a slice, where that is one number: `[k * 64 : k * 64 + 64]` has 64.
std::optional<int64_t> distance(const Val &begin, const Val &end) {
  if (begin.isInt() && end.isInt()) {
    int64_t out = 0;
    return __builtin_sub_overflow(end.constant.integer, begin.constant.integer, &out) ? std::nullopt
                                                                                      : std::optional(out);
  }
  pl::SymbolicValues values;
  auto formOf = [&](const Val &value) {
    return value.isScalar() ? values.of(value.ir) : symbolic::Form::constant(value.constant.integer);
  };
  symbolic::Form first = formOf(begin);
  return formOf(end).minus(first).asConstant();
}

bool isIndexLike(const Val &value) {
  return value.isInt() || (value.isScalar() && !pl::isFloat(value.dtype) && value.dtype != pl::DType::Bool);
}

} // namespace

std::optional<KernelBuilder::Window> KernelBuilder::window(const Val &base, const Expr &expr) {
  // A tile has the axes of a tensor whose extents are all known.
  pl::TensorType type = base.isTile()
                            ? pl::TensorType::get(context_, base.tileType().getShape(), base.tileType().getDtype())
                            : base.tensorType();
  size_t given = expr.children.size() - 1;
  if (given > type.getRank()) {
    reporter_.report(diag::Rank, expr.range, "the subscript",
                     "has " + std::to_string(given) + " entries, but " + describe(base) + " has rank " +
                         std::to_string(type.getRank()));
    return std::nullopt;
  }
  Window out;
  bool good = true;
  auto integer = [&](const Expr &part) {
    Val value = expression(part);
    if (!value.isPoison() && !isIndexLike(value)) {
      value = typeMismatch(part.range, "the subscript", "takes integer scalars, got " + describe(value));
    }
    good &= !value.isPoison();
    return value;
  };
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    const Expr *item = axis < given ? expr.children[axis + 1] : nullptr;
    const Expr &place = item ? *item : expr;
    if (item && item->kind != Expr::Kind::Slice) {
      Val index = integer(*item);
      out.offsets.push_back({index, item});
      out.extents.push_back({Val::ofConst(ConstValue::ofInt(1)), item});
      out.dims.push_back(pl::extentAttr(context_, int64_t{1}));
      out.dropped.push_back(axis);
      continue;
    }
    out.allScalar = false;
    const Expr *lower = item ? item->children[0] : nullptr;
    const Expr *upper = item ? item->children[1] : nullptr;
    if (item && item->children[2]) {
      reporter_.report(diag::NotAllowedInKernel, item->children[2]->range, "a slice step");
      return std::nullopt;
    }
    Val begin = lower ? integer(*lower) : Val::ofConst(ConstValue::ofInt(0));
    std::optional<int64_t> whole = type.getExtent(axis);
    Val end;
    if (upper) {
      end = integer(*upper);
    } else if (whole) {
      end = Val::ofConst(ConstValue::ofInt(*whole));
    } else {
      end = Val::ofScalar(pl::DimOp::create(builder_, loc(place.range), builder_.getIndexType(), base.ir, axis),
                          pl::DType::Index);
    }
    if (begin.isPoison() || end.isPoison()) {
      good = false;
      continue;
    }
    if (upper && end.isInt() && end.constant.integer < 0) {
      diag::Diagnostic &d = reporter_.report(diag::NotAllowedInKernel, upper->range, "a negative slice bound");
      if (whole && *whole + end.constant.integer > 0) {
        d.fixes.push_back(
            {"write " + std::to_string(*whole + end.constant.integer) + ": bounds count from the front", {}});
      }
      return std::nullopt;
    }
    out.offsets.push_back({begin, lower ? lower : &place});
    std::optional<int64_t> extent = distance(begin, end);
    if (extent && *extent <= 0 && (lower || upper)) {
      shapeMismatch(place.range, "the slice",
                    *extent == 0 ? "it is empty: it ends where it begins"
                                 : "it ends " + std::to_string(-*extent) + " before it begins");
      return std::nullopt;
    }
    if (extent) {
      out.extents.push_back({Val::ofConst(ConstValue::ofInt(*extent)), &place});
      out.dims.push_back(pl::extentAttr(context_, *extent));
    } else if (begin.isInt() && begin.constant.integer == 0) {
      out.extents.push_back({end, upper ? upper : &place});
      out.dims.push_back(upper ? pl::extentAttr(context_, syntax::spell(*upper)) : type.getDims()[axis]);
    } else {
      Val length = arithmetic("-", end, begin, place.range);
      good &= !length.isPoison();
      std::string from = lower ? syntax::spell(*lower) : "0";
      std::string to = upper ? syntax::spell(*upper) : frontend::showExtents({type.getDims()[axis]});
      out.extents.push_back({length, &place});
      out.dims.push_back(pl::extentAttr(context_, to + " - " + from));
    }
  }
  return good ? std::optional(std::move(out)) : std::nullopt;
}

/// An operation of the table that a subscript stands for.
pl::GenericOp KernelBuilder::genericOp(mlir::Location at, llvm::StringRef name, llvm::ArrayRef<NamedOperand> operands,
                                       mlir::TypeRange results) {
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Attribute> names;
  for (const auto &[parameter, value] : operands) {
    values.push_back(value);
    names.push_back(builder_.getStringAttr(parameter));
  }
  return pl::GenericOp::create(builder_, at, results, builder_.getStringAttr(name), values,
                               builder_.getArrayAttr(names));
}

//===-- Arrays ----------------------------------------------------------------------------------------------------===//

/// The index of `array[index]`; nullopt after a report, or where it is not known.
std::optional<Val> KernelBuilder::arrayIndex(const Val &array, const Expr &expr) {
  if (expr.children.size() != 2 || expr.children[1]->kind == Expr::Kind::Slice) {
    reporter_.report(diag::Rank, expr.range, "the subscript", "of " + describe(array) + " is one index");
    return std::nullopt;
  }
  Val index = expression(*expr.children[1]);
  if (index.isPoison()) {
    return std::nullopt;
  }
  if (!isIndexLike(index)) {
    typeMismatch(expr.children[1]->range, "the subscript", "takes an integer scalar, got " + describe(index));
    return std::nullopt;
  }
  if (index.isInt() && (index.constant.integer < 0 || index.constant.integer >= array.arrayExtent())) {
    reporter_.report(diag::Rank, expr.children[1]->range, "the subscript",
                     std::to_string(index.constant.integer) + " is no index of " + describe(array));
    return std::nullopt;
  }
  return index;
}

Val KernelBuilder::arrayElement(const Val &array, const Expr &expr) {
  std::optional<Val> index = arrayIndex(array, expr);
  if (!index) {
    return Val::poison();
  }
  mlir::Type type = pl::scalarType(context_, array.arrayDtype());
  if (!type) {
    return Val::ofTask();
  }
  if (!array.ir) {
    return gap(expr.range, "an element of `" + syntax::spell(*expr.children[0]) + "`, which another scope makes,");
  }
  mlir::Value at = index->isScalar() ? index->ir : materialize(*index, pl::DType::Index, expr.children[1]->range);
  auto op = genericOp(loc(expr.range), "array.get_element", {{"array", array.ir}, {"index", at}}, type);
  return Val::ofScalar(op->getResult(0), array.arrayDtype());
}

void KernelBuilder::assignElement(const Val &array, const Expr &target, const Val &value, const syntax::Stmt &stmt) {
  std::optional<Val> index = arrayIndex(array, target);
  if (!index || value.isPoison()) {
    return;
  }
  bool task = array.arrayDtype() == pl::DType::TaskId;
  bool number = value.isScalar() || (value.isConst() && value.constant.isNumber());
  bool floating = value.isScalar() ? pl::isFloat(value.dtype) : value.constant.isFloat();
  bool fits = task ? value.isTask() : number && floating == pl::isFloat(array.arrayDtype());
  if (!fits && !(number && !task && pl::isFloat(array.arrayDtype()))) {
    typeMismatch(stmt.value->range, "the assignment", describe(array) + " holds no " + describe(value));
    return;
  }
  if (task || !array.ir) {
    return;
  }
  // The array is written in place: its name goes on standing for it.
  mlir::Value at = index->isScalar() ? index->ir : materialize(*index, pl::DType::Index, target.children[1]->range);
  mlir::Value made = value.isScalar() ? castScalar(value, array.arrayDtype(), stmt.value->range).ir
                                      : materialize(value, array.arrayDtype(), stmt.value->range);
  if (at && made) {
    genericOp(loc(stmt.range), "array.update_element", {{"array", array.ir}, {"index", at}, {"value", made}},
              array.ir.getType());
  }
}

//===-- Tiles -----------------------------------------------------------------------------------------------------===//

namespace {

/// True when `offsets` and `extents` stay inside `shape` as far as they are known; the first axis that does not.
std::optional<size_t> outside(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> offsets,
                              llvm::ArrayRef<int64_t> extents) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    bool known = offsets[axis] != mlir::ShapedType::kDynamic && extents[axis] != mlir::ShapedType::kDynamic;
    int64_t end = 0;
    if (known && (__builtin_add_overflow(offsets[axis], extents[axis], &end) || end > shape[axis])) {
      return axis;
    }
  }
  return std::nullopt;
}

} // namespace

bool KernelBuilder::tileInBounds(const Val &tile, const Expr &expr, const Window &window) {
  Mixed offsets = mixed(window.offsets);
  Mixed extents = mixed(window.extents);
  llvm::ArrayRef<int64_t> shape = tile.tileType().getShape();
  for (auto [axis, offset] : llvm::enumerate(window.offsets)) {
    if (offset.value.isInt() && offset.value.constant.integer < 0) {
      reporter_.report(diag::NegativeOffset, offset.expr ? offset.expr->range : expr.range, static_cast<int64_t>(axis),
                       syntax::spell(*expr.children[0]), offset.value.constant.integer);
      return false;
    }
  }
  if (std::optional<size_t> axis = outside(shape, offsets.statics, extents.statics)) {
    const Entry &at = window.extents[*axis];
    reporter_.report(diag::Bounds, at.expr ? at.expr->range : expr.range,
                     offsets.statics[*axis] + extents.statics[*axis], static_cast<int64_t>(*axis),
                     syntax::spell(*expr.children[0]), shape[*axis]);
    return false;
  }
  return true;
}

Val KernelBuilder::tileSubscript(const Val &base, const Expr &expr, const Window &window) {
  if (!tileInBounds(base, expr, window)) {
    return Val::poison();
  }
  if (window.allScalar) {
    return read(expr, base, window.offsets);
  }
  auto extents = constants(window.extents, expr, "an extent of a tile");
  if (!extents) {
    return Val::poison();
  }
  // Indexed axes go, as long as rows and columns remain.
  llvm::SmallVector<int64_t> shape;
  size_t left = extents->size();
  for (auto [axis, extent] : llvm::enumerate(*extents)) {
    if (left > 2 && llvm::is_contained(window.dropped, static_cast<int64_t>(axis))) {
      --left;
      continue;
    }
    shape.push_back(extent);
  }
  Mixed offsets = mixed(window.offsets);
  llvm::SmallVector<NamedOperand> operands{{"tile", base.ir}};
  for (mlir::Value offset : offsets.dynamic) {
    operands.push_back({"offset", offset});
  }
  ArgLists lists{{pl::kOffsetsArg, exprsOf(window.offsets, expr)}};
  auto type = pl::TileType::get(context_, shape, base.tileType().getDtype(), base.tileType().getMem());
  auto op = genericOp(accessLocation(expr.range, lists), "tile.slice", operands, type);
  op->setDiscardableAttr("shape", builder_.getDenseI64ArrayAttr(*extents));
  op->setDiscardableAttr("offset", builder_.getDenseI64ArrayAttr(offsets.statics));
  return Val::ofTile(op->getResult(0));
}

void KernelBuilder::assignTileWindow(const Val &base, const Expr &target, const Window &window, const Val &value,
                                     const syntax::Stmt &stmt) {
  if (value.isPoison() || !tileInBounds(base, target, window)) {
    return;
  }
  if (window.allScalar) {
    reporter_.report(diag::NotAllowedInKernel, target.range, "an element assignment (use `pl.write`)");
    return;
  }
  if (!value.isTile()) {
    typeMismatch(stmt.value->range, "the assignment", "a window of a tile takes a tile, got " + describe(value));
    return;
  }
  llvm::SmallVector<int64_t> wanted;
  llvm::SmallVector<int64_t> given;
  bool known = true;
  for (const Entry &entry : window.extents) {
    known &= entry.value.isInt();
    if (entry.value.isInt() && entry.value.constant.integer != 1) {
      wanted.push_back(entry.value.constant.integer);
    }
  }
  llvm::copy_if(value.tileType().getShape(), std::back_inserter(given), [](int64_t extent) { return extent != 1; });
  if (known && wanted != given && value.tileType().getValid().empty()) {
    shapeMismatch(target.range, "the assignment",
                  "the window has shape " + frontend::showExtents(window.dims) + ", the value is " + describe(value));
    return;
  }
  Mixed offsets = mixed(window.offsets);
  llvm::SmallVector<NamedOperand> operands{{"target", base.ir}, {"source", value.ir}};
  for (mlir::Value offset : offsets.dynamic) {
    operands.push_back({"offset", offset});
  }
  ArgLists lists{{pl::kOffsetsArg, exprsOf(window.offsets, target)}};
  auto op = genericOp(accessLocation(stmt.range, lists), "tile.assemble", operands, base.ir.getType());
  op->setDiscardableAttr("offset", builder_.getDenseI64ArrayAttr(offsets.statics));
  std::string name(target.children[0]->text);
  bindName(name, env_[name].bound, Val::ofTile(op->getResult(0)));
}

//===-- Reads -----------------------------------------------------------------------------------------------------===//

Val KernelBuilder::subscript(const Expr &expr) {
  Val base = expression(*expr.children[0]);
  if (base.isPoison() || base.kind == Val::Kind::Task) {
    return base;
  }
  if (base.kind == Val::Kind::Array) {
    return arrayElement(base, expr);
  }
  if (base.kind == Val::Kind::Tuple) {
    Val index = expr.children.size() == 2 ? expression(*expr.children[1]) : Val::poison();
    auto size = static_cast<int64_t>(base.items.size());
    if (index.isInt() && index.constant.integer >= -size && index.constant.integer < size) {
      return base.items[static_cast<size_t>(floorMod(index.constant.integer, size))];
    }
    return index.isPoison() ? index : typeMismatch(expr.range, "the subscript", "needs a constant index of the tuple");
  }
  if (!base.isTensor() && !base.isTile()) {
    return typeMismatch(expr.range, "the subscript",
                        "takes a tensor, a tile, an array or a tuple, got " + describe(base));
  }
  std::optional<Window> made = window(base, expr);
  if (base.isTile()) {
    return made ? tileSubscript(base, expr, *made) : Val::poison();
  }
  if (!made || !inBounds(base, made->offsets, made->extents, expr)) {
    return Val::poison();
  }
  if (made->allScalar) {
    return read(expr, base, made->offsets);
  }
  return sliceTensor(expr, base, *made, {});
}

void KernelBuilder::assignSubscript(const Expr &target, Val value, const syntax::Stmt &stmt) {
  const Expr &baseExpr = *target.children[0];
  if (baseExpr.kind != Expr::Kind::Name) {
    diag::Diagnostic &d =
        reporter_.report(diag::NotAllowedInKernel, target.range, "an assignment to `" + syntax::spell(target) + "`");
    if (baseExpr.kind == Expr::Kind::Subscript) {
      d.fixes.push_back({"write one subscript with all indices", {}});
    }
    return;
  }
  Val base = expression(baseExpr);
  if (base.isPoison() || base.kind == Val::Kind::Task) {
    return;
  }
  if (base.kind == Val::Kind::Array) {
    assignElement(base, target, value, stmt);
    return;
  }
  if (!base.isTensor() && !base.isTile()) {
    typeMismatch(target.range, "the assignment", "cannot write into " + describe(base));
    return;
  }
  if (strictSsa_ && inlining_.empty()) {
    reporter_.report(diag::AssignedTwice, target.range, std::string(baseExpr.text));
    return;
  }
  std::optional<Window> made = window(base, target);
  if (made && base.isTile()) {
    assignTileWindow(base, target, *made, value, stmt);
    return;
  }
  noteWrite(base, target.range, "this assignment writes it");
  if (!made || value.isPoison() || !inBounds(base, made->offsets, made->extents, target)) {
    return;
  }
  if (made->allScalar) {
    reporter_.report(diag::NotAllowedInKernel, target.range, "an element assignment (use `pl.write`)");
    return;
  }
  if (!value.isTensor() && !value.isTile()) {
    typeMismatch(stmt.value->range, "the assignment", "takes a tensor, got " + describe(value));
    return;
  }
  // Extents of 1 do not count: a dropped axis of the window has none in the value.
  auto significant = [&](llvm::ArrayRef<mlir::Attribute> dims) {
    llvm::SmallVector<mlir::Attribute> out;
    for (mlir::Attribute dim : dims) {
      auto number = mlir::dyn_cast<mlir::IntegerAttr>(dim);
      if (!number || number.getInt() != 1) {
        out.push_back(dim);
      }
    }
    return out;
  };
  auto isStatic = [](llvm::ArrayRef<mlir::Attribute> dims) {
    return llvm::all_of(dims, [](mlir::Attribute dim) { return mlir::isa<mlir::IntegerAttr>(dim); });
  };
  llvm::SmallVector<mlir::Attribute> given = value.isTensor()
                                                 ? significant(value.tensorType().getDims())
                                                 : significant(pl::extentAttrs(context_, value.tileType().getShape()));
  llvm::SmallVector<mlir::Attribute> wanted = significant(made->dims);
  bool partial = value.ragged || (value.isTile() && !value.tileType().getValid().empty());
  if (isStatic(given) && isStatic(wanted) && given != wanted && !partial) {
    shapeMismatch(target.range, "the assignment",
                  "the window has shape " + frontend::showExtents(made->dims) + ", the value is " + describe(value));
    return;
  }
  Val result;
  if (value.isTensor()) {
    result = assembleInto(stmt.range, base, value, *made, target, "");
  } else {
    Mixed offsets = mixed(made->offsets);
    mlir::Location at = accessLocation(stmt.range, {{pl::kOffsetsArg, exprsOf(made->offsets, target)}});
    // A tile has the last axes of the window; a store says for itself what lies before them.
    const unsigned rank = value.tileType().getRank();
    const auto last = made->extents.size() - std::min<size_t>(rank, made->extents.size());
    const bool leading =
        std::all_of(made->extents.begin(), made->extents.begin() + static_cast<std::ptrdiff_t>(last),
                    [](const Entry &entry) { return entry.value.isInt() && entry.value.constant.integer == 1; });
    if (!leading) {
      gap(stmt.range, "a write of a tile whose index drops an axis behind others (use `pl.store` with `shapes=`)");
      return;
    }
    result = Val::ofTensor(pl::TileStoreOp::create(builder_, at, base.ir.getType(), value.ir, base.ir, offsets.dynamic,
                                                   offsets.statics, mlir::DenseI64ArrayAttr(), mlir::StringAttr(),
                                                   false, false, mlir::StringAttr(), mlir::Value()),
                           base.origin);
  }
  bindName(baseExpr.text, env_[baseExpr.text].bound, std::move(result));
}

} // namespace placid::frontend
