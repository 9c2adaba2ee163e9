// SPDX-License-Identifier: Apache-2.0
// The compiler in this process. Only this header is needed to have one; no MLIR type shows.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::compiler {

/// One service for one thread at a time. Between calls it keeps the syntax trees of the texts it saw last, so that an
/// edited text is parsed from its change, and the results of kernels (unit_memo.h); both are bounded, and neither shows
/// in what it answers. `remembers` false: no results of kernels, which is quicker where no text comes twice.
std::unique_ptr<CompilerService> makeInProcessService(bool remembers = true);

} // namespace placid::compiler
