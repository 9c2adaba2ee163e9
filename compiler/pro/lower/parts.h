// SPDX-License-Identifier: Apache-2.0
// Which part of each tile an operation takes and writes, given what was written of the tiles: a program may say a
// larger part than it fills, and the unit then works on numbers that nobody knows. What is made of those is not counted
// as written; who looks at it later is refused. Knows no IR. Pure; any thread.
#pragma once

#include "compiler/pro/kernel/trace.h"

namespace placid::pro {

/// Rows and columns; empty is a whole tile.
using Part = std::vector<Index>;

bool samePart(const Part &a, const Part &b);
/// Whether `inner` is surely within `outer`.
bool covers(const Part &outer, const Part &inner);

struct PartSettler {
  const Trace &trace;
  const std::vector<Part> &written; ///< By place.

  /// Sets `valid` and `parts` of the operation to what it takes and writes. Why that is not known, or empty.
  std::string settle(TraceNode &node) const;

private:
  std::string settleByResult(TraceNode &node) const;
  std::string settleProduct(TraceNode &node) const;
  std::string settleScales(const TraceNode &node, const Part &left, const Part &right) const;
  /// The part with both extents, also of a whole tile.
  Part spelled(unsigned place, const Part &part) const;
  std::string uncovered(unsigned place) const;
};

} // namespace placid::pro
