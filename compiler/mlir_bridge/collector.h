// SPDX-License-Identifier: Apache-2.0
// Turns what passes report into plain diagnostics while it is in scope. A diagnostic without a catalogue code (an ODS
// verifier, an upstream pass) is a fault of placid's and becomes PL9000; remarks without a code are dropped.
// One context, one thread (contexts here run without threading).
#pragma once

#include "compiler/mlir_bridge/source_range.h"

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace placid::bridge {

class DiagnosticCollector {
public:
  /// `kernel` is stamped on every diagnostic, see diag::Diagnostic::kernel. Appends to `out`, which must outlive this.
  DiagnosticCollector(mlir::MLIRContext *context, std::vector<diag::Diagnostic> &out, SourceLookup lookup,
                      std::string kernel);

private:
  void collect(mlir::Diagnostic &diagnostic);

  std::vector<diag::Diagnostic> &out_;
  SourceLookup lookup_;
  std::string kernel_;
  mlir::ScopedDiagnosticHandler handler_; // last: it must go first
};

} // namespace placid::bridge
