// SPDX-License-Identifier: Apache-2.0
// Lists of offsets and extents, and the general rules of a window: arity, sign of constants, bounds.
// NZ rules are not here: they belong to BlockNzTensorViews.
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/frontend/annotation.h"
#include "compiler/frontend/frame.h"

#include <cassert>

namespace placid::frontend {

using syntax::Expr;

KernelBuilder::Mixed KernelBuilder::mixed(const std::vector<Entry> &list) {
  Mixed out;
  for (const Entry &entry : list) {
    if (entry.value.isScalar()) {
      out.dynamic.push_back(entry.value.ir);
      out.statics.push_back(mlir::ShapedType::kDynamic);
    } else {
      assert(entry.value.isInt() && "entries() lets nothing else through");
      out.statics.push_back(entry.value.constant.integer);
    }
  }
  return out;
}

std::optional<std::vector<int64_t>> KernelBuilder::constants(const std::vector<Entry> &list, const Expr &at,
                                                             const char *what) {
  std::vector<int64_t> out;
  for (const Entry &entry : list) {
    if (!entry.value.isInt()) {
      reporter_.report(diag::LiteralRequired, entry.expr ? entry.expr->range : at.range, what, "a constant");
      return std::nullopt;
    }
    out.push_back(entry.value.constant.integer);
  }
  return out;
}

std::optional<std::vector<KernelBuilder::Entry>> KernelBuilder::entries(const Expr &list, const char *what,
                                                                        bool loneIsOne) {
  std::vector<Entry> out;
  bool good = true;
  auto add = [&](Val value, const Expr &expr) {
    bool integer = value.isInt() || (value.isScalar() && !pl::isFloat(value.dtype) && value.dtype != pl::DType::Bool);
    if (!integer && !value.isPoison()) {
      typeMismatch(expr.range, std::string("an entry of the ") + what,
                   "must be an integer scalar, got " + describe(value));
    }
    good &= integer;
    if (value.isScalar() && (value.dtype == pl::DType::UI8 || value.dtype == pl::DType::UI16)) {
      value = castScalar(std::move(value), pl::DType::Index, expr.range); // a sign bit here is none
      if (auto cast = value.ir ? value.ir.getDefiningOp<pl::CastOp>() : pl::CastOp()) {
        cast->setAttr(pl::kImpliedCastAttr, builder_.getUnitAttr());
      }
    }
    out.push_back({std::move(value), &expr});
  };
  if (list.kind == Expr::Kind::List || list.kind == Expr::Kind::Tuple) {
    for (const Expr *item : list.children) {
      add(expression(*item), *item);
    }
  } else {
    Val value = expression(list);
    if (value.kind != Val::Kind::Tuple && loneIsOne) {
      add(std::move(value), list);
    } else if (value.kind != Val::Kind::Tuple) {
      if (!value.isPoison()) {
        typeMismatch(list.range, std::string("the ") + what, "must be a list, got " + describe(value));
      }
      return std::nullopt;
    }
    for (Val &item : value.items) {
      add(std::move(item), list);
    }
  }
  return good ? std::optional(std::move(out)) : std::nullopt;
}

bool KernelBuilder::soundShape(const std::vector<Entry> &extents, const Expr &at) {
  if (extents.empty()) {
    shapeMismatch(at.range, "the shape", "it has no extent, a tensor or tile has at least one axis");
    return false;
  }
  for (const Entry &entry : extents) {
    const int64_t extent = entry.value.isInt() ? entry.value.constant.integer : 1;
    if (extent <= 0 || extent > kMaxExtent) {
      shapeMismatch(entry.expr ? entry.expr->range : at.range, "an extent",
                    std::to_string(extent) + (extent < 0    ? " is negative"
                                              : extent == 0 ? " leaves nothing on its axis: it is at least 1"
                                                            : " is above 2^40"));
      return false;
    }
  }
  return true;
}

bool KernelBuilder::soundValid(const std::vector<Entry> &valid, const std::vector<Entry> &extents, const Expr &at) {
  for (auto [part, whole] : llvm::zip(valid, extents)) {
    if (!part.value.isInt()) {
      continue;
    }
    const int64_t live = part.value.constant.integer;
    if (live < 1 || (whole.value.isInt() && live > whole.value.constant.integer)) {
      shapeMismatch(part.expr ? part.expr->range : at.range, "`valid_shape`",
                    std::to_string(live) +
                        (live < 0 ? " is negative"
                         : live == 0
                             ? " leaves nothing on its axis: it is at least 1"
                             : " is more than the " + std::to_string(whole.value.constant.integer) + " of the window"));
      return false;
    }
  }
  return true;
}

bool KernelBuilder::sameRank(const std::vector<Entry> &list, unsigned rank, const Val &tensor, const Expr &at,
                             const char *what) {
  if (list.size() == rank) {
    return true;
  }
  diag::Diagnostic &d = reporter_.report(diag::Rank, at.range, std::string("the ") + what,
                                         "has " + std::to_string(list.size()) + " entries, but " + describe(tensor) +
                                             " has rank " + std::to_string(rank));
  if (tensor.origin) {
    d.annotation = tensor.origin->annotation;
    reporter_.note(d, tensor.origin->annotation, "`" + tensor.origin->name + "` is declared here",
                   diag::Related::Role::Annotation);
  }
  return false;
}

/// A block of a helper that is longer than the whole tensor of this call: the helper pads, and what it reads past the
/// end goes nowhere. Any other window that leaves the tensor is wrong, whoever left the axis open.
bool KernelBuilder::isPaddedBlock(const Val &tensor, const std::vector<Entry> &extents) {
  if (!tensor.open) {
    return false;
  }
  pl::TensorType type = tensor.tensorType();
  for (unsigned axis = 0; axis < std::min<size_t>(type.getRank(), extents.size()); ++axis) {
    const Val &size = extents[axis].value;
    if (size.isInt() && size.constant.integer > type.getExtent(axis).value_or(INT64_MAX)) {
      return true;
    }
  }
  return false;
}

bool KernelBuilder::inBounds(const Val &tensor, const std::vector<Entry> &offsets, const std::vector<Entry> &extents,
                             const Expr &call) {
  pl::TensorType type = tensor.tensorType();
  std::string name = pl::valueName(tensor.ir).str();
  bool padded = isPaddedBlock(tensor, extents);
  if (padded) {
    gap(call.range, "a window that is longer than the tensor of this call");
  }
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    const Entry &offset = offsets[axis];
    if (!offset.value.isInt()) {
      continue;
    }
    int64_t begin = offset.value.constant.integer;
    if (begin < 0) {
      if (type.isNz()) {
        continue; // the NZ pass says more about it
      }
      reporter_.report(diag::NegativeOffset, offset.expr ? offset.expr->range : call.range, static_cast<int64_t>(axis),
                       name, begin);
      return false;
    }
    std::optional<int64_t> extent = type.getExtent(axis);
    if (!extent || !extents[axis].value.isInt()) {
      continue;
    }
    int64_t end = 0;
    bool overflow = __builtin_add_overflow(begin, extents[axis].value.constant.integer, &end);
    if ((overflow || end > *extent) && !padded) {
      const Expr *at = begin != 0 && offset.expr ? offset.expr : extents[axis].expr;
      diag::Diagnostic &d =
          reporter_.report(diag::Bounds, at ? at->range : call.range, end, static_cast<int64_t>(axis), name, *extent);
      if (tensor.origin) {
        reporter_.note(d, tensor.origin->annotation, "`" + tensor.origin->name + "` is declared here",
                       diag::Related::Role::Annotation);
      }
      return false;
    }
  }
  return true;
}

std::optional<std::vector<KernelBuilder::Entry>> KernelBuilder::cutAtEdges(const Val &tensor,
                                                                           const std::vector<Entry> &offsets,
                                                                           const std::vector<Entry> &requested,
                                                                           const Expr &call) {
  namespace arith = mlir::arith;
  pl::TensorType type = tensor.tensorType();
  mlir::Location at = loc(call.range);
  auto index = [&](const Val &value) {
    return value.isScalar() ? castScalar(value, pl::DType::Index, call.range).ir
                            : materialize(value, pl::DType::Index, call.range);
  };
  std::vector<Entry> out;
  for (unsigned axis = 0; axis < type.getRank(); ++axis) {
    const Entry &offset = offsets[axis];
    const Entry &size = requested[axis];
    std::optional<int64_t> extent = type.getExtent(axis);
    if (extent && offset.value.isInt() && size.value.isInt() && offset.value.constant.integer >= 0) {
      const int64_t room = *extent - offset.value.constant.integer;
      if (room <= 0 && size.value.constant.integer > 0) {
        reporter_.report(diag::Bounds, offset.expr ? offset.expr->range : call.range,
                         target::saturatingAdd(offset.value.constant.integer, size.value.constant.integer),
                         static_cast<int64_t>(axis), pl::valueName(tensor.ir).str(), *extent);
        return std::nullopt;
      }
      const bool cut = room < size.value.constant.integer;
      out.push_back(cut ? Entry{Val::ofConst(ConstValue::ofInt(room)), size.expr} : size);
      continue;
    }
    mlir::Value begin = index(offset.value);
    mlir::Value length = index(size.value);
    if (!begin || !length) {
      return std::nullopt;
    }
    mlir::Value whole = extent ? arith::ConstantIndexOp::create(builder_, at, *extent).getResult()
                               : pl::DimOp::create(builder_, at, builder_.getIndexType(), tensor.ir, axis).getResult();
    mlir::Value none = arith::ConstantIndexOp::create(builder_, at, 0);
    mlir::Value room = arith::MaxSIOp::create(builder_, at, arith::SubIOp::create(builder_, at, whole, begin), none);
    mlir::Value live = arith::MinSIOp::create(builder_, at, length, room);
    out.push_back({Val::ofScalar(live, pl::DType::Index), size.expr});
  }
  return out;
}

bool KernelBuilder::elementInBounds(const Val &base, const std::vector<Entry> &indices, const Expr &at) {
  for (auto [axis, entry] : llvm::enumerate(indices)) {
    std::optional<int64_t> extent = base.isTensor() ? base.tensorType().getExtent(static_cast<unsigned>(axis))
                                                    : std::optional(base.tileType().getShape()[axis]);
    if (!entry.value.isInt() || !extent || base.open) {
      continue;
    }
    int64_t index = entry.value.constant.integer;
    if (index < 0 || index >= *extent) {
      diag::Diagnostic &d = reporter_.report(diag::ElementBounds, entry.expr ? entry.expr->range : at.range, index,
                                             static_cast<int64_t>(axis), pl::valueName(base.ir).str(), *extent);
      if (base.origin) {
        reporter_.note(d, base.origin->annotation, "`" + base.origin->name + "` is declared here",
                       diag::Related::Role::Annotation);
      }
      return false;
    }
  }
  return true;
}

std::vector<const Expr *> KernelBuilder::exprsOf(const std::vector<Entry> &list, const Expr &fallback) const {
  std::vector<const Expr *> out;
  for (const Entry &entry : list) {
    out.push_back(entry.expr ? entry.expr : &fallback);
  }
  return out;
}

} // namespace placid::frontend
