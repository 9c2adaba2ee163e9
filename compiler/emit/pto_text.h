// SPDX-License-Identifier: Apache-2.0
// PTO IR as text in the form the assembler reads: one module for each kernel, constants named by their value, and a
// plain `loc("file":line:col)` after every operation. MLIR's own printer gives locations as aliases and ranges, which
// older readers refuse; this one writes exactly the operations that the lowering makes. Pure; knows nothing of `pl`.
#pragma once

#include "compiler/dialect/pto/ir/pto.h"
#include "compiler/mlir_bridge/source_range.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace placid::emit {

struct TextOptions {
  bool locations = true;
  /// For columns in characters: locations hold bytes. Without a text, or outside of it, bytes are printed.
  bridge::SourceLookup lookup;
};

/// A unit, one function or one for each core, as a module of its own for `arch` ("a3"). When an operation has no
/// spelling here, `unknown` is set to it and the text is not usable.
std::string printPtoKernel(llvm::ArrayRef<mlir::func::FuncOp> functions, llvm::StringRef arch,
                           const TextOptions &options, mlir::Operation *&unknown);

} // namespace placid::emit
