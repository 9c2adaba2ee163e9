// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/linear_form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

#include <chrono>

namespace placid::frontend {
namespace {

/// Arithmetic on two index arguments of a block.
class LinearFormTest : public testing::Test {
protected:
  LinearFormTest() : builder_(&context_) {
    context_.loadDialect<mlir::arith::ArithDialect>();
    module_ = mlir::ModuleOp::create(builder_.getUnknownLoc());
    x_ = block_.addArgument(builder_.getIndexType(), builder_.getUnknownLoc());
    y_ = block_.addArgument(builder_.getIndexType(), builder_.getUnknownLoc());
    builder_.setInsertionPointToEnd(&block_);
  }

  mlir::Value number(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder_, builder_.getUnknownLoc(), value);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddIOp::create(builder_, builder_.getUnknownLoc(), a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubIOp::create(builder_, builder_.getUnknownLoc(), a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulIOp::create(builder_, builder_.getUnknownLoc(), a, b);
  }
  std::optional<int64_t> difference(mlir::Value a, mlir::Value b) {
    return LinearForm::of(a).minus(LinearForm::of(b)).asConstant();
  }

  mlir::MLIRContext context_;
  mlir::OpBuilder builder_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::Block block_;
  mlir::Value x_;
  mlir::Value y_;
};

TEST_F(LinearFormTest, DifferencesThatAreConstant) {
  mlir::Value base = mul(x_, number(64));
  EXPECT_EQ(difference(add(base, number(64)), base), 64);
  EXPECT_EQ(difference(mul(add(x_, number(1)), number(64)), base), 64);
  EXPECT_EQ(difference(add(x_, y_), add(y_, x_)), 0);
  EXPECT_EQ(difference(mul(x_, y_), mul(y_, x_)), 0);
  EXPECT_EQ(difference(sub(add(x_, y_), y_), x_), 0);
  EXPECT_EQ(LinearForm::of(sub(number(7), number(3))).asConstant(), 4);
}

TEST_F(LinearFormTest, DifferencesThatAreNot) {
  EXPECT_EQ(difference(x_, y_), std::nullopt);
  EXPECT_EQ(difference(mul(x_, number(2)), x_), std::nullopt);
  EXPECT_EQ(difference(mul(x_, x_), x_), std::nullopt);
}

TEST_F(LinearFormTest, OverflowIsNoAnswer) {
  mlir::Value large = number(INT64_MAX);
  EXPECT_EQ(LinearForm::of(add(large, number(1))).asConstant(), std::nullopt);
  EXPECT_EQ(LinearForm::of(mul(large, number(2))).asConstant(), std::nullopt);
  EXPECT_EQ(LinearForm::constant(0).minus(LinearForm::constant(INT64_MIN)).asConstant(), std::nullopt);
}

/// Without a memo the first visits 2^60 values; without a bound on products the second makes one of 2^60 factors.
TEST_F(LinearFormTest, SharedOperandsAreVisitedOnce) {
  auto begin = std::chrono::steady_clock::now();
  mlir::Value sum = x_;
  mlir::Value product = x_;
  mlir::Value both = add(x_, y_);
  for (int i = 0; i < 60; ++i) {
    sum = add(sum, sum);
    product = mul(product, product);
    both = mul(both, add(both, number(i)));
  }
  EXPECT_EQ(difference(add(sum, number(16)), sum), 16);
  EXPECT_EQ(difference(add(product, number(16)), product), 16);
  EXPECT_EQ(difference(add(both, number(16)), both), 16);
  mlir::Value chain = x_;
  for (int i = 0; i < 5000; ++i) {
    chain = add(chain, mul(y_, number(i)));
  }
  EXPECT_NE(difference(add(chain, number(16)), chain), 0) << "too long to follow, which is no answer";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

} // namespace
} // namespace placid::frontend
