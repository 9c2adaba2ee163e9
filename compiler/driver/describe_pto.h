// SPDX-License-Identifier: Apache-2.0
// The arguments of a kernel that is only known as PTO IR text: names, shapes and layouts as its tensor views state
// them. For texts that come without a manifest; what the views do not say is not guessed.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/interpreter/program.h"

namespace placid::compiler {

/// One entry a data parameter. A parameter without a view of known form has the kind "unknown".
std::vector<LoweredKernel::Argument> describeArguments(const interp::Function &function);

} // namespace placid::compiler
