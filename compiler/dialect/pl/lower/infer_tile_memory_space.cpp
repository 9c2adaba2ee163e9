// SPDX-License-Identifier: Apache-2.0
// InferTileMemorySpace: see passes.td. Two steps: types are settled to a fixed point, then operands are moved.
#include "compiler/dialect/pl/lower/fractal_views.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"
#include "compiler/dialect/pl/lower/vector_ops.h"

#include "llvm/ADT/MapVector.h"
#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_INFERTILEMEMORYSPACE
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

TileType tileOf(Value value) { return dyn_cast<TileType>(value.getType()); }

class Inference {
public:
  explicit Inference(func::FuncOp function) : function_(function) {}

  void run() {
    separateCreates();
    separateLoads();
    do {
      changed_ = false;
      function_.walk([&](Operation *op) { visit(op); });
    } while (changed_);
    // What nobody asked for is a vector tile.
    function_.walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        place(result, Mem::Vec);
      }
    });
    do {
      changed_ = false;
      function_.walk([&](Operation *op) { visit(op); });
    } while (changed_);
    function_.walk([&](Operation *op) { moveOperands(op); });
    const TileBuffers buffers(function_);
    function_.walk([&](TileExtractOp extract) { markWindow(extract, buffers); });
  }

private:
  /// Elements of the tile are written, under its own name or that of a view of it.
  static bool isFilledInPlace(Value tile) {
    return llvm::any_of(tile.getUsers(), [](Operation *user) {
      return isElementWrite(user) || (isBufferView(user) && isFilledInPlace(user->getResult(0)));
    });
  }

  /// A created tile has no contents, so each of its users may have its own; but for one that is filled element by
  /// element, whose readers want what was written.
  void separateCreates() {
    SmallVector<TileCreateOp> creates;
    function_.walk([&](TileCreateOp create) {
      if (!isFilledInPlace(create.getResult())) {
        creates.push_back(create);
      }
    });
    for (TileCreateOp create : creates) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : create.getResult().getUses()) {
        uses.push_back(&use);
      }
      // The use list runs backwards; the first user keeps the original.
      for (OpOperand *use : llvm::reverse(uses)) {
        if (use == uses.back()) {
          continue;
        }
        // At the user: made where the original is, all of them would be alive at once.
        OpBuilder builder(use->getOwner());
        use->set(cast<TileCreateOp>(builder.clone(*create.getOperation())).getResult());
      }
    }
  }

  /// What both units read is loaded for each of them: there is no way from the cube core's memories to the vector core
  /// but through the accumulator, and the way back is longer than the one from GM. A tile that is written element by
  /// element stays one, because a second load would lack what was written.
  void separateLoads() {
    SmallVector<TileLoadOp> loads;
    function_.walk([&](TileLoadOp load) { loads.push_back(load); });
    for (TileLoadOp load : loads) {
      TileType type = load.getResult().getType();
      if ((type.getMem() != Mem::Unset && type.getMem() != Mem::Mat) || type.getRank() != 2 ||
          load.getSource().getType().isNz() || isFilledInPlace(load.getResult())) {
        continue;
      }
      SmallVector<OpOperand *> cube;
      SmallVector<OpOperand *> vector;
      for (OpOperand &use : load.getResult().getUses()) {
        auto generic = dyn_cast<GenericOp>(use.getOwner());
        if (isa<TileMatmulOp, TileMatmulAccOp, TileTransposeViewOp>(use.getOwner())) {
          cube.push_back(&use);
        } else if (generic && findVectorOp(generic.getName())) {
          vector.push_back(&use);
        }
      }
      const target::Box box = target::tileBox(target::Space::Mat, bitWidth(type.getDtype()), false);
      const bool isWhole = type.getShape()[0] % box.rows == 0 && type.getShape()[1] % box.columns == 0;
      if (cube.empty() || vector.empty() || !isWhole) {
        continue;
      }
      // One for each unit that does not get the original.
      const bool forVector = type.getMem() == Mem::Mat;
      OpBuilder builder(load);
      builder.setInsertionPointAfter(load);
      auto twin = cast<TileLoadOp>(builder.clone(*load.getOperation()));
      twin.getResult().setType(type.withMem(forVector ? Mem::Vec : Mem::Mat));
      for (OpOperand *use : forVector ? vector : cube) {
        use->set(twin.getResult());
      }
    }
  }

  /// Sets the memory of a tile that has none, and what it must share it with.
  void place(Value value, Mem mem) {
    TileType type = tileOf(value);
    if (!type || type.getMem() != Mem::Unset || mem == Mem::Unset) {
      return;
    }
    value.setType(
        TileType::get(type.getContext(), type.getShape(), type.getDtype(), mem, type.getValid(), type.getTransposed()));
    changed_ = true;
  }

  void share(ArrayRef<Value> values) {
    for (Value value : values) {
      if (TileType type = tileOf(value); type && type.getMem() != Mem::Unset) {
        for (Value other : values) {
          place(other, type.getMem());
        }
        return;
      }
    }
  }

  void visit(Operation *op) {
    if (auto matmul = dyn_cast<TileMatmulOp>(op)) {
      place(matmul.getResult(), Mem::Acc);
      wantMat(matmul.getLhs());
      wantMat(matmul.getRhs());
    } else if (auto matmulAcc = dyn_cast<TileMatmulAccOp>(op)) {
      place(matmulAcc.getResult(), Mem::Acc);
      place(matmulAcc.getAcc(), Mem::Acc);
      wantMat(matmulAcc.getLhs());
      wantMat(matmulAcc.getRhs());
    } else if (isBufferView(op)) {
      share({op->getOperand(0), op->getResult(0)});
    } else if (auto gather = dyn_cast<GenericOp>(op); gather && gather.getName() == "tile.gather_row") {
      share({gather.getArgument("dst"), gather->getResult(0)});
    } else if (auto generic = dyn_cast<GenericOp>(op); generic && findVectorOp(generic.getName())) {
      for (Value value : generic->getResults()) {
        place(value, Mem::Vec);
      }
      for (Value value : generic.getOperands()) {
        place(value, Mem::Vec);
      }
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
        share({loop.getInitArgs()[i], loop.getRegionIterArg(i), loop.getYieldedValues()[i], loop.getResult(i)});
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (unsigned i = 0; i < branch.getNumResults(); ++i) {
        share({branch.getResult(i), branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)});
      }
    }
  }

  /// A matmul operand that is loaded has to come through Mat.
  void wantMat(Value operand) {
    Operation *producer = operand.getDefiningOp();
    if (isa_and_nonnull<TileLoadOp, TileReshapeOp, TileTransposeViewOp>(producer)) {
      place(operand, Mem::Mat);
    }
  }

  /// Something writes into the buffer of `tile` after `from` and before the last use in the same block.
  static bool isWrittenMeanwhile(Value tile, Operation *from, const TileBuffers &buffers) {
    Block *block = from->getBlock();
    Operation *last = from;
    for (Operation *user : from->getResult(0).getUsers()) {
      last = last->isBeforeInBlock(user) ? user : last;
    }
    auto isMeanwhile = [&](Operation *write) {
      Operation *here = block->findAncestorOpInBlock(*write);
      return here && from->isBeforeInBlock(here) && here->isBeforeInBlock(last);
    };
    return llvm::any_of(buffers.buffers()[buffers.bufferOf(tile)].members, [&](Value member) {
      return llvm::any_of(member.getUsers(), [&](Operation *user) {
        return (isElementWrite(user) || overwrittenOperand(user) == member) && isMeanwhile(user);
      });
    });
  }

  /// Whole rows that are only stored are stored from where they are, unless these change before.
  static void markWindow(TileExtractOp extract, const TileBuffers &buffers) {
    TileType whole = extract.getSource().getType();
    TileType part = extract.getResult().getType();
    const bool rows = whole.getMem() == Mem::Vec && part.getMem() == Mem::Vec && whole.getRank() == 2 &&
                      part.getRank() == 2 && part.getShape()[1] == whole.getShape()[1] && part.getShape()[1] > 1;
    const bool stored = llvm::all_of(extract.getResult().getUsers(), [&](Operation *user) {
      return isa<TileStoreOp>(user) && user->getBlock() == extract->getBlock();
    });
    if (rows && stored && part.getValid().empty() && !extract.getResult().use_empty() &&
        !isWrittenMeanwhile(extract.getSource(), extract, buffers)) {
      extract->setAttr(kWindowAttr, UnitAttr::get(extract.getContext()));
    }
  }

  /// A window of a vector tile is written: with what the vector unit has.
  static bool isVectorAssemble(GenericOp op) {
    return op.getName() == "tile.assemble" && op->getNumResults() == 1 && tileOf(op->getResult(0)) &&
           tileOf(op->getResult(0)).getMem() == Mem::Vec;
  }

  void moveOperands(Operation *op) {
    if (isElementWrite(op)) {
      moves_.clear(); // what was moved before lacks the element
    }
    if (auto matmul = dyn_cast<TileMatmulOp>(op)) {
      move(matmul.getLhsMutable(), Mem::Left, "_Left");
      move(matmul.getRhsMutable(), Mem::Right, "_Right");
    } else if (auto matmulAcc = dyn_cast<TileMatmulAccOp>(op)) {
      move(matmulAcc.getLhsMutable(), Mem::Left, "_Left");
      move(matmulAcc.getRhsMutable(), Mem::Right, "_Right");
    } else if (auto extract = dyn_cast<TileExtractOp>(op);
               extract && extract.getResult().getType().getMem() == Mem::Vec) {
      move(extract.getSourceMutable(), Mem::Vec, "_Vec"); // no chip cuts a window on the way between its cores
    } else if (auto generic = dyn_cast<GenericOp>(op);
               generic && (findVectorOp(generic.getName()) || isVectorAssemble(generic))) {
      for (OpOperand &operand : op->getOpOperands()) {
        if (tileOf(operand.get())) {
          move(operand, Mem::Vec, "_Vec");
        }
      }
    }
  }

  void move(OpOperand &operand, Mem mem, StringRef suffix) {
    Value source = operand.get();
    TileType type = tileOf(source);
    if (type.getMem() == mem) {
      return;
    }
    Operation *user = operand.getOwner();
    // To L0, whose tiles are small and short-lived, at the user; between the cores once, where the tile is made.
    Block *block = mem == Mem::Vec ? source.getParentBlock() : user->getBlock();
    Value &moved = moves_[{source, block, mem}];
    if (!moved) {
      OpBuilder builder(user);
      if (mem == Mem::Vec) {
        builder.setInsertionPointAfterValue(source);
      }
      Location loc = namedLoc(user->getLoc(), nameOf(source, "tile"), suffix);
      moved = TileMoveOp::create(builder, loc, type.withMem(mem), source);
    }
    operand.set(moved);
  }

  func::FuncOp function_;
  bool changed_ = false;
  llvm::MapVector<std::tuple<Value, Block *, Mem>, Value> moves_;
};

/// A tile that goes through a loop of unknown length has no one place that the inference knows: such a function is
/// left.
bool leavesOpenLoops(func::FuncOp function) {
  bool found = false;
  function.walk([&](Operation *op) {
    if (op->getNumRegions() == 0 || isa<scf::ForOp, scf::IfOp, func::FuncOp>(op)) {
      return;
    }
    auto isTile = [](Value value) { return static_cast<bool>(tileOf(value)); };
    const bool carries = llvm::any_of(op->getOperands(), isTile) || llvm::any_of(op->getResults(), isTile) ||
                         llvm::any_of(op->getRegions(), [&](Region &region) {
                           return !region.empty() && llvm::any_of(region.front().getArguments(), isTile);
                         });
    if (carries) {
      op->setAttr(kNotLoweredAttr, StringAttr::get(op->getContext(), "a loop of unknown length that carries a tile"));
      found = true;
    }
  });
  if (found) {
    function->setAttr(kLeftAttr, UnitAttr::get(function.getContext()));
  }
  return found;
}

struct InferTileMemorySpace : impl::InferTileMemorySpaceBase<InferTileMemorySpace> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) {
      if (leavesOpenLoops(function)) {
        return;
      }
      Inference(function).run();
      bool good = true;
      function.walk(
          [&](TileReshapeOp reshape) { good &= keepsElements(reshape, tileOf(reshape.getSource()).getMem()); });
      if (!good) {
        markFailed(function);
      }
    });
  }
};

} // namespace

} // namespace placid::pl
