// SPDX-License-Identifier: Apache-2.0
// Which places of a trace are written, which are read later, and which numbers are looked at: what decides the values
// that loops and branches hand on. Knows no IR. Pure; any thread.
#pragma once

#include "compiler/pro/kernel/trace.h"

#include <set>

namespace placid::pro {

using Places = std::set<unsigned>;

struct Effects {
  Places written; ///< Or forgotten.
  Places tensors; ///< Parameters that are written.
};
Effects effectsOf(const TraceNode &node);

/// For each node of the list the places that are read after it before they are written, `after` being those after the
/// last one.
std::vector<Places> livesAfter(const std::vector<TraceNode> &list, const Places &after);
/// The same for the end of a loop's body: what the next round or the code behind the loop reads.
Places livesInLoop(const TraceNode &loop, const Places &after);
/// Those that the first round of a loop, or the code behind it, reads before it writes them, as far as the first value
/// of its variable decides conditions: what else the loop carries needs no value before it.
Places livesInFirstRound(const TraceNode &loop, const Places &wanted);

/// The variables that operations, bounds and conditions look at, by way of others too.
std::set<int64_t> usedVariables(const std::vector<TraceNode> &list);

} // namespace placid::pro
