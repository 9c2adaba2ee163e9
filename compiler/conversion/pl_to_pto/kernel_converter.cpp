// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/kernel_converter.h"

#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
#include "compiler/dialect/pl/lower/not_lowered.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

Identities identitiesOf(func::FuncOp function) {
  Identities out;
  function.walk([&](Operation *op) {
    out.blockIdx |= isa<BlockIdxOp>(op);
    out.blockNum |= isa<BlockNumOp>(op);
    out.subblockIdx |= isa<SubblockIdxOp>(op);
  });
  return out;
}

Signedness signedness(bool isUnsigned) { return isUnsigned ? Signedness::Unsigned : Signedness::Signed; }

} // namespace

KernelConverter::KernelConverter(func::FuncOp source, StringRef name, StringRef group)
    : source_(source), group_(group), pipe_(corePipeOf(source)), target_(pl::targetOf(source)), buffers_(source) {
  // Only A5 has a way between the cores that does not go through GM.
  const int64_t workspace = pipe_ && target_.arch != target::Arch::A5 ? pipe_->workspaceBytes() : 0;
  planned_ = !isPlannedByAssembler(source);
  kernel_ = std::make_unique<KernelBuilder>(source, name, identitiesOf(source), workspace);
}

func::FuncOp KernelConverter::run() {
  for (BlockArgument argument : source_.getArguments()) {
    if (isa<TensorType>(argument.getType())) {
      tensors_[argument] = argument.getArgNumber();
    } else {
      scalars_[argument] = kernel_->argument(argument.getArgNumber());
    }
  }
  source_.walk([&](Operation *op) { refused_ |= op->hasAttr(kNotLoweredAttr); });
  blocks_[&source_.getBody().front()] = kernel_->body().getInsertionBlock();
  if (pipe_ && pipe_->carries()) {
    openPipe();
  }
  LogicalResult result = convertOps({source_.getBody().front().begin(), source_.getBody().front().end()});
  if (cube_ && vector_ && !refused_) {
    bridge::emitDiag(rangeLoc(vector_->getLoc()), diag::NotLowered,
                     "a kernel that runs on the cube core and on the vector core")
        .note(rangeLoc(cube_->getLoc()), "this runs on the cube core");
    result = failure();
  }
  if (failed(result)) {
    return nullptr;
  }
  const bool cube = pipe_ ? pipe_->side == CoreSide::Cube : cube_ != nullptr;
  kernel_->function()->setAttr(
      pto::kKernelKindAttr,
      pto::KernelKindAttr::get(source_.getContext(), cube ? pto::KernelKind::Cube : pto::KernelKind::Vector));
  if (pipe_) {
    kernel_->function()->setAttr(kGroupAttr, StringAttr::get(source_.getContext(), group_));
    kernel_->function()->setAttr(kSourceSymbolAttr, StringAttr::get(source_.getContext(), pipe_->kernel));
  }
  return kernel_->finish();
}

LogicalResult KernelConverter::notLowered(Operation *op, const Twine &what) {
  return bridge::emitDiag(rangeLoc(op->getLoc()), diag::NotLowered, what.str());
}

Location KernelConverter::locOf(Operation *op) const {
  FileLineColRange range = sourceRange(op->getLoc());
  return range ? Location(range) : kernel_->body().getUnknownLoc();
}

void KernelConverter::noteCore(Mem mem, Operation *op) {
  Operation *&first = mem == Mem::Vec ? vector_ : cube_;
  first = first ? first : op;
}

//===-- Control flow and scalars ----------------------------------------------------------------------------------===//

LogicalResult KernelConverter::convertOps(llvm::iterator_range<Block::iterator> ops) {
  bool ok = true;
  for (Operation &op : ops) {
    if (op.hasAttr(kNotLoweredAttr)) {
      ok = false;
      reportNotLowered(&op);
      continue;
    }
    ok &= succeeded(convert(&op));
  }
  return success(ok);
}

LogicalResult KernelConverter::convert(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<TileLoadOp>([&](auto load) { return convertLoad(load); })
      .Case<TileStoreOp>([&](auto store) { return convertStore(store); })
      .Case<TileMoveOp>([&](auto move) { return convertMove(move); })
      .Case<TileExtractOp>([&](auto extract) { return convertExtract(extract); })
      .Case<TileMatmulOp>([&](auto m) { return convertMatmul(m, {}, m.getLhs(), m.getRhs()); })
      .Case<TileMatmulAccOp>([&](auto m) { return convertMatmul(m, m.getAcc(), m.getLhs(), m.getRhs()); })
      // A created tile is a buffer and nothing else; a view is its source's buffer under another type.
      .Case<TileCreateOp, TileReshapeOp, TileTransposeViewOp>(
          [&](Operation *view) { return success(isNamedLater(view->getResult(0)) || handle(view->getResult(0))); })
      .Case<CoreSetOp>([&](auto set) { return convertFlag(set, set.getPipe(), set.getEvent(), true); })
      .Case<CoreWaitOp>([&](auto wait) { return convertFlag(wait, wait.getPipe(), wait.getEvent(), false); })
      .Case<SharedTileOp>([](auto) { return success(); }) // named where it is used
      .Case<SharedPutOp>([&](auto put) { return convertPut(put); })
      .Case<PipePushOp>([&](auto push) { return convertPush(push); })
      .Case<PipePopOp>([&](auto pop) { return convertPop(pop); })
      .Case<PipeFreeOp>([&](auto free) { return convertFree(free); })
      .Case<TensorReshapeOp>(
          [&](auto reshape) { return joinTensor(reshape, reshape.getResult(), {reshape.getSource()}); })
      .Case<scf::ForOp>([&](auto loop) { return convertFor(loop); })
      .Case<scf::IfOp>([&](auto branch) { return convertIf(branch); })
      .Case<func::ReturnOp>([&](auto ret) { return convertReturn(ret); })
      .Case<DimOp>([&](auto dim) { return convertDim(dim); })
      .Case<BlockIdxOp, BlockNumOp, SubblockIdxOp>([&](Operation *identity) {
        Value result = identity->getResult(0);
        scalars_[result] = convertScalar(kernel_->body(), namedLoc(locOf(identity), nameOf(result, "block"), ""),
                                         kernel_->identity(identity), result.getType());
        return success();
      })
      .Case<FloorModOp>([&](auto mod) {
        Value lhs = scalar(mod.getLhs());
        Value rhs = scalar(mod.getRhs());
        if (!lhs || !rhs) {
          return failure();
        }
        scalars_[mod.getResult()] = floorMod(*kernel_, locOf(mod), lhs, rhs, signedness(mod.getIsUnsigned()));
        return success();
      })
      .Case<CastOp>([&](auto cast) {
        Value input = scalar(cast.getInput());
        if (!input) {
          return failure();
        }
        Value out = convertScalar(kernel_->body(), locOf(cast), input, cast.getResult().getType(),
                                  signedness(cast.getUnsignedInput()));
        scalars_[cast.getResult()] = out;
        return out ? success() : notLowered(cast, "this conversion of a scalar");
      })
      .Case<GenericOp>([&](auto generic) { return convertGeneric(generic); })
      .Case<ReadOp>([&](auto read) { return convertRead(read); })
      .Case<func::CallOp>(
          [&](auto call) { return notLowered(call, "a call of `" + call.getCallee() + "` from a core function"); })
      .Case<TensorSliceOp>([&](auto slice) {
        // Read element by element: the reader adds the offsets.
        const bool onlyRead = llvm::all_of(slice->getUsers(), [](Operation *user) { return isa<ReadOp>(user); });
        return onlyRead ? success() : notLowered(slice, "a tensor slice that stays in a core function");
      })
      .Default([&](Operation *other) {
        if (isa_and_nonnull<arith::ArithDialect>(other->getDialect())) {
          return convertArith(other);
        }
        return notLowered(other, "`" + other->getName().getStringRef() + "`");
      });
}

LogicalResult KernelConverter::convertArith(Operation *op) {
  if (isa<arith::ConstantOp>(op)) {
    return success();
  }
  if (op->getNumResults() != 1 || !isa<IndexType, IntegerType, FloatType>(op->getResult(0).getType())) {
    return notLowered(op, "`" + op->getName().getStringRef() + "`");
  }
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    Value mapped = scalar(operand);
    if (!mapped) {
      return failure();
    }
    mapping.map(operand, mapped);
  }
  Operation *clone = kernel_->body().clone(*op, mapping);
  clone->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
  StringRef name = valueName(op->getResult(0));
  clone->setLoc(name.empty() ? locOf(op) : namedLoc(locOf(op), name, ""));
  scalars_[op->getResult(0)] = clone->getResult(0);
  return success();
}

LogicalResult KernelConverter::convertDim(DimOp op) {
  TensorType type = op.getSource().getType();
  const int64_t axis = op.getAxis();
  // A blocked type has lost its logical axes, except that a dynamic extent can only be the batch.
  if (axis < 0 || axis >= static_cast<int64_t>(type.getRank()) ||
      (type.isNz() && (axis != 0 || !isa<StringAttr>(type.getDims()[0])))) {
    return notLowered(op, "the extent of this axis");
  }
  Value value;
  if (std::optional<int64_t> extent = type.getExtent(axis)) {
    value = kernel_->constantIndex(*extent);
  } else {
    value = kernel_->extent(cast<StringAttr>(type.getDims()[axis]).getValue());
  }
  scalars_[op.getResult()] = value;
  return value ? success() : notLowered(op, "an extent that no argument has");
}

LogicalResult KernelConverter::joinTensor(Operation *op, Value out, ArrayRef<Value> in) {
  auto first = tensors_.find(in.front());
  if (first == tensors_.end()) {
    return failure();
  }
  const unsigned argument = first->second;
  for (Value value : in) {
    auto other = tensors_.find(value);
    if (other == tensors_.end()) {
      return failure();
    }
    if (other->second != argument) {
      return notLowered(op, "a tensor that is one argument or another");
    }
  }
  tensors_[out] = argument;
  return success();
}

bool KernelConverter::isNamedLater(Value tile) {
  // An extent that is computed inside the loop or branch is not known in front of it; the address alone makes the
  // buffer.
  return llvm::is_contained(cast<TileType>(tile.getType()).getValidOrShape(), ShapedType::kDynamic);
}

LogicalResult KernelConverter::convertFor(scf::ForOp loop) {
  OpBuilder &builder = kernel_->body();
  Location loc = locOf(loop);
  bool ok = true;
  SmallVector<Value> inits;
  SmallVector<unsigned> scalarIndices;
  for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
    if (isa<TensorType>(init.getType())) {
      ok &= succeeded(joinTensor(loop, loop.getRegionIterArg(i), {init}));
      ok &= succeeded(joinTensor(loop, loop.getResult(i), {init}));
    } else if (isa<TileType>(init.getType())) {
      ok &= isNamedLater(init) || handle(init);
    } else {
      inits.push_back(scalar(init));
      scalarIndices.push_back(i);
      ok &= static_cast<bool>(inits.back());
    }
  }
  Value low = indexScalar(loc, loop.getLowerBound());
  Value high = indexScalar(loc, loop.getUpperBound());
  Value step = indexScalar(loc, loop.getStep());
  if (!ok || !low || !high || !step) {
    return failure();
  }
  auto created = scf::ForOp::create(builder, loc, low, high, step, inits);
  Block *body = created.getBody();
  if (!body->empty()) {
    body->back().erase();
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  blocks_[loop.getBody()] = body;
  Value induction = created.getInductionVar();
  induction.setLoc(namedLoc(loc, nameOf(loop.getInductionVar(), "i"), ""));
  scalars_[loop.getInductionVar()] = convertScalar(builder, loc, induction, loop.getInductionVar().getType());
  for (auto [created_i, source_i] : llvm::enumerate(scalarIndices)) {
    scalars_[loop.getRegionIterArg(source_i)] = created.getRegionIterArg(created_i);
    scalars_[loop.getResult(source_i)] = created.getResult(created_i);
  }
  ok &= succeeded(convertOps(loop.getBody()->without_terminator()));
  SmallVector<Value> yielded;
  for (auto [i, value] : llvm::enumerate(loop.getYieldedValues())) {
    if (isa<TensorType>(value.getType())) {
      ok &= succeeded(joinTensor(loop, loop.getResult(i), {loop.getInitArgs()[i], value}));
    } else if (!isa<TileType>(value.getType())) {
      yielded.push_back(scalar(value));
      ok &= static_cast<bool>(yielded.back());
    }
  }
  if (ok) {
    scf::YieldOp::create(builder, loc, yielded);
  }
  return success(ok);
}

LogicalResult KernelConverter::convertIf(scf::IfOp branch) {
  OpBuilder &builder = kernel_->body();
  Location loc = locOf(branch);
  bool ok = true;
  SmallVector<Type> types;
  SmallVector<unsigned> scalarIndices;
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    if (isa<TileType>(result.getType())) {
      // Both branches fill this buffer, so it stands in front of them.
      ok &= isNamedLater(result) || handle(result);
    } else if (!isa<TensorType>(result.getType())) {
      types.push_back(result.getType());
      scalarIndices.push_back(i);
    }
  }
  Value condition = scalar(branch.getCondition());
  if (!ok || !condition) {
    return failure();
  }
  const bool hasElse = !branch.getElseRegion().empty();
  auto created = scf::IfOp::create(builder, loc, types, condition, /*addThenBlock=*/true, /*addElseBlock=*/hasElse);
  auto fill = [&](Block *source, Block *block) {
    OpBuilder::InsertionGuard guard(builder);
    if (!block->empty()) {
      block->back().erase();
    }
    builder.setInsertionPointToEnd(block);
    blocks_[source] = block;
    ok &= succeeded(convertOps(source->without_terminator()));
    SmallVector<Value> yielded;
    for (unsigned i : scalarIndices) {
      yielded.push_back(scalar(source->getTerminator()->getOperand(i)));
      ok &= static_cast<bool>(yielded.back());
    }
    if (ok) {
      scf::YieldOp::create(builder, loc, yielded);
    }
  };
  fill(branch.thenBlock(), created.thenBlock());
  if (hasElse) {
    fill(branch.elseBlock(), created.elseBlock());
  }
  for (auto [i, source_i] : llvm::enumerate(scalarIndices)) {
    scalars_[branch.getResult(source_i)] = created.getResult(i);
  }
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    if (isa<TensorType>(result.getType())) {
      ok &= succeeded(joinTensor(branch, result, {branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)}));
    }
  }
  return success(ok);
}

LogicalResult KernelConverter::convertReturn(func::ReturnOp op) {
  for (Value value : op.getOperands()) {
    if (!isa<TensorType>(value.getType())) {
      return notLowered(op, "a core function that returns something else than a tensor");
    }
    if (!tensors_.contains(value)) {
      return failure();
    }
  }
  func::ReturnOp::create(kernel_->body(), locOf(op));
  return success();
}

Value KernelConverter::scalar(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    return kernel_->constant(constant.getValue());
  }
  Value known = scalars_.lookup(value);
  if (!known || isVisible(known)) {
    return known;
  }
  Operation *op = value.getDefiningOp();
  const bool again = op && (isa<FloorModOp, CastOp, DimOp, BlockIdxOp, BlockNumOp, SubblockIdxOp>(op) ||
                            isa<arith::ArithDialect>(op->getDialect()));
  if (!again || depth_ > 64) {
    return {};
  }
  ++depth_;
  const bool ok = llvm::all_of(op->getOperands(), [&](Value operand) { return static_cast<bool>(scalar(operand)); }) &&
                  succeeded(convert(op));
  --depth_;
  return ok ? scalars_.lookup(value) : Value();
}

Value KernelConverter::indexScalar(Location loc, Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return kernel_->constantIndex(*constant);
  }
  Value mapped = scalar(value);
  return mapped ? convertScalar(kernel_->body(), loc, mapped, kernel_->body().getIndexType()) : Value();
}

} // namespace placid::conversion
