// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/memory_plan.h"

#include "compiler/dialect/pl/ir/core_ops.h"
#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/dialect/pl/lower/in_place.h"
#include "compiler/dialect/pl/lower/lowering.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// The tile lies where the pipe has put it, or where both cores know it.
bool hasPlace(const TileBuffers::Buffer &buffer) {
  return llvm::any_of(buffer.members,
                      [](Value member) { return isa_and_nonnull<PipePopOp, SharedTileOp>(member.getDefiningOp()); });
}

/// The buffers of the plan whose place `lifetime`'s buffer may take over, because the operation that makes it is the
/// last to read them.
std::vector<size_t> dyingOperands(const MemoryPlan &plan, size_t index, const TileBuffers &tiles) {
  std::vector<size_t> out;
  const TileBuffers::Buffer &made = *plan.buffers[index];
  Operation *op = made.members.front().getDefiningOp();
  if (!op) {
    return out;
  }
  for (size_t i = 0; i < index; ++i) {
    const bool ends = plan.lifetimes[i].end == plan.lifetimes[index].begin;
    if (!ends || plan.lifetimes[i].bytes != plan.lifetimes[index].bytes) {
      continue;
    }
    bool reads = false;
    bool allowed = true;
    for (Value operand : op->getOperands()) {
      if (isa<TileType>(operand.getType()) && &tiles.buffers()[tiles.bufferOf(operand)] == plan.buffers[i]) {
        reads = true;
        allowed &= mayOverwrite(op, operand);
      }
    }
    if (reads && allowed) {
      out.push_back(i);
    }
  }
  return out;
}

/// The cube unit finds the scales of an operand at this fraction of its address.
constexpr int64_t kScaleShare = 16;

target::Space besides(target::Space scales) {
  return scales == target::Space::LeftScale ? target::Space::Left : target::Space::Right;
}

bool holdsScales(target::Space space) {
  return space == target::Space::LeftScale || space == target::Space::RightScale;
}

/// Scales lie where their operand does, which therefore keeps its place while they are there.
void keepForScales(const TileBuffers &tiles, MemoryPlan &plan) {
  for (const auto &[scales, operand] : scaledOperands(tiles)) {
    for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
      if (buffer == &tiles.buffers()[operand]) {
        plan.lifetimes[i].begin = std::min(plan.lifetimes[i].begin, tiles.buffers()[scales].begin);
        plan.lifetimes[i].end = std::max(plan.lifetimes[i].end, tiles.buffers()[scales].end);
      }
    }
  }
}

/// The addresses follow from those of the operands.
void placeScales(const target::Target &target, const TileBuffers &tiles, MemoryPlan &plan) {
  const MemoryPlan operands = planMemory(target.memory(besides(plan.memory->space)), tiles);
  plan.placement.addresses.assign(plan.buffers.size(), 0);
  for (const auto &[scales, operand] : scaledOperands(tiles)) {
    for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
      auto beside = llvm::find(operands.buffers, &tiles.buffers()[operand]);
      if (buffer != &tiles.buffers()[scales] || beside == operands.buffers.end()) {
        continue;
      }
      const int64_t address =
          operands.placement.addresses[static_cast<size_t>(beside - operands.buffers.begin())] / kScaleShare;
      plan.placement.addresses[i] = address;
      plan.placement.used = std::max(plan.placement.used, address + plan.lifetimes[i].bytes);
    }
  }
}

} // namespace

std::vector<std::pair<unsigned, unsigned>> scaledOperands(const TileBuffers &tiles) {
  std::vector<std::pair<unsigned, unsigned>> out;
  tiles.function().walk([&](GenericOp op) {
    if (op.getName() != "tile.matmul_mx" && op.getName() != "tile.matmul_mx_acc") {
      return;
    }
    for (StringRef side : {"lhs", "rhs"}) {
      Value scales = op.getArgument((side + "_scale").str());
      Value operand = op.getArgument(side);
      if (scales && operand) {
        out.emplace_back(tiles.bufferOf(scales), tiles.bufferOf(operand));
      }
    }
  });
  return out;
}

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
    if (spaceOf(type.getMem()) != memory.space || hasPlace(buffer)) {
      continue;
    }
    int64_t bytes = 0;
    for (Value member : buffer.members) {
      bytes = std::max(bytes, tileBytes(target, cast<TileType>(member.getType())));
    }
    plan.buffers.push_back(&buffer);
    plan.lifetimes.push_back({buffer.begin, buffer.end, bytes});
  }
  if (holdsScales(memory.space)) {
    placeScales(target, tiles, plan);
    return plan;
  }
  keepForScales(tiles, plan);
  for (size_t i = 0; i < plan.buffers.size(); ++i) {
    plan.lifetimes[i].over = dyingOperands(plan, i, tiles);
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
