// SPDX-License-Identifier: Apache-2.0
// From a module after ConvertPlToPto to what a build writes: the text of each kernel and how it is called.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/emit/pto_text.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace placid::emit {

/// One entry for each function of `module`, in module order. Functions that were dropped with a diagnostic are absent.
/// A kernel without a spelling is left out with a PL9000 diagnostic.
std::vector<compiler::LoweredKernel> emitPto(mlir::ModuleOp module, const TextOptions &options = {});

} // namespace placid::emit
