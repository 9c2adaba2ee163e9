// SPDX-License-Identifier: Apache-2.0
// The parameters of a kernel as names of its first frame.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

namespace placid::pro {

void KernelReader::declareParameters() {
  for (const syntax::Parameter &parameter : kernel_.function->parameters) {
    if (parameter.variadic) {
      continue;
    }
    if (!parameter.annotation) {
      report(diag::ProParamAnnotation, {frames_.back().module, parameter.nameRange},
             "parameter `" + std::string(parameter.name) +
                 "` misses its type annotation: every parameter of a kernel has one");
    }
    Value value = rules::parameter(*this, parameter);
    if (tracer_ && value.kind == ValueKind::Tensor) {
      tracer_->parameter(*value.tensor);
    } else if (tracer_) {
      tracer_->refuse({frames_.back().module, parameter.nameRange}, "parameters that are no tensors are not lowered");
    }
    frames_.back().locals[parameter.name] = {std::move(value), {frames_.back().module, parameter.nameRange}};
  }
}

} // namespace placid::pro
