// SPDX-License-Identifier: Apache-2.0
// Subscript sugar: `w[e, n0 : n0 + 64]` reads a window, `out[a:b, :] = x` writes one.
#include "compiler/frontend/frame.h"
#include "compiler/frontend/linear_form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace placid::frontend {

using syntax::Expr;

namespace {

LinearForm formOf(const Val &value) {
  return value.isScalar() ? LinearForm::of(value.ir) : LinearForm::constant(value.constant.integer);
}

bool isIndexLike(const Val &value) {
  return value.isInt() || (value.isScalar() && !pl::isFloat(value.dtype) && value.dtype != pl::DType::Bool);
}

} // namespace

std::optional<KernelBuilder::Window> KernelBuilder::window(const Val &base, const Expr &expr) {
  pl::TensorType type = base.tensorType();
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
    if (end.isInt() && end.constant.integer < 0) {
      reporter_.report(diag::NotAllowedInKernel, upper->range, "a negative slice bound");
      return std::nullopt;
    }
    out.offsets.push_back({begin, lower ? lower : &place});
    std::optional<int64_t> extent = formOf(end).minus(formOf(begin)).asConstant();
    if (extent && *extent < 0) {
      shapeMismatch(place.range, "the slice", "it ends " + std::to_string(-*extent) + " before it begins");
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

Val KernelBuilder::subscript(const Expr &expr) {
  Val base = expression(*expr.children[0]);
  if (base.isPoison() || base.kind == Val::Kind::Task) {
    return base;
  }
  if (base.kind == Val::Kind::Tuple) {
    Val index = expr.children.size() == 2 ? expression(*expr.children[1]) : Val::poison();
    auto size = static_cast<int64_t>(base.items.size());
    if (index.isInt() && index.constant.integer >= -size && index.constant.integer < size) {
      return base.items[static_cast<size_t>(floorMod(index.constant.integer, size))];
    }
    return index.isPoison() ? index : typeMismatch(expr.range, "the subscript", "needs a constant index of the tuple");
  }
  if (base.isTile()) {
    return notSupported(expr.range, "a subscript of a tile");
  }
  if (!base.isTensor()) {
    return typeMismatch(expr.range, "the subscript", "takes a tensor, got " + describe(base));
  }
  std::optional<Window> made = window(base, expr);
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
    reporter_.report(diag::NotAllowedInKernel, target.range, "an assignment to `" + syntax::spell(target) + "`");
    return;
  }
  Val base = expression(baseExpr);
  if (base.isPoison() || base.kind == Val::Kind::Task) {
    return;
  }
  if (!base.isTensor()) {
    notSupported(target.range, "an assignment into " + describe(base));
    return;
  }
  std::optional<Window> made = window(base, target);
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
    result = Val::ofTensor(pl::TileStoreOp::create(builder_, at, base.ir.getType(), value.ir, base.ir, offsets.dynamic,
                                                   offsets.statics, mlir::DenseI64ArrayAttr(), mlir::StringAttr(),
                                                   false, false, mlir::StringAttr()),
                           base.origin);
  }
  bindName(baseExpr.text, env_[std::string(baseExpr.text)].bound, std::move(result));
}

} // namespace placid::frontend
