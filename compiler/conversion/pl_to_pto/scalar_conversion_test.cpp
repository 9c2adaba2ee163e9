// SPDX-License-Identifier: Apache-2.0
// Evaluates what floorMod and floor division become, for dividends and divisors of both signs.
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <map>

using namespace mlir;

namespace placid::conversion {
namespace {

/// The meaning of the operations that floorMod writes, on 64-bit values.
class Evaluator {
public:
  void bind(Value value, int64_t number) { values_.insert_or_assign(value.getAsOpaquePointer(), number); }

  int64_t operator()(Value value) {
    auto known = values_.find(value.getAsOpaquePointer());
    if (known != values_.end()) {
      return known->second;
    }
    Operation *op = value.getDefiningOp();
    auto operand = [&](unsigned i) { return (*this)(op->getOperand(i)); };
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      return cast<IntegerAttr>(constant.getValue()).getInt();
    }
    if (isa<arith::RemSIOp>(op)) {
      return operand(0) % operand(1); // truncates, as the operation does
    }
    if (isa<arith::AddIOp>(op)) {
      return operand(0) + operand(1);
    }
    if (isa<arith::XOrIOp>(op)) {
      return operand(0) ^ operand(1);
    }
    if (isa<arith::AndIOp>(op)) {
      return operand(0) & operand(1);
    }
    if (isa<arith::SelectOp>(op)) {
      return operand(0) ? operand(1) : operand(2);
    }
    auto compare = dyn_cast<arith::CmpIOp>(op);
    EXPECT_TRUE(compare) << op->getName().getStringRef().str();
    return compare &&
           (compare.getPredicate() == arith::CmpIPredicate::slt ? operand(0) < operand(1) : operand(0) != operand(1));
  }

private:
  std::map<const void *, int64_t> values_;
};

int64_t floorModulo(int64_t a, int64_t b) {
  int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

class FloorMod : public ::testing::Test {
protected:
  FloorMod() {
    context_.loadDialect<pl::PlDialect, pto::PtoDialect, arith::ArithDialect, func::FuncDialect>();
    OpBuilder builder(&context_);
    Type index = builder.getIndexType();
    source_ = func::FuncOp::create(builder.getUnknownLoc(), "f", builder.getFunctionType({index, index}, {}));
    source_->addEntryBlock();
    kernel_ = std::make_unique<KernelBuilder>(*source_, "f", Identities{});
  }

  MLIRContext context_;
  OwningOpRef<func::FuncOp> source_;
  std::unique_ptr<KernelBuilder> kernel_;
};

TEST_F(FloorMod, DivisorKnownAtRunTime) {
  Value result = floorMod(*kernel_, UnknownLoc::get(&context_), kernel_->argument(0), kernel_->argument(1));
  for (int64_t a = -33; a <= 33; ++a) {
    for (int64_t b : {-17, -8, -3, -1, 1, 2, 3, 16}) {
      Evaluator evaluate;
      evaluate.bind(kernel_->argument(0), a);
      evaluate.bind(kernel_->argument(1), b);
      EXPECT_EQ(evaluate(result), floorModulo(a, b)) << a << " % " << b;
    }
  }
}

TEST_F(FloorMod, ConstantDivisor) {
  for (int64_t b : {-5, -1, 1, 2, 7, 16}) {
    Value divisor = kernel_->constantIndex(b);
    Value result = floorMod(*kernel_, UnknownLoc::get(&context_), kernel_->argument(0), divisor);
    for (int64_t a = -40; a <= 40; ++a) {
      Evaluator evaluate;
      evaluate.bind(kernel_->argument(0), a);
      EXPECT_EQ(evaluate(result), floorModulo(a, b)) << a << " % " << b;
    }
  }
}

TEST_F(FloorMod, APositiveConstantNeedsOneComparison) {
  floorMod(*kernel_, UnknownLoc::get(&context_), kernel_->argument(0), kernel_->constantIndex(16));
  unsigned comparisons = 0;
  kernel_->function().walk([&](arith::CmpIOp) { ++comparisons; });
  EXPECT_EQ(comparisons, 1u);
}

TEST_F(FloorMod, UnsignedNeedsNoCorrection) {
  Value result =
      floorMod(*kernel_, UnknownLoc::get(&context_), kernel_->argument(0), kernel_->argument(1), Signedness::Unsigned);
  EXPECT_TRUE(result.getDefiningOp<arith::RemUIOp>());
}

TEST_F(FloorMod, UnsignedInputWidensWithZeros) {
  OpBuilder &builder = kernel_->body();
  Location loc = UnknownLoc::get(&context_);
  Value i8 = convertScalar(builder, loc, kernel_->argument(0), builder.getI8Type());
  auto convert = [&](Value value, Type type) { return convertScalar(builder, loc, value, type, Signedness::Unsigned); };
  EXPECT_TRUE(convert(i8, builder.getI32Type()).getDefiningOp<arith::ExtUIOp>());
  EXPECT_TRUE(convert(i8, builder.getIndexType()).getDefiningOp<arith::IndexCastUIOp>());
  EXPECT_TRUE(convert(i8, builder.getF32Type()).getDefiningOp<arith::UIToFPOp>());
  Value i32 = convertScalar(builder, loc, kernel_->argument(0), builder.getI32Type());
  EXPECT_TRUE(convert(i32, builder.getI8Type()).getDefiningOp<arith::TruncIOp>());
  EXPECT_EQ(convert(i8, i8.getType()), i8);
}

TEST_F(FloorMod, CastsBetweenBuiltinTypes) {
  OpBuilder &builder = kernel_->body();
  Location loc = UnknownLoc::get(&context_);
  Value index = kernel_->argument(0);
  EXPECT_EQ(convertScalar(builder, loc, index, index.getType()), index);
  Value i32 = convertScalar(builder, loc, index, builder.getI32Type());
  EXPECT_TRUE(i32.getDefiningOp<arith::IndexCastOp>());
  EXPECT_TRUE(convertScalar(builder, loc, i32, builder.getI64Type()).getDefiningOp<arith::ExtSIOp>());
  EXPECT_TRUE(convertScalar(builder, loc, i32, builder.getI8Type()).getDefiningOp<arith::TruncIOp>());
  Value f32 = convertScalar(builder, loc, index, builder.getF32Type());
  EXPECT_TRUE(f32.getDefiningOp<arith::SIToFPOp>());
  EXPECT_TRUE(convertScalar(builder, loc, f32, builder.getF16Type()).getDefiningOp<arith::TruncFOp>());
  EXPECT_TRUE(convertScalar(builder, loc, f32, index.getType()).getDefiningOp<arith::IndexCastOp>());
  Value i1 = convertScalar(builder, loc, i32, builder.getI1Type());
  EXPECT_TRUE(convertScalar(builder, loc, i1, builder.getI32Type()).getDefiningOp<arith::ExtUIOp>());
  Value f16 = convertScalar(builder, loc, f32, builder.getF16Type());
  EXPECT_FALSE(convertScalar(builder, loc, f16, builder.getBF16Type()));
}

} // namespace
} // namespace placid::conversion
