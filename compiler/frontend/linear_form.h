// SPDX-License-Identifier: Apache-2.0
// Integer expressions as sums of products, so that the extent of a slice `[k * 64 : k * 64 + 64]` is seen to be 64.
// Used for extents only: offsets keep the form the source gives them (no re-association, see the NZ offset proofs).
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace placid::frontend {

class LinearForm {
public:
  static LinearForm constant(int64_t value);
  /// Walks add, sub, mul and constants; anything else is an atom. Bounded: each value is visited once, and what is too
  /// large to multiply out becomes one atom.
  static LinearForm of(mlir::Value value);

  LinearForm minus(const LinearForm &other) const;
  /// The value when nothing symbolic is left.
  std::optional<int64_t> asConstant() const;

private:
  /// A product of atoms.
  using Term = llvm::SmallVector<const void *, 2>;
  struct Summand {
    Term term;
    int64_t factor = 0;
  };
  /// The forms found so far, by value.
  using Memo = llvm::SmallDenseMap<const void *, LinearForm, 8>;
  void add(const Term &term, int64_t factor);
  static LinearForm of(mlir::Value value, Memo &memo);
  bool fits() const;
  LinearForm plus(const LinearForm &other) const;
  LinearForm times(const LinearForm &other) const;

  /// Few, each term once, no factor is zero. The empty term is the constant. Their order does not show.
  llvm::SmallVector<Summand, 2> terms_;
  bool overflow_ = false;
};

} // namespace placid::frontend
