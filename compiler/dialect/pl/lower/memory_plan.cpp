// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/memory_plan.h"

#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// The tile lies where the pipe has put it.
bool isPopped(const TileBuffers::Buffer &buffer) {
  return llvm::any_of(buffer.members, [](Value member) { return member.getDefiningOp<PipePopOp>() != nullptr; });
}

} // namespace

MemoryPlan planMemory(const target::Memory &memory, const TileBuffers &tiles) {
  func::FuncOp function = tiles.function();
  const target::Target &target = targetOf(function);
  MemoryPlan plan;
  plan.memory = &memory;
  if (std::optional<CorePipe> pipe = corePipeOf(function)) {
    plan.reserved = llvm::alignTo(pipe->reservedBytes(memory.space), memory.alignment);
  }
  for (const TileBuffers::Buffer &buffer : tiles.buffers()) {
    auto type = cast<TileType>(buffer.members.front().getType());
    if (spaceOf(type.getMem()) != memory.space || isPopped(buffer)) {
      continue;
    }
    int64_t bytes = 0;
    for (Value member : buffer.members) {
      bytes = std::max(bytes, tileBytes(target, cast<TileType>(member.getType())));
    }
    plan.buffers.push_back(&buffer);
    plan.lifetimes.push_back({buffer.begin, buffer.end, bytes});
  }
  plan.placement = placeBuffers(plan.lifetimes, memory.capacity - plan.reserved, memory.alignment);
  for (int64_t &address : plan.placement.addresses) {
    address += plan.reserved;
  }
  plan.placement.used += plan.reserved;
  return plan;
}

bool fitsAllMemories(func::FuncOp function) {
  const target::Target &target = targetOf(function);
  TileBuffers tiles(function);
  return llvm::all_of(target.memories, [&](const target::Memory &memory) { return planMemory(memory, tiles).fits(); });
}

} // namespace placid::pl
