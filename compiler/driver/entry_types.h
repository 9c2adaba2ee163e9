// SPDX-License-Identifier: Apache-2.0
// The parameter types that a file's own Python gives to its kernels: from the torch tensors and specs that it calls
// them with. Apart from CallTypes, which also knows the calls between kernels, because this one only reads the
// evaluator's record. Knows nothing of units or passes. Called once a compile, on its thread.
#pragma once

#include "compiler/frontend/call_types.h"

#include <vector>

namespace mlir {
class MLIRContext;
}

namespace placid::compiler {

/// Records every call of `program` whose arguments are as many as the kernel's parameters. An argument whose shape or
/// dtype is not wholly known says nothing; of several calls of one kernel the first decides.
void recordEntryTypes(const frontend::Program &program, mlir::MLIRContext *context, frontend::CallTypes &types);

/// A later call of a kernel with bare parameters, with other types than the calls before it.
struct FurtherCall {
  const frontend::KernelDecl *kernel = nullptr;
  std::vector<mlir::Type> types; ///< By parameter, `self` not counted; null where the call does not say it.
  source::ByteRange range;       ///< Of the call, in the entry's text.
};

/// In the order of the calls; at most `most` of one kernel.
std::vector<FurtherCall> furtherCalls(const frontend::Program &program, mlir::MLIRContext *context, size_t most);

} // namespace placid::compiler
