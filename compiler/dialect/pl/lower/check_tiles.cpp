// SPDX-License-Identifier: Apache-2.0
// CheckTiles: see passes.td. What holds for a tile whatever is done with it later, judged while every tile still is
// where the user made it. The sizes here are lower bounds: a placement may need more, and AllocateMemoryAddr then says
// so.
#include "compiler/dialect/pl/lower/fractal_views.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <algorithm>
#include <map>

namespace placid::pl {

#define GEN_PASS_DEF_CHECKTILES
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

std::string describeTile(Value value) {
  auto type = cast<TileType>(value.getType());
  StringRef name = valueName(value);
  return (name.empty() ? std::string("a tile ") : "tile `" + name.str() + "` ") + shapeText(type.getShape()) + " " +
         plName(type.getDtype()).str();
}

/// The operation shows a tile's own bytes under another type, or may: it needs no memory of its own.
bool isView(Operation *op) {
  if (isa<TileReshapeOp, TileTransposeViewOp>(op)) {
    return true;
  }
  auto name = op->getAttrOfType<StringAttr>("name");
  if (!name || !op->getDialect() || op->getDialect()->getNamespace() != PlDialect::getDialectNamespace()) {
    return false;
  }
  StringRef word = name.getValue().substr(name.getValue().rfind('.') + 1);
  return llvm::is_contained({"reshape", "slice", "set_validshape", "transpose_view", "reinterpret_view", "view",
                             "assemble", "fillpad_inplace", "extract", "aiv_shard", "aic_gather"},
                            word);
}

/// Points in program order: from `begin` on and before `end`.
struct Span {
  int64_t begin = 0;
  int64_t end = 0;
};

/// An accumulator that a conversion brings straight to where products take their operands: it never is in Vec.
bool goesToMat(Value value) {
  Operation *op = value.getDefiningOp();
  auto name = op ? op->getAttrOfType<StringAttr>("name") : StringAttr();
  if (!name || name.getValue() != "tile.cast" || op->getNumOperands() == 0 || value.use_empty()) {
    return false;
  }
  auto source = dyn_cast<TileType>(op->getOperand(0).getType());
  return source && source.getMem() == Mem::Acc && llvm::all_of(value.getUsers(), [](Operation *user) {
           auto named = user->getAttrOfType<StringAttr>("name");
           return isa<TileMatmulOp, TileMatmulAccOp>(user) || (named && named.getValue().contains("matmul"));
         });
}

/// One tile with memory of its own: alive in its spans, which are in order and apart from one another. There are
/// several where one branch of an if needs the tile and the branch written before it does not. What an operation
/// consumes for the last time is gone where its result begins, because the result may take its place.
struct Life {
  Value value;
  int64_t bytes = 0; ///< Of the half, where each vector lane has one.
  bool halved = false;
  SmallVector<Span, 2> spans;

  std::string describe() const { return (halved ? "half of " : "") + describeTile(value); }

  int64_t begin() const { return spans.front().begin; }

  bool isAliveAt(int64_t point) const {
    return llvm::any_of(spans, [&](Span span) { return span.begin <= point && point < span.end; });
  }

  void join() {
    llvm::sort(spans, [](Span a, Span b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    size_t kept = 0;
    for (Span span : spans) {
      if (kept > 0 && span.begin <= spans[kept - 1].end) {
        spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
      } else {
        spans[kept++] = span;
      }
    }
    spans.resize(kept);
  }
};

/// Points in program order and the lives of one function's tiles in one memory.
class Lives {
public:
  Lives(func::FuncOp function, const target::Target &target) : isHalvedByLanes_(isHalvedByLanes(function)) {
    int64_t next = 0;
    number(function.getBody(), next);
    for (Value value : tiles_) {
      Value owner = ownerOf(value);
      auto [entry, fresh] = index_.try_emplace(owner, lives_.size());
      if (fresh) {
        int64_t begin = definedAt_.lookup(owner);
        auto type = cast<TileType>(owner.getType());
        const bool half = isHalvedByLanes_ && isHalved(function, type);
        lives_.push_back({owner, tileBytes(target, type) / (half ? 2 : 1), half, {{begin, begin + 1}}});
      }
      for (Operation *user : value.getUsers()) {
        addUse(lives_[entry->second], user);
      }
    }
    for (Life &life : lives_) {
      life.join();
    }
  }

  ArrayRef<Life> lives() const { return lives_; }

private:
  void number(Region &region, int64_t &next) {
    for (Block &block : region) {
      for (Value argument : block.getArguments()) {
        add(argument, next);
      }
      for (Operation &op : block) {
        int64_t point = next++;
        for (Region &nested : op.getRegions()) {
          number(nested, next);
        }
        int64_t end = op.getNumRegions() ? next++ : point;
        points_[&op] = {point, end};
        for (Value result : op.getResults()) {
          add(result, end);
        }
      }
    }
  }

  void add(Value value, int64_t point) {
    if (isa<TileType>(value.getType())) {
      tiles_.push_back(value);
      definedAt_[value] = point;
    }
  }

  /// The tile whose bytes `value` shows.
  static Value ownerOf(Value value) {
    for (Operation *op = value.getDefiningOp(); op && isView(op); op = value.getDefiningOp()) {
      Value source;
      for (Value operand : op->getOperands()) {
        source = !source && isa<TileType>(operand.getType()) ? operand : source;
      }
      if (!source || cast<TileType>(source.getType()).getMem() != cast<TileType>(value.getType()).getMem()) {
        break;
      }
      value = source;
    }
    return value;
  }

  /// The life lasts from where the tile begins to the use, less the branches on the way that only others take.
  void addUse(Life &life, Operation *user) const {
    Region *home = life.value.getParentRegion();
    // An operation with regions takes its operands when it begins.
    int64_t end = points_.lookup(user).first;
    SmallVector<Span> skipped;
    Region *from = user->getParentRegion();
    for (; from && from != home; from = from->getParentRegion()) {
      Operation *parent = from->getParentOp();
      if (isa<LoopLikeOpInterface>(parent)) {
        // A use inside a loop of what comes from outside is one in every round, and in each of its branches.
        end = points_.lookup(parent).second;
        skipped.clear();
      } else if (auto branches = dyn_cast<scf::IfOp>(parent); branches && from == &branches.getElseRegion()) {
        skipped.push_back({points_.lookup(parent).first, firstPoint(branches.getElseRegion())});
      }
    }
    int64_t begin = life.spans.front().begin;
    for (Span branch : llvm::reverse(skipped)) {
      life.spans.push_back({begin, branch.begin});
      begin = branch.end;
    }
    life.spans.push_back({begin, end});
  }

  /// The axis that is split, where the function says which, else either one, has two halves.
  static bool isHalved(func::FuncOp function, TileType type) {
    auto axis = function->getAttrOfType<IntegerAttr>(kSplitAttr);
    return type.getMem() == Mem::Vec && llvm::any_of(llvm::enumerate(type.getShape()), [&](auto extent) {
             return (!axis || axis.getInt() == static_cast<int64_t>(extent.index())) && extent.value() % 2 == 0;
           });
  }

  int64_t firstPoint(Region &region) const { return points_.lookup(&region.front().front()).first; }

  bool isHalvedByLanes_;
  SmallVector<Value> tiles_;
  DenseMap<Value, int64_t> definedAt_;
  DenseMap<Operation *, std::pair<int64_t, int64_t>> points_;
  DenseMap<Value, size_t> index_;
  SmallVector<Life> lives_;
};

struct CheckTiles : impl::CheckTilesBase<CheckTiles> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [&](func::FuncOp function) {
      const target::Target &target = targetOf(function);
      bool good = true;
      function.walk([&](Operation *op) {
        if (isa<TileLoadOp, TileCreateOp>(op)) {
          good &= isAligned(op);
        } else if (auto store = dyn_cast<TileStoreOp>(op)) {
          good &= keepsDtype(store);
        } else if (auto reshape = dyn_cast<TileReshapeOp>(op)) {
          // One column of an accumulator goes to the vector core before its shape changes.
          const bool column = cast<TileType>(reshape.getSource().getType()).getShape().back() == 1;
          good &=
              column || isLoadedFromNz(reshape.getSource()) || keepsElements(reshape, surelyIn(reshape.getSource()));
        }
      });
      good &= fits(function, target);
      if (!good) {
        markFailed(function);
      }
    });
  }

  /// What the vector unit computed is stored as it is. Only what surely is its own is judged: an accumulator converts.
  static bool keepsDtype(TileStoreOp store) {
    auto tile = cast<TileType>(store.getTile().getType());
    auto dest = cast<TensorType>(store.getDest().getType());
    Operation *maker = store.getTile().getDefiningOp();
    while (auto view = dyn_cast_if_present<TileReshapeOp>(maker)) {
      maker = view->getOperand(0).getDefiningOp();
    }
    auto generic = dyn_cast_if_present<GenericOp>(maker);
    bool vector =
        isa_and_nonnull<TileLoadOp>(maker) || (generic && !isView(generic) && !generic.getName().contains("matmul") &&
                                               !generic.getName().contains("gemv") && generic.getName() != "tile.move");
    if (!vector || tile.getMem() != Mem::Vec || dest.isNz() || bitWidth(tile.getDtype()) == bitWidth(dest.getDtype())) {
      return true;
    }
    bridge::emitDiag(rangeLoc(store.getLoc()), diag::TypeMismatch, "the store",
                     llvm::formatv("{0} goes to a tensor of {1}, and a store converts nothing",
                                   describeTile(store.getTile()), plName(dest.getDtype()))
                         .str())
        .help(llvm::formatv("convert it first: `pl.cast(…, target_type=pl.{0})`", plName(dest.getDtype())).str());
    return false;
  }

  static bool usesNz(func::FuncOp function) {
    return llvm::any_of(function.getArgumentTypes(), [](Type type) {
      auto tensor = dyn_cast<TensorType>(type);
      return tensor && tensor.isNz();
    });
  }

  /// A faulty extent of a load or a new tile: axis -2 or -1, and the words.
  static bool isAligned(Operation *op) {
    Value tile = op->getResult(0);
    auto type = cast<TileType>(tile.getType());
    auto load = dyn_cast<TileLoadOp>(op);
    const Layout order = load ? load.getSource().getType().getLayout() : Layout::ND;
    if (type.getRank() != 2 || order == Layout::NZ || order == Layout::MxAZZ || order == Layout::MxBNN ||
        bitWidth(type.getDtype()) < 8) {
      return true; // NZ windows and scales have rules of their own
    }
    int64_t rows = type.getShape()[0];
    int64_t columns = type.getShape()[1];
    int64_t bytes = bitWidth(type.getDtype()) / 8;
    auto place = [&](int axis) {
      if (!load) {
        return rangeLoc(op->getLoc());
      }
      auto rank = static_cast<unsigned>(load.getSizes().size());
      return rank < 2 ? rangeLoc(op->getLoc()) : argLoc(op, kSizesArg, rank + axis).range;
    };
    const bool scales = type.getMem() == Mem::Mat && type.getDtype() == DType::F8E8M0;
    bool flat = type.getMem() == Mem::Vec || (type.getMem() == Mem::Mat && rows == 1 && !scales);
    if (flat) {
      bool column = columns == 1 && type.getMem() == Mem::Vec;
      int64_t line = (column ? rows : columns) * bytes;
      if (line % target::kLineBytes == 0) {
        return true;
      }
      bridge::emitDiag(place(column ? -2 : -1), diag::TileAlign,
                       llvm::formatv("{0} of {1} is {2} bytes: in {3} it is whole 32-byte blocks, {4} elements of {5}",
                                     column ? "the column" : "a row", describeTile(tile), line, plName(type.getMem()),
                                     target::kLineBytes / bytes, plName(type.getDtype()))
                           .str())
          .help(llvm::formatv("make it a multiple of {0} and say with `valid_shape=` what is live",
                              target::kLineBytes / bytes)
                    .str());
      return false;
    }
    // Beside an NZ operand the extent follows from the NZ plane, whose rules say more.
    auto function = op->getParentOfType<func::FuncOp>();
    if (type.getMem() != Mem::Mat || usesNz(function)) {
      return true;
    }
    target::Box box = target::tileBox(scales ? target::Space::LeftScale : target::Space::Mat, bitWidth(type.getDtype()),
                                      type.getTransposed());
    for (int axis : {-2, -1}) {
      int64_t extent = axis == -2 ? rows : columns;
      int64_t multiple = axis == -2 ? box.rows : box.columns;
      if (extent % multiple == 0) {
        continue;
      }
      if (extent % target::kFractalRows == 0 && isImpliedOperand(tile)) {
        // Whole fractals of the product, though not of bytes: an operand that the compiler loads is its own to pad.
        op->setAttr(kNotLoweredAttr, StringAttr::get(op->getContext(), "an operand of " + shapeText(type.getShape()) +
                                                                           " " + plName(type.getDtype()).str() +
                                                                           " that is not whole fractals"));
        function->setAttr(kLeftAttr, UnitAttr::get(op->getContext()));
        continue;
      }
      bridge::emitDiag(
          place(axis), diag::TileAlign,
          llvm::formatv("{0} has {1} {2}: in Mat it is a multiple of {3}, because a fractal is 16 rows of 32 bytes",
                        describeTile(tile), extent, axis == -2 ? "rows" : "columns", multiple)
              .str())
          .help(llvm::formatv("make it a multiple of {0} and say with `valid_shape=` what is live", multiple).str());
      return false;
    }
    return true;
  }

  static bool fits(func::FuncOp function, const target::Target &target) {
    Lives all(function, target);
    bool good = true;
    for (const target::Memory &memory : target.memories) {
      // The L0 memories take what AutoTileMatmulL0 cuts to their size.
      if (memory.space != target::Space::Vec && memory.space != target::Space::Mat) {
        continue;
      }
      SmallVector<const Life *> lives;
      for (const Life &life : all.lives()) {
        if (spaceOf(cast<TileType>(life.value.getType()).getMem()) == memory.space && !isImpliedOperand(life.value) &&
            !goesToMat(life.value)) {
          lives.push_back(&life);
        }
      }
      good &= fits(memory, lives);
    }
    return good;
  }

  static bool fits(const target::Memory &memory, ArrayRef<const Life *> lives) {
    for (const Life *life : lives) {
      if (life->bytes > memory.capacity) {
        bridge::emitDiag(rangeLoc(life->value.getLoc()), diag::Capacity,
                         llvm::formatv("{0} needs {1} of {2} ({3}), which has {4}", life->describe(),
                                       bytesText(life->bytes), memory.name, memory.hardware, memory.capacity)
                             .str())
            .help("use a smaller tile");
        return false;
      }
    }
    // The most is needed right after something begins.
    std::map<int64_t, int64_t> changes;
    for (const Life *life : lives) {
      for (Span span : life->spans) {
        changes[span.begin] = target::saturatingAdd(changes[span.begin], life->bytes);
        changes[span.end] -= life->bytes;
      }
    }
    int64_t used = 0;
    int64_t most = 0;
    int64_t point = 0;
    for (auto [at, change] : changes) {
      used += change;
      if (used > most) {
        most = used;
        point = at;
      }
    }
    if (most <= memory.capacity) {
      return true;
    }
    SmallVector<const Life *> alive;
    const Life *last = nullptr;
    for (const Life *life : lives) {
      if (life->isAliveAt(point)) {
        alive.push_back(life);
        last = !last || life->begin() >= last->begin() ? life : last;
      }
    }
    auto diagnostic =
        bridge::emitDiag(rangeLoc(last->value.getLoc()), diag::Capacity,
                         llvm::formatv("with {0} the tiles alive here need {1} of {2} ({3}), which has {4}",
                                       last->describe(), bytesText(most), memory.name, memory.hardware, memory.capacity)
                             .str());
    for (const Life *life : alive) {
      if (life != last) {
        diagnostic.note(rangeLoc(life->value.getLoc()),
                        llvm::formatv("{0} takes {1}", life->describe(), bytesText(life->bytes)).str());
      }
    }
    diagnostic.help("use smaller tiles, or load a tile after the last use of another");
    return false;
  }
};

} // namespace

} // namespace placid::pl
