// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/iteration_space.h"

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

constexpr unsigned kMaxLevels = 64; // one bit each
constexpr unsigned kMaxDepth = 256;
constexpr size_t kMaxNodes = 1024;

unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

bool fits(int64_t value, unsigned bits) {
  return bits >= 64 || (value >= -(int64_t{1} << (bits - 1)) && value < (int64_t{1} << (bits - 1)));
}

int64_t floorMod(int64_t a, int64_t b) { return a - llvm::divideFloorSigned(a, b) * b; }

std::optional<int64_t> compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  default: // unsigned: the same only where no sign is involved
    break;
  }
  if (a < 0 || b < 0) {
    return std::nullopt;
  }
  switch (predicate) {
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  default:
    return a >= b;
  }
}

} // namespace

//===-- The space -------------------------------------------------------------------------------------------------===//

IterationSpace::IterationSpace(Operation *access) {
  add({}); // 0 is the unknown expression
  SmallVector<std::pair<Operation *, Region *>> around;
  for (Region *region = access->getParentRegion(); region && !isa<func::FuncOp>(region->getParentOp());
       region = region->getParentRegion()) {
    around.push_back({region->getParentOp(), region});
  }
  for (auto [parent, child] : llvm::reverse(around)) {
    enter(parent, child);
  }
}

void IterationSpace::enter(Operation *parent, Region *child) {
  if (auto branch = dyn_cast<scf::IfOp>(parent)) {
    guards_.push_back({build(branch.getCondition(), 0), child == &branch.getThenRegion()});
    return;
  }
  Level level{parent, 0, 0, 0};
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    level.lower = build(loop.getLowerBound(), 0);
    level.upper = build(loop.getUpperBound(), 0);
    level.step = build(loop.getStep(), 0);
  } else if (auto scope = dyn_cast<IncoreOp>(parent)) {
    if (!scope.getBlocks()) {
      return; // runs once
    }
    level.lower = constant(0);
    level.upper = build(scope.getBlocks(), 0);
    level.step = constant(1);
  } else {
    uncertain_ = true;
    return;
  }
  if (levels_.size() == kMaxLevels) {
    uncertain_ = true;
    return;
  }
  levels_.push_back(level);
}

IterationSpace::Expr IterationSpace::add(Node node) {
  if (nodes_.size() >= kMaxNodes) {
    return 0;
  }
  node.range = rangeOf(node);
  nodes_.push_back(node);
  return static_cast<Expr>(nodes_.size() - 1);
}

IterationSpace::Expr IterationSpace::constant(int64_t value) {
  Node node;
  node.kind = Kind::Constant;
  node.constant = value;
  return add(node);
}

IterationSpace::Expr IterationSpace::sum(Expr a, Expr b) { return binary(Kind::Add, a, b); }

IterationSpace::Expr IterationSpace::binary(Kind kind, Expr a, Expr b, unsigned bits, int64_t constant) {
  Node node;
  node.kind = kind;
  node.constant = constant;
  node.a = a;
  node.b = b;
  node.bits = bits;
  node.levels = nodes_[a].levels | nodes_[b].levels;
  return add(node);
}

IterationSpace::Expr IterationSpace::loopVariable(Operation *op) {
  for (auto [number, level] : llvm::enumerate(levels_)) {
    if (level.op == op) {
      Node node;
      node.kind = Kind::LoopVariable;
      node.constant = static_cast<int64_t>(number);
      node.levels = uint64_t{1} << number;
      return add(node);
    }
  }
  return 0;
}

IterationSpace::Expr IterationSpace::expression(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value)) {
    return constant(*number);
  }
  return build(cast<Value>(value), 0);
}

IterationSpace::Expr IterationSpace::build(Value value, unsigned depth) {
  auto found = known_.find(value);
  if (found != known_.end()) {
    return found->second;
  }
  Expr made = depth > kMaxDepth || !value.getType().isIntOrIndex() ? 0 : buildNew(value, depth + 1);
  known_[value] = made;
  return made;
}

IterationSpace::Expr IterationSpace::buildNew(Value value, unsigned depth) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    return buildArgument(argument, depth);
  }
  unsigned bits = bitsOf(value.getType());
  if (std::optional<int64_t> number = getConstantIntValue(value)) {
    return constant(bits == 1 ? *number & 1 : *number);
  }
  Operation *op = value.getDefiningOp();
  auto both = [&](Kind kind, int64_t number = 0) {
    Expr a = build(op->getOperand(0), depth);
    Expr b = build(op->getOperand(1), depth);
    return binary(kind, a, b, bits, number);
  };
  auto choose = [&](Value condition, Value first, Value second) {
    Node node;
    node.kind = Kind::Select;
    node.a = build(condition, depth);
    node.b = build(first, depth);
    node.c = build(second, depth);
    node.levels = nodes_[node.a].levels | nodes_[node.b].levels | nodes_[node.c].levels;
    return add(node);
  };
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](arith::AddIOp) { return both(Kind::Add); })
      .Case([&](arith::SubIOp) { return both(Kind::Sub); })
      .Case([&](arith::MulIOp) { return both(Kind::Mul); })
      .Case([&](arith::FloorDivSIOp) { return both(Kind::FloorDiv); })
      .Case([&](arith::CeilDivSIOp) { return both(Kind::CeilDiv); })
      .Case([&](FloorModOp) { return both(Kind::FloorMod); })
      .Case([&](arith::MinSIOp) { return both(Kind::Min); })
      .Case([&](arith::MaxSIOp) { return both(Kind::Max); })
      .Case([&](arith::CmpIOp cmp) { return both(Kind::Compare, static_cast<int64_t>(cmp.getPredicate())); })
      .Case([&](arith::AndIOp) { return bits == 1 ? both(Kind::And) : 0; })
      .Case([&](arith::OrIOp) { return bits == 1 ? both(Kind::Or) : 0; })
      .Case([&](arith::XOrIOp) { return bits == 1 ? both(Kind::Xor) : 0; })
      .Case([&](arith::SelectOp select) {
        return choose(select.getCondition(), select.getTrueValue(), select.getFalseValue());
      })
      .Case([&](scf::IfOp branch) -> Expr {
        unsigned number = cast<OpResult>(value).getResultNumber();
        return choose(branch.getCondition(), branch.thenYield().getOperand(number),
                      branch.elseYield().getOperand(number));
      })
      .Case([&](CastOp cast) -> Expr {
        // Adding 0 at the width of the result keeps the value and notices when it does not fit.
        Expr input = build(cast.getInput(), depth);
        return binary(Kind::Add, input, constant(0), bits);
      })
      .Case([&](BlockIdxOp) { return loopVariable(op->getParentOfType<IncoreOp>()); })
      .Case([&](BlockNumOp) -> Expr {
        auto scope = op->getParentOfType<IncoreOp>();
        return scope && scope.getBlocks() ? build(scope.getBlocks(), depth) : 0;
      })
      .Default([](Operation *) { return Expr(0); });
}

IterationSpace::Expr IterationSpace::buildArgument(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop) {
    return 0;
  }
  Expr variable = loopVariable(loop);
  if (variable == 0 || argument == loop.getInductionVar()) {
    return variable;
  }
  // What every round adds a constant to: the start, and the constant for each round so far.
  unsigned number = argument.getArgNumber() - 1;
  auto next = loop.getYieldedValues()[number].getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> step =
      next && next.getLhs() == argument ? getConstantIntValue(next.getRhs()) : std::optional<int64_t>();
  if (!step) {
    return 0;
  }
  Expr lower = build(loop.getLowerBound(), depth);
  Expr stride = build(loop.getStep(), depth);
  Expr round = binary(Kind::FloorDiv, binary(Kind::Sub, variable, lower), stride);
  Expr grown = binary(Kind::Mul, round, constant(*step));
  return binary(Kind::Add, build(loop.getInitArgs()[number], depth), grown, bitsOf(argument.getType()));
}

//===-- All iterations together -----------------------------------------------------------------------------------===//

std::optional<IndexRange> IterationSpace::rangeOfLevel(const Level &level) const {
  std::optional<IndexRange> lower = nodes_[level.lower].range;
  std::optional<IndexRange> upper = nodes_[level.upper].range;
  std::optional<IndexRange> step = nodes_[level.step].range;
  if (!lower || !upper || !step || !step->isSingle() || step->low <= 0) {
    return std::nullopt;
  }
  if (upper->high <= lower->low) {
    return IndexRange::single(lower->low); // no round at all
  }
  if (lower->isSingle()) {
    return IndexRange::stepped(lower->low, upper->high - 1, step->low);
  }
  std::optional<IndexRange> steps = addRanges(*lower, {0, step->low, step->low});
  return IndexRange::stepped(lower->low, upper->high - 1, steps ? steps->stride : 1);
}

std::optional<IndexRange> IterationSpace::rangeOf(const Node &node) const {
  auto of = [&](Expr expr) { return nodes_[expr].range; };
  std::optional<IndexRange> out;
  switch (node.kind) {
  case Kind::Unknown:
    return std::nullopt;
  case Kind::Constant:
    return IndexRange::single(node.constant);
  case Kind::LoopVariable:
    return rangeOfLevel(levels_[static_cast<size_t>(node.constant)]);
  case Kind::Compare:
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
    return IndexRange{0, 1, 1};
  case Kind::Select:
    return of(node.b) && of(node.c) ? std::optional(joinRanges(*of(node.b), *of(node.c))) : std::nullopt;
  default:
    break;
  }
  std::optional<IndexRange> a = of(node.a);
  std::optional<IndexRange> b = of(node.b);
  if (!a || !b) {
    return std::nullopt;
  }
  bool divides = b->isSingle() && b->low > 0;
  switch (node.kind) {
  case Kind::Add:
    out = addRanges(*a, *b);
    break;
  case Kind::Sub:
    out = subRanges(*a, *b);
    break;
  case Kind::Mul:
    out = mulRanges(*a, *b);
    break;
  case Kind::FloorDiv:
    out = divides ? std::optional(floorDivRange(*a, b->low)) : std::nullopt;
    break;
  case Kind::CeilDiv: {
    std::optional<IndexRange> raised = divides ? addRanges(*a, IndexRange::single(b->low - 1)) : std::nullopt;
    out = raised ? std::optional(floorDivRange(*raised, b->low)) : std::nullopt;
    break;
  }
  case Kind::FloorMod:
    out = divides ? std::optional(floorModRange(*a, b->low)) : std::nullopt;
    break;
  case Kind::Min:
    out = minRanges(*a, *b);
    break;
  default:
    out = maxRanges(*a, *b);
    break;
  }
  return out && fits(out->low, node.bits) && fits(out->high, node.bits) ? out : std::nullopt;
}

//===-- One iteration ---------------------------------------------------------------------------------------------===//

std::optional<int64_t> IterationSpace::apply(const Node &node, ArrayRef<int64_t> point) const {
  std::optional<int64_t> a = values_[node.a];
  std::optional<int64_t> b = values_[node.b];
  int64_t out = 0;
  switch (node.kind) {
  case Kind::Unknown:
    return std::nullopt;
  case Kind::Constant:
    return node.constant;
  case Kind::LoopVariable:
    return point[static_cast<size_t>(node.constant)];
  case Kind::Select:
    return a ? (*a != 0 ? b : values_[node.c]) : std::nullopt;
  case Kind::And:
    if (a == 0 || b == 0) {
      return 0;
    }
    return a && b ? std::optional<int64_t>(1) : std::nullopt;
  case Kind::Or:
    if (a == 1 || b == 1) {
      return 1;
    }
    return a && b ? std::optional<int64_t>(0) : std::nullopt;
  default:
    break;
  }
  if (!a || !b) {
    return std::nullopt;
  }
  switch (node.kind) {
  case Kind::Add:
    if (__builtin_add_overflow(*a, *b, &out)) {
      return std::nullopt;
    }
    break;
  case Kind::Sub:
    if (__builtin_sub_overflow(*a, *b, &out)) {
      return std::nullopt;
    }
    break;
  case Kind::Mul:
    if (__builtin_mul_overflow(*a, *b, &out)) {
      return std::nullopt;
    }
    break;
  case Kind::FloorDiv:
  case Kind::CeilDiv:
  case Kind::FloorMod:
    if (*b <= 0) {
      return std::nullopt;
    }
    out = node.kind == Kind::FloorDiv  ? llvm::divideFloorSigned(*a, *b)
          : node.kind == Kind::CeilDiv ? llvm::divideCeilSigned(*a, *b)
                                       : floorMod(*a, *b);
    break;
  case Kind::Min:
    out = std::min(*a, *b);
    break;
  case Kind::Max:
    out = std::max(*a, *b);
    break;
  case Kind::Compare:
    return compare(static_cast<arith::CmpIPredicate>(node.constant), *a, *b);
  default: // Xor
    out = *a ^ *b;
    break;
  }
  return fits(out, node.bits) || node.bits == 1 ? std::optional(out) : std::nullopt;
}

void IterationSpace::evaluate(ArrayRef<int64_t> point) {
  values_.assign(nodes_.size(), std::nullopt);
  for (auto [number, node] : llvm::enumerate(nodes_)) {
    values_[number] = apply(node, point);
  }
}

std::optional<IterationSpace::Rounds> IterationSpace::rounds(const Level &level) const {
  std::optional<int64_t> lower = values_[level.lower];
  std::optional<int64_t> upper = values_[level.upper];
  std::optional<int64_t> step = values_[level.step];
  if (!lower || !upper || !step || *step <= 0) {
    return std::nullopt;
  }
  if (*upper <= *lower) {
    return Rounds{*lower, *step, 0};
  }
  int64_t length = 0;
  if (__builtin_sub_overflow(*upper, *lower, &length)) {
    return std::nullopt;
  }
  return Rounds{*lower, *step, (length - 1) / *step + 1};
}

} // namespace placid::pl
