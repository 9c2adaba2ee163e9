// SPDX-License-Identifier: Apache-2.0
// CheckTileHazards: see passes.td.
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace placid::conversion {

#define GEN_PASS_DEF_CHECKTILEHAZARDS
#include "compiler/conversion/pl_to_pto/passes.h.inc"

using namespace mlir;

namespace {

/// Bytes [begin, end) of one memory.
struct Span {
  target::Space memory = target::Space::Vec;
  int64_t begin = 0;
  int64_t end = 0;
  int64_t buffer = 0;

  bool overlaps(const Span &other) const { return memory == other.memory && begin < other.end && other.begin < end; }
  auto operator<=>(const Span &) const = default;
};

/// Which buffer's bytes are where: spans of one buffer may stand beside each other, and after a branch two buffers may
/// claim the same bytes. `written` are the buffers that hold something on a way to here.
struct Contents {
  std::vector<Span> spans; ///< Sorted.
  std::set<int64_t> written;

  bool operator==(const Contents &) const = default;
};

class HazardCheck {
public:
  explicit HazardCheck(func::FuncOp function) : function_(function) {}

  LogicalResult run() {
    checkReserved();
    checkFractals();
    Contents contents;
    follow(function_.getBody().front(), contents);
    return success(!failed_);
  }

private:
  /// Nullopt for a tile without a constant address or a buffer number.
  std::optional<Span> spanOf(Value tile) {
    // A window counts as the tile it is cut from.
    while (auto window = tile.getDefiningOp<pto::SubviewOp>()) {
      tile = window.getSource();
    }
    auto alloc = tile.getDefiningOp<pto::AllocTileOp>();
    if (!alloc || !alloc.getAddr()) {
      return std::nullopt;
    }
    std::optional<int64_t> address = getConstantIntValue(alloc.getAddr());
    auto buffer = alloc->getAttrOfType<IntegerAttr>(kBufferAttr);
    if (!address || !buffer) {
      return std::nullopt;
    }
    pto::TileBufType type = alloc.getResult().getType();
    if (auto span = alloc->getAttrOfType<DenseI64ArrayAttr>(kSpanAttr)) {
      return Span{pto::spaceOf(type), span[0], span[1], buffer.getInt()};
    }
    const target::Target &target = pto::targetOf(alloc);
    const int64_t bytes =
        target::physicalTileBytes(target, pto::spaceOf(type), type.getRows(), type.getCols(),
                                  pto::elementBits(type.getDtype()), isa<IntegerType>(type.getDtype()));
    return Span{pto::spaceOf(type), *address, target::saturatingAdd(*address, bytes), buffer.getInt()};
  }

  /// No tile meets the bytes in which those from the other core lie.
  void checkReserved() {
    function_.walk([&](pto::ReserveBufferOp reserve) {
      if (!reserve.getBase()) {
        return; // and no tile has an address
      }
      const auto begin = static_cast<int64_t>(*reserve.getBase());
      const Span bytes{pto::spaceOf(reserve.getLocation()), begin, begin + static_cast<int64_t>(reserve.getSize()), -1};
      function_.walk([&](pto::AllocTileOp alloc) {
        std::optional<Span> span = spanOf(alloc.getResult());
        if (span && span->overlaps(bytes) && reported_.insert(alloc).second) {
          failed_ = true;
          bridge::emitDiag(pl::rangeLoc(alloc.getLoc()), diag::InternalError,
                           "tile `" + pl::nameOf(alloc.getResult(), "a tile") +
                               "` lies where tiles from the other core are put");
        }
      });
    });
  }

  /// Where the elements of a tile lie that is made of fractals: the extent along which they follow one another, the
  /// size of one, and the width of an element. A transposed view has the same. Nullopt for flat tiles.
  static std::optional<std::array<int64_t, 3>> fractalsOf(pto::TileBufType type) {
    const pto::Loc memory = type.getLoc();
    if (type.getSlayout() == pto::SLayout::NoneBox ||
        (memory != pto::Loc::Mat && memory != pto::Loc::Acc && memory != pto::Loc::Left && memory != pto::Loc::Right)) {
      return std::nullopt;
    }
    const bool columns = type.getBlayout() == pto::BLayout::ColMajor;
    return std::array<int64_t, 3>{columns ? type.getRows() : type.getCols(), type.getFractal(),
                                  pto::elementBits(type.getDtype())};
  }

  /// Every name of one buffer has its elements in the same places.
  void checkFractals() {
    llvm::DenseMap<int64_t, pto::TileBufType> buffers;
    auto compare = [&](Operation *op, pto::TileBufType first, pto::TileBufType second) {
      if (first.getLoc() == second.getLoc() && fractalsOf(first) != fractalsOf(second) && reported_.insert(op).second) {
        failed_ = true;
        bridge::emitDiag(pl::rangeLoc(op->getLoc()), diag::InternalError,
                         "tile `" + pl::nameOf(op->getResult(0), "a tile") +
                             "` shows the fractals of another shape as its own");
      }
    };
    function_.walk([&](Operation *op) {
      if (auto alloc = dyn_cast<pto::AllocTileOp>(op)) {
        auto buffer = op->getAttrOfType<IntegerAttr>(kBufferAttr);
        pto::TileBufType type = alloc.getResult().getType();
        // What names a part of a buffer as other elements says which bytes it takes.
        if (buffer && !alloc->hasAttr(kSpanAttr)) {
          compare(op, buffers.try_emplace(buffer.getInt(), type).first->second, type);
        }
      } else if (auto reshape = dyn_cast<pto::TReshapeOp>(op)) {
        compare(op, cast<pto::TileBufType>(reshape->getOperand(0).getType()),
                cast<pto::TileBufType>(reshape->getResult(0).getType()));
      }
    });
  }

  void write(Value tile, Contents &contents) {
    std::optional<Span> span = spanOf(tile);
    if (!span) {
      return;
    }
    writers_[span->buffer] = tile;
    contents.written.insert(span->buffer);
    std::vector<Span> kept;
    for (const Span &other : contents.spans) {
      if (!other.overlaps(*span)) {
        kept.push_back(other);
        continue;
      }
      if (other.begin < span->begin) {
        kept.push_back({other.memory, other.begin, span->begin, other.buffer});
      }
      if (span->end < other.end) {
        kept.push_back({other.memory, span->end, other.end, other.buffer});
      }
    }
    kept.push_back(*span);
    std::sort(kept.begin(), kept.end());
    contents.spans = std::move(kept);
  }

  void read(Operation *op, Value tile, const Contents &contents) {
    std::optional<Span> span = spanOf(tile);
    // What nobody has written holds nothing to lose.
    if (!span || !contents.written.contains(span->buffer) || !reported_.empty()) {
      return;
    }
    // The bytes from `at` on are not accounted for yet.
    int64_t at = span->begin;
    for (bool progress = true; progress && at < span->end;) {
      progress = false;
      for (const Span &own : contents.spans) {
        if (own.buffer == span->buffer && own.memory == span->memory && own.begin <= at && at < own.end) {
          at = own.end;
          progress = true;
        }
      }
    }
    if (at >= span->end) {
      return;
    }
    std::string by;
    for (const Span &other : contents.spans) {
      if (other.overlaps({span->memory, at, at + 1, 0})) {
        by = "`" + pl::nameOf(writers_.lookup(other.buffer), "another tile") + "`";
      }
    }
    failed_ = true;
    reported_.insert(op);
    bridge::emitDiag(pl::rangeLoc(op->getLoc()), diag::InternalError,
                     "tile `" + pl::nameOf(tile, "a tile") + "` is read after " + (by.empty() ? "another tile" : by) +
                         " was written over it");
  }

  void follow(Block &block, Contents &contents) {
    for (Operation &op : block) {
      visit(&op, contents);
    }
  }

  void followLoop(scf::ForOp loop, Contents &contents) {
    // A loop is met twice in every round of those around it; what it does with the same contents is known by then.
    std::vector<std::pair<Contents, Contents>> &known = loops_[loop];
    for (const auto &[found, left] : known) {
      if (found == contents) {
        contents = left;
        return;
      }
    }
    Contents before = contents;
    follow(*loop.getBody(), contents);
    if (contents != before) {
      // What one iteration leaves is what the next one finds.
      follow(*loop.getBody(), contents);
    }
    merge(contents, before); // it may not run at all
    loops_[loop].emplace_back(std::move(before), contents);
  }

  void visit(Operation *op, Contents &contents) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      followLoop(loop, contents);
      return;
    }
    if (op->getNumRegions() > 0) {
      Contents before = contents;
      bool first = true;
      for (Region &region : op->getRegions()) {
        Contents branch = before;
        for (Block &block : region) {
          follow(block, branch);
        }
        if (first) {
          contents = std::move(branch);
        } else {
          merge(contents, branch);
        }
        first = false;
      }
      if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getElseRegion().empty()) {
        merge(contents, before);
      }
      return;
    }
    if (isa<pto::AllocTileOp>(op)) {
      // A buffer begins, empty, where it is first named; the same operation begins it anew in the next iteration.
      auto buffer = op->getAttrOfType<IntegerAttr>(kBufferAttr);
      if (buffer && begins_.try_emplace(buffer.getInt(), op).first->second == op) {
        contents.written.erase(buffer.getInt());
      }
      return;
    }
    if (isa<pto::SubviewOp>(op)) {
      return;
    }
    if (isa<pto::TPushToAivOp, pto::TPushToAicOp>(op)) {
      read(op, op->getOperand(0), contents);
      return;
    }
    if (auto instr = dyn_cast<pto::InstrOp>(op)) {
      for (auto [i, value] : llvm::enumerate(instr.getIns())) {
        if (isa<pto::TileBufType>(value.getType()) && instr.getScratch() != i) {
          read(op, value, contents);
        }
      }
      if (instr.getScratch()) {
        write(instr.getIns()[*instr.getScratch()], contents);
      }
      for (Value result : instr.getOuts()) {
        write(result, contents);
      }
      return;
    }
    if (auto get = dyn_cast<pto::TGetValOp>(op)) {
      read(op, get.getSrc(), contents);
      return;
    }
    const bool known = isa<pto::TLoadOp, pto::TStoreOp, pto::TMovOp, pto::TExtractOp, pto::TMatmulOp, pto::TMatmulAccOp,
                           pto::TMatmulBiasOp, pto::TMatmulMxOp, pto::TMatmulMxAccOp>(op);
    SmallVector<Value> tiles;
    for (Value operand : op->getOperands()) {
      if (isa<pto::TileBufType>(operand.getType())) {
        tiles.push_back(operand);
      }
    }
    if (!known) {
      for (Value tile : tiles) {
        write(tile, contents);
      }
      return;
    }
    // The destination comes last, except in a store, which has none on chip.
    const bool stores = isa<pto::TStoreOp>(op);
    for (Value tile : ArrayRef(tiles).drop_back(stores ? 0 : 1)) {
      read(op, tile, contents);
    }
    if (!stores) {
      write(tiles.back(), contents);
    }
  }

  static void merge(Contents &into, const Contents &other) {
    std::vector<Span> both;
    std::set_union(into.spans.begin(), into.spans.end(), other.spans.begin(), other.spans.end(),
                   std::back_inserter(both));
    into.spans = std::move(both);
    into.written.insert(other.written.begin(), other.written.end());
  }

  func::FuncOp function_;
  llvm::DenseMap<int64_t, Value> writers_;      ///< The last tile that wrote a buffer.
  llvm::DenseMap<int64_t, Operation *> begins_; ///< The first name of each buffer.
  /// What each loop made of the contents it found.
  llvm::DenseMap<Operation *, std::vector<std::pair<Contents, Contents>>> loops_;
  llvm::DenseSet<Operation *> reported_; ///< One report a kernel: what follows from it says nothing new.
  bool failed_ = false;
};

struct CheckTileHazards : impl::CheckTileHazardsBase<CheckTileHazards> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> faulty;
    llvm::DenseSet<Attribute> groups; // a function without the other core's waits for ever
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isExternal() && failed(HazardCheck(function).run())) {
        faulty.push_back(function);
        groups.insert(function->getAttr(kGroupAttr));
      }
      function.walk([](pto::AllocTileOp alloc) {
        alloc->removeAttr(kBufferAttr);
        alloc->removeAttr(kSpanAttr);
      });
    }
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      Attribute group = function->getAttr(kGroupAttr);
      if (llvm::is_contained(faulty, function) || (group && groups.contains(group))) {
        function.erase();
      }
    }
  }
};

} // namespace

} // namespace placid::conversion
