// SPDX-License-Identifier: Apache-2.0
// Coordinates computed in IR: several axes folded into one, and an offset divided as a whole.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

/// Row-major fold (Horner) of `offsets` over axes of `extents` elements; extents[0] is not used. Constants fold. A
/// single symbolic offset that needs no arithmetic keeps its value and type; else the arithmetic is done in `index`.
mlir::OpFoldResult foldOffsets(mlir::OpBuilder &builder, mlir::Location loc, mlir::ArrayRef<mlir::OpFoldResult> offsets,
                               mlir::ArrayRef<int64_t> extents);

/// floor(value / divisor) of the whole value at its own type. Never looks inside: arithmetic wraps at its declared
/// width, so dividing a factor instead would read another fractal.
mlir::OpFoldResult divideWhole(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult value, int64_t divisor);

} // namespace placid::pl
