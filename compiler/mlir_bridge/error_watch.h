// SPDX-License-Identifier: Apache-2.0
// Whether a piece of work reported an error, for passes that go on with the next function when one is at fault. Looks
// at MLIR's engine and keeps nothing back. One thread a context.
#pragma once

#include "mlir/IR/Diagnostics.h"

namespace placid::bridge {

/// Runs `work`; true when it reported an error, through emitDiag or otherwise.
inline bool reportsError(mlir::MLIRContext *context, llvm::function_ref<void()> work) {
  bool any = false;
  mlir::ScopedDiagnosticHandler watch(context, [&](mlir::Diagnostic &diagnostic) {
    any |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    return mlir::failure(); // to whoever listens besides
  });
  work();
  return any;
}

} // namespace placid::bridge
