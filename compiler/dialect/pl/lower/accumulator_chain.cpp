// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/accumulator_chain.h"

#include "compiler/dialect/pl/analysis/gm_gap_guard.h"
#include "compiler/dialect/pl/analysis/tensor_origin.h"

#include "mlir/IR/IRMapping.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

/// Repeating it does nothing but cost: it writes no GM, and what it reads nothing of the chain writes.
bool isRepeatable(Operation *op) {
  return isa<TileLoadOp, TileCreateOp, ReadOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op) || isMemoryEffectFree(op);
}

TileType narrowed(TileType type, int64_t m, int64_t n) { return type.withShape({m, n}); }

} // namespace

/// One run of writePiece.
struct AccumulatorChain::Piece {
  OpBuilder builder;
  IRMapping map;
  int64_t row;
  int64_t column;
  int64_t m;
  int64_t n;
  ArrayRef<int64_t> blockK;
};

//===-- Recognising -----------------------------------------------------------------------------------------------===//

std::optional<AccumulatorChain> AccumulatorChain::match(TileStoreOp store) {
  AccumulatorChain chain;
  chain.store_ = store;
  TileType type = store.getTile().getType();
  if (type.getRank() != 2 || !isWhole(type) || !chain.collect(store.getTile()) || chain.products_.empty()) {
    return std::nullopt;
  }
  // Program order: what is collected is found from the end.
  llvm::DenseMap<Operation *, unsigned> order;
  store->getParentOfType<func::FuncOp>().walk(
      [&](Operation *op) { order.try_emplace(op, static_cast<unsigned>(order.size())); });
  llvm::sort(chain.products_, [&](const Product &a, const Product &b) { return order[a.op] < order[b.op]; });
  if (!chain.isClosed() || !chain.canMove()) {
    return std::nullopt;
  }
  chain.findNarrowable();
  return chain;
}

bool AccumulatorChain::collect(Value value) {
  // No recursion along a chain of accumulations: it may be as long as an unrolled program.
  while (values_.insert(value)) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      return false; // an argument that no loop of the chain owns
    }
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      return collectLoop(loop, cast<OpResult>(value).getResultNumber());
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      return collectBranch(branch, cast<OpResult>(value).getResultNumber());
    }
    members_.insert(op);
    if (isa<TileCreateOp>(op)) {
      return true;
    }
    std::optional<Product> product = matchProduct(op);
    if (!product || !isWhole(product->lhs.getType()) || !isWhole(product->rhs.getType()) ||
        !isWhole(product->result.getType())) {
      return false;
    }
    products_.push_back(*product);
    if (!product->acc) {
      return true;
    }
    value = product->acc;
  }
  return true;
}

bool AccumulatorChain::collectLoop(scf::ForOp loop, unsigned number) {
  if (loop.getNumResults() != 1) {
    return false; // what else it carries would be computed once a piece
  }
  members_.insert(loop);
  values_.insert(loop.getRegionIterArg(number));
  return collect(loop.getYieldedValues()[number]) && collect(loop.getInitArgs()[number]);
}

bool AccumulatorChain::collectBranch(scf::IfOp branch, unsigned number) {
  if (branch.getNumResults() != 1) {
    return false;
  }
  members_.insert(branch);
  return collect(branch.thenYield().getOperand(number)) && collect(branch.elseYield().getOperand(number));
}

bool AccumulatorChain::isClosed() {
  for (Value value : values_) {
    for (Operation *user : value.getUsers()) {
      Operation *of = isa<scf::YieldOp>(user) ? user->getParentOp() : user;
      if (of != store_ && !members_.contains(of)) {
        return false;
      }
    }
  }
  return true;
}

bool AccumulatorChain::canMove() {
  Block *block = store_->getBlock();
  llvm::DenseSet<Value> read;
  Operation *first = store_;
  for (Operation *member : members_) {
    Operation *top = block->findAncestorOpInBlock(*member);
    if (!top || (top != member && !members_.contains(top))) {
      return false;
    }
    first = top->isBeforeInBlock(first) ? top : first;
    WalkResult walked = member->walk([&](Operation *op) {
      if (auto load = dyn_cast<TileLoadOp>(op)) {
        read.insert(tensorRoot(load.getSource()));
      } else if (auto scalar = dyn_cast<ReadOp>(op); scalar && isa<TensorType>(scalar.getSource().getType())) {
        read.insert(tensorRoot(scalar.getSource()));
      }
      return isRepeatable(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walked.wasInterrupted()) {
      return false;
    }
  }
  if (read.contains(tensorRoot(store_.getDest()))) {
    return false;
  }
  // What stands between must not write what is read later now.
  for (Operation *op = first; op != store_; op = op->getNextNode()) {
    if (members_.contains(op)) {
      continue;
    }
    WalkResult walked = op->walk([&](Operation *inner) {
      auto store = dyn_cast<TileStoreOp>(inner);
      bool harmless = store ? !read.contains(tensorRoot(store.getDest())) : isRepeatable(inner);
      return harmless ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walked.wasInterrupted()) {
      return false;
    }
  }
  return true;
}

/// Whether every use of `tile`, through views as well, is the same side of a product; then `how` says which.
bool AccumulatorChain::isOneSide(Value tile, unsigned turned, std::optional<Narrowable> &how) {
  for (OpOperand &use : tile.getUses()) {
    if (auto view = dyn_cast<TileTransposeViewOp>(use.getOwner())) {
      if (!isOneSide(view.getResult(), turned + 1, how)) {
        return false;
      }
      continue;
    }
    auto product = llvm::find_if(products_, [&](const Product &each) { return each.op == use.getOwner(); });
    if (product == products_.end()) {
      return false;
    }
    const bool rows = product->lhs == tile;
    if (rows && product->rhs == tile) {
      return false;
    }
    const Narrowable one{((rows ? 0 : 1) + turned) % 2, rows};
    if (how && (how->tileAxis != one.tileAxis || how->rows != one.rows)) {
      return false;
    }
    how = one;
  }
  return true;
}

void AccumulatorChain::findNarrowable() {
  for (Operation *member : members_) {
    member->walk([&](TileLoadOp load) {
      const Layout layout = load.getSource().getType().getLayout();
      std::optional<Narrowable> how;
      // Only what is copied anyway: a load in front of the chain is made once for all pieces.
      if (load.getStaticValid().empty() && load.getSizes().size() >= 2 &&
          (layout == Layout::NZ || layout == Layout::ND) && isOneSide(load.getResult(), 0, how) && how) {
        narrowable_[load] = *how;
      }
    });
  }
}

//===-- Repeating -------------------------------------------------------------------------------------------------===//

Value AccumulatorChain::writePiece(int64_t row, int64_t column, int64_t m, int64_t n, ArrayRef<int64_t> blockK) {
  Piece piece{OpBuilder(store_), {}, row, column, m, n, blockK};
  for (Operation &op : *store_->getBlock()) {
    if (&op == store_.getOperation()) {
      break;
    }
    if (members_.contains(&op)) {
      repeat(&op, piece);
    }
  }
  return piece.map.lookup(store_.getTile());
}

void AccumulatorChain::repeat(Operation *op, Piece &piece) const {
  OpBuilder &builder = piece.builder;
  if (!members_.contains(op)) {
    auto load = dyn_cast<TileLoadOp>(op);
    if (load && narrowable_.contains(load)) {
      return repeatLoad(load, piece);
    }
    Operation *copy = builder.clone(*op, piece.map);
    if (auto view = dyn_cast<TileTransposeViewOp>(copy)) { // of a narrowed load, perhaps
      TileType source = view.getSource().getType();
      view.getResult().setType(view.getResult().getType().withShape({source.getShape()[1], source.getShape()[0]}));
    }
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto copy =
        scf::ForOp::create(builder, loop.getLoc(), piece.map.lookupOrDefault(loop.getLowerBound()),
                           piece.map.lookupOrDefault(loop.getUpperBound()), piece.map.lookupOrDefault(loop.getStep()),
                           ValueRange{piece.map.lookup(loop.getInitArgs().front())});
    copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    copy.getInductionVar().setLoc(loop.getInductionVar().getLoc());
    piece.map.map(loop.getInductionVar(), copy.getInductionVar());
    piece.map.map(loop.getRegionIterArg(0), copy.getRegionIterArg(0));
    piece.map.map(loop.getResult(0), copy.getResult(0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(copy.getBody());
    return repeatBlock(*loop.getBody(), piece);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    TileType type = narrowed(cast<TileType>(branch.getResult(0).getType()), piece.m, piece.n);
    auto copy = scf::IfOp::create(builder, branch.getLoc(), TypeRange{type},
                                  piece.map.lookupOrDefault(branch.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
    copy->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    piece.map.map(branch.getResult(0), copy.getResult(0));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(copy.thenBlock());
    repeatBlock(*branch.thenBlock(), piece);
    builder.setInsertionPointToEnd(copy.elseBlock());
    return repeatBlock(*branch.elseBlock(), piece);
  }
  if (auto create = dyn_cast<TileCreateOp>(op)) {
    auto copy =
        TileCreateOp::create(builder, create.getLoc(), narrowed(create.getResult().getType(), piece.m, piece.n));
    copy->setDiscardableAttrs(create->getDiscardableAttrDictionary());
    piece.map.map(create.getResult(), copy.getResult());
    return;
  }
  auto product = llvm::find_if(products_, [&](const Product &each) { return each.op == op; });
  repeatProduct(*product, piece);
}

void AccumulatorChain::repeatBlock(Block &block, Piece &piece) const {
  for (Operation &op : block) {
    repeat(&op, piece);
  }
}

void AccumulatorChain::repeatLoad(TileLoadOp load, Piece &piece) const {
  OpBuilder &builder = piece.builder;
  const Narrowable how = narrowable_.lookup(load);
  const int64_t at = how.rows ? piece.row : piece.column;
  const int64_t extent = how.rows ? piece.m : piece.n;
  TileType type = load.getResult().getType();
  TensorType source = load.getSource().getType();
  SmallVector<OpFoldResult> offsets;
  for (OpFoldResult offset : mixedList(load.getOffsets(), load.getStaticOffsets(), builder.getContext())) {
    auto value = dyn_cast<Value>(offset);
    offsets.push_back(value ? OpFoldResult(piece.map.lookupOrDefault(value)) : offset);
  }
  SmallVector<int64_t> sizes(load.getSizes());
  unsigned axis = sizes.size() - 2 + how.tileAxis;
  int64_t unit = 1;
  if (source.isNz()) {
    axis = how.tileAxis == 0 ? 2 : 1;
    unit = how.tileAxis == 0 ? kFractalRows : *c0Elements(source.getDtype());
    const int64_t columns = how.tileAxis == 0 ? sizes[1] : extent / unit;
    const int64_t rows = (how.tileAxis == 0 ? extent / unit : sizes[2]) * kFractalRows;
    std::optional<int64_t> planeRows = source.getExtent(2);
    std::optional<int64_t> gap = gmGapBlocks(planeRows.value_or(0) * kFractalRows, rows, columns);
    if (!planeRows || gap.value_or(0) > kMaxGmGapBlocks) {
      builder.clone(*load.getOperation(), piece.map); // whole, and cut on the way to L0
      return;
    }
  }
  offsets[axis] = addOffset(builder, load.getLoc(), offsets[axis], builder.getIndexAttr(at / unit));
  sizes[axis] = extent / unit;
  SmallVector<int64_t> shape(type.getShape());
  shape[how.tileAxis] = extent;
  SmallVector<Value> dynamic;
  SmallVector<int64_t> statics;
  splitMixedList(offsets, dynamic, statics);
  auto copy = TileLoadOp::create(builder, load.getLoc(), type.withShape(shape),
                                 piece.map.lookupOrDefault(Value(load.getSource())), dynamic,
                                 builder.getDenseI64ArrayAttr(statics), builder.getDenseI64ArrayAttr(sizes),
                                 ValueRange{}, builder.getDenseI64ArrayAttr({}));
  copy->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  piece.map.map(load.getResult(), copy.getResult());
}

void AccumulatorChain::repeatProduct(const Product &product, Piece &piece) const {
  Product copy = product;
  copy.lhs = cast<TypedValue<TileType>>(piece.map.lookupOrDefault(Value(product.lhs)));
  copy.rhs = cast<TypedValue<TileType>>(piece.map.lookupOrDefault(Value(product.rhs)));
  const unsigned index = &product - products_.data();
  OpBuilder &builder = piece.builder;
  // A narrowed operand is the piece; any other is cut at the piece's place.
  const bool ownRows = copy.lhs.getType().getShape()[0] == piece.m;
  const bool ownColumns = copy.rhs.getType().getShape()[1] == piece.n;
  OpFoldResult row = builder.getIndexAttr(ownRows ? 0 : piece.row);
  OpFoldResult column = builder.getIndexAttr(ownColumns ? 0 : piece.column);
  Value acc = product.acc ? piece.map.lookup(product.acc) : Value();
  Value result = PieceWriter(builder, copy, piece.blockK[index]).piece(row, column, piece.m, piece.n, {}, {}, acc);
  piece.map.map(product.op->getResult(0), result);
}

void AccumulatorChain::eraseOriginal() {
  SmallVector<Operation *> top;
  for (Operation *member : members_) {
    if (llvm::none_of(members_, [&](Operation *other) { return other->isProperAncestor(member); })) {
      top.push_back(member);
    }
  }
  llvm::sort(top, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *member : top) {
    member->erase();
  }
}

} // namespace placid::pl
