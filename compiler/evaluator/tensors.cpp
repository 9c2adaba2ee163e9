// SPDX-License-Identifier: Apache-2.0
// torch's constructors, as shapes and dtypes: what bare `pl.Tensor` parameters are called with. Values of elements are
// never known.
#include "compiler/evaluator/builtin_support.h"

#include <algorithm>

namespace placid::py {

namespace {

using support::argument;

std::string dtypeOf(Value value) {
  return value.is(Kind::Foreign) && textOf(value).starts_with("torch.") ? textOf(value).substr(6) : std::string();
}

Value makeTensor(Interpreter &run, std::vector<int64_t> shape, bool known, std::string dtype) {
  auto *made = run.heap().make<TensorObject>();
  made->shape = std::move(shape);
  made->shapeKnown = known;
  made->dtype = std::move(dtype);
  return Value::make(Kind::Tensor, made);
}

/// Extents given one by one or as one sequence.
bool extents(Interpreter &run, const std::vector<Value> &given, size_t from, size_t to, std::vector<int64_t> &out) {
  std::vector<Value> parts(given.begin() + static_cast<std::ptrdiff_t>(std::min(from, given.size())),
                           given.begin() + static_cast<std::ptrdiff_t>(std::min(to, given.size())));
  if (parts.size() == 1 && !parts[0].isNumber()) {
    Value sequence = run.fetch(parts[0]);
    parts.clear();
    if (!sequence.isSequence()) {
      return false;
    }
    parts = sequence.as<SequenceObject>().items;
  }
  for (Value part : parts) {
    out.push_back(part.isSmall() && part.integer >= 0 ? part.integer : -1);
  }
  return true;
}

/// Shape and dtype of nested sequences of numbers.
bool nestedShape(Value value, std::vector<int64_t> &shape, bool &floats, bool &bools, unsigned depth = 0) {
  if (value.isSequence() && depth < 8) {
    const std::vector<Value> &items = value.as<SequenceObject>().items;
    shape.push_back(static_cast<int64_t>(items.size()));
    return items.empty() || nestedShape(items[0], shape, floats, bools, depth + 1);
  }
  floats = value.is(Kind::Float);
  bools = value.is(Kind::Bool);
  return value.isNumber();
}

constexpr std::string_view kSizes[] = {"zeros", "ones", "empty", "rand", "randn"};
constexpr std::string_view kLikes[] = {"zeros_like", "ones_like", "empty_like",   "rand_like",
                                       "randn_like", "full_like", "randint_like", "clone"};

struct Conversion {
  std::string_view method;
  std::string_view dtype;
};
constexpr Conversion kConversions[] = {{"half", "float16"}, {"float", "float32"},    {"double", "float64"},
                                       {"int", "int32"},    {"long", "int64"},       {"short", "int16"},
                                       {"bool", "bool"},    {"bfloat16", "bfloat16"}};
constexpr std::string_view kSame[] = {"contiguous",     "clone",         "detach",     "cpu",   "npu",    "cuda",
                                      "requires_grad_", "share_memory_", "pin_memory", "fill_", "zero_",  "normal_",
                                      "uniform_",       "mul",           "div",        "add",   "sub",    "clamp",
                                      "clamp_",         "abs",           "neg",        "copy_", "random_"};

} // namespace

Value Interpreter::tensorCall(std::string_view path, Arguments &arguments, bool &handled) {
  handled = false;
  if (!path.starts_with("torch.")) {
    return Value();
  }
  std::string_view name = path.substr(6);
  Value given = argument(arguments, SIZE_MAX, "dtype");
  std::string dtype = given.isRaised() ? std::string() : dtypeOf(given);
  bool stated = !given.isRaised() && !given.isNone();
  handled = true;
  if (std::find(std::begin(kSizes), std::end(kSizes), name) != std::end(kSizes)) {
    std::vector<int64_t> shape;
    Value size = argument(arguments, SIZE_MAX, "size");
    bool known = size.isRaised() ? extents(*this, arguments.positional, 0, SIZE_MAX, shape)
                                 : extents(*this, {size}, 0, 1, shape);
    return makeTensor(*this, std::move(shape), known && !arguments.isOpen, stated ? dtype : "float32");
  }
  if (std::find(std::begin(kLikes), std::end(kLikes), name) != std::end(kLikes)) {
    Value like = arguments.positional.empty() ? Value() : arguments.positional[0];
    if (!like.is(Kind::Tensor)) {
      return unknown("a tensor like one that is not known", arguments.at);
    }
    auto &from = like.as<TensorObject>();
    return makeTensor(*this, from.shape, from.shapeKnown, stated ? dtype : from.dtype);
  }
  if (name == "full") {
    std::vector<int64_t> shape;
    Value value = argument(arguments, 1, "fill_value");
    bool known = extents(*this, arguments.positional, 0, 1, shape);
    return makeTensor(*this, std::move(shape), known,
                      stated                  ? dtype
                      : value.is(Kind::Float) ? "float32"
                      : value.is(Kind::Bool)  ? "bool"
                      : value.isInteger()     ? "int64"
                                              : "");
  }
  if (name == "randint") {
    size_t at = arguments.positional.size() > 2 ? 2 : 1;
    std::vector<int64_t> shape;
    Value size = argument(arguments, SIZE_MAX, "size");
    bool known =
        size.isRaised() ? extents(*this, arguments.positional, at, at + 1, shape) : extents(*this, {size}, 0, 1, shape);
    return makeTensor(*this, std::move(shape), known, stated ? dtype : "int64");
  }
  if (name == "tensor") {
    std::vector<int64_t> shape;
    bool floats = false;
    bool bools = false;
    bool known = !arguments.positional.empty() && nestedShape(fetch(arguments.positional[0]), shape, floats, bools);
    return makeTensor(*this, std::move(shape), known,
                      stated   ? dtype
                      : !known ? ""
                      : floats ? "float32"
                      : bools  ? "bool"
                               : "int64");
  }
  if (name == "arange") {
    std::vector<Value> parts = arguments.positional;
    bool whole = !parts.empty() && std::all_of(parts.begin(), parts.end(), [](Value part) { return part.isSmall(); });
    int64_t size = -1;
    if (whole) {
      RangeObject steps;
      steps.start = parts.size() > 1 ? parts[0].integer : 0;
      steps.stop = parts[parts.size() > 1 ? 1 : 0].integer;
      steps.step = parts.size() > 2 ? parts[2].integer : 1;
      size = steps.step == 0 ? -1 : static_cast<int64_t>(steps.size());
    }
    return makeTensor(*this, {size}, true, stated ? dtype : whole ? "int64" : "");
  }
  handled = false;
  return Value();
}

Value Interpreter::tensorMethod(Value self, std::string_view name, Arguments &arguments) {
  auto &tensor = self.as<TensorObject>();
  for (const Conversion &row : kConversions) {
    if (row.method == name) {
      return makeTensor(*this, tensor.shape, tensor.shapeKnown, std::string(row.dtype));
    }
  }
  if (std::find(std::begin(kSame), std::end(kSame), name) != std::end(kSame)) {
    return self;
  }
  if (name == "to" || name == "type") {
    Value what = argument(arguments, 0, "dtype");
    std::string dtype = dtypeOf(what);
    bool device = what.is(Kind::Str) || dtype == "device";
    return makeTensor(*this, tensor.shape, tensor.shapeKnown, device ? tensor.dtype : dtype);
  }
  if (name == "size") {
    if (arguments.positional.size() == 1 && arguments.positional[0].isSmall() && tensor.shapeKnown) {
      auto rank = static_cast<int64_t>(tensor.shape.size());
      int64_t axis = arguments.positional[0].integer;
      axis = axis < 0 ? axis + rank : axis;
      bool known = axis >= 0 && axis < rank && tensor.shape[static_cast<size_t>(axis)] >= 0;
      return known ? Value::ofInt(tensor.shape[static_cast<size_t>(axis)]) : unknown("an extent of a tensor");
    }
    return arguments.positional.empty() ? attribute(self, "shape", arguments.at) : unknown("an extent of a tensor");
  }
  if (name == "dim") {
    return tensor.shapeKnown ? Value::ofInt(static_cast<int64_t>(tensor.shape.size())) : unknown("a tensor's rank");
  }
  if (name == "numel" && tensor.shapeKnown) {
    Value out = Value::ofInt(1);
    for (int64_t extent : tensor.shape) {
      out = extent < 0 ? unknown("an extent of a tensor") : binary("*", out, Value::ofInt(extent));
    }
    return out;
  }
  if (name == "reshape" || name == "view") {
    std::vector<int64_t> shape;
    bool known = extents(*this, arguments.positional, 0, SIZE_MAX, shape);
    int64_t open = std::count(shape.begin(), shape.end(), -1);
    if (known && open == 1 && tensor.shapeKnown) { // one extent follows from the others
      int64_t all = 1;
      int64_t others = 1;
      bool over = false;
      for (int64_t extent : tensor.shape) {
        over |= extent < 0 || __builtin_mul_overflow(all, extent, &all);
      }
      for (int64_t extent : shape) {
        over |= extent >= 0 && __builtin_mul_overflow(others, extent, &others);
      }
      std::replace(shape.begin(), shape.end(), int64_t{-1}, over || others == 0 ? -1 : all / others);
    }
    return makeTensor(*this, std::move(shape), known, tensor.dtype);
  }
  if ((name == "t" || name == "transpose" || name == "T") && tensor.shapeKnown && tensor.shape.size() == 2) {
    return makeTensor(*this, {tensor.shape[1], tensor.shape[0]}, true, tensor.dtype);
  }
  if (name == "unsqueeze" && arguments.positional.size() == 1 && arguments.positional[0].isSmall() &&
      tensor.shapeKnown) {
    std::vector<int64_t> shape = tensor.shape;
    int64_t axis = arguments.positional[0].integer;
    axis = axis < 0 ? axis + static_cast<int64_t>(shape.size()) + 1 : axis;
    if (axis >= 0 && axis <= static_cast<int64_t>(shape.size())) {
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
      return makeTensor(*this, std::move(shape), true, tensor.dtype);
    }
  }
  if (name == "[]" && tensor.shapeKnown && !tensor.shape.empty() && arguments.positional[0].isSmall()) {
    return makeTensor(*this, {tensor.shape.begin() + 1, tensor.shape.end()}, true, tensor.dtype);
  }
  return unknown("`" + std::string(name) + "` of a tensor", arguments.at);
}

} // namespace placid::py
