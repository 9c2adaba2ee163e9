// SPDX-License-Identifier: Apache-2.0
// The named tiles and tensors of a kernel with their types, as the front end made them: plain facts for hints. Reads
// IR, changes none. One module at a time, on the thread that owns the context.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/mlir_bridge/source_range.h"

#include "mlir/IR/BuiltinOps.h"

namespace placid::compiler {

/// In source order, each name and place once; only those that stand in the text at `path`.
std::vector<InspectValue> valueFacts(mlir::ModuleOp module, const std::string &path,
                                     const bridge::SourceLookup &lookup);

} // namespace placid::compiler
