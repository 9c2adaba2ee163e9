// SPDX-License-Identifier: Apache-2.0
// Offsets of windows as sums: what they begin with, how fast they move on in a loop, what surely divides them. Apart
// from who asks, because handoffs between cores, the lanes' halves and aligned windows all do. Forms are remembered, so
// that an offset costs what its operations do. Valid until the function changes. One thread a context.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace placid::pl {

/// constant + lane · (number of the vector lane) + Σ factor · value. The values are loop variables and whatever is
/// computed in another way, each once and with a factor that is not 0, in the order in which the offset names them.
struct OffsetForm {
  int64_t constant = 0;
  int64_t lane = 0;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> terms;

  /// The factor of `value`; 0 where it does not occur.
  int64_t factorOf(mlir::Value value) const;
  /// Both begin at one place for the first lane, whatever the values are.
  bool beginsWith(const OffsetForm &other) const;
};

/// What offsets are made of. Numbers of less than 32 bits and floats are values of their own: they wrap or round where
/// a tensor has room. One of 32 bits or more that wraps is outside of its tensor.
class OffsetForms {
public:
  /// Nullopt for a sum that is too long, or whose factors are too large for a tensor.
  std::optional<OffsetForm> formOf(mlir::OpFoldResult offset);
  /// `divisor` (> 0) surely divides the offset.
  bool isMultiple(mlir::OpFoldResult offset, int64_t divisor);

private:
  std::optional<OffsetForm> formOf(mlir::Value value, unsigned depth);
  std::optional<OffsetForm> compute(mlir::Value value, unsigned depth);
  /// The largest number that is known to divide the value: 1 when nothing is known, 0 for 0.
  int64_t divisorOf(mlir::Value value, unsigned depth);
  int64_t computeDivisor(mlir::Value value, unsigned depth);

  llvm::DenseMap<mlir::Value, std::optional<OffsetForm>> forms_;
  llvm::DenseMap<mlir::Value, int64_t> divisors_;
};

/// How far a window moves on in a round of the loop, in elements; nullopt when that is not one known number.
std::optional<int64_t> moveOf(const OffsetForm &form, mlir::scf::ForOp loop);

} // namespace placid::pl
