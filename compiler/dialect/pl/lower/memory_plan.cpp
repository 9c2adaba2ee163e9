// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/memory_plan.h"

#include "compiler/dialect/pl/lower/lowering.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

MemoryPlan planMemory(const target::Target &target, const target::Memory &memory, const TileBuffers &tiles) {
  MemoryPlan plan;
  plan.memory = &memory;
  for (const TileBuffers::Buffer &buffer : tiles.buffers()) {
    auto type = cast<TileType>(buffer.members.front().getType());
    if (spaceOf(type.getMem()) != memory.space) {
      continue;
    }
    int64_t bytes = 0;
    for (Value member : buffer.members) {
      bytes = std::max(bytes, tileBytes(target, cast<TileType>(member.getType())));
    }
    plan.buffers.push_back(&buffer);
    plan.lifetimes.push_back({buffer.begin, buffer.end, bytes});
  }
  plan.placement = placeBuffers(plan.lifetimes, memory.capacity, memory.alignment);
  return plan;
}

bool fitsAllMemories(func::FuncOp function) {
  const target::Target &target = targetOf(function);
  TileBuffers tiles(function);
  return llvm::all_of(target.memories,
                      [&](const target::Memory &memory) { return planMemory(target, memory, tiles).fits(); });
}

} // namespace placid::pl
