// SPDX-License-Identifier: Apache-2.0
// The parameters of a kernel as names of its first frame.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

namespace placid::pro {

void KernelReader::declareParameters() {
  int number = -1;
  for (const syntax::Parameter &parameter : kernel_.function->parameters) {
    ++number;
    if (parameter.variadic) {
      continue;
    }
    if (!parameter.annotation) {
      report(diag::ProParamAnnotation, {frames_.back().module, parameter.nameRange},
             "parameter `" + std::string(parameter.name) +
                 "` misses its type annotation: every parameter of a kernel has one");
    }
    Value value = rules::parameter(*this, parameter);
    Site named{frames_.back().module, parameter.nameRange};
    if (value.kind == ValueKind::Tensor) {
      lastTensor().number = number;
    } else if (value.kind == ValueKind::Scalar && value.dtype &&
               (isInteger(*value.dtype) || *value.dtype == DType::Bool)) {
      value.index = symbolIndex(IndexNode::Origin::Parameter, static_cast<size_t>(number));
    } else if (tracer_ && value.kind == ValueKind::Scalar && value.dtype) {
      value.real = tracer_->variable(std::string(parameter.name), named);
    }
    if (tracer_) {
      tracer_->parameter(value, number, std::string(parameter.name), named);
    }
    frames_.back().locals[parameter.name] = {std::move(value), {frames_.back().module, parameter.nameRange}};
  }
}

} // namespace placid::pro
