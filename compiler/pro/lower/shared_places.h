// SPDX-License-Identifier: Apache-2.0
// Of a kernel of both cores, the places that one core has in the other's memory, and all that may share bytes with
// them: they are bytes, not values, and lie to one another as the program says. Apart from build_module, which makes
// values of all other places. Knows no IR. Pure; any thread.
#pragma once

#include "compiler/pro/kernel/trace.h"

#include <array>
#include <set>

namespace placid::pro {

/// Numbers are bytes from the beginning of the memory.
struct SharedPlaces {
  std::array<std::vector<Extent>, 2> addresses; ///< Of the cube core and the vector core, by place; nothing: a value.
  int64_t vecBytes = 0;                         ///< What they take of UB, from 0 on,
  int64_t matBytes = 0;                         ///< and of L1.
};

/// `asBytes`: places of each core that are to be bytes in any case, because more than one name writes them. Sets
/// `refused` of one of the traces where it is not known which bytes are shared.
SharedPlaces sharePlaces(Trace &cube, Trace &vector, const std::array<std::set<unsigned>, 2> &asBytes = {});

} // namespace placid::pro
