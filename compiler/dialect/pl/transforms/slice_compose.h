// SPDX-License-Identifier: Apache-2.0
// A slice of slices as one window of the tensor at the bottom, so that a load addresses GM once. Offsets are added as
// they stand: nothing is folded but a zero, so that what a proof sees is what the source says.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

namespace placid::pl {

struct Window {
  mlir::Value source;
  mlir::SmallVector<mlir::OpFoldResult> offsets;
  mlir::SmallVector<int64_t> sizes;            ///< ShapedType::kDynamic where not static.
  mlir::SmallVector<mlir::OpFoldResult> valid; ///< Empty: all of it.
  mlir::Location loc;                          ///< The outermost slice's range, with one location per axis of `source`.

  /// Valid extents as a tile type carries them; empty when the whole window is valid.
  mlir::SmallVector<int64_t> tileValid() const;
};

/// Slices that are windows of a window are looked through, except below one that narrows what is valid.
Window composedWindow(mlir::OpBuilder &builder, TensorSliceOp slice);

} // namespace placid::pl
