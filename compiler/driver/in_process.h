// SPDX-License-Identifier: Apache-2.0
// The compiler in this process. Only this header is needed to have one; no MLIR type shows.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::compiler {

/// One service for one thread at a time. It keeps the syntax trees of the texts it saw last and the results of kernels
/// that have not changed, within fixed limits.
std::unique_ptr<CompilerService> makeInProcessService();

} // namespace placid::compiler
