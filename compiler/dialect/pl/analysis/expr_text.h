// SPDX-License-Identifier: Apache-2.0
// Scalars as users read them: the source's spelling where the IR kept one, else the bound name, else the expression.
// For messages and reports only; nothing decides by text. Any thread that owns the context.
#pragma once

#include "compiler/dialect/pl/ir/locations.h"

#include "mlir/IR/OpDefinition.h"

#include <string>

namespace placid::pl {

/// `n0`, `lane * 24`, `min(800 - o0, 256)`; deep expressions end in `…`.
std::string exprText(mlir::Value value);
/// The expression a name stands for: like exprText, but a name is opened once.
std::string definitionText(mlir::Value value);

/// The text of entry `index` of one of an access's lists. `value` is the entry itself.
std::string argText(mlir::Operation *op, llvm::StringRef list, unsigned index, mlir::OpFoldResult value);

/// True when `text` needs parentheses as a factor.
bool isCompound(llvm::StringRef text);

} // namespace placid::pl
