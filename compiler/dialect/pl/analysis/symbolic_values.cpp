// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/symbolic_values.h"

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using placid::symbolic::Condition;
using placid::symbolic::Form;

namespace placid::pl {

namespace {

constexpr size_t kMaxValues = 256; // looked at for one query
constexpr unsigned kMaxDepth = 128;
constexpr unsigned kWideEnough = 32; // bits that hold every extent and offset

bool isWide(Type type) { return type.isIndex() || (type.isInteger() && type.getIntOrFloatBitWidth() >= kWideEnough); }

/// What ends the body of a loop; null while the body is being built.
scf::YieldOp yieldOf(scf::ForOp loop) {
  Block *body = loop.getBody();
  return body->empty() ? scf::YieldOp() : dyn_cast<scf::YieldOp>(body->back());
}

/// The same tensor, as it was before loops and writes handed it on.
Value sameTensor(Value tensor) {
  while (true) {
    Value next;
    if (auto argument = dyn_cast<BlockArgument>(tensor)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      next = loop && argument.getArgNumber() > 0 && yieldOf(loop) ? loop.getInitArgs()[argument.getArgNumber() - 1]
                                                                  : Value();
    } else {
      next = TypeSwitch<Operation *, Value>(tensor.getDefiningOp())
                 .Case([](TensorAssembleOp op) { return op.getTarget(); })
                 .Case([](TileStoreOp op) { return op.getDest(); })
                 .Case([&](scf::ForOp op) { return op.getInitArgs()[cast<OpResult>(tensor).getResultNumber()]; })
                 .Default([](Operation *) { return Value(); });
    }
    if (!next || next.getType() != tensor.getType()) {
      return tensor;
    }
    tensor = next;
  }
}

} // namespace

Form SymbolicValues::of(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value)) {
    return Form::constant(*number);
  }
  return of(cast<Value>(value));
}

Form SymbolicValues::own(Value) { return table_.free(std::nullopt, std::nullopt); }

Form SymbolicValues::of(Value value) {
  if (std::optional<int64_t> number = getConstantIntValue(value)) {
    return Form::constant(*number);
  }
  auto found = known_.find(value);
  if (found != known_.end()) {
    return found->second;
  }
  if (!value.getType().isIntOrIndex() || known_.size() >= kMaxValues || depth_ >= kMaxDepth) {
    return Form::unknown();
  }
  ++depth_;
  Form made = make(value);
  --depth_;
  // What has grown too large to follow still is one number, the same wherever it is used.
  made = made.isKnown() ? made : own(value);
  known_[value] = made;
  return made;
}

Form SymbolicValues::make(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return !loop ? own(value) : argument == loop.getInductionVar() ? loopVariable(loop) : carried(argument);
  }
  Operation *op = value.getDefiningOp();
  auto both = [&](auto apply) {
    Form a = of(op->getOperand(0));
    Form b = of(op->getOperand(1));
    return apply(a, b);
  };
  return TypeSwitch<Operation *, Form>(op)
      .Case([&](arith::AddIOp) { return both([](const Form &a, const Form &b) { return a.plus(b); }); })
      .Case([&](arith::SubIOp) { return both([](const Form &a, const Form &b) { return a.minus(b); }); })
      .Case([&](arith::MulIOp) { return both([](const Form &a, const Form &b) { return a.times(b); }); })
      .Case([&](arith::FloorDivSIOp) {
        return both([&](const Form &a, const Form &b) { return table_.floorDiv(a, b); });
      })
      .Case(
          [&](arith::CeilDivSIOp) { return both([&](const Form &a, const Form &b) { return table_.ceilDiv(a, b); }); })
      .Case([&](FloorModOp) { return both([&](const Form &a, const Form &b) { return table_.floorMod(a, b); }); })
      .Case([&](arith::MinSIOp) { return both([&](const Form &a, const Form &b) { return table_.min(a, b); }); })
      .Case([&](arith::MaxSIOp) { return both([&](const Form &a, const Form &b) { return table_.max(a, b); }); })
      .Case([&](CastOp cast) {
        bool keeps = isWide(cast.getType()) && isWide(cast.getInput().getType());
        return keeps ? of(cast.getInput()) : own(value);
      })
      .Case([&](DimOp dim) { return extent(dim.getSource(), static_cast<unsigned>(dim.getAxis())); })
      .Case([&](BlockIdxOp index) {
        auto scope = index->getParentOfType<IncoreOp>();
        return scope && scope.getBlocks() ? loopVariable(scope) : own(value);
      })
      .Case([&](BlockNumOp number) {
        auto scope = number->getParentOfType<IncoreOp>();
        return scope && scope.getBlocks() ? of(scope.getBlocks()) : own(value);
      })
      .Default([&](Operation *) { return own(value); });
}

/// The variable of a loop or dispatch; a number of its own where its bounds are not followed.
Form SymbolicValues::loopVariable(Operation *op) {
  auto found = loops_.find(op);
  if (found != loops_.end()) {
    return found->second;
  }
  Form lower;
  Form upper;
  std::optional<int64_t> step = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    lower = of(loop.getLowerBound());
    upper = of(loop.getUpperBound());
    step = getConstantIntValue(loop.getStep());
  } else {
    upper = of(cast<IncoreOp>(op).getBlocks());
  }
  Form made = step ? table_.loop(lower, upper, *step) : Form::unknown();
  if (std::optional<symbolic::Atom> atom = made.asAtom()) {
    loopOf_[*atom] = op;
  } else {
    made = table_.free(std::nullopt, std::nullopt);
  }
  loops_[op] = made;
  return made;
}

/// What every round adds a constant to: the start, and the constant for each round so far. A number of its own while
/// the body is being built: what a round makes of it is not known yet.
Form SymbolicValues::carried(BlockArgument argument) {
  auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
  unsigned number = argument.getArgNumber() - 1;
  scf::YieldOp yield = yieldOf(loop);
  auto next = yield && yield.getNumOperands() > number ? yield.getOperand(number).getDefiningOp<arith::AddIOp>()
                                                       : arith::AddIOp();
  std::optional<int64_t> grows =
      next && next.getLhs() == argument ? getConstantIntValue(next.getRhs()) : std::optional<int64_t>();
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!grows || !step || *step <= 0) {
    return own(argument);
  }
  Form variable = loopVariable(loop);
  Form start = of(loop.getInitArgs()[number]);
  Form rounds = table_.floorDiv(variable.minus(of(loop.getLowerBound())), Form::constant(*step));
  return start.plus(rounds.times(Form::constant(*grows)));
}

Form SymbolicValues::extent(Value tensor, unsigned axis) {
  Value root = sameTensor(tensor);
  auto type = cast<TensorType>(root.getType());
  if (axis >= type.getRank()) {
    return Form::unknown();
  }
  if (std::optional<int64_t> number = type.getExtent(axis)) {
    return Form::constant(*number);
  }
  if (auto slice = root.getDefiningOp<TensorSliceOp>()) {
    SmallVector<OpFoldResult> sizes = mixedList(slice.getSizes(), slice.getStaticSizes(), root.getContext());
    if (sizes.size() == type.getRank()) {
      return of(sizes[axis]);
    }
  }
  auto positive = [&] { return table_.free(1, std::nullopt); };
  auto symbol = dyn_cast<StringAttr>(type.getDims()[axis]);
  auto argument = dyn_cast<BlockArgument>(root);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  // The names in a type that a call told are the caller's: one name may stand for two values there.
  bool names =
      symbol && function && symbol.getValue() != "?" && !function.getArgAttr(argument.getArgNumber(), kToldAttr);
  if (names) {
    auto [entry, added] = symbols_.try_emplace(symbol.getValue().str());
    if (added) {
      entry->second = positive();
    }
    return entry->second;
  }
  auto [entry, added] = extents_.try_emplace({root, axis});
  if (added) {
    entry->second = positive();
  }
  return entry->second;
}

void SymbolicValues::conditions(Value condition, bool expected, std::vector<Condition> &out) {
  if (std::optional<int64_t> number = getConstantIntValue(condition)) {
    out.push_back({Form::constant((*number & 1) == (expected ? 1 : 0) ? 0 : -1)});
    return;
  }
  Operation *op = condition.getDefiningOp();
  bool splits = expected ? isa_and_nonnull<arith::AndIOp>(op) : isa_and_nonnull<arith::OrIOp>(op);
  if (splits) {
    conditions(op->getOperand(0), expected, out);
    conditions(op->getOperand(1), expected, out);
    return;
  }
  if (auto flip = dyn_cast_if_present<arith::XOrIOp>(op); flip && getConstantIntValue(flip.getRhs())) {
    conditions(flip.getLhs(), !expected, out); // `not`
    return;
  }
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare) {
    out.push_back({Form::unknown()});
    return;
  }
  arith::CmpIPredicate predicate = expected ? compare.getPredicate() : arith::invertPredicate(compare.getPredicate());
  Form a = of(compare.getLhs());
  Form b = of(compare.getRhs());
  Form one = Form::constant(1);
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    out.push_back({b.minus(a).minus(one)});
    break;
  case arith::CmpIPredicate::sle:
    out.push_back({b.minus(a)});
    break;
  case arith::CmpIPredicate::sgt:
    out.push_back({a.minus(b).minus(one)});
    break;
  case arith::CmpIPredicate::sge:
    out.push_back({a.minus(b)});
    break;
  case arith::CmpIPredicate::eq:
    out.push_back({a.minus(b)});
    out.push_back({b.minus(a)});
    break;
  default:
    out.push_back({Form::unknown()});
    break;
  }
}

std::vector<Condition> SymbolicValues::conditionsAround(Operation *op) {
  std::vector<Condition> out;
  for (Region *region = op->getParentRegion(); region && !isa<func::FuncOp>(region->getParentOp());
       region = region->getParentRegion()) {
    Operation *parent = region->getParentOp();
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      conditions(branch.getCondition(), region == &branch.getThenRegion(), out);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      out.push_back({of(loop.getUpperBound()).minus(of(loop.getLowerBound())).minus(Form::constant(1)), true});
    } else if (!isa<IncoreOp>(parent)) {
      out.push_back({Form::unknown()});
    }
  }
  return out;
}

Operation *SymbolicValues::loopOf(symbolic::Atom atom) const {
  auto found = loopOf_.find(atom);
  return found == loopOf_.end() ? nullptr : found->second;
}

} // namespace placid::pl
