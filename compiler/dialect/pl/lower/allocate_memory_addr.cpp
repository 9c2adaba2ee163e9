// SPDX-License-Identifier: Apache-2.0
// AllocateMemoryAddr: see passes.td. Which values share a buffer is TileBuffers, where it goes is address_allocator.
#include "compiler/dialect/pl/analysis/nz_annotation.h"
#include "compiler/dialect/pl/ir/core_ops.h"
#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/lowering_report.h"
#include "compiler/dialect/pl/lower/memory_plan.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/popped_tiles.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/IR/Builders.h"

#include <algorithm>

namespace placid::pl {

#define GEN_PASS_DEF_ALLOCATEMEMORYADDR
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

struct AllocateMemoryAddr : impl::AllocateMemoryAddrBase<AllocateMemoryAddr> {
  explicit AllocateMemoryAddr(LoweringReport *report = nullptr) : report_(report) {}

  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) { narrowPipe(function); });
    forEachKernel(getOperation(), [&](func::FuncOp function) { run(function); });
  }

  /// Two slots let one core run ahead of the other. Where they leave no room for the tiles one is enough, unless
  /// several tiles are held at a time or the user has said how many there are.
  static void narrowPipe(func::FuncOp function) {
    std::optional<CorePipe> pipe = corePipeOf(function);
    if (!pipe || pipe->slots != kDefaultSlots || function->hasAttr(kSlotsAttr) || isPlannedByAssembler(function) ||
        targetOf(function).arch == target::Arch::A5) {
      return;
    }
    auto peer = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(function,
                                                                   StringAttr::get(function.getContext(), pipe->peer));
    if (!peer || std::max(poppedAtOnce(function), poppedAtOnce(peer)) > 1 || fitsAllMemories(function)) {
      return;
    }
    pipe->slots = 1;
    setCorePipe(function, *pipe);
    std::optional<CorePipe> other = corePipeOf(peer);
    if (!fitsAllMemories(function) || !other) {
      pipe->slots = kDefaultSlots; // what is missing is told of the pipe as it is meant to be
      setCorePipe(function, *pipe);
      return;
    }
    other->slots = 1;
    setCorePipe(peer, *other);
  }

  void run(func::FuncOp function) {
    const target::Target &target = targetOf(function);
    TileBuffers tiles(function);
    for (const TileBuffers::Conflict &conflict : tiles.conflicts()) {
      if (!conflict.op->hasAttr(kNotLoweredAttr)) {
        conflict.op->setAttr(kNotLoweredAttr, StringAttr::get(function.getContext(), conflict.why));
      }
    }
    refuseSharedScales(function, tiles);
    if (isPlannedByAssembler(function)) {
      return; // what needs more than there is, it says
    }
    // What cannot be lowered as it stands may need less once it can: how much is not for this plan to say.
    const bool judged = !function
                             .walk([](Operation *op) {
                               return op->hasAttr(kNotLoweredAttr) ? WalkResult::interrupt() : WalkResult::advance();
                             })
                             .wasInterrupted();
    for (const target::Memory &memory : target.memories) {
      allocate(function, memory, tiles, judged);
    }
  }

  /// The place of scales follows from that of their operand: one tile of them has one, and two that are there at a time
  /// have not the same.
  static void refuseSharedScales(func::FuncOp function, const TileBuffers &tiles) {
    std::vector<std::pair<unsigned, unsigned>> pairs = scaledOperands(tiles);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    auto overlap = [&](unsigned a, unsigned b) {
      const TileBuffers::Buffer &first = tiles.buffers()[a];
      const TileBuffers::Buffer &second = tiles.buffers()[b];
      return first.begin <= second.end && second.begin <= first.end;
    };
    for (size_t i = 0; i < pairs.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const bool twoOperands = pairs[i].first == pairs[j].first && pairs[i].second != pairs[j].second;
        const bool twoScales = pairs[i].second == pairs[j].second && pairs[i].first != pairs[j].first &&
                               overlap(pairs[i].first, pairs[j].first);
        Operation *op = tiles.buffers()[pairs[i].first].members.front().getDefiningOp();
        if (op && (twoOperands || twoScales) && !op->hasAttr(kNotLoweredAttr)) {
          op->setAttr(kNotLoweredAttr,
                      StringAttr::get(function.getContext(), twoOperands
                                                                 ? "a tile of MX scales that belongs to two operands"
                                                                 : "two tiles of MX scales at a time for one operand"));
        }
      }
    }
  }

  void allocate(func::FuncOp function, const target::Memory &memory, const TileBuffers &tiles, bool judged) {
    const MemoryPlan plan = planMemory(memory, tiles);
    const std::vector<const TileBuffers::Buffer *> &buffers = plan.buffers;
    const Placement &placement = plan.placement;
    if (report_ && (!buffers.empty() || plan.reserved > 0)) {
      const std::optional<CorePipe> pipe = corePipeOf(function);
      report_->memory.push_back(
          {pipe ? pipe->kernel : function.getSymName().str(), memory.space, placement.used, memory.capacity});
    }
    if (!plan.fits() && judged && plan.reserved > 0) {
      // No fault of the program: it may well fit when the lanes share the work.
      refusePipe(function, plan);
    } else if (!plan.fits() && judged && memory.space == target::Space::Vec && isHalvedByLanes(function)) {
      refuseWhole(function, plan);
    } else if (!plan.fits() && judged) {
      report(plan);
      markFailed(function);
      return;
    }
    for (auto [i, buffer] : llvm::enumerate(buffers)) {
      for (Value member : buffer->members) {
        Operation *op = member.getDefiningOp();
        if (op && op->getNumRegions() == 0) {
          op->setAttr(kAddrAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 64), placement.addresses[i]));
        }
      }
    }
  }

  static void refusePipe(func::FuncOp function, const MemoryPlan &plan) {
    Operation *first = nullptr;
    function.walk([&](Operation *op) { first = !first && isa<PipePopOp, SharedTileOp>(op) ? op : first; });
    if (first) {
      first->setAttr(
          kNotLoweredAttr,
          StringAttr::get(function.getContext(),
                          llvm::formatv("a kernel whose tiles need {0} of {1} ({2}), with the {3} that tiles "
                                        "from the other core take",
                                        bytesText(plan.placement.used), plan.memory->name, plan.memory->hardware,
                                        bytesText(plan.reserved))
                              .str()));
    }
  }

  /// The check counts half of each tile that `pl.split` divides, and each lane still takes all of it here.
  static void refuseWhole(func::FuncOp function, const MemoryPlan &plan) {
    const TileBuffers::Buffer &buffer = *plan.buffers[findFault(plan)];
    Value tile = buffer.members.front();
    Operation *op = tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentRegion()->getParentOp();
    op->setAttr(
        kNotLoweredAttr,
        StringAttr::get(function.getContext(),
                        llvm::formatv("a kernel whose tiles need {0} of {1} ({2}) before `pl.split` halves them",
                                      bytesText(plan.placement.used), plan.memory->name, plan.memory->hardware)
                            .str()));
  }

  /// The place to look at is the largest tile that cannot fit at all, else the one that brings the memory to its peak.
  static size_t findFault(const MemoryPlan &plan) {
    for (size_t i = 0; i < plan.buffers.size(); ++i) {
      if (plan.lifetimes[i].bytes > plan.memory->capacity) {
        return i;
      }
    }
    return findPeak(plan.lifetimes, plan.memory->alignment).buffer;
  }

  void report(const MemoryPlan &plan) {
    const target::Memory &memory = *plan.memory;
    const std::vector<const TileBuffers::Buffer *> &buffers = plan.buffers;
    const std::vector<Lifetime> &lifetimes = plan.lifetimes;
    const Peak peak = findPeak(lifetimes, memory.alignment);
    const size_t at = findFault(plan);
    auto describe = [&](size_t i) {
      Value value = buffers[i]->members.front();
      return llvm::formatv("`{0}` {1} {2}", nameOf(value, "a tile"),
                           shapeText(cast<TileType>(value.getType()).getShape()),
                           plName(cast<TileType>(value.getType()).getDtype()))
          .str();
    };
    auto annotate = [&](bridge::DiagBuilder &builder, size_t i) {
      auto load = buffers[i]->members.front().getDefiningOp<TileLoadOp>();
      if (load && load.getSource().getType().isNz()) {
        annotateNz(builder, tensorOrigin(load.getSource()));
      }
    };
    auto locOf = [&](size_t i) { return rangeLoc(buffers[i]->members.front().getLoc()); };
    if (lifetimes[at].bytes > memory.capacity) {
      auto single =
          bridge::emitDiag(locOf(at), diag::Capacity,
                           llvm::formatv("tile {0} needs {1} of {2} ({3}), which has {4}", describe(at),
                                         bytesText(lifetimes[at].bytes), memory.name, memory.hardware, memory.capacity)
                               .str());
      annotate(single, at);
      single.help("use a smaller tile");
      return;
    }
    auto diagnostic =
        bridge::emitDiag(locOf(at), diag::Capacity,
                         llvm::formatv("with tile {0} the tiles alive here need {1} of {2} ({3}), which has {4}",
                                       describe(at), bytesText(std::max(peak.bytes, plan.placement.used)), memory.name,
                                       memory.hardware, memory.capacity)
                             .str());
    annotate(diagnostic, at);
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (i != at && lifetimes[i].begin <= lifetimes[at].begin && lifetimes[at].begin <= lifetimes[i].end) {
        diagnostic.note(locOf(i), llvm::formatv("{0} takes {1}", describe(i), bytesText(lifetimes[i].bytes)).str());
      }
    }
    diagnostic.help("use smaller tiles, or load a tile after the last use of another");
  }

  LoweringReport *report_;
};

} // namespace

std::unique_ptr<Pass> createAllocateMemoryAddrPass(LoweringReport *report) {
  return std::make_unique<AllocateMemoryAddr>(report);
}

} // namespace placid::pl
