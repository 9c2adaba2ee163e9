// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the NZ layout: a logical [R, C] plane of whole fractals and its blocked form
//   shape [B, C/c0, R/16, 16, c0], strides [C*R, R*c0, 16*c0, c0, 1], all in elements.
// Pure functions of the logical type: every value of one type blocks alike, whatever function it is in. Reports
// nothing.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#include <optional>

namespace placid::pl {

inline constexpr unsigned kNzBlockedRank = 5;

/// The fractal plane of a logical NZ type. All counts in elements.
struct NzPlane {
  int64_t rows;
  int64_t cols;
  int64_t c0;
};

/// Null when the type has no blocked form (rank, dtype, a dynamic or unaligned plane). Asks only for what blocking
/// needs: strides, valid extents and distribution are the declaration's business.
std::optional<NzPlane> nzPlane(TensorType logical);

/// The product of the integer extents (symbols count 1); null when it does not fit.
std::optional<int64_t> staticProduct(llvm::ArrayRef<mlir::Attribute> extents);

/// The blocked type, or null: as for nzPlane, or when the element count does not fit 64 bits. Static leading axes are
/// multiplied into the batch; a symbolic one stays symbolic, spelled as a product when there is more to multiply.
TensorType blockedType(TensorType logical);

/// Row-major strides of a static or batch-dynamic blocked plane.
llvm::SmallVector<int64_t> blockedStrides(const NzPlane &plane);

/// Any type with logical NZ tensors replaced by blocked ones; types without a blocked form stay.
mlir::Type blockType(mlir::Type type);
bool isNz(mlir::Type type);

/// "[2, 48, 64]", "[B, 32, 64]".
std::string shapeText(llvm::ArrayRef<mlir::Attribute> extents);

} // namespace placid::pl
