// SPDX-License-Identifier: Apache-2.0
// The two proofs against a second model of the table written over plain trees: equal verdicts on random expressions,
// and everything accepted is true for every value the leaves can take.
#include "compiler/dialect/pl/analysis/offset_proof.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/ir/window_attrs.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

using namespace mlir;
using namespace placid::pl;

namespace {

struct Expr;
using ExprPtr = std::shared_ptr<Expr>;

/// A tree of the table's forms and of what it refuses.
struct Expr {
  enum Kind {
    Const,
    Block,
    Count,
    Param,
    Read,
    Sub,
    CastBlock16,
    CastBlock8,
    CastParam,
    Iter,
    Phi,
    Add,
    Minus,
    Mul,
    Div,
    Mod,
    Min,
    Max,
    Loop
  } kind;
  int64_t value = 0;
  ExprPtr a, b;
};

bool multiple(const Expr &e, int64_t d) {
  switch (e.kind) {
  case Expr::Const:
    return e.value % d == 0;
  case Expr::Add:
  case Expr::Minus:
  case Expr::Min:
  case Expr::Max:
  case Expr::Loop:
    return multiple(*e.a, d) && multiple(*e.b, d);
  case Expr::Mul:
    return multiple(*e.a, d) || multiple(*e.b, d);
  default:
    return false;
  }
}

bool nonNegative(const Expr &e) {
  switch (e.kind) {
  case Expr::Const:
    return e.value >= 0;
  case Expr::Block:
  case Expr::Count:
  case Expr::CastBlock16:
    return true;
  case Expr::Add:
  case Expr::Mul:
  case Expr::Min:
  case Expr::Loop:
    return nonNegative(*e.a) && nonNegative(*e.b);
  case Expr::Max:
    return nonNegative(*e.a) || nonNegative(*e.b);
  case Expr::Div:
  case Expr::Mod:
    return e.b->kind == Expr::Const && e.b->value > 0 && nonNegative(*e.a);
  default:
    return false;
  }
}

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

class OffsetProofTest : public ::testing::Test {
protected:
  OffsetProofTest() : context_(MLIRContext::Threading::DISABLED), builder_(&context_) {
    context_.loadDialect<PlDialect, func::FuncDialect, arith::ArithDialect, scf::SCFDialect>();
    module_ = ModuleOp::create(builder_, loc());
    builder_.setInsertionPointToEnd(module_->getBody());
    auto table = placid::pl::TensorType::get(&context_, ArrayRef<int64_t>{64}, DType::Index);
    auto type = builder_.getFunctionType({builder_.getIndexType(), table}, {});
    auto function = func::FuncOp::create(builder_, loc(), "kern", type);
    builder_.setInsertionPointToStart(function.addEntryBlock());
    param_ = function.getArgument(0);
    table_ = function.getArgument(1);
  }

  Location loc() { return UnknownLoc::get(&context_); }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc(), value); }

  /// The expression as IR. Loops are entered: what follows stands in their bodies.
  Value build(const Expr &e) {
    auto index = builder_.getIndexType();
    switch (e.kind) {
    case Expr::Const:
      return constant(e.value);
    case Expr::Block:
      return BlockIdxOp::create(builder_, loc());
    case Expr::Count:
      return BlockNumOp::create(builder_, loc());
    case Expr::Param:
      return param_;
    case Expr::Read:
      return ReadOp::create(builder_, loc(), index, table_, ValueRange(), ArrayRef<int64_t>{3});
    case Expr::Sub:
      return SubblockIdxOp::create(builder_, loc());
    case Expr::CastBlock16:
    case Expr::CastBlock8:
    case Expr::CastParam: {
      // Back to index would be a second cast; the chain stays in the narrow type through one addition of zero-like ops.
      Value input = e.kind == Expr::CastParam ? param_ : Value(BlockIdxOp::create(builder_, loc()));
      return CastOp::create(builder_, loc(), builder_.getIntegerType(e.kind == Expr::CastBlock8 ? 8 : 16), input);
    }
    case Expr::Iter: {
      auto loop =
          scf::ForOp::create(builder_, loc(), constant(0), constant(4), constant(1), ValueRange{constant(e.value)});
      builder_.setInsertionPointToStart(loop.getBody());
      return loop.getRegionIterArgs()[0];
    }
    case Expr::Phi: {
      Value condition = arith::CmpIOp::create(builder_, loc(), arith::CmpIPredicate::eq, param_, constant(0));
      auto branch = scf::IfOp::create(builder_, loc(), TypeRange{index}, condition, true);
      OpBuilder then = OpBuilder::atBlockEnd(branch.thenBlock());
      scf::YieldOp::create(then, loc(), ValueRange{arith::ConstantIndexOp::create(then, loc(), e.value)});
      OpBuilder other = OpBuilder::atBlockEnd(branch.elseBlock());
      scf::YieldOp::create(other, loc(), ValueRange{arith::ConstantIndexOp::create(other, loc(), e.value)});
      return branch.getResult(0);
    }
    case Expr::Loop: {
      Value lower = build(*e.a);
      Value step = build(*e.b);
      auto loop = scf::ForOp::create(builder_, loc(), lower, constant(1 << 20), step);
      builder_.setInsertionPointToStart(loop.getBody());
      return loop.getInductionVar();
    }
    default:
      break;
    }
    Value a = build(*e.a);
    Value b = build(*e.b);
    switch (e.kind) {
    case Expr::Add:
      return arith::AddIOp::create(builder_, loc(), a, b);
    case Expr::Minus:
      return arith::SubIOp::create(builder_, loc(), a, b);
    case Expr::Mul:
      return arith::MulIOp::create(builder_, loc(), a, b);
    case Expr::Div:
      return arith::FloorDivSIOp::create(builder_, loc(), a, b);
    case Expr::Mod:
      return FloorModOp::create(builder_, loc(), a, b);
    case Expr::Min:
      return arith::MinSIOp::create(builder_, loc(), a, b);
    default:
      return arith::MaxSIOp::create(builder_, loc(), a, b);
    }
  }

  ExprPtr random(unsigned depth) {
    static constexpr int64_t kConstants[] = {0,  1,  2,  3,   4,   8,  15,  16,  17,  24, 32,
                                             48, 64, 96, 100, 256, -1, -16, -24, -32, -64};
    auto pick = [&](auto n) { return std::uniform_int_distribution<int>(0, static_cast<int>(n) - 1)(random_); };
    auto leaf = [&]() -> ExprPtr {
      static constexpr Expr::Kind kLeaves[] = {Expr::Const, Expr::Const, Expr::Const, Expr::Const,
                                               Expr::Block, Expr::Block, Expr::Count, Expr::Param,
                                               Expr::Read,  Expr::Sub,   Expr::Iter,  Expr::Phi};
      return std::make_shared<Expr>(
          Expr{kLeaves[pick(std::size(kLeaves))], kConstants[pick(std::size(kConstants))], {}, {}});
    };
    if (depth == 0 || pick(6) == 0) {
      return leaf();
    }
    static constexpr Expr::Kind kInner[] = {Expr::Add, Expr::Minus, Expr::Mul, Expr::Mul, Expr::Div,
                                            Expr::Mod, Expr::Min,   Expr::Max, Expr::Loop};
    Expr::Kind kind = kInner[pick(std::size(kInner))];
    ExprPtr b = random(depth - 1);
    if ((kind == Expr::Div || kind == Expr::Mod) && pick(4) != 0) {
      b = std::make_shared<Expr>(Expr{Expr::Const, kConstants[1 + pick(std::size(kConstants) - 1)], {}, {}});
    }
    return std::make_shared<Expr>(Expr{kind, 0, random(depth - 1), b});
  }

  /// One value the expression can take; leaves are drawn anew each time they are met. Absent: a division by zero.
  std::optional<int64_t> sample(const Expr &e) {
    auto draw = [&](int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(random_); };
    switch (e.kind) {
    case Expr::Const:
      return e.value;
    case Expr::Block:
    case Expr::Count:
    case Expr::CastBlock16:
      return draw(0, 40);
    case Expr::Param:
    case Expr::Read:
    case Expr::Sub:
    case Expr::CastBlock8:
    case Expr::CastParam:
    case Expr::Iter:
    case Expr::Phi:
      return draw(-1000, 1000);
    default:
      break;
    }
    std::optional<int64_t> a = sample(*e.a);
    std::optional<int64_t> b = sample(*e.b);
    if (!a || !b || std::abs(*a) > (1LL << 30) || std::abs(*b) > (1LL << 30)) {
      return std::nullopt;
    }
    switch (e.kind) {
    case Expr::Add:
      return *a + *b;
    case Expr::Minus:
      return *a - *b;
    case Expr::Mul:
      return *a * *b;
    case Expr::Div:
      return *b == 0 ? std::nullopt : std::optional(floorDiv(*a, *b));
    case Expr::Mod:
      return *b == 0 ? std::nullopt : std::optional(*a - floorDiv(*a, *b) * *b);
    case Expr::Min:
      return std::min(*a, *b);
    case Expr::Max:
      return std::max(*a, *b);
    default:
      return *a + draw(0, 30) * *b; // an iteration of the loop
    }
  }

  MLIRContext context_;
  OpBuilder builder_;
  OwningOpRef<ModuleOp> module_;
  Value param_;
  Value table_;
  std::mt19937 random_{20240917};
};

TEST_F(OffsetProofTest, AgreesWithTheTableAndIsSound) {
  unsigned multiples = 0;
  unsigned signs = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    ExprPtr e = random(1 + round % 5);
    OpBuilder::InsertionGuard guard(builder_);
    Value value = build(*e);
    OffsetProver prover;
    bool positive = prover.isNonNegative(value);
    ASSERT_EQ(positive, nonNegative(*e));
    signs += positive;
    for (int64_t d : {4, 8, 16, 32}) {
      bool divides = prover.isMultiple(value, d);
      ASSERT_EQ(divides, multiple(*e, d));
      multiples += divides;
      for (unsigned i = 0; divides && i < 4; ++i) {
        if (std::optional<int64_t> v = sample(*e)) {
          ASSERT_EQ(*v % d, 0);
        }
      }
      // Whatever the verdict, it can be explained.
      if (divides) {
        EXPECT_FALSE(prover.explainMultiple(value, d).empty());
      } else {
        EXPECT_FALSE(prover.blameMultiple(value, d).why.empty());
      }
    }
    for (unsigned i = 0; positive && i < 8; ++i) {
      if (std::optional<int64_t> v = sample(*e)) {
        ASSERT_GE(*v, 0);
      }
    }
    if (positive) {
      EXPECT_FALSE(prover.explainNonNegative(value).empty());
    } else {
      EXPECT_FALSE(prover.blameNonNegative(value).why.empty());
    }
  }
  // The generator must reach both verdicts often.
  EXPECT_GT(multiples, 800U);
  EXPECT_GT(signs, 500U);
  EXPECT_LT(signs, 3500U);
}

TEST_F(OffsetProofTest, CastsOfBlockNumbersKeepTheirSignOnly) {
  OffsetProver prover;
  Value wide = build({Expr::CastBlock16});
  EXPECT_TRUE(prover.isNonNegative(wide));
  EXPECT_FALSE(prover.isMultiple(wide, 16));
  EXPECT_FALSE(prover.isNonNegative(build({Expr::CastBlock8})));
  EXPECT_FALSE(prover.isNonNegative(build({Expr::CastParam})));
  Value twice = CastOp::create(builder_, loc(), builder_.getIndexType(), wide);
  EXPECT_FALSE(prover.isNonNegative(twice));
  Value toFloat = CastOp::create(builder_, loc(), builder_.getF32Type(), BlockIdxOp::create(builder_, loc()));
  EXPECT_FALSE(prover.isNonNegative(toFloat));
}

TEST_F(OffsetProofTest, OtherDivisionsAndConversionsAreNotInTheTable) {
  OffsetProver prover;
  Value lane = BlockIdxOp::create(builder_, loc());
  for (Value v : {Value(arith::DivSIOp::create(builder_, loc(), lane, constant(2))),
                  Value(arith::RemSIOp::create(builder_, loc(), lane, constant(2))),
                  Value(arith::ShLIOp::create(builder_, loc(), lane, constant(5)))}) {
    EXPECT_FALSE(prover.isNonNegative(v));
    EXPECT_FALSE(prover.isMultiple(v, 16));
  }
  Value narrow = arith::IndexCastOp::create(builder_, loc(), builder_.getI32Type(), lane);
  EXPECT_FALSE(prover.isNonNegative(narrow));
}

TEST_F(OffsetProofTest, UnsignedFormsAreThoseOfTheTable) {
  OffsetProver prover;
  Value open = CastOp::create(builder_, loc(), builder_.getIndexType(), build({Expr::CastParam}));
  Value largest = arith::MaxUIOp::create(builder_, loc(), open, constant(32));
  EXPECT_TRUE(prover.isNonNegative(largest));
  EXPECT_FALSE(prover.isMultiple(largest, 16));
  EXPECT_FALSE(prover.isNonNegative(arith::MinUIOp::create(builder_, loc(), open, constant(32))));
  EXPECT_TRUE(prover.isNonNegative(arith::DivUIOp::create(builder_, loc(), largest, constant(4))));
  EXPECT_TRUE(prover.isNonNegative(arith::RemUIOp::create(builder_, loc(), largest, constant(4))));
  EXPECT_FALSE(prover.isNonNegative(arith::DivUIOp::create(builder_, loc(), open, constant(4))));
  // A cast that someone wrote hides what it casts; one that the language makes does not.
  auto cast = CastOp::create(builder_, loc(), builder_.getIndexType(), largest);
  EXPECT_FALSE(prover.isNonNegative(cast));
  auto implied = CastOp::create(builder_, loc(), builder_.getIndexType(), largest);
  implied->setAttr(kImpliedCastAttr, builder_.getUnitAttr());
  EXPECT_TRUE(prover.isNonNegative(implied));
}

TEST_F(OffsetProofTest, DivisorsThatAreNoPowersOfTwoAreNeverProven) {
  OffsetProver prover;
  for (int64_t d : {0, -16, 3, 24, 48}) {
    EXPECT_FALSE(prover.isMultiple(constant(0), d));
  }
  EXPECT_TRUE(prover.isMultiple(constant(7), 1));
}

} // namespace
