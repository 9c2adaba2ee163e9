// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::conversion {

Value convertScalar(OpBuilder &builder, Location loc, Value value, Type type, Signedness input) {
  Type from = value.getType();
  if (from == type) {
    return value;
  }
  const bool zeroExtends = from.isInteger(1) || input == Signedness::Unsigned;
  if (from.isIntOrIndex() && type.isIntOrIndex()) {
    if (from.isIndex() || type.isIndex()) {
      return zeroExtends ? arith::IndexCastUIOp::create(builder, loc, type, value).getResult()
                         : arith::IndexCastOp::create(builder, loc, type, value).getResult();
    }
    if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()) {
      return arith::TruncIOp::create(builder, loc, type, value);
    }
    return zeroExtends ? arith::ExtUIOp::create(builder, loc, type, value).getResult()
                       : arith::ExtSIOp::create(builder, loc, type, value).getResult();
  }
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    if (from.getIntOrFloatBitWidth() == type.getIntOrFloatBitWidth()) {
      return {};
    }
    return from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth()
               ? arith::TruncFOp::create(builder, loc, type, value).getResult()
               : arith::ExtFOp::create(builder, loc, type, value).getResult();
  }
  if (from.isIntOrIndex() && isa<FloatType>(type)) {
    Value integer = from.isIndex() ? convertScalar(builder, loc, value, builder.getI64Type(), input) : value;
    return zeroExtends ? arith::UIToFPOp::create(builder, loc, type, integer).getResult()
                       : arith::SIToFPOp::create(builder, loc, type, integer).getResult();
  }
  if (isa<FloatType>(from) && type.isIntOrIndex()) {
    Type integer = type.isIndex() ? builder.getI64Type() : type;
    return convertScalar(builder, loc, arith::FPToSIOp::create(builder, loc, integer, value), type);
  }
  return {};
}

Value floorMod(KernelBuilder &kernel, Location loc, Value lhs, Value rhs, Signedness operands) {
  OpBuilder &builder = kernel.body();
  if (operands == Signedness::Unsigned) {
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  }
  Value zero = kernel.constant(builder.getIntegerAttr(lhs.getType(), 0));
  Value remainder = arith::RemSIOp::create(builder, loc, lhs, rhs);
  Value wrong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, remainder, zero);
  std::optional<int64_t> divisor = getConstantIntValue(rhs);
  if (!divisor || *divisor <= 0) {
    // The remainder has the dividend's sign; it is wrong when that is not the divisor's, unless it is zero.
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, rhs, zero);
    Value signs = arith::XOrIOp::create(builder, loc, wrong, below);
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, remainder, zero);
    wrong = arith::AndIOp::create(builder, loc, signs, some);
  }
  Value corrected = arith::AddIOp::create(builder, loc, remainder, rhs);
  return arith::SelectOp::create(builder, loc, wrong, corrected, remainder);
}

} // namespace placid::conversion
