// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/annotation.h"

#include "compiler/support/suggest.h"

#include <algorithm>
#include <map>
#include <set>

namespace placid::frontend {

namespace {

using syntax::Expr;
using Kind = ConstValue::Kind;

class Resolver {
public:
  Resolver(const Scope &scope, mlir::MLIRContext *context, AnnotationPlace place, Reporter &reporter,
           std::string_view name)
      : scope_(&scope), context_(context), place_(place), reporter_(reporter), name_(name) {}

  TypeInfo run(const Expr &expr);

private:
  TypeInfo resolve(const Expr &expr);
  TypeInfo subscript(const Expr &expr, const std::string &path);
  /// `around`: the scope that `meaning` is written in, or null.
  TypeInfo alias(const Expr &expr, const Expr &meaning, const Scope *around);
  TypeInfo tensor(const Expr &expr, bool distributed);
  TypeInfo tile(const Expr &expr);
  TypeInfo array(const Expr &expr);
  TypeInfo fail(const Expr &at, std::string message) {
    reporter_.report(diag::BadAnnotation, at.range, std::move(message));
    return {};
  }
  TypeInfo unsupported(const Expr &at, std::string what) {
    reporter_.report(diag::NotSupportedYet, at.range, std::move(what));
    TypeInfo out;
    out.kind = TypeInfo::Kind::Unknown;
    return out;
  }
  /// Extents of a shape list; false when one is missing (reported).
  bool extents(const Expr &list, std::vector<mlir::Attribute> &out, const char *what);
  mlir::Attribute extent(const Expr &expr);
  bool dtype(const Expr &expr, pl::DType &out);
  bool layoutElement(const Expr &element, TypeInfo &info, std::vector<mlir::Attribute> &strides,
                     std::vector<mlir::Attribute> &valid, pl::Layout &layout);
  bool tensorView(const Expr &call, const Expr &element, std::vector<mlir::Attribute> &strides,
                  std::vector<mlir::Attribute> &valid, pl::Layout &layout);
  bool mentionsDynamic(const Expr &expr) const;
  /// A variable of the expression holds a dynamic dimension of another name.
  bool renamesDynamic(const Expr &expr) const;
  /// Sums, products and quotients in the names of the dimensions and numbers; nothing for other expressions.
  std::optional<std::string> dimensionText(const Expr &expr, int within);
  void unknownName(const Expr &expr, const std::string &why);
  /// Reports every name of an expression that nothing binds; true when there is one.
  bool undefinedNames(const Expr &expr);
  bool isPlainNumber(const Expr &expr);
  std::optional<TypeInfo> calledType(const Expr &expr);

  const Scope *scope_; ///< Where the names of what is being resolved mean something.
  mlir::MLIRContext *context_;
  AnnotationPlace place_;
  Reporter &reporter_;
  std::string_view name_;
  bool anySize_ = false;              ///< Some extent was an argument of a builder that nothing calls.
  std::vector<const Expr *> aliases_; ///< Being resolved, outermost first.
  size_t parts_ = 0;                  ///< Types resolved so far.
  std::string gaveUp_;                ///< Why the annotation as a whole is not followed.
};

constexpr size_t kMaxAliases = 64;

const py::ModuleObject *moduleOf(const Scope *scope) {
  while (scope && !scope->env) {
    scope = scope->parent;
  }
  return scope ? scope->env->module : nullptr;
}
constexpr size_t kMaxParts = 1024;

bool Resolver::mentionsDynamic(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Name) {
    const Binding *found = scope_->find(expr.text);
    return found && found->value.kind == Kind::DynDim;
  }
  return std::any_of(expr.children.begin(), expr.children.end(),
                     [&](const Expr *child) { return child && mentionsDynamic(*child); });
}

bool Resolver::renamesDynamic(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Name) {
    const Binding *found = scope_->find(expr.text);
    return found && found->value.kind == Kind::DynDim && found->value.text != expr.text;
  }
  return std::any_of(expr.children.begin(), expr.children.end(),
                     [&](const Expr *child) { return child && renamesDynamic(*child); });
}

std::optional<std::string> Resolver::dimensionText(const Expr &expr, int within) {
  if (expr.kind != Expr::Kind::Binary) {
    ConstValue value = evaluate(expr, *scope_);
    if (value.kind == Kind::DynDim) {
      return value.text;
    }
    return value.isInt() && value.integer >= 0 ? std::optional(std::to_string(value.integer)) : std::nullopt;
  }
  const bool sum = expr.text == "+" || expr.text == "-";
  if (!sum && expr.text != "*" && expr.text != "//" && expr.text != "%") {
    return std::nullopt;
  }
  const int own = sum ? 1 : 2;
  std::optional<std::string> left = dimensionText(*expr.children[0], own);
  std::optional<std::string> right = left ? dimensionText(*expr.children[1], own + 1) : std::nullopt;
  if (!right) {
    return std::nullopt;
  }
  const std::string text = *left + " " + std::string(expr.text) + " " + *right;
  return own < within ? "(" + text + ")" : text;
}

/// True, and reported: Python's own `int` and its like, where the language has scalars of a width.
bool Resolver::isPlainNumber(const Expr &expr) {
  static const std::map<std::string_view, std::string_view> kScalars{
      {"int", "pl.INDEX"}, {"float", "pl.FP32"}, {"bool", "pl.BOOL"}};
  auto found = expr.kind == Expr::Kind::Name ? kScalars.find(expr.text) : kScalars.end();
  if (found == kScalars.end() || scope_->find(expr.text)) {
    return false;
  }
  diag::Diagnostic &d =
      reporter_.report(diag::BadAnnotation, expr.range,
                       "`" + std::string(expr.text) + "` is a type of Python, not of PL: a number is `pl.Scalar[" +
                           std::string(found->second) + "]`");
  d.fixes.push_back({"write `pl.Scalar[" + std::string(found->second) + "]`", {}});
  return true;
}

/// `pl.Tensor(…)` where a subscript stands: the brackets are told, and what it means is followed.
std::optional<TypeInfo> Resolver::calledType(const Expr &expr) {
  static const std::set<std::string_view> kTypes{"pl.Tensor", "pl.Tile",  "pl.Scalar", "pl.Array",
                                                 "pl.Out",    "pl.InOut", "pl.Tuple",  "pld.DistributedTensor"};
  if (expr.kind != Expr::Kind::Call || !expr.keywords.empty()) {
    return std::nullopt;
  }
  ConstValue base = evaluate(*expr.children[0], *scope_);
  if (base.kind != Kind::PlPath || !kTypes.contains(base.text)) {
    return std::nullopt;
  }
  std::string words = base.text + "[";
  for (size_t i = 1; i < expr.children.size(); ++i) {
    words += (i > 1 ? ", " : "") + syntax::spell(*expr.children[i]);
  }
  fail(expr, "a type has square brackets: `" + words + "]`");
  return TypeInfo();
}

bool Resolver::undefinedNames(const Expr &expr) {
  if (expr.kind == Expr::Kind::Name) {
    bool undefined =
        !scope_->find(expr.text) && evaluate(expr, *scope_).text.find("is not defined") != std::string::npos;
    if (undefined) {
      reporter_.report(diag::UndefinedName, expr.range, std::string(expr.text),
                       support::didYouMean(expr.text, scope_->visibleNames()));
    }
    return undefined;
  }
  bool found = false;
  for (const Expr *child : expr.children) {
    found |= child && undefinedNames(*child);
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    found |= keyword.value && undefinedNames(*keyword.value);
  }
  return found;
}

void Resolver::unknownName(const Expr &expr, const std::string &why) {
  if (!undefinedNames(expr) && expr.kind != Expr::Kind::Error) {
    reporter_.unknown(expr, why);
  }
}

mlir::Attribute Resolver::extent(const Expr &expr) {
  ConstValue value = evaluate(expr, *scope_);
  if (value.isInt() || value.isBool()) {
    if (value.integer <= 0) {
      fail(expr, value.integer == 0 ? "an extent is positive, got 0"
                                    : "an extent cannot be negative, got " + std::to_string(value.integer));
      return {};
    }
    if (value.integer > kMaxExtent) {
      fail(expr, "an extent is at most 2^40, got " + std::to_string(value.integer));
      return {};
    }
    return pl::extentAttr(context_, value.integer);
  }
  if (value.kind == Kind::DynDim) {
    return pl::extentAttr(context_, value.text);
  }
  if (value.isUnknown() && undefinedNames(expr)) {
    return {};
  }
  // What a builder would be given, or computes from it, may be any size.
  bool open = value.isUnknown() && value.text.starts_with(py::kParameterReason);
  anySize_ |= open;
  if (open || mentionsDynamic(expr)) {
    // Whoever reads the extent later has the dimensions, not the variables of the source.
    std::optional<std::string> text = !open && renamesDynamic(expr) ? dimensionText(expr, 0) : std::nullopt;
    return pl::extentAttr(context_, text ? *text : syntax::spell(expr));
  }
  if (value.isUnknown()) {
    unknownName(expr, value.text);
  } else {
    fail(expr, "an extent must be an integer or a dynamic dimension, got " + show(value));
  }
  return {};
}

bool Resolver::extents(const Expr &list, std::vector<mlir::Attribute> &out, const char *what) {
  if (list.kind == Expr::Kind::List || list.kind == Expr::Kind::Tuple) {
    bool good = true;
    for (const Expr *item : list.children) {
      if (item->kind == Expr::Kind::Starred && item->children.size() == 1) {
        good &= extents(*item->children[0], out, what);
        continue;
      }
      out.push_back(extent(*item));
      good &= static_cast<bool>(out.back());
    }
    return good;
  }
  ConstValue value = evaluate(list, *scope_);
  if (value.kind == Kind::Sequence) {
    for (const ConstValue &item : value.items) {
      if (item.isInt() && item.integer > kMaxExtent) {
        fail(list, "an extent is at most 2^40, got " + std::to_string(item.integer));
        return false;
      }
      if (item.isInt() && item.integer >= 0) {
        out.push_back(pl::extentAttr(context_, item.integer));
      } else if (item.kind == Kind::DynDim) {
        out.push_back(pl::extentAttr(context_, item.text));
      } else {
        fail(list, std::string(what) + " must hold integers or dynamic dimensions, got " + show(item));
        return false;
      }
    }
    return true;
  }
  if (value.isUnknown()) {
    unknownName(list, value.text);
  } else {
    fail(list, std::string(what) + " must be a list of extents, got " + show(value));
  }
  return false;
}

bool Resolver::dtype(const Expr &expr, pl::DType &out) {
  ConstValue value = evaluate(expr, *scope_);
  if (value.kind == Kind::DType) {
    out = value.dtype;
    return true;
  }
  if (value.isUnknown()) {
    unknownName(expr, value.text);
  } else {
    fail(expr, "`" + syntax::spell(expr) + "` is not a dtype");
  }
  return false;
}

bool Resolver::tensorView(const Expr &call, const Expr &element, std::vector<mlir::Attribute> &strides,
                          std::vector<mlir::Attribute> &valid, pl::Layout &layout) {
  if (place_ == AnnotationPlace::JitParameter) {
    fail(element, "`pl.TensorView` cannot annotate the `@pl.jit` parameter `" + std::string(name_) +
                      "`: give the layout alone, or write the kernel as `@pl.function`");
    return false;
  }
  for (const syntax::Keyword &keyword : call.keywords) {
    if (keyword.name == "stride") {
      if (!extents(*keyword.value, strides, "`stride`")) {
        return false;
      }
    } else if (keyword.name == "valid_shape") {
      if (!extents(*keyword.value, valid, "`valid_shape`")) {
        return false;
      }
    } else if (keyword.name == "layout") {
      ConstValue value = evaluate(*keyword.value, *scope_);
      if (value.kind != Kind::Layout) {
        fail(*keyword.value, "`layout` must be a tensor layout such as `pl.NZ`");
        return false;
      }
      layout = value.layout;
    }
  }
  return true;
}

bool Resolver::layoutElement(const Expr &element, TypeInfo &info, std::vector<mlir::Attribute> &strides,
                             std::vector<mlir::Attribute> &valid, pl::Layout &layout) {
  ConstValue value = evaluate(element, *scope_);
  if (element.kind == Expr::Kind::Name) {
    if (const Binding *found = scope_->find(element.text)) {
      info.layoutBinding = found->range;
    }
  }
  if (value.kind == Kind::Layout) {
    layout = value.layout;
    return true;
  }
  if (value.kind == Kind::Type && value.expr && value.expr->kind == Expr::Kind::Call) {
    ConstValue function = evaluate(*value.expr->children[0], *scope_);
    if (function.isPath("pl.TensorView")) {
      return tensorView(*value.expr, element, strides, valid, layout);
    }
    return true; // pl.MemRef(...): placement, not layout
  }
  if (value.isUnknown()) {
    unknownName(element, value.text);
  } else {
    fail(element, "`" + syntax::spell(element) + "` is not a tensor layout: use pl.ND, pl.NZ or pl.TensorView(…)");
  }
  return false;
}

TypeInfo Resolver::tensor(const Expr &expr, bool distributed) {
  TypeInfo out;
  out.range = expr.range;
  out.layoutRange = expr.range;
  if (expr.children.size() < 3 || expr.children.size() > 4) {
    return fail(expr,
                "a tensor is annotated as `pl.Tensor[[extents], dtype]` or `pl.Tensor[[extents], dtype, layout]`");
  }
  std::vector<mlir::Attribute> dims;
  std::vector<mlir::Attribute> strides;
  std::vector<mlir::Attribute> valid;
  pl::DType elementType = pl::DType::F32;
  pl::Layout layout = pl::Layout::ND;
  bool good = extents(*expr.children[1], dims, "the shape");
  good &= dtype(*expr.children[2], elementType);
  if (expr.children.size() == 4) {
    out.layoutRange = expr.children[3]->range;
    good &= layoutElement(*expr.children[3], out, strides, valid, layout);
  }
  if (!good) {
    return out;
  }
  if (dims.empty()) {
    return fail(*expr.children[1], "a tensor has at least one axis");
  }
  out.kind = TypeInfo::Kind::Tensor;
  out.tensor = pl::TensorType::get(context_, dims, elementType, layout, strides, valid, distributed);
  return out;
}

TypeInfo Resolver::tile(const Expr &expr) {
  TypeInfo out;
  out.range = expr.range;
  out.layoutRange = expr.range;
  if (expr.children.size() < 3) {
    return fail(expr, "a tile is annotated as `pl.Tile[[rows, cols], dtype, …]`");
  }
  std::vector<mlir::Attribute> dims;
  pl::DType elementType = pl::DType::F32;
  pl::Mem mem = pl::Mem::Unset;
  bool good = extents(*expr.children[1], dims, "the shape");
  good &= dtype(*expr.children[2], elementType);
  for (size_t i = 3; i < expr.children.size(); ++i) {
    ConstValue value = evaluate(*expr.children[i], *scope_);
    if (value.kind == Kind::Layout) {
      return fail(*expr.children[i],
                  "layout is only supported for Tensor: a tile's layout follows from its memory space");
    }
    mem = value.kind == Kind::Mem ? value.mem : mem;
  }
  std::vector<int64_t> shape;
  for (mlir::Attribute dim : dims) {
    auto number = dim ? mlir::dyn_cast<mlir::IntegerAttr>(dim) : mlir::IntegerAttr();
    if (dim && !number && anySize_) {
      out.kind = TypeInfo::Kind::Unknown;
      return out; // static for whoever gives the builder its arguments
    }
    if (dim && !number) {
      return fail(*expr.children[1], "the physical shape of a tile is static");
    }
    shape.push_back(number ? number.getInt() : 0);
  }
  if (good) {
    out.kind = TypeInfo::Kind::Tile;
    out.tile = pl::TileType::get(context_, shape, elementType, mem);
  }
  return out;
}

TypeInfo Resolver::array(const Expr &expr) {
  TypeInfo out;
  out.range = out.layoutRange = expr.range;
  if (expr.children.size() != 3) {
    return fail(expr, "an array is annotated as `pl.Array[count, dtype]`");
  }
  ConstValue count = evaluate(*expr.children[1], *scope_);
  bool good = dtype(*expr.children[2], out.dtype);
  if (count.isUnknown()) {
    unknownName(*expr.children[1], count.text);
    return out;
  }
  if (!count.isInt() || count.integer < 1) {
    return fail(*expr.children[1], "the length of an array is a positive constant, got " + show(count));
  }
  out.extent = count.integer;
  out.kind = good ? TypeInfo::Kind::Array : TypeInfo::Kind::Invalid;
  return out;
}

TypeInfo Resolver::subscript(const Expr &expr, const std::string &path) {
  if (path == "pl.Out" || path == "pl.InOut") {
    if (expr.children.size() != 2) {
      return fail(expr, "`" + path + "[…]` wraps one type");
    }
    TypeInfo out = resolve(*expr.children[1]);
    if (out.kind == TypeInfo::Kind::Scalar && path == "pl.InOut") {
      return fail(expr, "a scalar parameter cannot be `pl.InOut`");
    }
    out.direction = path == "pl.Out" ? "out" : "inout";
    return out;
  }
  if (path == "pl.Tensor") {
    return tensor(expr, false);
  }
  if (path == "pld.DistributedTensor" || path == "pl.DistributedTensor") {
    return tensor(expr, true);
  }
  if (path == "pl.Tile") {
    return tile(expr);
  }
  if (path == "pl.Scalar") {
    TypeInfo out;
    out.range = out.layoutRange = expr.range;
    if (expr.children.size() == 2 && dtype(*expr.children[1], out.dtype)) {
      out.kind = TypeInfo::Kind::Scalar;
    }
    return out;
  }
  if (path == "pl.Array") {
    return array(expr);
  }
  if (path == "pl.Tuple") {
    TypeInfo out;
    out.kind = TypeInfo::Kind::Tuple;
    for (size_t i = 1; i < expr.children.size(); ++i) {
      out.items.push_back(resolve(*expr.children[i]));
    }
    return out;
  }
  return unsupported(expr, "the type `" + path + "`");
}

TypeInfo Resolver::alias(const Expr &expr, const Expr &meaning, const Scope *around) {
  // A name is looked up where it is used, so a type built from an earlier binding of its own name finds itself.
  if (std::find(aliases_.begin(), aliases_.end(), &meaning) != aliases_.end()) {
    gaveUp_ = "the type `" + syntax::spell(expr) + "`, which refers to its own name,";
    return {};
  }
  if (aliases_.size() >= kMaxAliases) {
    gaveUp_ = "a type behind more than " + std::to_string(kMaxAliases) + " names";
    return {};
  }
  // Its names mean what they mean where it is written; its text may be another module's.
  const Scope *used = scope_;
  const size_t reported = reporter_.size();
  scope_ = around ? around : scope_;
  aliases_.push_back(&meaning);
  TypeInfo out = resolve(meaning);
  aliases_.pop_back();
  const bool elsewhere = moduleOf(scope_) != moduleOf(used);
  scope_ = used;
  if (elsewhere) {
    reporter_.collapse(reported, expr.range);
    out.range = out.layoutRange = expr.range;
    out.layoutBinding.reset();
  }
  return out;
}

TypeInfo Resolver::run(const Expr &expr) {
  TypeInfo out = resolve(expr);
  if (gaveUp_.empty()) {
    return out;
  }
  out = unsupported(expr, gaveUp_);
  out.range = out.layoutRange = expr.range;
  return out;
}

TypeInfo Resolver::resolve(const Expr &expr) {
  if (expr.kind == Expr::Kind::Error || !gaveUp_.empty()) {
    return {};
  }
  if (++parts_ > kMaxParts) {
    gaveUp_ = "a type of more than " + std::to_string(kMaxParts) + " parts";
    return {};
  }
  if (expr.kind == Expr::Kind::Subscript) {
    ConstValue base = evaluate(*expr.children[0], *scope_);
    if (base.kind == Kind::PlPath) {
      return subscript(expr, base.text);
    }
    if (expr.children[0]->kind == Expr::Kind::Name && expr.children[0]->text == "tuple") {
      return subscript(expr, "pl.Tuple");
    }
    if (base.isUnknown()) {
      unknownName(*expr.children[0], base.text);
      return {};
    }
    return fail(expr, "`" + syntax::spell(expr) + "` is not a PL type");
  }
  if (isPlainNumber(expr)) {
    return {};
  }
  if (std::optional<TypeInfo> called = calledType(expr)) {
    return *called;
  }
  ConstValue value = evaluate(expr, *scope_);
  if (value.kind == Kind::Type && value.expr && value.expr != &expr) {
    return alias(expr, *value.expr, value.scope);
  }
  TypeInfo out;
  out.range = out.layoutRange = expr.range;
  if (value.kind == Kind::DType) {
    out.kind = TypeInfo::Kind::Scalar;
    out.dtype = value.dtype;
    return out;
  }
  if (value.isPath("pl.Tensor")) {
    if (place_ == AnnotationPlace::FunctionParameter) {
      return fail(expr, "a bare `pl.Tensor` needs its shape and dtype: `pl.Tensor[[extents], dtype]`");
    }
    out.kind = TypeInfo::Kind::Unknown;
    out.bare = true;
    return out;
  }
  if (value.isPath("pl.TaskId")) {
    out.kind = TypeInfo::Kind::Scalar;
    out.dtype = pl::DType::TaskId;
    return out;
  }
  static const std::set<std::string_view> kHandles{
      "pl.Ptr", "pl.AsyncEvent", "pl.AsyncSession", "pl.PrefetchAsyncContext", "pld.CommCtx", "pl.CommCtx"};
  if (value.kind == Kind::PlPath && kHandles.contains(value.text.substr(0, value.text.find("()")))) {
    out.kind = TypeInfo::Kind::Handle;
    return out;
  }
  if (value.isPath("pl.constexpr")) {
    if (place_ != AnnotationPlace::JitParameter) {
      return fail(expr, "`pl.constexpr` is for parameters of `@pl.jit` kernels: nothing else is given by a call");
    }
    out.kind = TypeInfo::Kind::Constexpr;
    return out;
  }
  if (value.kind == Kind::None && place_ == AnnotationPlace::Result) {
    out.kind = TypeInfo::Kind::Tuple;
    return out;
  }
  if (value.kind == Kind::PlPath) {
    return unsupported(expr, "the type `" + value.text + "`");
  }
  if (value.kind == Kind::Str) {
    return unsupported(expr, "an annotation in quotes");
  }
  if (value.isUnknown()) {
    unknownName(expr, value.text);
    return {};
  }
  return fail(expr, "`" + syntax::spell(expr) + "` is not a PL type");
}

} // namespace

TypeInfo resolveAnnotation(const Expr &expr, const Scope &scope, mlir::MLIRContext *context, AnnotationPlace place,
                           Reporter &reporter, std::string_view name) {
  return Resolver(scope, context, place, reporter, name).run(expr);
}

} // namespace placid::frontend
