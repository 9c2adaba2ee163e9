// SPDX-License-Identifier: Apache-2.0
// The parameters of a kernel as names of its first frame.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

#include <algorithm>

namespace placid::pro {

/// The numbers of a parameter, as far as a trace follows them: an integer as an index, another one as a variable.
void KernelReader::declareNumber(Value &value, const std::string &name, int number, Site at) {
  if (value.kind != ValueKind::Scalar || !value.dtype) {
    return;
  }
  if (isInteger(*value.dtype) || *value.dtype == DType::Bool) {
    value.index = symbolIndex(IndexNode::Origin::Parameter, static_cast<size_t>(number));
  } else if (tracer_) {
    value.real = tracer_->variable(name, at);
  }
}

/// A tiling class is the last parameter: its fields are as many parameters, named after it. The number of the last one.
int KernelReader::declareFields(Value value, const syntax::Parameter &parameter, int number) {
  Site named{frames_.back().module, parameter.nameRange};
  const std::vector<syntax::Parameter> &all = kernel_.function->parameters;
  if (tracer_ && static_cast<size_t>(number) + 1 != all.size()) {
    tracer_->refuse(named, "a tiling class that is not the last parameter is not lowered");
  }
  std::vector<Value> items = *value.items;
  for (size_t i = 0; i < items.size(); ++i) {
    int own = number + static_cast<int>(i);
    std::string name = std::string(parameter.name) + "_" + (*value.fields)[i];
    while (std::any_of(all.begin(), all.end(), [&](const syntax::Parameter &other) { return other.name == name; })) {
      name += "_";
    }
    declareNumber(items[i], name, own, named);
    for (TensorInfo &tensor : tensors_) {
      if (&tensor == items[i].tensor) {
        tensor.number = own;
        tensor.name = name;
      }
    }
    if (tracer_) {
      tracer_->parameter(items[i], own, std::move(name), named);
    }
  }
  value.items = std::make_shared<const std::vector<Value>>(std::move(items));
  int last = number + static_cast<int>(value.items->size()) - 1;
  frames_.back().locals[parameter.name] = {std::move(value), named};
  return last;
}

/// The front end makes a kernel for each key. One that is lowered takes the key as numbers behind its parameters, and
/// chooses at run time: rules, which would see a constant, are not told of them.
void KernelReader::declareTilingKeys(int number) {
  for (std::string_view key : setup_.tilingKeys) {
    Value value = Value::unknown("a tiling key, which the launch chooses");
    Site at{kernel_.module, kernel_.function->nameRange};
    if (tracer_) {
      Value given = Value::scalar(ScalarOrigin::Parameter, DType::Int64);
      tracer_->parameter(given, ++number, std::string(key), at);
      value.index = ofTrace(symbolIndex(IndexNode::Origin::Parameter, static_cast<size_t>(number)));
    }
    frames_.back().locals[key] = {std::move(value), at};
  }
}

void KernelReader::declareParameters() {
  int number = -1;
  for (const syntax::Parameter &parameter : kernel_.function->parameters) {
    ++number;
    if (parameter.variadic) {
      std::string_view name = parameter.name; // a separator has none
      name.remove_prefix(std::min(name.find_first_not_of('*'), name.size()));
      if (!name.empty() && name != "/") {
        size_t begin = kernel_.module->source->text.find(parameter.name, kernel_.function->nameRange.end);
        source::ByteRange at{static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + parameter.name.size())};
        report(diag::ProParamAnnotation,
               {kernel_.module, begin == std::string::npos ? kernel_.function->nameRange : at},
               "a kernel takes no `*" + std::string(name) +
                   "`: each of its parameters is named and has its type annotation");
      }
      continue;
    }
    if (!parameter.annotation) {
      report(diag::ProParamAnnotation, {frames_.back().module, parameter.nameRange},
             "parameter `" + std::string(parameter.name) +
                 "` misses its type annotation: every parameter of a kernel has one");
    }
    Value value = rules::parameter(*this, parameter);
    Site named{frames_.back().module, parameter.nameRange};
    if (value.kind == ValueKind::Struct) {
      number = declareFields(value, parameter, number);
      continue;
    }
    if (value.kind == ValueKind::Tensor) {
      lastTensor().number = number;
    }
    declareNumber(value, std::string(parameter.name), number, named);
    if (tracer_) {
      tracer_->parameter(value, number, std::string(parameter.name), named);
    }
    frames_.back().locals[parameter.name] = {std::move(value), {frames_.back().module, parameter.nameRange}};
  }
  declareTilingKeys(number);
}

} // namespace placid::pro
