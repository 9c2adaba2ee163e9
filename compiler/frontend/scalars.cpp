// SPDX-License-Identifier: Apache-2.0
// Scalar arithmetic. Constants fold with Python's semantics; everything else becomes the operation the source writes,
// never re-associated, because the NZ offset proofs and the wrap-around of narrow integers depend on that very form.
#include "compiler/frontend/frame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace placid::frontend {

using syntax::Expr;
namespace arith = mlir::arith;

namespace {

bool isUnsigned(pl::DType dtype) { return !pl::isSignedInt(dtype) && !pl::isFloat(dtype); }

bool fits(int64_t value, pl::DType dtype) {
  unsigned bits = pl::bitWidth(dtype);
  if (bits >= 64) {
    return !isUnsigned(dtype) || value >= 0;
  }
  int64_t span = int64_t{1} << (isUnsigned(dtype) ? bits : bits - 1);
  return value < span && value >= (isUnsigned(dtype) ? 0 : -span);
}

} // namespace

mlir::Value KernelBuilder::materialize(const Val &value, pl::DType constantDtype, source::ByteRange range) {
  if (value.isScalar()) {
    return value.ir;
  }
  if (!value.isConst() || !value.constant.isNumber()) {
    return {};
  }
  const ConstValue &constant = value.constant;
  pl::DType dtype = constant.isFloat() && !pl::isFloat(constantDtype) ? pl::DType::F32 : constantDtype;
  dtype = constant.isBool() && dtype == pl::DType::Index ? pl::DType::Bool : dtype;
  mlir::Type type = pl::scalarType(context_, dtype);
  if (!type) {
    return {};
  }
  mlir::Location at = loc(range);
  if (mlir::isa<mlir::FloatType>(type)) {
    return arith::ConstantOp::create(builder_, at, builder_.getFloatAttr(type, constant.asDouble()));
  }
  if (!fits(constant.integer, dtype)) {
    typeMismatch(range, "the constant " + std::to_string(constant.integer),
                 "does not fit pl." + pl::plName(dtype).str());
    return {};
  }
  return arith::ConstantOp::create(builder_, at, builder_.getIntegerAttr(type, constant.integer));
}

Val KernelBuilder::castScalar(Val value, pl::DType dtype, source::ByteRange range) {
  mlir::Type type = pl::scalarType(context_, dtype);
  if (!type || !value.isScalar()) {
    return Val::poison();
  }
  if (value.ir.getType() == type) {
    value.dtype = dtype; // INT32 and UINT32 are one type in the IR
    return value;
  }
  auto op = pl::CastOp::create(builder_, loc(range), type, value.ir);
  if (isUnsigned(value.dtype)) {
    op->setAttr("unsigned_input", builder_.getUnitAttr());
  }
  return Val::ofScalar(op, dtype);
}

namespace {

/// The dtype of arithmetic on two scalars: the wider; equal width keeps the left one (pl-language.md 3.3).
pl::DType commonDtype(pl::DType left, pl::DType right) {
  return pl::bitWidth(right) > pl::bitWidth(left) ? right : left;
}

} // namespace

std::string_view operationOf(std::string_view op) {
  static const std::map<std::string_view, std::string_view> kNames{
      {"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}, {"@", "matmul"}};
  auto found = kNames.find(op);
  return found != kNames.end() ? found->second : "";
}

Val KernelBuilder::arithmetic(std::string_view op, Val left, Val right, source::ByteRange range) {
  if (left.isPoison() || right.isPoison() || left.kind == Val::Kind::Task || right.kind == Val::Kind::Task) {
    return Val::poison();
  }
  if (left.isTensor() || left.isTile() || right.isTensor() || right.isTile()) {
    typeMismatch(range, "operator `" + std::string(op) + "`",
                 "takes scalars, got " + describe(left) + " and " + describe(right));
    if (std::string_view named = operationOf(op); !named.empty()) {
      diagnostics_.back().fixes.push_back({"write `pl." + std::string(named) + "(…, …)`", {}});
    }
    return Val::poison();
  }
  if (left.kind == Val::Kind::Tuple || right.kind == Val::Kind::Tuple) {
    return typeMismatch(range, "operator `" + std::string(op) + "`",
                        "takes scalars, got " + describe(left) + " and " + describe(right));
  }
  if (left.isConst() && right.isConst()) {
    ConstValue folded = foldBinary(op, left.constant, right.constant);
    if (folded.isUnknown()) {
      return typeMismatch(range, "operator `" + std::string(op) + "`",
                          folded.text + " (" + describe(left) + " and " + describe(right) + ")");
    }
    return Val::ofConst(std::move(folded));
  }
  const bool zero = right.isConst() && right.constant.isNumber() && right.constant.asDouble() == 0;
  if (zero && (op == "//" || op == "%")) {
    return typeMismatch(range, "operator `" + std::string(op) + "`", "divides by zero");
  }
  const Val &known = left.isScalar() ? left : right;
  for (const Val *side : {&left, &right}) {
    bool number = side->isScalar() || (side->isConst() && side->constant.isNumber());
    if (!number) {
      return typeMismatch(range, "operator `" + std::string(op) + "`",
                          "takes scalars, got " + describe(left) + " and " + describe(right));
    }
  }
  bool floating = pl::isFloat(known.dtype);
  for (const Val *side : {&left, &right}) {
    bool sideFloat = side->isScalar() ? pl::isFloat(side->dtype) : side->constant.isFloat();
    // An integer literal next to a float scalar takes its dtype; two scalars of different categories do not mix.
    if (sideFloat != floating && (side->isScalar() || sideFloat)) {
      return typeMismatch(range, "operator `" + std::string(op) + "`",
                          "takes two integers or two floats, got " + describe(left) + " and " + describe(right));
    }
    if ((side->isScalar() && side->dtype == pl::DType::Bool) || (side->isConst() && side->constant.isBool())) {
      return typeMismatch(range, "operator `" + std::string(op) + "`", "a BOOL is not a number");
    }
  }
  pl::DType dtype = left.isScalar() && right.isScalar() ? commonDtype(left.dtype, right.dtype) : known.dtype;
  // A literal takes the other operand's dtype; a narrower scalar is widened.
  auto operand = [&](const Val &side) {
    return side.isScalar() ? castScalar(side, dtype, range).ir : materialize(side, dtype, range);
  };
  mlir::Value a = operand(left);
  mlir::Value b = operand(right);
  if (!a || !b) {
    return Val::poison();
  }
  mlir::Location at = loc(range);
  mlir::Value out;
  if (floating) {
    out = op == "+"   ? mlir::Value(arith::AddFOp::create(builder_, at, a, b))
          : op == "-" ? mlir::Value(arith::SubFOp::create(builder_, at, a, b))
          : op == "*" ? mlir::Value(arith::MulFOp::create(builder_, at, a, b))
          : op == "/" ? mlir::Value(arith::DivFOp::create(builder_, at, a, b))
                      : mlir::Value();
  } else if (op == "+") {
    out = arith::AddIOp::create(builder_, at, a, b);
  } else if (op == "-") {
    out = arith::SubIOp::create(builder_, at, a, b);
  } else if (op == "*") {
    out = arith::MulIOp::create(builder_, at, a, b);
  } else if (op == "//") {
    out = isUnsigned(dtype) ? mlir::Value(arith::DivUIOp::create(builder_, at, a, b))
                            : mlir::Value(arith::FloorDivSIOp::create(builder_, at, a, b));
  } else if (op == "%") {
    out = isUnsigned(dtype) ? mlir::Value(arith::RemUIOp::create(builder_, at, a, b))
                            : mlir::Value(pl::FloorModOp::create(builder_, at, a, b));
  } else if (op == "<<") {
    out = arith::ShLIOp::create(builder_, at, a, b);
  } else if (op == ">>") {
    out = isUnsigned(dtype) ? mlir::Value(arith::ShRUIOp::create(builder_, at, a, b))
                            : mlir::Value(arith::ShRSIOp::create(builder_, at, a, b));
  }
  if (!out) {
    std::string help = op == "/" ? ": write `//` for whole numbers, or cast both to a float" : "";
    return typeMismatch(range, "operator `" + std::string(op) + "`",
                        "has no meaning for " + describe(left) + " and " + describe(right) + help);
  }
  return Val::ofScalar(out, dtype);
}

Val KernelBuilder::binary(const Expr &expr) {
  Val left = expression(*expr.children[0]);
  Val right = expression(*expr.children[1]);
  bool constants = left.isConst() && right.isConst();
  if (!constants &&
      (expr.text == "**" || expr.text == "&" || expr.text == "|" || expr.text == "^" || expr.text == "@")) {
    if (expr.text == "@" || left.isTensor() || left.isTile() || right.isTensor() || right.isTile()) {
      return arithmetic(expr.text, std::move(left), std::move(right), expr.range);
    }
    if (!left.isPoison() && !right.isPoison()) {
      reporter_.report(diag::NotAllowedInKernel, expr.range, "the operator `" + std::string(expr.text) + "`");
    }
    return Val::poison();
  }
  return arithmetic(expr.text, std::move(left), std::move(right), expr.range);
}

Val KernelBuilder::unary(const Expr &expr) {
  Val value = expression(*expr.children[0]);
  if (value.isPoison()) {
    return value;
  }
  if (expr.text == "not") {
    if (value.isConst()) {
      return Val::ofConst(foldUnary("not", value.constant));
    }
    mlir::Value condition = toBool(value, *expr.children[0]);
    if (!condition) {
      return Val::poison();
    }
    mlir::Value one = arith::ConstantOp::create(builder_, loc(expr.range), builder_.getBoolAttr(true));
    return Val::ofScalar(arith::XOrIOp::create(builder_, loc(expr.range), condition, one), pl::DType::Bool);
  }
  if (value.isConst()) {
    ConstValue folded = foldUnary(expr.text, value.constant);
    return folded.isUnknown() ? typeMismatch(expr.range, "operator `" + std::string(expr.text) + "`", folded.text)
                              : Val::ofConst(std::move(folded));
  }
  if (expr.text == "+") {
    return value;
  }
  if (expr.text == "-") {
    return arithmetic("-", Val::ofConst(ConstValue::ofInt(0)), std::move(value), expr.range);
  }
  bool integer = value.isScalar() && !pl::isFloat(value.dtype) && value.dtype != pl::DType::Bool;
  if (expr.text == "~" && integer) {
    mlir::Value ones =
        arith::ConstantOp::create(builder_, loc(expr.range), builder_.getIntegerAttr(value.ir.getType(), -1));
    return Val::ofScalar(arith::XOrIOp::create(builder_, loc(expr.range), value.ir, ones), value.dtype);
  }
  return typeMismatch(expr.range, "operator `" + std::string(expr.text) + "`",
                      "takes an integer, got " + describe(value));
}

Val KernelBuilder::compare(const Expr &expr) {
  if (expr.children.size() != 2 || expr.operators.size() != 1) {
    reporter_.report(diag::NotAllowedInKernel, expr.range, "a chained comparison");
    return Val::poison();
  }
  std::string_view op = expr.operators[0];
  Val left = expression(*expr.children[0]);
  Val right = expression(*expr.children[1]);
  if (left.isPoison() || right.isPoison()) {
    return Val::poison();
  }
  if (left.isConst() && right.isConst()) {
    ConstValue folded = foldCompare(op, left.constant, right.constant);
    if (!folded.isUnknown()) {
      return Val::ofConst(std::move(folded));
    }
    if (op == "==" || op == "!=" || op == "is" || op == "is not") {
      reporter_.unknown(expr, folded.text); // any two values have an answer in Python
      return Val::poison();
    }
    return typeMismatch(expr.range, "the comparison", folded.text);
  }
  static const std::map<std::string_view, std::pair<arith::CmpIPredicate, arith::CmpFPredicate>> kOps{
      {"==", {arith::CmpIPredicate::eq, arith::CmpFPredicate::OEQ}},
      {"!=", {arith::CmpIPredicate::ne, arith::CmpFPredicate::UNE}},
      {"<", {arith::CmpIPredicate::slt, arith::CmpFPredicate::OLT}},
      {"<=", {arith::CmpIPredicate::sle, arith::CmpFPredicate::OLE}},
      {">", {arith::CmpIPredicate::sgt, arith::CmpFPredicate::OGT}},
      {">=", {arith::CmpIPredicate::sge, arith::CmpFPredicate::OGE}}};
  auto found = kOps.find(op);
  if (found == kOps.end()) {
    reporter_.report(diag::NotAllowedInKernel, expr.range, "the operator `" + std::string(op) + "`");
    return Val::poison();
  }
  const Val &known = left.isScalar() ? left : right;
  bool scalars = known.isScalar() && (left.isScalar() || (left.isConst() && left.constant.isNumber())) &&
                 (right.isScalar() || (right.isConst() && right.constant.isNumber()));
  if (!scalars) {
    return typeMismatch(expr.range, "the comparison",
                        "takes scalars, got " + describe(left) + " and " + describe(right));
  }
  pl::DType dtype = left.isScalar() && right.isScalar() ? commonDtype(left.dtype, right.dtype) : known.dtype;
  mlir::Value a = left.isScalar() ? castScalar(left, dtype, expr.range).ir : materialize(left, dtype, expr.range);
  mlir::Value b = right.isScalar() ? castScalar(right, dtype, expr.range).ir : materialize(right, dtype, expr.range);
  if (!a || !b || a.getType() != b.getType()) {
    return typeMismatch(expr.range, "the comparison", "cannot compare " + describe(left) + " and " + describe(right));
  }
  arith::CmpIPredicate predicate = found->second.first;
  if (isUnsigned(dtype)) {
    // The ordered predicates come in two kinds; equality does not.
    predicate = predicate == arith::CmpIPredicate::slt   ? arith::CmpIPredicate::ult
                : predicate == arith::CmpIPredicate::sle ? arith::CmpIPredicate::ule
                : predicate == arith::CmpIPredicate::sgt ? arith::CmpIPredicate::ugt
                : predicate == arith::CmpIPredicate::sge ? arith::CmpIPredicate::uge
                                                         : predicate;
  }
  mlir::Location at = loc(expr.range);
  mlir::Value out = pl::isFloat(dtype) ? mlir::Value(arith::CmpFOp::create(builder_, at, found->second.second, a, b))
                                       : mlir::Value(arith::CmpIOp::create(builder_, at, predicate, a, b));
  return Val::ofScalar(out, pl::DType::Bool);
}

mlir::Value KernelBuilder::toBool(const Val &value, const Expr &at) {
  if (value.isPoison()) {
    return {};
  }
  if (value.isScalar() && value.dtype == pl::DType::Bool) {
    return value.ir;
  }
  if (value.isConst() && value.constant.isBool()) {
    return materialize(value, pl::DType::Bool, at.range);
  }
  typeMismatch(at.range, "the condition", "must be a BOOL scalar such as a comparison, got " + describe(value));
  return {};
}

Val KernelBuilder::boolean(const Expr &expr) {
  Val left = expression(*expr.children[0]);
  Val right = expression(*expr.children[1]);
  if (left.isPoison() || right.isPoison()) {
    return Val::poison();
  }
  if (left.isConst() && right.isConst()) {
    return left.constant.truthy() == (expr.text == "or") ? left : right;
  }
  mlir::Value a = toBool(left, *expr.children[0]);
  mlir::Value b = toBool(right, *expr.children[1]);
  if (!a || !b) {
    return Val::poison();
  }
  mlir::Location at = loc(expr.range);
  return Val::ofScalar(expr.text == "and" ? mlir::Value(arith::AndIOp::create(builder_, at, a, b))
                                          : mlir::Value(arith::OrIOp::create(builder_, at, a, b)),
                       pl::DType::Bool);
}

Val KernelBuilder::minMax(bool min, const Expr &call, const BoundArguments &args) {
  Val left = expression(*args.get("lhs"));
  Val right = expression(*args.get("rhs"));
  if (left.isPoison() || right.isPoison()) {
    return Val::poison();
  }
  if (left.isConst() && right.isConst()) {
    ConstValue less = foldCompare("<", left.constant, right.constant);
    if (less.isUnknown()) {
      return typeMismatch(call.range, min ? "`pl.min`" : "`pl.max`", less.text);
    }
    return less.truthy() == min ? left : right;
  }
  const Val &known = left.isScalar() ? left : right;
  auto isNumber = [](const Val &side) {
    return side.isScalar() ? side.dtype != pl::DType::Bool
                           : side.isInt() || (side.isConst() && side.constant.isFloat());
  };
  if (!known.isScalar() || !isNumber(left) || !isNumber(right)) {
    return typeMismatch(call.range, min ? "`pl.min`" : "`pl.max`",
                        "takes two scalars, got " + describe(left) + " and " + describe(right));
  }
  bool floating = pl::isFloat(known.dtype);
  auto mixes = [&](const Val &side) {
    // An integer literal next to a float scalar takes its dtype.
    return side.isScalar() ? pl::isFloat(side.dtype) != floating : side.constant.isFloat() && !floating;
  };
  if (mixes(left) || mixes(right)) {
    return typeMismatch(call.range, min ? "`pl.min`" : "`pl.max`",
                        "takes two integers or two floats, got " + describe(left) + " and " + describe(right));
  }
  pl::DType dtype = left.isScalar() && right.isScalar() ? commonDtype(left.dtype, right.dtype) : known.dtype;
  mlir::Value a = left.isScalar() ? castScalar(left, dtype, call.range).ir : materialize(left, dtype, call.range);
  mlir::Value b = right.isScalar() ? castScalar(right, dtype, call.range).ir : materialize(right, dtype, call.range);
  if (!a || !b) {
    return Val::poison();
  }
  mlir::Location at = loc(call.range);
  mlir::Value out;
  if (floating) {
    out = min ? mlir::Value(arith::MinimumFOp::create(builder_, at, a, b))
              : mlir::Value(arith::MaximumFOp::create(builder_, at, a, b));
  } else if (isUnsigned(dtype)) {
    out = min ? mlir::Value(arith::MinUIOp::create(builder_, at, a, b))
              : mlir::Value(arith::MaxUIOp::create(builder_, at, a, b));
  } else {
    out = min ? mlir::Value(arith::MinSIOp::create(builder_, at, a, b))
              : mlir::Value(arith::MaxSIOp::create(builder_, at, a, b));
  }
  return Val::ofScalar(out, dtype);
}

} // namespace placid::frontend
