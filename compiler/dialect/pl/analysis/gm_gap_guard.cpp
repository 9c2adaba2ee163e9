// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/gm_gap_guard.h"

namespace placid::pl {

std::optional<int64_t> gmGapBlocks(int64_t tensorRows, std::optional<int64_t> loadedRows, int64_t columnBlocks) {
  if (columnBlocks <= 1) {
    return std::nullopt;
  }
  return tensorRows - loadedRows.value_or(0);
}

} // namespace placid::pl
