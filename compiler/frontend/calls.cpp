// SPDX-License-Identifier: Apache-2.0
// Calls: operations of PL, other kernels, helpers that are inlined, and what Python has no place for here.
#include "compiler/evaluator/builtin_names.h"
#include "compiler/frontend/frame.h"
#include "compiler/support/suggest.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// `self.kern`: the attribute of a program's own method.
bool isSelfAttribute(const Expr &callee) {
  return callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
         callee.children[0]->text == "self";
}

} // namespace

void KernelBuilder::visitNames(const Expr &expr, llvm::function_ref<void(const Expr &)> visit) {
  if (expr.kind == Expr::Kind::Name) {
    visit(expr);
  }
  for (const Expr *child : expr.children) {
    if (child) {
      visitNames(*child, visit);
    }
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    if (keyword.value) {
      visitNames(*keyword.value, visit);
    }
  }
}

Val KernelBuilder::call(const Expr &expr) {
  const Expr &callee = *expr.children[0];
  if (callee.kind == Expr::Kind::Error) {
    return Val::poison();
  }
  const std::string &programClass = frame_->decl.programClass;
  if (isSelfAttribute(callee) && programClass.empty() && frame_->decl.jit && !env_.contains("self")) {
    // A @pl.jit entry becomes a program: `self.name` is the module's own kernel.
    const Binding *found = frame_->decl.scope->find(callee.text);
    if (found && found->value.kind == ConstValue::Kind::Kernel) {
      return kernelCall(expr, *found->value.kernel);
    }
  }
  if (isSelfAttribute(callee) && !programClass.empty()) {
    if (const KernelDecl *method = program_.method(programClass, callee.text)) {
      return kernelCall(expr, *method);
    }
    std::vector<std::string> names;
    for (const KernelDecl &kernel : program_.kernels) {
      if (kernel.programClass == programClass) {
        names.push_back(kernel.name);
      }
    }
    reporter_.report(diag::UndefinedName, callee.nameRange, "self." + std::string(callee.text),
                     support::didYouMean(callee.text, names));
    return Val::poison();
  }
  if (callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
      env_.contains(callee.children[0]->text)) {
    return methodCall(expr);
  }
  if (callee.kind == Expr::Kind::Name && !env_.contains(callee.text) && !frame_->decl.scope->find(callee.text)) {
    if (py::isBuiltinName(callee.text)) {
      bool known = callee.text == "min" || callee.text == "max" || callee.text == "range" || callee.text == "abs";
      std::string instead = known ? " (use `pl." + std::string(callee.text) + "`)" : "";
      reporter_.report(diag::NotAllowedInKernel, callee.range,
                       "the Python function `" + std::string(callee.text) + "`" + instead);
      return Val::poison();
    }
    return name(callee);
  }
  if (callee.kind == Expr::Kind::Attribute && callee.text == "get_byte" && expr.children.size() == 1) {
    if (ConstValue dtype = staticValue(*callee.children[0]); dtype.kind == ConstValue::Kind::DType) {
      return Val::ofConst(ConstValue::ofInt((pl::bitWidth(dtype.dtype) + 7) / 8));
    }
  }
  ConstValue target = staticValue(callee);
  if (callee.kind == Expr::Kind::Name && env_.contains(callee.text)) {
    Val local = name(callee);
    if (!local.isConst()) {
      return local.isPoison() ? local : typeMismatch(callee.range, "the call", describe(local) + " cannot be called");
    }
    target = local.constant;
  }
  switch (target.kind) {
  case ConstValue::Kind::Kernel:
    return kernelCall(expr, *target.kernel);
  case ConstValue::Kind::PlPath: {
    bool handled = false;
    Val made = compileTimeCall(expr, target.text, handled);
    if (handled) {
      return made;
    }
    noteOpWrites(expr, target.text);
    made = opCall(expr, target.text);
    return misplaced(expr, target.text, made) ? Val::poison() : made;
  }
  case ConstValue::Kind::Unknown:
    if (callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
        !frame_->decl.scope->find(callee.children[0]->text)) {
      return name(*callee.children[0]); // an undefined module
    }
    reporter_.unknown(callee, target.text);
    return Val::poison();
  case ConstValue::Kind::None:
    reporter_.unknown(callee, "it is None where the module ends");
    return Val::poison();
  default:
    reporter_.report(diag::NotAllowedInKernel, callee.range, "a call of " + frontend::show(target));
    return Val::poison();
  }
}

/// `x.method(…)` of a local name.
Val KernelBuilder::methodCall(const Expr &expr) {
  const Expr &callee = *expr.children[0];
  if (callee.text == "bind_dynamic") {
    return Val::poison(); // read before the body, see applyDynamicBindings
  }
  Val base = name(*callee.children[0]);
  for (size_t i = 1; i < expr.children.size(); ++i) {
    expression(*expr.children[i]);
  }
  if (base.isPoison()) {
    return base;
  }
  std::string method(callee.text);
  bool op = ops::findOp("pl." + method).row != nullptr;
  diag::Diagnostic &d =
      reporter_.report(diag::UnknownOp, callee.range, syntax::spell(callee), ": " + describe(base) + " has no methods");
  if (op) {
    d.fixes.push_back({"write `pl." + method + "(" + syntax::spell(*callee.children[0]) + ", …)`", {}});
  }
  return Val::poison();
}

} // namespace placid::frontend
