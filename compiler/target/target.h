// SPDX-License-Identifier: Apache-2.0
// What the compiler knows of each Ascend architecture: memory sizes, alignments, field limits, matmul types and the
// cost numbers of the L0 tile chooser. One table, standard library only, so that passes, verifiers and documentation
// read the same numbers. Sizes are bytes unless a name says otherwise. Immutable: any thread.
#pragma once

#include "compiler/target/arch.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace placid::target {

/// On-chip memories of a core, in table order.
enum class Space : uint8_t { Vec, Mat, Left, Right, Acc, Bias, LeftScale, RightScale, Scaling };
inline constexpr unsigned kSpaceCount = 9;

struct Memory {
  Space space;
  const char *name;     ///< As users write it after `pl.Mem.`.
  const char *hardware; ///< The name hardware documents use: UB, L1, L0A …
  int64_t capacity;     ///< Bytes a kernel may use; 0 when the memory does not exist.
  int64_t alignment;    ///< Of every tile address in it.
};

/// Operand and result types of a matmul, in PTO spelling.
struct MatmulTypes {
  std::string_view lhs;
  std::string_view rhs;
  std::string_view acc;
};

/// Cost model of the cube pipeline. Bandwidths are bytes a cycle, the rest cycles.
struct CubeCost {
  double leftBandwidth;
  double rightBandwidth;
  double drainBandwidth;
  double drainFixed;
  double drainRow;
  double drainPenalty; ///< For each odd factor of the 32-byte lines in a drained row.
  int64_t head;        ///< Start of one matrix instruction.
  int64_t fp32Passes;  ///< Passes of a 4-byte operand through the multiplier.
};

struct Target {
  Arch arch;
  std::string_view name;        ///< "a2", "a3", "a5": what `pto.target_arch` holds.
  std::string_view displayName; ///< "A2", "A3", "A5".
  std::span<const Memory> memories;
  std::span<const MatmulTypes> matmuls;
  CubeCost cube;
  int64_t accRowsInt32;    ///< Physical row multiple of an INT32 accumulator.
  int64_t accRows;         ///< Physical row multiple of any other accumulator.
  int64_t storeMaxRows;    ///< Row field of an accumulator store.
  int64_t storeMaxColumns; ///< Column field of an accumulator store.
  int64_t nd2nzMaxRows;    ///< Rows of one ND to NZ load.
  int64_t nd2nzMaxStride;  ///< Elements between two rows of an ND to NZ load.
  bool nzStore;            ///< Accumulator stores to NZ exist.
  bool leftColMajor;       ///< Block layout of a Left tile: column-major (A5) or row-major.

  const Memory &memory(Space space) const { return memories[static_cast<unsigned>(space)]; }
  int64_t capacity(Space space) const { return memory(space).capacity; }
  bool hasMatmul(std::string_view lhs, std::string_view rhs, std::string_view acc) const;
};

/// Rows of one fractal and bytes of one C0 line: the same on every architecture.
inline constexpr int64_t kFractalRows = 16;
inline constexpr int64_t kLineBytes = 32;
/// Elements of one C0 line for elements of `bytes` bytes.
constexpr int64_t c0(int64_t bytes) { return kLineBytes / bytes; }

/// What counts become that do not fit: sums, products and roundings of counts >= 0 stop here instead of wrapping. It is
/// above every capacity, so whoever compares a size with one needs no case of its own.
inline constexpr int64_t kSaturated = INT64_MAX;
constexpr int64_t saturatingAdd(int64_t a, int64_t b) { return a > kSaturated - b ? kSaturated : a + b; }
constexpr int64_t saturatingMul(int64_t a, int64_t b) { return b != 0 && a > kSaturated / b ? kSaturated : a * b; }
/// `value` >= 0, `multiple` > 0.
constexpr int64_t roundUp(int64_t value, int64_t multiple) {
  return saturatingMul(value / multiple + (value % multiple != 0 ? 1 : 0), multiple);
}

/// All targets in the order of `Arch`.
std::span<const Target> targets();
const Target &get(Arch arch);
/// By name, as parseArch reads it. Null for anything else.
const Target *find(std::string_view name);

/// Bytes a tile occupies, saturating. Accumulator rows are rounded to what the hardware writes; extents are elements.
int64_t physicalTileBytes(const Target &target, Space space, int64_t rows, int64_t columns, int64_t elementBits,
                          bool integer);

/// The row and column multiples of a tile's fractal box; 1 × 1 for flat (Vec, Bias, Scaling) tiles. `transposed` swaps
/// them.
struct Box {
  int64_t rows = 1;
  int64_t columns = 1;
};
Box tileBox(Space space, int64_t elementBits, bool transposed);

} // namespace placid::target
