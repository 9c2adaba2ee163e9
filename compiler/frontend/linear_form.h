// SPDX-License-Identifier: Apache-2.0
// Integer expressions as sums of products, so that the extent of a slice `[k * 64 : k * 64 + 64]` is seen to be 64.
// Used for extents only: offsets keep the form the source gives them (no re-association, see the NZ offset proofs).
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

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
  /// A product of atoms. The map is only compared and emptied, never listed, so its order cannot show.
  using Term = std::vector<const void *>;
  /// The forms found so far, by value.
  using Memo = std::map<const void *, LinearForm>;
  void add(const Term &term, int64_t factor);
  static LinearForm of(mlir::Value value, Memo &memo);
  bool fits() const;
  LinearForm times(const LinearForm &other) const;

  std::map<Term, int64_t> terms_; ///< The empty term is the constant.
  bool overflow_ = false;
};

} // namespace placid::frontend
