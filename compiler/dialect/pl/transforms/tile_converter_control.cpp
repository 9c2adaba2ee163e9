// SPDX-License-Identifier: Apache-2.0
// The part of TileConverter that deals with what loops and branches carry and what a function returns.
#include "compiler/dialect/pl/transforms/tile_converter.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// Everything that is one buffer with one of the values because a loop, a branch or an accumulation hands it on.
SmallVector<Value> tiedValues(ArrayRef<Value> from) {
  llvm::SetVector<Value> out(from.begin(), from.end());
  for (size_t i = 0; i < out.size(); ++i) {
    Value value = out[i];
    auto tieLoop = [&](scf::ForOp loop, unsigned index) {
      out.insert(loop.getInitArgs()[index]);
      out.insert(loop.getRegionIterArgs()[index]);
      out.insert(loop.getResult(index));
      if (auto yield = dyn_cast<scf::YieldOp>(loop.getBody()->getTerminator())) {
        out.insert(yield.getOperand(index));
      }
    };
    auto tieBranch = [&](scf::IfOp branch, unsigned index) {
      out.insert(branch.getResult(index));
      out.insert(branch.thenYield().getOperand(index));
      out.insert(branch.elseYield().getOperand(index));
    };
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())) {
        tieLoop(loop, argument.getArgNumber() - 1);
      }
    } else if (auto loop = value.getDefiningOp<scf::ForOp>()) {
      tieLoop(loop, cast<OpResult>(value).getResultNumber());
    } else if (auto branch = value.getDefiningOp<scf::IfOp>()) {
      tieBranch(branch, cast<OpResult>(value).getResultNumber());
    } else if (auto matmul = value.getDefiningOp<TileMatmulAccOp>()) {
      out.insert(matmul.getAcc());
    } else if (auto batched = value.getDefiningOp<TileBatchMatmulAccOp>()) {
      out.insert(batched.getAcc());
    }
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        if (use.getOperandNumber() >= loop.getNumControlOperands()) {
          tieLoop(loop, use.getOperandNumber() - loop.getNumControlOperands());
        }
      } else if (auto yield = dyn_cast<scf::YieldOp>(user)) {
        if (auto outer = dyn_cast<scf::ForOp>(yield->getParentOp())) {
          tieLoop(outer, use.getOperandNumber());
        } else if (auto branch = dyn_cast<scf::IfOp>(yield->getParentOp())) {
          tieBranch(branch, use.getOperandNumber());
        }
      } else if (isa<TileMatmulAccOp, TileBatchMatmulAccOp>(user) && use.getOperandNumber() == 0) {
        out.insert(user->getResult(0));
      }
    }
  }
  SmallVector<Value> tiles;
  llvm::copy_if(out, std::back_inserter(tiles), [](Value value) { return isa<TileType>(value.getType()); });
  return tiles;
}

/// Gives two tiles that are to be one buffer one type where they differ in their live parts only. What a tile is
/// started with but says nothing in it (a new tile) follows; a tile that has contents keeps its live part, and what
/// is computed into it is live where its operands are.
bool agreeOnLivePart(Value a, Value b) {
  auto first = dyn_cast<TileType>(a.getType());
  auto second = dyn_cast<TileType>(b.getType());
  if (!first || !second || first.withShape(first.getShape()) != second.withShape(second.getShape())) {
    return false;
  }
  SmallVector<int64_t> valid;
  for (auto [left, right] : llvm::zip(first.getValidOrShape(), second.getValidOrShape())) {
    const bool dynamic = ShapedType::isDynamic(left) || ShapedType::isDynamic(right);
    valid.push_back(dynamic ? ShapedType::kDynamic : std::min(left, right));
  }
  auto narrow =
      TileType::get(first.getContext(), first.getShape(), first.getDtype(), first.getMem(),
                    ArrayRef(valid) == first.getShape() ? ArrayRef<int64_t>() : ArrayRef(valid), first.getTransposed());
  SmallVector<Value> tied = tiedValues({a, b});
  // Values with contents of their own decide; then everything takes their type.
  TileType type = narrow;
  for (Value value : tied) {
    Operation *op = value.getDefiningOp();
    if (op && isa<TileLoadOp, TileReshapeOp, TileExtractOp, TileMoveOp, TileTransposeViewOp>(op)) {
      type = cast<TileType>(value.getType());
    }
    auto generic = dyn_cast_or_null<GenericOp>(op);
    if (generic && generic.getRow().tile && generic.getRow().tile->rule == ops::Rule::Full) {
      type = cast<TileType>(value.getType());
    }
  }
  for (Value value : tied) {
    Operation *op = value.getDefiningOp();
    if (op && isa<TileLoadOp, TileReshapeOp, TileExtractOp, TileMoveOp, TileTransposeViewOp>(op) &&
        value.getType() != type) {
      return false;
    }
  }
  for (Value value : tied) {
    value.setType(type);
  }
  return true;
}

} // namespace

void TileConverter::convertLoop(scf::ForOp loop) {
  for (auto [index, init] : llvm::enumerate(loop.getInitArgsMutable())) {
    if (Value tile = tileOf(init.get())) {
      init.set(tile);
      for (Value carried : {Value(loop.getRegionIterArgs()[index]), Value(loop.getResult(index))}) {
        carried.setType(tile.getType());
        tiles_[carried] = carried;
      }
    }
  }
  convert(*loop.getBody());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [index, operand] : llvm::enumerate(yield->getOpOperands())) {
    if (operand.get().getType() != loop.getResult(index).getType() &&
        !agreeOnLivePart(operand.get(), loop.getResult(index))) {
      notLowered(yield.getLoc(), "a variable that is a tensor before the loop and a tile in it");
      broken_ = true;
    }
  }
}

void TileConverter::convertWhile(scf::WhileOp loop) {
  if (llvm::any_of(loop.getInits(), [&](Value init) { return isOnChip(init); })) {
    notLowered(loop.getLoc(), "a tile that a `while` loop carries");
    broken_ = true;
  }
  convert(loop.getBefore().front());
  convert(loop.getAfter().front());
}

void TileConverter::convertIf(scf::IfOp branch) {
  convert(*branch.thenBlock());
  if (branch.getElseRegion().empty()) {
    return;
  }
  convert(*branch.elseBlock());
  for (auto [index, result] : llvm::enumerate(branch.getResults())) {
    if (branch.thenYield()->getOperand(index).getType() != branch.elseYield()->getOperand(index).getType()) {
      agreeOnLivePart(branch.thenYield()->getOperand(index), branch.elseYield()->getOperand(index));
    }
    Type then = branch.thenYield()->getOperand(index).getType();
    if (then != branch.elseYield()->getOperand(index).getType()) {
      notLowered(branch.getLoc(), "a variable whose two branches give different kinds of tile");
      broken_ = true;
    } else if (isa<TileType>(then)) {
      result.setType(then);
      tiles_[result] = result;
    }
  }
}

void TileConverter::convertReturn(OpBuilder &builder, func::ReturnOp ret) {
  for (auto [index, operand] : llvm::enumerate(ret->getOpOperands())) {
    Value tile = tileOf(operand.get());
    if (!tile) {
      continue;
    }
    auto declared = cast<TensorType>(function_.getResultTypes()[index]);
    std::string name = "ret" + std::to_string(index) + "__out";
    unsigned number = function_.getNumArguments();
    NamedAttrList attrs;
    attrs.append(kNameAttr, builder.getStringAttr(name));
    attrs.append(kDirAttr, builder.getStringAttr("out"));
    if (failed(function_.insertArgument(number, declared, attrs.getDictionary(builder.getContext()), ret.getLoc()))) {
      broken_ = true;
      return;
    }
    SmallVector<int64_t> zeros(declared.getRank(), 0);
    auto store = TileStoreOp::create(builder, ret.getLoc(), declared, tile, function_.getArgument(number), ValueRange(),
                                     zeros, DenseI64ArrayAttr(), StringAttr(), false, false, StringAttr(), Value());
    operand.set(store.getResult());
    addCallerBuffers(index);
  }
}

void TileConverter::addCallerBuffers(unsigned result) {
  for (func::CallOp call : callers_) {
    OpBuilder builder(call);
    auto buffer = TensorCreateOp::create(builder, call.getLoc(), cast<TensorType>(call.getResult(result).getType()));
    call.getOperandsMutable().append(ValueRange{buffer});
  }
}

} // namespace placid::pl
