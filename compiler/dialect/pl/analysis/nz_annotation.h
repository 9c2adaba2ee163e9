// SPDX-License-Identifier: Apache-2.0
// How a diagnostic names the `pl.NZ` annotation that is responsible, in every pass alike: the declaration with its
// logical shape, dtype and c0, and where a name that holds the annotation was bound. Works before and after blocking.
#pragma once

#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/mlir_bridge/emit_diag.h"

namespace placid::pl {

void annotateNz(bridge::DiagBuilder &builder, const TensorOrigin &origin);

/// The calls that pasted in the helper in which the access is, if any.
void annotatePastes(bridge::DiagBuilder &builder, mlir::Operation *access);

} // namespace placid::pl
