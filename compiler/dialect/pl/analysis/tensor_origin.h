// SPDX-License-Identifier: Apache-2.0
// From a tensor value back to the declaration it comes from: through slices, reshapes, stores, loops and branches.
// Answers "which annotation is responsible" and "what is it called". Any thread that owns the context.
#pragma once

#include "compiler/dialect/pl/ir/locations.h"

#include "mlir/IR/Value.h"

#include <optional>
#include <string>

namespace placid::pl {

/// The function argument or op result a tensor was declared as.
mlir::Value tensorRoot(mlir::Value tensor);

struct TensorOrigin {
  mlir::Value root;
  std::string name;                      ///< The tensor's own name, else the root's; "tensor" when neither has one.
  mlir::Location annotation;             ///< `pl.annotation` of the root, else where it is declared.
  std::optional<mlir::Location> binding; ///< `pl.binding`: where a name in the annotation was bound.
};
TensorOrigin tensorOrigin(mlir::Value tensor);

} // namespace placid::pl
