// SPDX-License-Identifier: Apache-2.0
// Calls under `pl.` that are part of the language and no operation: typed constants, yields, what is asserted or
// printed while compiling, attributes of the function. Must not know the op table.
#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;

Val KernelBuilder::compileTimeCall(const Expr &expr, const std::string &path, bool &handled) {
  handled = true;
  if (path == "pl.static_assert") {
    staticAssert(expr);
    return Val::poison();
  }
  if (path == "pl.static_print") {
    staticPrint(expr);
    return Val::poison();
  }
  if (path == "pl.func_attr") {
    functionAttributes(expr);
    return Val::poison();
  }
  if (path == "pl.dump_tag") {
    for (size_t i = 1; i < expr.children.size(); ++i) {
      Val value = expression(*expr.children[i]);
      if (!value.isPoison() && !value.isTensor() && !value.isTile() && value.kind != Val::Kind::Const) {
        typeMismatch(expr.children[i]->range, "`pl.dump_tag`", "marks tensors, got " + describe(value));
      }
    }
    return Val::poison();
  }
  if (path == "pl.cond") {
    reporter_.report(diag::LoopControl, expr.range,
                     "`pl.cond` anywhere but as the first statement of a loop over `pl.while_`");
    return Val::poison();
  }
  if (path == "pl.const") {
    return typedConstant(expr);
  }
  if (path == "pl.submit" || path == "pl.spmd_submit") {
    return submit(expr, path);
  }
  if (path == "pl.yield_") {
    return yieldCall(expr);
  }
  handled = false;
  return Val::poison();
}

Val KernelBuilder::typedConstant(const Expr &expr) {
  const Expr *number = expr.children.size() > 1 ? expr.children[1] : nullptr;
  const Expr *dtypeExpr = expr.children.size() > 2 ? expr.children[2] : nullptr;
  for (const syntax::Keyword &keyword : expr.keywords) {
    number = keyword.name == "value" ? keyword.value : number;
    dtypeExpr = keyword.name == "dtype" ? keyword.value : dtypeExpr;
  }
  if (!number || !dtypeExpr) {
    reporter_.report(diag::WrongArguments, expr.range, "pl.const", "takes a number and a dtype");
    return Val::poison();
  }
  Val value = expression(*number);
  ConstValue dtype = staticValue(*dtypeExpr);
  if (value.isPoison() || dtype.isUnknown()) {
    return Val::poison();
  }
  if (dtype.kind != ConstValue::Kind::DType || !value.isConst() || !value.constant.isNumber()) {
    return typeMismatch(expr.range, "`pl.const`", "takes a number and a dtype, got " + describe(value));
  }
  if (value.constant.isFloat() && !pl::isFloat(dtype.dtype)) {
    return typeMismatch(number->range, "`pl.const`",
                        "the float " + describe(value) + " is no pl." + pl::plName(dtype.dtype).str());
  }
  mlir::Value made = materialize(value, dtype.dtype, expr.range);
  return made ? Val::ofScalar(made, dtype.dtype) : Val::poison();
}

Val KernelBuilder::yieldCall(const Expr &expr) {
  if (expr.children.size() < 2) {
    reporter_.report(diag::YieldMismatch, expr.range, "a `pl.yield_` without a value");
    return Val::poison();
  }
  // The assignment around it binds the names; loops and branches connect them with their results.
  if (expr.children.size() == 2) {
    return expression(*expr.children[1]);
  }
  std::vector<Val> items;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    items.push_back(expression(*expr.children[i]));
  }
  return Val::ofTuple(std::move(items));
}

void KernelBuilder::staticAssert(const Expr &expr) {
  if (expr.children.size() < 2 || expr.children.size() > 3) {
    reporter_.report(diag::WrongArguments, expr.range, "pl.static_assert", "takes a condition and a message");
    return;
  }
  const Expr &condition = *expr.children[1];
  const Expr *text = expr.children.size() == 3 ? expr.children[2] : nullptr;
  for (const syntax::Keyword &keyword : expr.keywords) {
    text = keyword.name == "msg" || keyword.name == "message" ? keyword.value : text;
  }
  if (text && text->kind != Expr::Kind::String && text->kind != Expr::Kind::Error) {
    reporter_.report(diag::LiteralRequired, text->range, "the message of `pl.static_assert`", "a string literal");
  }
  Val value = expression(condition);
  if (value.isPoison()) {
    return;
  }
  if (!value.isConst() || !value.constant.isNumber()) {
    reporter_.report(diag::LiteralRequired, condition.range, "the condition of `pl.static_assert`",
                     "known while compiling, got " + describe(value));
    return;
  }
  if (!value.constant.truthy()) {
    std::string why = text && text->kind == Expr::Kind::String ? ": " + std::string(text->text) : "";
    diag::Diagnostic &d = reporter_.report(diag::StaticAssertion, condition.range, syntax::spell(condition) + why);
    for (const Expr *side : condition.kind == Expr::Kind::Compare ? condition.children : std::vector<const Expr *>{}) {
      ConstValue known = staticValue(*side);
      if (!known.isUnknown() && side->kind != Expr::Kind::Int) {
        reporter_.note(d, side->range, "this is " + frontend::show(known));
      }
    }
  }
}

void KernelBuilder::staticPrint(const Expr &expr) {
  std::string text;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    const Expr &item = *expr.children[i];
    text += text.empty() ? "" : ", ";
    if (item.kind == Expr::Kind::String) {
      text += item.text;
    } else if (item.kind == Expr::Kind::Other) {
      text += syntax::spell(item);
    } else {
      text += syntax::spell(item) + " = " + describe(expression(item));
    }
  }
  reporter_.report(diag::StaticPrint, expr.range, text);
}

void KernelBuilder::functionAttributes(const Expr &expr) {
  if (expr.children.size() != 2 || !expr.keywords.empty()) {
    reporter_.report(diag::WrongArguments, expr.range, "pl.func_attr", "takes one dictionary");
  } else if (expr.children[1]->kind == Expr::Kind::Name) {
    reporter_.report(diag::LiteralRequired, expr.children[1]->range, "the argument of `pl.func_attr`",
                     "a dictionary written out");
  }
  if (!frame_->attributesAllowed) {
    reporter_.report(diag::ScopeRule, expr.range, "`pl.func_attr` after other statements")
        .fixes.push_back({"move it to the top of the function", {}});
  }
}

} // namespace placid::frontend
