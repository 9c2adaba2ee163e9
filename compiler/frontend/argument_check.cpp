// SPDX-License-Identifier: Apache-2.0
// An argument of a call of a kernel against the annotation of its parameter: kind, dtype, layout, shape. Apart from
// kernel_calls.cpp because it looks at one argument alone; knows nothing of what the call does.
#include "compiler/frontend/frame.h"
#include "compiler/frontend/kernel_heads.h"

#include <functional>

namespace placid::frontend {

using syntax::Expr;

namespace {

/// A helper is pasted in with the tensor of the call, so every window that fits what it declares fits a larger one.
bool isPartOf(pl::TensorType declared, pl::TensorType given, const KernelDecl &callee) {
  bool plain = callee.kind == KernelKind::Inline && declared.getLayout() == pl::Layout::ND;
  if (!plain || declared.getRank() != given.getRank()) {
    return false;
  }
  for (unsigned axis = 0; axis < given.getRank(); ++axis) {
    std::optional<int64_t> a = given.getExtent(axis);
    std::optional<int64_t> b = declared.getExtent(axis);
    if (a && b && *a < *b) {
      return false;
    }
  }
  return true;
}

} // namespace

/// An argument of a call of a kernel, held against what its parameter declares.
struct KernelBuilder::ArgumentCheck {
  KernelBuilder &builder;
  const Expr &arg;
  Val &value;
  const TypeInfo &type; ///< Of the parameter.
  std::string_view parameter;
  const KernelDecl &callee;

  std::string where() const { return "argument `" + std::string(parameter) + "` of `" + callee.name + "`"; }
  std::string found(const std::string &takes) const { return "takes " + takes + ", got " + builder.describe(value); }

  /// False, with a note at the parameter.
  bool declared(diag::Diagnostic &d) const;
  bool wrongKind() const;
  bool wrongLayout() const;
  bool shape(Symbols &symbols) const;
  bool tensor(Symbols &symbols) const;
};

bool KernelBuilder::ArgumentCheck::declared(diag::Diagnostic &d) const {
  d.related.push_back({{callee.module->source->path, type.range},
                       "`" + std::string(parameter) + "` is declared here",
                       diag::Related::Role::Annotation});
  return false;
}

bool KernelBuilder::ArgumentCheck::wrongKind() const {
  return declared(builder.reporter_.report(diag::TypeMismatch, arg.range, where(), found(frontend::show(type))));
}

bool KernelBuilder::ArgumentCheck::wrongLayout() const {
  pl::TensorType taken = type.tensor;
  diag::Diagnostic &d = builder.reporter_.report(
      diag::LayoutMismatch, arg.range, syntax::spell(arg), "pl." + pl::plName(value.tensorType().getLayout()).str(),
      std::string(parameter), callee.name, "pl." + pl::plName(taken.getLayout()).str());
  int own = builder.writtenParameter(value.ir);
  if (value.origin) {
    builder.reporter_.note(d, value.origin->annotation, "`" + value.origin->name + "` is declared here",
                           diag::Related::Role::Annotation);
  } else if (own >= 0 && builder.inlining_.empty()) {
    builder.reporter_.note(d, builder.writable_[static_cast<size_t>(own)].annotation,
                           "`" + pl::valueName(builder.function_.getArgument(static_cast<unsigned>(own))).str() +
                               "` is declared here",
                           diag::Related::Role::Annotation);
  }
  return declared(d);
}

bool KernelBuilder::ArgumentCheck::shape(Symbols &symbols) const {
  pl::TensorType has = value.tensorType();
  pl::TensorType takes = type.tensor;
  bool fits = has.getRank() == takes.getRank();
  for (unsigned axis = 0; fits && axis < has.getRank(); ++axis) {
    std::optional<int64_t> a = has.getExtent(axis);
    std::optional<int64_t> b = takes.getExtent(axis);
    fits &= !a || !b || *a == *b;
    auto symbol = mlir::dyn_cast<mlir::StringAttr>(takes.getDims()[axis]);
    if (!a || !symbol) {
      continue;
    }
    // One symbol of the callee stands for one number in a call.
    auto [known, added] = symbols.try_emplace(symbol.getValue().str(), *a, &arg);
    if (!added && known->second.first != *a) {
      diag::Diagnostic &d = builder.reporter_.report(diag::ShapeMismatch, arg.range, where(),
                                                     "axis " + std::to_string(axis) + " is " + std::to_string(*a) +
                                                         ", but another argument makes `" + symbol.getValue().str() +
                                                         "` " + std::to_string(known->second.first));
      builder.reporter_.note(d, known->second.second->range,
                             "here `" + symbol.getValue().str() + "` is " + std::to_string(known->second.first));
      return declared(d);
    }
  }
  if (!fits && isPartOf(takes, has, callee)) {
    declared(builder.reporter_.report(diag::ArgumentLarger, arg.range, std::string(parameter), callee.name,
                                      frontend::show(takes), builder.describe(value)));
    value.open = true; // judged by what it declares, where it is checked itself
    return true;
  }
  return fits ||
         declared(builder.reporter_.report(diag::ShapeMismatch, arg.range, where(), found(frontend::show(takes))));
}

bool KernelBuilder::ArgumentCheck::tensor(Symbols &symbols) const {
  pl::TensorType has = value.tensorType();
  if (has.getLayout() != type.tensor.getLayout()) {
    return wrongLayout();
  }
  if (has.getDtype() != type.tensor.getDtype()) {
    return wrongKind();
  }
  if (has.getDistributed() || type.tensor.getDistributed()) {
    return true; // a window of a shared buffer: its owner chose the shape
  }
  return shape(symbols);
}

bool KernelBuilder::checkArgument(const Expr &arg, Val &value, const TypeInfo &type, std::string_view parameter,
                                  const KernelDecl &callee, Symbols &symbols) {
  if (value.isPoison() || type.kind == TypeInfo::Kind::Invalid || type.kind == TypeInfo::Kind::Unknown) {
    return true;
  }
  ArgumentCheck check{*this, arg, value, type, parameter, callee};
  switch (type.kind) {
  case TypeInfo::Kind::Tensor:
    break;
  case TypeInfo::Kind::Scalar: {
    if (type.dtype == pl::DType::TaskId) {
      return value.isTask() || check.wrongKind();
    }
    bool number = value.isScalar() || (value.isConst() && value.constant.isNumber());
    bool floating = value.isScalar() ? pl::isFloat(value.dtype) : value.constant.isFloat();
    return (number && !(floating && !pl::isFloat(type.dtype)) &&
            !(value.isScalar() && !floating && pl::isFloat(type.dtype))) ||
           check.wrongKind();
  }
  case TypeInfo::Kind::Constexpr: {
    std::function<bool(const Val &)> known = [&](const Val &part) {
      return part.isConst() || part.isPoison() ||
             (part.kind == Val::Kind::Tuple && std::all_of(part.items.begin(), part.items.end(), known));
    };
    return known(value) || check.wrongKind();
  }
  case TypeInfo::Kind::Array:
    return (value.kind == Val::Kind::Array && value.arrayDtype() == type.dtype && value.arrayExtent() == type.extent) ||
           check.wrongKind();
  case TypeInfo::Kind::Tile:
    return (value.isTile() && !surelyDiffer(value.tileType(), type.tile)) || check.wrongKind();
  default:
    return true;
  }
  return value.isTensor() ? check.tensor(symbols) : check.wrongKind();
}

} // namespace placid::frontend
