// SPDX-License-Identifier: Apache-2.0
// ExpandMixedKernel: see passes.td. Which core an operation runs on is core_split; this file builds the two functions
// and what passes between them.
#include "compiler/dialect/pl/analysis/tensor_origin.h"
#include "compiler/dialect/pl/ir/lane_attrs.h"
#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/dialect/pl/lower/core_split.h"
#include "compiler/dialect/pl/lower/lane_regions.h"
#include "compiler/dialect/pl/lower/live_extents.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/not_lowered.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/lower/popped_tiles.h"
#include "compiler/dialect/pl/lower/tile_buffers.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#include <algorithm>
#include <utility>

namespace placid::pl {

#define GEN_PASS_DEF_EXPANDMIXEDKERNEL
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

/// What of a kernel one function holds.
enum class Part : uint8_t {
  Cube,
  Vector,
  Handshake, ///< Only what passes through the pipe, with empty tiles: the second vector lane keeps in step.
};

/// Builds one part of a mixed kernel, operation by operation. What the part cannot have, because the other core
/// computes it, is reported in `refusal`.
class PartBuilder {
public:
  PartBuilder(const CoreSplit &split, Part part, OpBuilder &builder) : split_(split), part_(part), builder_(builder) {}

  IRMapping &mapping() { return mapping_; }
  const std::optional<CoreSplit::Refusal> &refusal() const { return refusal_; }

  void block(Block &source) {
    for (Operation &op : source.without_terminator()) {
      for (const CoreHandoff &handoff : split_.handoffs()) {
        if (handoff.before == &op) {
          passToken(handoff);
        }
      }
      project(&op);
    }
  }

  /// Gives back what was popped. `made` is the function that this part is in; it stands in no module yet.
  void giveBack(func::FuncOp made, const target::Target &target) {
    if (std::optional<PipePopOp> overtaken = freePopped(pops_, /*mayCopy=*/!isCube())) {
      return refuse(sources_.lookup(*overtaken),
                    "a tile from the vector core that is used after others came in a loop");
    }
    if (target.arch == target::Arch::A5) {
      if (PipePopOp beyond = poppedBeyond(made, kMostHeldOnA5)) {
        refuse(sources_.lookup(beyond), "more than " + std::to_string(kMostHeldOnA5) +
                                            " tiles and handoffs of the other core in use at a time on " +
                                            std::string(target.displayName));
      }
    }
  }

private:
  /// Why this part does not have all of `values`, which `what` depends on.
  std::string whyUnknown(StringRef what, ValueRange values) const {
    SmallVector<Value> left(values);
    llvm::SmallPtrSet<Operation *, 16> seen;
    while (!left.empty()) {
      Value value = left.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (isCube() && isa_and_nonnull<SubblockIdxOp>(op)) {
        return (what + " of the cube core that depends on the number of the vector lane").str();
      }
      if (op && !isKnown(value) && seen.insert(op).second) {
        left.append(op->operand_begin(), op->operand_end());
      }
    }
    return (what + " that depends on what the other core reads from a tile").str();
  }

  bool isCube() const { return part_ == Part::Cube; }
  bool holds(CoreSplit::Place place) const {
    return place == CoreSplit::Place::Both || (part_ == Part::Cube && place == CoreSplit::Place::Cube) ||
           (part_ == Part::Vector && place == CoreSplit::Place::Vector);
  }
  bool holdsValue(Value value) const {
    auto tile = dyn_cast<TileType>(value.getType());
    return !tile || holds(CoreSplit::placeOf(tile.getMem()));
  }
  bool isKnown(Value value) const { return mapping_.contains(value); }

  void refuse(Operation *op, std::string why) {
    if (!refusal_) {
      refusal_ = {op, std::move(why)};
    }
  }

  void project(Operation *op) {
    const CoreSplit::Place place = split_.placeOf(op);
    if (isa<SubblockIdxOp>(op) && (isCube() || laneMode(op) == kLaneModeEnd)) {
      return; // the cube core is no lane
    }
    if (place == CoreSplit::Place::Crossing) {
      return cross(cast<TileMoveOp>(op));
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return projectFor(loop);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      return projectIf(branch);
    }
    if (!holds(place)) {
      // A tensor stays the same argument, whoever writes it.
      if (auto store = dyn_cast<TileStoreOp>(op); store && isKnown(store.getDest())) {
        mapping_.map(store.getResult(), mapping_.lookup(store.getDest()));
      }
      return;
    }
    if (!llvm::all_of(op->getOperands(), [&](Value operand) { return isKnown(operand); })) {
      if (place != CoreSplit::Place::Both) {
        refuse(op, whyUnknown("an operation", op->getOperands()));
      }
      return; // what both have and this one cannot is left out until somebody needs it
    }
    builder_.clone(*op, mapping_);
  }

  /// One core has done what the other waits for. Both pass here in the order of the source, as with tiles.
  void passToken(const CoreHandoff &handoff) {
    Location loc = rangeLoc(handoff.before->getLoc());
    const bool producer = isCube() == handoff.toVector;
    TileType type = split_.tokenType(builder_.getContext(), handoff.toVector, isCube());
    if (part_ == Part::Handshake) {
      type = type.withShape(type.getShape(), SmallVector<int64_t>(type.getRank(), 0));
    }
    auto marked = [&](Operation *op) {
      op->setAttr(kTokenAttr, builder_.getUnitAttr());
      if (split_.tokenAxis()) {
        op->setAttr(kLaneAxisAttr, builder_.getI64IntegerAttr(*split_.tokenAxis()));
      }
    };
    if (producer) {
      auto tile = TileCreateOp::create(builder_, loc, type);
      return marked(PipePushOp::create(builder_, loc, tile.getResult()));
    }
    auto pop = PipePopOp::create(builder_, loc, type, ValueRange());
    marked(pop);
    pops_.push_back(pop);
    sources_[pop] = handoff.before;
  }

  static StringRef laneMode(Operation *op) {
    auto mode = op->getAttrOfType<StringAttr>(kLaneModeAttr);
    return mode ? mode.getValue() : StringRef();
  }

  /// The lanes divide what passes the pipe as they divide the tile of `from`.
  template <class Op> static Op divided(Op made, Operation *from) {
    if (Attribute axis = from->getAttr(kLaneAxisAttr)) {
      made->setAttr(kLaneAxisAttr, axis);
    }
    return made;
  }

  void cross(TileMoveOp move) {
    const bool toVector = move.getResult().getType().getMem() == Mem::Vec;
    const bool producer = isCube() == toVector;
    Location loc = move.getLoc();
    TileType type = move.getResult().getType();
    if (part_ == Part::Handshake) {
      const SmallVector<int64_t> empty(type.getRank(), 0);
      if (toVector) {
        PipePopOp pop = PipePopOp::create(builder_, loc, type.withShape(type.getShape(), empty), ValueRange());
        pops_.push_back(pop);
        sources_[pop] = move;
      } else {
        TileType source = move.getSource().getType();
        auto tile = TileCreateOp::create(builder_, loc, source.withShape(source.getShape(), empty));
        PipePushOp::create(builder_, loc, tile.getResult());
      }
      return;
    }
    if (producer) {
      if (!isKnown(move.getSource())) {
        return refuse(move, "a tile that this core does not have");
      }
      divided(PipePushOp::create(builder_, loc, mapping_.lookup(move.getSource())), move);
      return;
    }
    // The cube core takes tiles into Mat; from there they go where the move wanted them.
    TileType landed = toVector ? type : type.withMem(Mem::Mat);
    SmallVector<Value> live;
    for (unsigned axis = 0; axis < 2 && type.getRank() == 2; ++axis) {
      if (ShapedType::isDynamic(type.getValidOrShape()[axis])) {
        live.push_back(mapping_.lookupOrNull(liveExtentBefore(move.getSource(), axis, move)));
      }
    }
    if (llvm::is_contained(live, Value())) {
      return refuse(move, "a tile whose live part the other core computes");
    }
    auto pop = divided(PipePopOp::create(builder_, loc, landed, live), move);
    pops_.push_back(pop);
    sources_[pop] = move;
    Value result = pop.getResult();
    if (landed != type || (toVector && needsOwnBuffer(move.getResult()))) {
      result = TileMoveOp::create(builder_, loc, type, result);
    } else if (!toVector && needsOwnBuffer(move.getResult())) {
      refuse(move, "a tile from the vector core that the cube core reads under another shape or carries on");
    }
    mapping_.map(move.getResult(), result);
  }

  /// A popped tile lies in the pipe: it cannot be written, carried round a loop or shown under another type.
  static bool needsOwnBuffer(Value tile) {
    auto type = cast<TileType>(tile.getType());
    if (type.getMem() == Mem::Vec && type.getRank() == 2 && type.getShape()[1] == 1 && type.getShape()[0] > 1) {
      return true; // the vector unit goes through a column as through a row
    }
    return llvm::any_of(tile.getUsers(), [&](Operation *user) {
      return (isBufferView(user) && !user->hasAttr(kWindowAttr)) || isa<scf::ForOp, scf::YieldOp>(user) ||
             overwrittenOperand(user) == tile;
    });
  }

  /// Some operation of the region belongs to this part.
  bool concerns(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          const CoreSplit::Place place = split_.placeOf(inner);
          if (llvm::any_of(split_.handoffs(), [&](const CoreHandoff &handoff) { return handoff.before == inner; })) {
            return WalkResult::interrupt();
          }
          const bool own = place == CoreSplit::Place::Crossing || (place != CoreSplit::Place::Both && holds(place));
          return own ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Tensors that a loop or branch without anything for this part hands through; scalars stay unknown.
  void passTensors(Operation *op, ValueRange results, ValueRange before) {
    for (auto [result, value] : llvm::zip(results, before)) {
      if (isa<TensorType>(result.getType()) && isKnown(value)) {
        mapping_.map(result, mapping_.lookup(value));
      }
    }
  }

  static bool computesScalar(ValueRange results) {
    return llvm::any_of(results, [](Value result) { return !isa<TileType, TensorType>(result.getType()); });
  }

  void projectFor(scf::ForOp loop) {
    if (!concerns(loop) && !computesScalar(loop.getResults())) {
      return passTensors(loop, loop.getResults(), loop.getInitArgs());
    }
    bool known = isKnown(loop.getLowerBound()) && isKnown(loop.getUpperBound()) && isKnown(loop.getStep());
    llvm::SmallBitVector carried(loop.getNumRegionIterArgs());
    for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
      known &= isKnown(init) || !isa<TileType>(init.getType()) || !holdsValue(init);
      if (holdsValue(init) && isKnown(init)) {
        carried.set(i);
      }
    }
    if (!known) {
      return concerns(loop) ? refuse(loop, whyUnknown("a loop", loop->getOperands())) : void();
    }
    attempt(loop, carried, [&] {
      SmallVector<Value> inits;
      for (unsigned i : carried.set_bits()) {
        inits.push_back(mapping_.lookup(loop.getInitArgs()[i]));
      }
      auto made = scf::ForOp::create(builder_, loop.getLoc(), mapping_.lookup(loop.getLowerBound()),
                                     mapping_.lookup(loop.getUpperBound()), mapping_.lookup(loop.getStep()), inits);
      made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
      mapping_.map(loop.getInductionVar(), made.getInductionVar());
      made.getInductionVar().setLoc(loop.getInductionVar().getLoc());
      for (auto [to, from] : llvm::enumerate(carried.set_bits())) {
        mapping_.map(loop.getRegionIterArg(from), made.getRegionIterArg(to));
        made.getRegionIterArg(to).setLoc(loop.getRegionIterArg(from).getLoc());
        mapping_.map(loop.getResult(from), made.getResult(to));
      }
      fill(*loop.getBody(), *made.getBody(), carried, loop);
      return made.getOperation();
    });
  }

  /// Builds a loop or branch that hands on the values in `carried`. A number that turns out to come from a tile of the
  /// other core is nothing that this one can carry: the next attempt does without it, and whoever needs it says so.
  void attempt(Operation *source, llvm::SmallBitVector &carried, llvm::function_ref<Operation *()> make) {
    const size_t popsBefore = pops_.size();
    const std::optional<CoreSplit::Refusal> refusalBefore = refusal_;
    for (;;) {
      missing_.clear();
      Operation *made = make();
      SmallVector<unsigned> missing = std::exchange(missing_, {});
      if (missing.empty()) {
        return;
      }
      for (PipePopOp pop : ArrayRef(pops_).drop_front(popsBefore)) {
        sources_.erase(pop);
      }
      pops_.truncate(popsBefore);
      refusal_ = refusalBefore;
      made->dropAllReferences();
      made->erase();
      source->walk([&](Operation *inner) {
        for (Value result : inner->getResults()) {
          mapping_.erase(result);
        }
        for (Region &region : inner->getRegions()) {
          for (BlockArgument argument : region.getArguments()) {
            mapping_.erase(argument);
          }
        }
      });
      for (unsigned i : missing) {
        carried.reset(i);
      }
      if (carried.none() && !concerns(source)) {
        return;
      }
    }
  }

  void projectIf(scf::IfOp branch) {
    if (!concerns(branch) && !computesScalar(branch.getResults())) {
      // Which of the two a tensor comes from does not matter: it is one argument.
      for (Value result : branch.getResults()) {
        Value root = isa<TensorType>(result.getType()) ? tensorRoot(result) : Value();
        if (root && isKnown(root)) {
          mapping_.map(result, mapping_.lookup(root));
        }
      }
      return;
    }
    if (!isKnown(branch.getCondition())) {
      return concerns(branch) ? refuse(branch, whyUnknown("a branch", branch->getOperands())) : void();
    }
    llvm::SmallBitVector carried(branch.getNumResults());
    for (auto [i, result] : llvm::enumerate(branch.getResults())) {
      if (holdsValue(result)) {
        carried.set(i);
      }
    }
    attempt(branch, carried, [&] {
      SmallVector<Type> types;
      for (unsigned i : carried.set_bits()) {
        types.push_back(branch.getResult(i).getType());
      }
      const bool hasElse = !branch.getElseRegion().empty();
      auto made = scf::IfOp::create(builder_, branch.getLoc(), types, mapping_.lookup(branch.getCondition()),
                                    /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
      made->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
      for (auto [to, from] : llvm::enumerate(carried.set_bits())) {
        mapping_.map(branch.getResult(from), made.getResult(to));
      }
      fill(*branch.thenBlock(), *made.thenBlock(), carried, branch);
      if (hasElse) {
        fill(*branch.elseBlock(), *made.elseBlock(), carried, branch);
      }
      return made.getOperation();
    });
  }

  void fill(Block &source, Block &made, const llvm::SmallBitVector &carried, Operation *owner) {
    OpBuilder::InsertionGuard guard(builder_);
    if (!made.empty()) {
      made.back().erase();
    }
    builder_.setInsertionPointToEnd(&made);
    SmallVector<unsigned> missing = std::exchange(missing_, {}); // of the branch before, not of what is inside
    block(source);
    SmallVector<Value> yielded;
    for (unsigned i : carried.set_bits()) {
      Value value = mapping_.lookupOrNull(source.getTerminator()->getOperand(i));
      if (!value && !isa<TileType>(owner->getResult(i).getType())) {
        missing.push_back(i);
      } else if (!value) {
        refuse(owner, "a tile that this core does not have and carries on");
      }
      if (!value) {
        // The block must end all the same; what holds it is thrown away.
        value = mapping_.lookupOrNull(owner->getResult(i));
      }
      yielded.push_back(value);
    }
    missing_ = std::move(missing);
    if (llvm::is_contained(yielded, Value())) {
      yielded.clear();
    }
    scf::YieldOp::create(builder_, source.getTerminator()->getLoc(), yielded);
  }

  const CoreSplit &split_;
  Part part_;
  OpBuilder &builder_;
  IRMapping mapping_;
  SmallVector<PipePopOp> pops_;
  llvm::DenseMap<Operation *, Operation *> sources_; ///< From each pop to the operation it was made for.
  std::optional<CoreSplit::Refusal> refusal_;
  SmallVector<unsigned> missing_; ///< Of what the block just filled should hand on: numbers that this part has not.
};

struct ExpandMixedKernel : impl::ExpandMixedKernelBase<ExpandMixedKernel> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions;
    forEachKernel(getOperation(), [&](func::FuncOp function) { functions.push_back(function); });
    for (func::FuncOp function : functions) {
      if (corePipeOf(function)) {
        continue; // its author has split it
      }
      CoreSplit split(function);
      if (std::optional<LaneFault> fault = findLaneFault(function)) {
        mark(fault->op, fault->why);
        if (!fault->help.empty()) {
          fault->op->setAttr(kNotLoweredHelpAttr, StringAttr::get(&getContext(), fault->help));
        }
        continue;
      }
      if (!split.isMixed()) {
        dropRegionEnds(function);
        continue;
      }
      if (isHalvedByLanes(function) && function->getAttrOfType<IntegerAttr>(kSplitAttr) && !split.refusal()) {
        continue; // SplitVectorLanes has said why not
      }
      std::optional<CoreSplit::Refusal> refusal = split.refusal();
      if (!refusal) {
        refusal = expand(function, split, symbols);
      }
      if (refusal) {
        mark(refusal->op, refusal->why);
      }
    }
  }

  static void mark(Operation *op, StringRef why) {
    if (!op->hasAttr(kNotLoweredAttr)) {
      op->setAttr(kNotLoweredAttr, StringAttr::get(op->getContext(), why));
    }
  }

  /// Where the lanes part and come together again matters no more.
  static void dropRegionEnds(func::FuncOp function) {
    function.walk([](SubblockIdxOp lane) {
      auto mode = lane->getAttrOfType<StringAttr>(kLaneModeAttr);
      if (mode && mode.getValue() == kLaneModeEnd) {
        lane.erase();
      }
    });
  }

  std::string freeName(func::FuncOp function, StringRef suffix, SymbolTable &symbols) {
    const std::string base = (function.getSymName() + suffix).str();
    std::string name = base;
    for (unsigned k = 1; symbols.lookup(name); ++k) {
      name = base + "_" + std::to_string(k);
    }
    return name;
  }

  /// An empty function of the same signature, with the attributes of `function`.
  static func::FuncOp like(func::FuncOp function, StringRef name) {
    auto made = cast<func::FuncOp>(function->cloneWithoutRegions());
    made.setSymName(name);
    Block *entry = new Block;
    made.getBody().push_back(entry);
    for (BlockArgument argument : function.getArguments()) {
      entry->addArgument(argument.getType(), argument.getLoc());
    }
    return made;
  }

  /// Fills `made` with one part. Where the lanes divide the work, both run it. Where they do not, on chips where both
  /// take part in every kernel, the second only keeps in step: the work is the first one's.
  static std::optional<CoreSplit::Refusal> build(func::FuncOp function, const CoreSplit &split, Part part,
                                                 func::FuncOp made) {
    OpBuilder builder = OpBuilder::atBlockEnd(&made.getBody().front());
    Location loc = rangeLoc(function.getLoc());
    auto fillWith = [&](Part which) {
      PartBuilder parts(split, which, builder);
      parts.mapping().map(function.getArguments(), made.getArguments());
      parts.block(function.getBody().front());
      parts.giveBack(made, targetOf(function));
      return parts.refusal();
    };
    std::optional<CoreSplit::Refusal> refusal;
    if (part == Part::Vector && !split.lanes() && targetOf(function).arch != target::Arch::A5) {
      Value lane = SubblockIdxOp::create(builder, loc);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(lane.getType()));
      Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, zero);
      auto lanes = scf::IfOp::create(builder, loc, TypeRange(), first, /*addThenBlock=*/true, /*addElseBlock=*/true);
      OpBuilder::InsertionGuard guard(builder);
      for (auto [block, which] : {std::pair(lanes.thenBlock(), Part::Vector), {lanes.elseBlock(), Part::Handshake}}) {
        builder.setInsertionPointToEnd(block);
        std::optional<CoreSplit::Refusal> why = fillWith(which);
        refusal = refusal ? refusal : why;
        builder.setInsertionPointToEnd(block);
        scf::YieldOp::create(builder, loc);
      }
    } else {
      refusal = fillWith(part);
    }
    builder.setInsertionPointToEnd(&made.getBody().front());
    auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    SmallVector<Value> returned;
    for (Value value : ret.getOperands()) {
      auto argument = dyn_cast<BlockArgument>(isa<TensorType>(value.getType()) ? tensorRoot(value) : value);
      if (!argument || argument.getOwner() != &function.getBody().front()) {
        return refusal ? refusal : CoreSplit::Refusal{ret, "a kernel that returns something else than a parameter"};
      }
      returned.push_back(made.getArgument(argument.getArgNumber()));
    }
    func::ReturnOp::create(builder, ret.getLoc(), returned);
    return refusal;
  }

  std::optional<CoreSplit::Refusal> expand(func::FuncOp function, const CoreSplit &split, SymbolTable &symbols) {
    func::FuncOp cube = like(function, freeName(function, "_aic", symbols));
    func::FuncOp vector = like(function, freeName(function, "_aiv", symbols));
    std::optional<CoreSplit::Refusal> refusal = build(function, split, Part::Cube, cube);
    if (!refusal) {
      refusal = build(function, split, Part::Vector, vector);
    }
    if (refusal) {
      cube->destroy();
      vector->destroy();
      return refusal;
    }
    CorePipe pipe;
    pipe.kernel = function.getSymName().str();
    pipe.toVector = split.toVector();
    pipe.toCube = split.toCube();
    pipe.slotBytes = split.largestTile();
    auto wanted = function->getAttrOfType<IntegerAttr>(kSlotsAttr);
    pipe.slots = slotsFor(targetOf(function).arch, wanted ? wanted.getInt() : kDefaultSlots,
                          std::max(poppedAtOnce(cube), poppedAtOnce(vector)));
    pipe.side = CoreSide::Cube;
    pipe.peer = vector.getSymName().str();
    setCorePipe(cube, pipe);
    pipe.side = CoreSide::Vector;
    pipe.peer = cube.getSymName().str();
    setCorePipe(vector, pipe);
    Block::iterator next = std::next(Block::iterator(function));
    symbols.insert(cube, next);
    symbols.insert(vector, next);
    // Launches still name the kernel. It has no body of its own any more.
    function->setAttr(kKindAttr, StringAttr::get(&getContext(), "group"));
    function.getBody().getBlocks().clear();
    function.setPrivate();
    return std::nullopt;
  }
};

} // namespace

} // namespace placid::pl
