// SPDX-License-Identifier: Apache-2.0
// TEMPORARY guard for a defect of pto-isa (hw-native-sys/pto-isa#317): an NZ to NZ load hands the gap between two
// column blocks to a 16-bit field without a range test, so a larger gap wraps and the wrong fractals are read,
// silently. When that is mended, delete this file, gm_gap_guard.cpp, gm_gap_guard_test.cpp, test/gm_gap_guard.mlir, the
// calls in nz_loads.cpp and lower/accumulator_chain.cpp (which leaves a load whole then) and PL3124. No design rule of
// NZ lives here.
#pragma once

#include <cstdint>
#include <optional>

namespace placid::pl {

/// What the burst gap field holds, in 32-byte blocks.
inline constexpr int64_t kMaxGmGapBlocks = 65535;

/// The gap between two column blocks in 32-byte blocks, whatever the dtype: the rows the load leaves behind. Dynamic
/// `loadedRows` count as none loaded, the worst case. Absent for a single column block: the field is then never read.
std::optional<int64_t> gmGapBlocks(int64_t tensorRows, std::optional<int64_t> loadedRows, int64_t columnBlocks);

} // namespace placid::pl
