// SPDX-License-Identifier: Apache-2.0
// Where the tiles of one memory would go: the buffers of TileBuffers that live in it, their sizes and lifetimes, and
// their placement. Apart from AllocateMemoryAddr, because scheduling asks "does it still fit?" before addresses exist.
#pragma once

#include "compiler/dialect/pl/lower/address_allocator.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"
#include "compiler/target/target.h"

#include <utility>
#include <vector>

namespace placid::pl {

struct MemoryPlan {
  const target::Memory *memory = nullptr;
  std::vector<const TileBuffers::Buffer *> buffers; ///< Of the analysis it was made from, which must outlive it.
  std::vector<Lifetime> lifetimes;                  ///< Parallel to `buffers`; sizes are physical bytes.
  int64_t reserved = 0; ///< Bytes from 0 in which tiles from the other core lie; `placement` counts from 0 as well.
  Placement placement;

  bool fits() const { return placement.used <= memory->capacity; }
};

MemoryPlan planMemory(const target::Memory &memory, const TileBuffers &tiles);

/// Buffers of MX scales, each with that of the operand whose scales they are, in the order of the products.
std::vector<std::pair<unsigned, unsigned>> scaledOperands(const TileBuffers &tiles);

/// Whether the tiles of `function` fit all memories of its target as the function stands.
bool fitsAllMemories(mlir::func::FuncOp function);

} // namespace placid::pl
