// SPDX-License-Identifier: Apache-2.0
// Parameters of a kernel: tensors and their layouts, scalars, and what is made of pointers.
#include "compiler/pro/rules/rules.h"
#include "compiler/pro/rules/spelling.h"
#include "compiler/support/suggest.h"

#include <algorithm>

namespace placid::pro::rules {

using syntax::Expr;

namespace {

/// A value, and the expression that says it: an annotation may be held by a name.
struct Written {
  const Expr *expr = nullptr;
  Site at;
};

void dimension(KernelReader &reader, TensorInfo &tensor, const Value &value, Site at) {
  auto refuse = [&](const std::string &got) {
    reader.report(diag::ProTensorDim, at,
                  "an extent of tensor `" + tensor.name +
                      "` must be a positive integer, `pl.DYNAMIC` or `pl.STATIC`, got " + got);
    tensor.poisoned = true;
  };
  if (std::optional<int64_t> extent = value.integer()) {
    if (*extent <= 0) {
      refuse(std::to_string(*extent));
    }
    tensor.shape.push_back(*extent > 0 ? Extent(extent) : std::nullopt);
    return;
  }
  tensor.shape.push_back(std::nullopt);
  if (value.isPython(py::Kind::Float) || value.isPython(py::Kind::Bool) || value.isPython(py::Kind::Str)) {
    refuse(std::string(reader.textOf(at)));
  }
}

void layout(KernelReader &reader, TensorInfo &tensor, const Value &value, const Written &written) {
  std::string_view path = value.path();
  std::string_view last = path.substr(path.rfind('.') + 1);
  if (path == "pro.MemRef" || path == "pro.Input" || path == "pro.Output" || path == "pro.InOut") {
    return;
  }
  std::optional<Layout> found = path.starts_with("pro.") ? layoutOf(last) : std::nullopt;
  if (!found) {
    bool number = value.kind == ValueKind::Python && (value.python.isNumber() || value.python.is(py::Kind::Str));
    if (number || (!path.empty() && path.find("MemRef") == std::string_view::npos)) {
      reader
          .report(diag::ProTensorLayoutInt, written.at,
                  "`" + std::string(reader.textOf(written.at)) + "` is no layout of tensor `" + tensor.name +
                      "`: use `pl.ND` or `pl.NZ`")
          .fix("declare `" + spelledIn(written.at.module, "ND") + "`", written.at, spelledIn(written.at.module, "ND"))
          .fix("declare `" + spelledIn(written.at.module, "NZ") + "`", written.at, spelledIn(written.at.module, "NZ"));
      tensor.poisoned = true;
    }
    tensor.layout = value.isUnknown() ? std::nullopt : tensor.layout;
    return;
  }
  tensor.layout = found;
  std::string shown(name(*found));
  if (*found == Layout::DN) {
    reader.report(diag::ProTensorLayoutDn, written.at,
                  "tensor `" + tensor.name +
                      "` is declared DN, which is read but is no storage form of global memory: declare ND "
                      "and transpose with `order=[1, 0]`");
    return;
  }
  if (tensorMayBe(*found)) {
    return;
  }
  tensor.poisoned = true;
  // A layout that is imported by its name is no other name for it.
  Site bound = reader.textOf(written.at) == shown ? Site() : reader.bindingOf(*written.expr);
  const Message &kind = bound.module ? diag::ProTensorLayoutAlias : diag::ProTensorLayout;
  std::string held = bound.module ? ", the value of `" + syntax::spell(*written.expr) + "`" : "";
  auto report =
      reader.report(kind, written.at,
                    "tensor `" + tensor.name + "` is declared " + shown + held + ": GM tensors support ND and NZ, " +
                        shown + " is a tile layout; give `layout=pl." + shown + "` to the TileType" +
                        (*found == Layout::ZN ? " and `order=[1, 0]` to the load" : ""));
  report.binding(bound, "bound to `pl." + shown + "` here");
  if (!bound.module) {
    std::string plain = spelledIn(written.at.module, "ND");
    report.fix("declare `" + plain + "`", written.at, plain);
  }
}

Value tensor(KernelReader &reader, std::string_view name, const Expr &type, Site at) {
  TensorInfo &made = reader.newTensor();
  made.name = name;
  made.annotation = at;
  Value out;
  out.kind = ValueKind::Tensor;
  out.tensor = &made;
  if (type.children.size() < 3) {
    reader.report(diag::ProParamAnnotation, at,
                  "tensor `" + made.name + "` misses its " + (type.children.size() < 2 ? "shape and " : "") +
                      "dtype: `pl.Tensor[[64, 64], pl.DT_FP16]`");
    made.rankKnown = false;
    made.poisoned = true;
    return out;
  }
  auto child = [&](size_t i) { return Written{type.children[i], {at.module, type.children[i]->range}}; };
  Written shape = child(1);
  if (shape.expr->kind == Expr::Kind::List || shape.expr->kind == Expr::Kind::Tuple) {
    for (const Expr *extent : shape.expr->children) {
      bool ellipsis = extent->python && extent->python->kind == syntax::PythonExpr::Kind::Ellipsis;
      if (ellipsis && extent != shape.expr->children.back()) {
        reader.report(diag::ProTensorDim, {at.module, extent->range},
                      "`...` stands for the axes that follow: only the last extent of tensor `" + made.name +
                          "` can be it");
      }
      if (ellipsis || extent->kind == Expr::Kind::Starred) {
        made.rankKnown = false;
        continue;
      }
      Value value = reader.evaluate(*extent);
      made.rankKnown = made.rankKnown && !value.isPython(py::Kind::Ellipsis);
      dimension(reader, made, value, {at.module, extent->range});
    }
  } else {
    std::optional<std::vector<Value>> extents = reader.itemsOf(reader.evaluate(*shape.expr));
    made.rankKnown = extents.has_value();
    for (const Value &extent : extents.value_or(std::vector<Value>())) {
      dimension(reader, made, extent, shape.at);
    }
  }
  if (type.children.size() > 2) {
    made.dtype = dtype(reader, reader.evaluate(*type.children[2]), child(2).at);
  }
  for (size_t i = 3; i < type.children.size(); ++i) {
    Written third = child(i);
    Value value = third.expr->kind == Expr::Kind::Call ? Value() : reader.evaluate(*third.expr);
    if (third.expr->kind == Expr::Kind::Call) {
      continue; // pl.MemRef(…)
    }
    made.annotation = third.at;
    layout(reader, made, value, third);
  }
  if (made.layout == Layout::NZ && made.rankKnown && !made.poisoned) {
    size_t rank = made.shape.size();
    if (rank < 2) {
      made.poisoned = true;
      reader
          .report(diag::ProNzRank, made.annotation,
                  "tensor `" + made.name + "` is declared NZ with rank " + std::to_string(rank) +
                      ": NZ interprets the last two axes as [M, N]")
          .declaredNz(made.annotation);
      return out;
    }
    Extent rows = made.shape[rank - 2];
    Extent columns = made.shape[rank - 1];
    NzPlane plane = rows && columns && made.dtype ? nzPlane(*rows, *columns, *made.dtype) : NzPlane();
    if (plane.padded) {
      reader
          .report(diag::ProNzStorage, made.annotation,
                  "the buffer of `" + made.name + "` needs " + std::to_string(plane.paddedRows) + " x " +
                      std::to_string(plane.paddedColumns) + " elements for each batch (align(" + show(rows) +
                      ", 16) x align(" + show(columns) + ", " + std::to_string(plane.c0) + ")), not " +
                      std::to_string(*rows * *columns) +
                      ": NZ storage is whole fractals, and the caller allocates and packs them")
          .declaredNz(made.annotation);
    }
  }
  return out;
}

Value tileAnnotation(KernelReader &reader, const syntax::Parameter &parameter, const Expr &type) {
  if (type.children.size() > 3) {
    Site at = reader.site(*type.children[3]);
    Value value = type.children[3]->kind == Expr::Kind::Call ? Value() : reader.evaluate(*type.children[3]);
    std::string_view path = value.path();
    if (layoutOf(path.substr(path.rfind('.') + 1)) || (value.kind == ValueKind::Python && value.python.isNumber())) {
      reader.report(diag::ProTileAnnArg, at,
                    "the third argument of `pl.Tile` is a `pl.MemRef`, got `" + std::string(reader.textOf(at)) +
                        "` for `" + std::string(parameter.name) + "`: the layout belongs to the `pl.TileType`");
    }
  }
  return Value::unknown("");
}

/// `pl.Tensor[…]` and `pl.Tile[…]`, read where they are written.
Value annotated(KernelReader &reader, const syntax::Parameter &parameter, const Expr &type) {
  if (type.kind != Expr::Kind::Subscript) {
    return Value::unknown("");
  }
  std::string_view base = reader.evaluate(*type.children[0]).path();
  if (base == "pro.Tensor") {
    return tensor(reader, parameter.name, type, reader.site(type));
  }
  return base == "pro.Tile" ? tileAnnotation(reader, parameter, type) : Value::unknown("");
}

/// The type of a field of a tiling class: `int`, `float` or `bool`.
std::optional<DType> fieldType(const Expr &type) {
  bool named = type.kind == Expr::Kind::Name;
  return named && type.text == "int"     ? std::optional(DType::Int64)
         : named && type.text == "float" ? std::optional(DType::Fp32)
         : named && type.text == "bool"  ? std::optional(DType::Bool)
                                         : std::nullopt;
}

/// A parameter that is a tiling class, a dataclass of numbers and arrays `T[N]`: a struct of parameters, one a field,
/// of which arrays are read as tensors are. Of another class nothing is known.
Value tiling(KernelReader &reader, const syntax::Parameter &parameter, const py::ClassObject &type) {
  constexpr int64_t kMostElements = 2048;
  std::vector<std::string> names;
  std::vector<Value> values;
  bool known = type.dataclass && type.definition && type.definition->kind == syntax::Stmt::Kind::Class;
  for (const syntax::Stmt *stmt : known ? type.definition->body : std::vector<const syntax::Stmt *>()) {
    if (!stmt->annotation || stmt->targets.size() != 1 || stmt->targets[0]->kind != Expr::Kind::Name) {
      continue;
    }
    const Expr &annotation = *stmt->annotation;
    bool array = annotation.kind == Expr::Kind::Subscript && annotation.children.size() == 2 &&
                 annotation.children[1]->kind == Expr::Kind::Int;
    std::optional<DType> dtype = fieldType(array ? *annotation.children[0] : annotation);
    std::string name(stmt->targets[0]->text);
    if (!dtype || std::find(names.begin(), names.end(), name) != names.end()) {
      return Value::unknown("");
    }
    Value made = Value::scalar(ScalarOrigin::Parameter, *dtype);
    if (array) {
      std::optional<int64_t> extent = reader.evaluate(*annotation.children[1]).integer();
      if (!extent || *extent <= 0 || *extent > kMostElements) {
        return Value::unknown("");
      }
      TensorInfo &held = reader.newTensor();
      held.name = std::string(parameter.name) + "_" + name;
      held.annotation = reader.site(*parameter.annotation);
      held.shape = {extent};
      held.dtype = dtype;
      made = Value();
      made.kind = ValueKind::Tensor;
      made.tensor = &held;
    }
    names.push_back(std::move(name));
    values.push_back(std::move(made));
  }
  return names.empty() ? Value::unknown("") : Value::ofFields(std::move(names), std::move(values));
}

} // namespace

std::optional<DType> dtype(KernelReader &reader, const Value &value, Site at) {
  std::string_view path = value.path();
  if (path.starts_with("pro.")) {
    std::string word(path.substr(4));
    if (std::optional<DType> found = dtypeOf(word)) {
      return found;
    }
    if (word.find('.') == std::string::npos || dtypeOf(word.substr(0, 0))) {
      std::vector<std::string> names = dtypeNames();
      std::string prefixed = "DT_" + word;
      bool bare = dtypeOf(prefixed).has_value();
      std::string near = bare ? prefixed : support::nearestName(word, names);
      auto report =
          reader.report(diag::ProDtypeName, at,
                        "`pl." + word + "` is no dtype" + (near.empty() ? "" : ": did you mean `pl." + near + "`?"));
      if (!near.empty() && reader.textOf(at).ends_with("." + word)) {
        std::string spelledBefore(reader.textOf(at).substr(0, reader.textOf(at).size() - word.size()));
        report.fix("use `" + spelledBefore + near + "`", at, spelledBefore + near);
      }
    }
    return std::nullopt;
  }
  if (value.kind == ValueKind::Python && (value.python.isNumber() || value.python.is(py::Kind::Str))) {
    reader.report(diag::ProDtypeName, at, "`" + std::string(reader.textOf(at)) + "` is no dtype: use one of `pl.DT_…`");
  }
  return std::nullopt;
}

Value parameter(KernelReader &reader, const syntax::Parameter &parameter) {
  if (!parameter.annotation) {
    return Value::unknown("");
  }
  const Expr *type = parameter.annotation;
  Site at = reader.site(*type);
  Value held = type->kind == Expr::Kind::Subscript ? Value() : reader.evaluate(*type);
  if (held.isPython(py::Kind::PlType) && held.python.as<py::TypeObject>().expr) {
    const auto &object = held.python.as<py::TypeObject>(); // a name that holds the annotation
    if (object.env && object.env->module && object.env->module->tree) {
      return reader.inModuleOf(object.env, [&] { return annotated(reader, parameter, *object.expr); });
    }
    return annotated(reader, parameter, *object.expr);
  }
  if (type->kind == Expr::Kind::Subscript) {
    return annotated(reader, parameter, *type);
  }
  std::string_view path = held.path();
  if (path == "pro.Tensor") {
    return tensor(reader, parameter.name, *type, at);
  }
  if (std::optional<DType> scalar = path.starts_with("pro.") ? dtypeOf(path.substr(4)) : std::nullopt) {
    if (isStorageOnly(*scalar)) {
      reader.report(
          diag::ProScalarDtype, at,
          "scalar parameter `" + std::string(parameter.name) + "` has the storage-only type " +
              std::string(name(*scalar)) +
              ": scalars are BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP16, BF16 or FP32");
      return Value::unknown("");
    }
    return Value::scalar(ScalarOrigin::Parameter, *scalar);
  }
  if (path.starts_with("pro.") && path.find('.', 4) == std::string_view::npos && path != "pro.Tile" &&
      path != "pro.Ptr" && path != "pro.Scalar") {
    dtype(reader, held, at);
  }
  return held.isPython(py::Kind::Class) ? tiling(reader, parameter, held.python.as<py::ClassObject>())
                                        : Value::scalar(ScalarOrigin::Parameter);
}

Value makeTensor(KernelReader &reader, std::string_view path, const Expr &call) {
  if (path != "make_tensor") {
    return Value::unknown("");
  }
  TensorInfo &made = reader.newTensor();
  made.name = reader.target();
  made.annotation = reader.site(call);
  made.layout = std::nullopt;
  const Expr *shape = call.children.size() > 2 ? call.children[2] : nullptr;
  const Expr *stride = call.children.size() > 3 ? call.children[3] : nullptr;
  for (const syntax::Keyword &keyword : call.keywords) {
    shape = keyword.name == "shape" ? keyword.value : shape;
    stride = keyword.name == "stride" ? keyword.value : stride;
    if (keyword.name == "dtype") {
      made.dtype = dtype(reader, reader.evaluate(*keyword.value), reader.site(*keyword.value));
    }
  }
  std::optional<std::vector<Value>> extents = shape ? reader.itemsOf(reader.evaluate(*shape)) : std::nullopt;
  made.rankKnown = extents.has_value();
  for (const Value &extent : extents.value_or(std::vector<Value>())) {
    made.shape.push_back(extent.integer());
  }
  std::optional<std::vector<Value>> strides = stride ? reader.itemsOf(reader.evaluate(*stride)) : std::nullopt;
  if (extents && strides && strides->size() != extents->size()) {
    reader.report(diag::ProArguments, reader.site(*stride),
                  "`stride` has " + std::to_string(strides->size()) + " entries, the shape " +
                      std::to_string(extents->size()) + ": one for each axis");
  }
  Value out;
  out.kind = ValueKind::Tensor;
  out.tensor = &made;
  return out;
}

} // namespace placid::pro::rules
