// SPDX-License-Identifier: Apache-2.0
// The arguments of a call in the generic form, read as its row's parameters say: operands, lists, and what must be
// known without running. A wrong argument is told at the argument; the others are still read.
#include "compiler/frontend/op_call.h"
#include "compiler/support/suggest.h"

#include <cmath>

namespace placid::frontend {

using syntax::Expr;

namespace {

constexpr uint32_t kLists = ops::kList | ops::kConstList;
constexpr uint32_t kShapes = ops::kTensor | ops::kTile | ops::kDistributed;
constexpr uint32_t kNumbers = ops::kNumber | ops::kIntNumber | ops::kInteger | ops::kScalar | ops::kConstInt;

bool isListExpr(const Expr &expr) { return expr.kind == Expr::Kind::List || expr.kind == Expr::Kind::Tuple; }

/// The member that a constant names: by text, by number, or by its path. Empty when it names none.
std::string_view memberOf(const ops::Enumeration &enumeration, const ConstValue &value) {
  std::string_view text = value.text;
  bool path = value.kind == ConstValue::Kind::PlPath;
  if (path) {
    text = text.substr(text.rfind('.') + 1);
  }
  if (enumeration.prefix == "pl.PadValue." && value.isNumber()) {
    // A number stands for what it fills with, not for a place in the list.
    double fill = value.isFloat() ? value.real : static_cast<double>(value.integer);
    bool endless = std::isinf(fill);
    std::string_view member = value.isBool() ? "" : fill == 0 ? "zero" : !endless ? "" : fill > 0 ? "max" : "min";
    return member;
  }
  for (size_t i = 0; i < enumeration.members.size(); ++i) {
    bool named = (path || value.kind == ConstValue::Kind::Str) && enumeration.members[i] == text;
    bool numbered = value.isInt() && value.integer == enumeration.values[i];
    if (named || numbered) {
      return enumeration.members[i];
    }
  }
  return {};
}

/// True when the value is of a kind that the parameter takes.
bool takes(const ops::Parameter &parameter, const Val &value) {
  uint32_t kinds = parameter.kinds;
  if ((kinds & ops::kAny) != 0) {
    return true;
  }
  switch (value.kind) {
  case Val::Kind::Tensor:
    // A distributed tensor is read like any other; only the converse needs one.
    return (kinds & ops::kTensor) != 0 || ((kinds & ops::kDistributed) != 0 && value.tensorType().getDistributed());
  case Val::Kind::Tile:
    return (kinds & ops::kTile) != 0;
  case Val::Kind::Const: {
    const ConstValue &constant = value.constant;
    bool integer = constant.isInt() && (kinds & kNumbers) != 0;
    bool number = constant.isNumber() && (kinds & (ops::kNumber | ops::kScalar)) != 0;
    bool condition = constant.isBool() && (kinds & ops::kCondition) != 0;
    bool noTask = constant.kind == ConstValue::Kind::None && (kinds & (ops::kScalar | ops::kDeps)) != 0;
    return integer || number || condition || noTask;
  }
  case Val::Kind::Scalar: {
    bool truth = value.dtype == pl::DType::Bool;
    bool integer = isInteger(value.dtype) && !truth && (kinds & (ops::kInteger | ops::kIntNumber)) != 0;
    bool number = !truth && (kinds & (ops::kNumber | ops::kScalar)) != 0;
    return integer || number || (truth && (kinds & (ops::kCondition | ops::kScalar)) != 0);
  }
  case Val::Kind::Array:
    return (kinds & (ops::kArray | ops::kDeps)) != 0;
  case Val::Kind::Task:
    return (kinds & (ops::kHandle | ops::kScalar | ops::kDeps)) != 0;
  case Val::Kind::Tuple:
  case Val::Kind::Poison:
    return false;
  }
  return false;
}

} // namespace

bool KernelBuilder::OpCall::readArguments() {
  bool good = true;
  for (const Expr *argumentExpr : inOrder) {
    Argument argument;
    argument.expr = argumentExpr;
    for (const auto &[name, bound] : values) {
      if (bound == argumentExpr) {
        argument.parameter = form().find(name);
      }
    }
    if (!argument.parameter) {
      builder.checkNames(argumentExpr); // an argument of an open form
      continue;
    }
    const ops::Parameter &parameter = *argument.parameter;
    if (parameter.optional && argumentExpr->kind == Expr::Kind::None && (parameter.kinds & ops::kScalar) == 0) {
      continue; // as if it were left out
    }
    bool fine = readArgument(argument);
    good &= fine;
    arguments.push_back(std::move(argument));
  }
  return good;
}

bool KernelBuilder::OpCall::readArgument(Argument &argument) {
  const ops::Parameter &parameter = *argument.parameter;
  std::string name(parameter.name);
  if ((parameter.kinds & ops::kDeps) != 0) {
    argument.isOperand = true;
    if (!isListExpr(*argument.expr)) {
      builder.checkNames(argument.expr); // a comprehension
      return true;
    }
    bool good = true;
    for (const Expr *item : argument.expr->children) {
      argument.items.push_back(builder.expression(*item));
      good &= builder.checkDependency(*argument.expr, *item, argument.items.back());
    }
    return good;
  }
  if ((parameter.kinds & kLists) != 0 && (isListExpr(*argument.expr) || (parameter.kinds & ~kLists) == 0)) {
    argument.isList = true;
    auto list = builder.entries(*argument.expr, name.c_str());
    if (!list) {
      return false;
    }
    argument.list = std::move(*list);
    return (parameter.kinds & ops::kList) != 0 ||
           builder.constants(argument.list, *argument.expr, ("an entry of `" + name + "`").c_str());
  }
  if ((parameter.kinds & ops::kOperandKinds) == 0 && (parameter.kinds & ops::kAny) == 0) {
    return readConstant(argument);
  }
  return readOperand(argument);
}

bool KernelBuilder::OpCall::readConstant(Argument &argument) {
  const ops::Parameter &parameter = *argument.parameter;
  std::string name(parameter.name);
  ConstValue value = builder.staticValue(*argument.expr);
  if (value.isUnknown()) {
    // It reports a name that does not exist, or why its value cannot be followed.
    Val known = builder.expression(*argument.expr);
    if (!known.isPoison() && !known.isConst()) {
      builder.reporter_.report(diag::LiteralRequired, argument.expr->range, "`" + name + "` of " + what(),
                               "known without running: " + ops::expects(parameter));
    }
    return false;
  }
  uint32_t kinds = parameter.kinds;
  if ((kinds & ops::kConstInt) != 0 && value.kind == ConstValue::Kind::PlPath && value.text == "pl.AUTO") {
    value = ConstValue::ofInt(-1);
  }
  bool fits = ((kinds & ops::kBool) != 0 && (value.isBool() || value.isInt())) ||
              ((kinds & ops::kConstInt) != 0 && value.isInt()) ||
              ((kinds & ops::kString) != 0 && value.kind == ConstValue::Kind::Str) ||
              ((kinds & ops::kDType) != 0 && value.kind == ConstValue::Kind::DType) ||
              ((kinds & ops::kSpace) != 0 && value.kind == ConstValue::Kind::Mem) ||
              ((kinds & ops::kLayout) != 0 && value.kind == ConstValue::Kind::Layout);
  if (!fits && parameter.enumeration) {
    std::string_view member = memberOf(*parameter.enumeration, value);
    if (!member.empty()) {
      argument.constant = ConstValue::ofText(ConstValue::Kind::Str, std::string(member));
      return true;
    }
    std::vector<std::string> members;
    for (std::string_view candidate : parameter.enumeration->members) {
      members.push_back(std::string(parameter.enumeration->prefix) + std::string(candidate));
    }
    std::string given = value.kind == ConstValue::Kind::Str ? "'" + value.text + "'" : frontend::show(value);
    std::string near = support::didYouMean(value.text, members);
    builder.reporter_.report(diag::BadChoice, argument.expr->range, name, path, given,
                             near.empty() ? ": it is " + ops::expects(parameter) : near);
    return false;
  }
  if (!fits) {
    builder.reporter_.report(diag::WrongOperand, argument.expr->range, name, path, ops::expects(parameter),
                             frontend::show(value));
    return false;
  }
  argument.constant = std::move(value);
  return true;
}

bool KernelBuilder::OpCall::readOperand(Argument &argument) {
  const ops::Parameter &parameter = *argument.parameter;
  argument.isOperand = true;
  argument.value = argument.expr == firstExpr ? first : builder.expression(*argument.expr);
  if (argument.value.isPoison()) {
    return false;
  }
  if (takes(parameter, argument.value)) {
    return true;
  }
  std::string help;
  if (row.tensor && row.tile && row.hasNamespaces()) {
    bool tile = argument.value.isTile() && (parameter.kinds & kShapes) != 0;
    bool tensor = argument.value.isTensor() && (parameter.kinds & kShapes) != 0;
    if (tile || tensor) {
      help = std::string(": the operands are ") + (kind == ops::FormKind::Tile ? "tiles" : "tensors") + ", not both";
    }
  }
  builder.reporter_.report(diag::WrongOperand, argument.expr->range, std::string(parameter.name), path,
                           ops::expects(parameter), builder.describe(argument.value) + help);
  return false;
}

} // namespace placid::frontend
