// SPDX-License-Identifier: Apache-2.0
// The two proofs an NZ coordinate needs: that an offset is a multiple of its axis factor, and that it is not negative.
// The table of accepted forms is closed on purpose: accepting more would address fractals the rule does not vouch for.
//
//   form                          multiple of d                non-negative
//   constant                      value % d == 0               value >= 0
//   scf.for induction variable    start and step               start and step
//   a + b                         both                         both
//   a - b                         both                         refused
//   a * b                         either                       both
//   a // c, a % c, constant c > 0 refused                      a
//   min(a, b)                     both                         both
//   max(a, b)                     both                         either
//   block index, block count      refused                      yes
//   cast of one of those to an    refused                      yes
//   integer of 16 bits or more
//
// The unsigned forms of //, %, min and max count as these. Everything else (parameters, iteration arguments, if
// results, reads, extents, other casts …) is refused. A divisor is a power of two, so a multiple stays one when the
// arithmetic wraps; the sign under wrap-around is not modelled. Each sub-expression is visited once per divisor,
// without recursion: deep and shared expressions cost linear time.
//
// Whoever is not bound to the table (a window of a tile on the chip) may have multiples proven through integer casts.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Value.h"

#include <map>
#include <string>

namespace placid::pl {

/// On an argument of an outlined function: the value around the scope that it stands for is not negative.
inline constexpr llvm::StringLiteral kNonNegativeAttr = "pl.non_negative";
/// On an argument of an outlined function: it stands for a value that is computed around the scope, no parameter.
inline constexpr llvm::StringLiteral kComputedOutsideAttr = "pl.computed_outside";

/// Beside an offset that is no provable multiple: what a repair has to see to besides.
inline constexpr llvm::StringLiteral kSignOpenNote = "nor is it provably non-negative";

/// An argument of a core scope that a loop or statement around the scope binds: of it the table takes nothing.
bool isBoundOutside(mlir::Value value);

/// The sub-expression a refused proof stopped at, and why.
struct ProofFailure {
  mlir::Value culprit;
  std::string why;
};

class OffsetProver {
public:
  enum class Casts : uint8_t {
    Opaque,     ///< As in the table.
    Transparent ///< A multiple stays one through casts between integers of 8 bits and more, for divisors up to 256.
  };

  enum class Outside : uint8_t {
    Unknown, ///< As in the table: of what comes from outside of the function nothing is taken for granted.
    Marked   ///< What kNonNegativeAttr says counts.
  };

  explicit OffsetProver(Casts casts = Casts::Opaque, Outside outside = Outside::Unknown)
      : casts_(casts), outside_(outside) {}

  /// `divisor` must be a positive power of two; any other is never proven.
  bool isMultiple(mlir::Value value, int64_t divisor);
  bool isNonNegative(mlir::Value value);

  /// Why the proof failed. Call only after it did.
  ProofFailure blameMultiple(mlir::Value value, int64_t divisor);
  ProofFailure blameNonNegative(mlir::Value value);

  /// Short reasons for a report: "48 * lane: factor 48", "block index". Call only after the proof succeeded.
  std::string explainMultiple(mlir::Value value, int64_t divisor);
  std::string explainNonNegative(mlir::Value value);

private:
  using Memo = llvm::DenseMap<mlir::Value, bool>;
  Casts casts_;
  Outside outside_;
  std::map<int64_t, Memo> multiples_;
  Memo nonNegative_;
};

} // namespace placid::pl
