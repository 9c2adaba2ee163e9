// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/core_pipes.h"

#include <algorithm>

namespace placid::interp {

void Ring::drop(int consumers) {
  const int64_t done = *std::min_element(freed.begin(), freed.begin() + consumers);
  while (first < done && !flight.empty()) {
    flight.pop_front();
    ++first;
  }
}

std::string CorePipes::leftOver() const {
  for (const auto &[key, ring] : rings_) {
    if (!ring.flight.empty()) {
      return std::to_string(ring.flight.size()) + " tiles for the " + (key.second ? "vector" : "cube") +
             " core are still in the pipe when the kernel ends";
    }
  }
  return {};
}

} // namespace placid::interp
