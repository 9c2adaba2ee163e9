// SPDX-License-Identifier: Apache-2.0
// Calls: operations of PL, other kernels, helpers that are inlined, and what Python has no place for here.
#include "compiler/frontend/frame.h"
#include "compiler/support/suggest.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr unsigned kMaxInlineDepth = 8;
constexpr unsigned kMaxInlinedStatements = 20000;

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

bool KernelBuilder::isPythonBuiltin(std::string_view name) {
  static const std::set<std::string_view> kBuiltins{
      "abs", "all",    "any",   "bool", "dict",  "divmod", "enumerate", "float",   "int", "isinstance",
      "len", "list",   "max",   "min",  "print", "pow",    "range",     "round",   "set", "str",
      "sum", "sorted", "tuple", "type", "zip",   "map",    "filter",    "reversed"};
  return kBuiltins.contains(name);
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
    if (callee.text == "bind_dynamic") {
      return Val::poison(); // read before the body, see applyDynamicBindings
    }
    Val base = expression(*callee.children[0]);
    return base.isPoison() ? base : notSupported(expr.range, "the method `" + std::string(callee.text) + "`");
  }
  if (callee.kind == Expr::Kind::Name && !env_.contains(callee.text) && !frame_->decl.scope->find(callee.text)) {
    if (isPythonBuiltin(callee.text)) {
      std::string instead = callee.text == "min" || callee.text == "max" || callee.text == "range"
                                ? " (use `pl." + std::string(callee.text) + "`)"
                                : "";
      reporter_.report(diag::NotAllowedInKernel, callee.range,
                       "the Python function `" + std::string(callee.text) + "`" + instead);
      return Val::poison();
    }
    return name(callee);
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
  case ConstValue::Kind::PlPath:
    return opCall(expr, target.text);
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

//===-- Forms of the language that look like operations
//---------------------------------------------------------------===//

Val KernelBuilder::compileTimeCall(const Expr &expr, const std::string &path, bool &handled) {
  handled = true;
  if (path == "pl.static_assert" || path == "pl.static_print" || path == "pl.func_attr") {
    return Val::poison();
  }
  if (path == "pl.const" && expr.children.size() >= 2) {
    Val value = expression(*expr.children[1]);
    const Expr *dtypeExpr = expr.children.size() > 2 ? expr.children[2]
                            : !expr.keywords.empty() ? expr.keywords[0].value
                                                     : nullptr;
    ConstValue dtype = dtypeExpr ? staticValue(*dtypeExpr) : ConstValue();
    if (value.isPoison()) {
      return value;
    }
    if (dtype.kind != ConstValue::Kind::DType || !value.isConst() || !value.constant.isNumber()) {
      return typeMismatch(expr.range, "`pl.const`", "takes a number and a dtype");
    }
    mlir::Value made = materialize(value, dtype.dtype, expr.range);
    return made ? Val::ofScalar(made, dtype.dtype) : Val::poison();
  }
  if ((path == "pl.submit" || path == "pl.spmd_submit") && expr.children.size() >= 2) {
    // The first argument names the kernel; the rest are its arguments. The result comes with a task id.
    Expr inner = expr;
    inner.children.erase(inner.children.begin());
    std::erase_if(inner.keywords, [](const syntax::Keyword &k) {
      return k.name == "deps" || k.name == "core_num" || k.name == "sync_start" || k.name == "allow_early_resolve";
    });
    Val out;
    out.kind = Val::Kind::Tuple;
    Val task;
    task.kind = Val::Kind::Task;
    out.items = {call(inner), task};
    return out;
  }
  if (path == "pl.yield_" && expr.children.size() >= 2) {
    // The assignment around it hands the values on; control_flow.cpp connects them with the loop's results.
    if (expr.children.size() == 2) {
      return expression(*expr.children[1]);
    }
    Val out;
    out.kind = Val::Kind::Tuple;
    for (size_t i = 1; i < expr.children.size(); ++i) {
      out.items.push_back(expression(*expr.children[i]));
    }
    return out;
  }
  handled = false;
  return Val::poison();
}

//===-- Kernels ---------------------------------------------------------------------------------------------------===//

bool KernelBuilder::checkArgument(const Expr &arg, const Val &value, const TypeInfo &type, std::string_view parameter,
                                  const KernelDecl &callee) {
  if (value.isPoison() || type.kind != TypeInfo::Kind::Tensor) {
    return true;
  }
  std::string where = "argument `" + std::string(parameter) + "` of `" + callee.name + "`";
  if (!value.isTensor()) {
    typeMismatch(arg.range, where, "takes " + frontend::show(type.tensor) + ", got " + describe(value));
    return false;
  }
  pl::TensorType given = value.tensorType();
  if (given.getLayout() != type.tensor.getLayout()) {
    diag::Diagnostic &d = reporter_.report(diag::LayoutMismatch, arg.range, syntax::spell(arg),
                                           "pl." + pl::plName(given.getLayout()).str(), std::string(parameter),
                                           callee.name, "pl." + pl::plName(type.tensor.getLayout()).str());
    if (value.origin) {
      reporter_.note(d, value.origin->annotation, "`" + value.origin->name + "` is declared here",
                     diag::Related::Role::Annotation);
    }
    reporter_.note(d, type.layoutRange, "`" + std::string(parameter) + "` is declared here",
                   diag::Related::Role::Annotation);
    return false;
  }
  bool sameRank = given.getRank() == type.tensor.getRank();
  bool fits = sameRank;
  for (unsigned axis = 0; sameRank && axis < given.getRank(); ++axis) {
    std::optional<int64_t> a = given.getExtent(axis);
    std::optional<int64_t> b = type.tensor.getExtent(axis);
    fits &= !a || !b || *a == *b;
  }
  if (given.getDtype() != type.tensor.getDtype() || !fits) {
    diag::Diagnostic &d = given.getDtype() != type.tensor.getDtype()
                              ? reporter_.report(diag::TypeMismatch, arg.range, where,
                                                 "takes " + frontend::show(type.tensor) + ", got " + describe(value))
                              : reporter_.report(diag::ShapeMismatch, arg.range, where,
                                                 "takes " + frontend::show(type.tensor) + ", got " + describe(value));
    reporter_.note(d, type.range, "declared here", diag::Related::Role::Annotation);
    return false;
  }
  return true;
}

Val KernelBuilder::kernelCall(const Expr &expr, const KernelDecl &callee) {
  // Arguments by parameter, `self` aside.
  std::vector<const syntax::Parameter *> declared;
  for (const syntax::Parameter &parameter : callee.function->parameters) {
    bool self = declared.empty() && parameter.name == "self" && !callee.programClass.empty();
    if (!self || &parameter != &callee.function->parameters.front()) {
      declared.push_back(&parameter);
    }
  }
  std::string form;
  for (const syntax::Parameter *parameter : declared) {
    form += (form.empty() ? "" : ", ") + std::string(parameter->name) + (parameter->defaultValue ? "?" : "");
  }
  Expr plain = expr;
  std::erase_if(plain.keywords, [](const syntax::Keyword &k) { return k.name == "attrs" || k.name == "device"; });
  BoundArguments bound = bindArguments(plain, form);
  std::vector<Val> values;
  for (const syntax::Parameter *parameter : declared) {
    const Expr *argument = bound.get(parameter->name);
    if (!argument && parameter->defaultValue) {
      ConstValue value = evaluate(*parameter->defaultValue, *callee.scope);
      values.push_back(ofStatic(std::move(value), *parameter->defaultValue));
    } else {
      values.push_back(argument ? expression(*argument) : Val::poison());
    }
  }
  if (!bound.fault.empty()) {
    diag::Diagnostic &d = reporter_.report(diag::WrongArguments, bound.faultAt, callee.name, bound.fault);
    reporter_.note(d, callee.function->nameRange, "`" + callee.name + "` is defined here");
    return Val::poison();
  }

  // The callee's own faults are reported where it is built, not here.
  std::vector<diag::Diagnostic> silent;
  Reporter mute(program_.path(), callee.qualifiedName, silent);
  AnnotationPlace place = callee.jit ? AnnotationPlace::JitParameter : AnnotationPlace::FunctionParameter;
  std::vector<TypeInfo> types;
  bool good = true;
  bool poison = false;
  for (size_t i = 0; i < declared.size(); ++i) {
    TypeInfo type;
    if (declared[i]->annotation) {
      type = resolveAnnotation(*declared[i]->annotation, *callee.scope, context_, place, mute);
    }
    const Expr *argument = bound.get(declared[i]->name);
    if (argument) {
      good &= checkArgument(*argument, values[i], type, declared[i]->name, callee);
    }
    poison |= values[i].isPoison() && type.kind != TypeInfo::Kind::Unknown;
    types.push_back(std::move(type));
  }
  if (!good) {
    return Val::poison();
  }
  if (callee.kind == KernelKind::Inline) {
    return inlineCall(expr, callee, std::move(values));
  }
  if (poison) {
    return Val::poison();
  }

  llvm::SmallVector<mlir::Value> operands;
  for (size_t i = 0; i < declared.size(); ++i) {
    Val value = values[i];
    if (types[i].kind == TypeInfo::Kind::Scalar && !value.isTensor() && !value.isTile()) {
      if (value.isConst()) {
        mlir::Value made = materialize(value, types[i].dtype, expr.range);
        value = made ? Val::ofScalar(made, types[i].dtype) : Val::poison();
      }
      value = value.isScalar() ? castScalar(value, types[i].dtype, expr.range) : value;
    }
    if (value.isRuntime()) {
      operands.push_back(value.ir);
    }
  }

  // Results: an Out argument that the callee returns keeps the caller's own type and origin.
  std::vector<Val> results;
  llvm::SmallVector<mlir::Type> resultTypes;
  auto addResult = [&](const TypeInfo &type) {
    Val made;
    if (type.kind == TypeInfo::Kind::Tensor) {
      for (size_t i = 0; i < declared.size(); ++i) {
        if (types[i].kind == TypeInfo::Kind::Tensor && types[i].direction != "in" && types[i].tensor == type.tensor) {
          made = values[i];
          break;
        }
      }
      if (made.isPoison()) {
        made.kind = Val::Kind::Tensor;
      }
      resultTypes.push_back(made.ir ? made.ir.getType() : mlir::Type(type.tensor));
    } else if (type.kind == TypeInfo::Kind::Scalar && pl::scalarType(context_, type.dtype)) {
      made.kind = Val::Kind::Scalar;
      made.dtype = type.dtype;
      resultTypes.push_back(pl::scalarType(context_, type.dtype));
    }
    results.push_back(made);
  };
  if (const Expr *annotation = callee.function->annotation) {
    TypeInfo declaredResult = resolveAnnotation(*annotation, *callee.scope, context_, AnnotationPlace::Result, mute);
    if (declaredResult.kind == TypeInfo::Kind::Tuple) {
      for (const TypeInfo &item : declaredResult.items) {
        addResult(item);
      }
    } else {
      addResult(declaredResult);
    }
  } else if (!callee.function->body.empty() && callee.function->body.back()->kind == Stmt::Kind::Return &&
             callee.function->body.back()->value) {
    const Expr &returned = *callee.function->body.back()->value;
    std::vector<const Expr *> items =
        returned.kind == Expr::Kind::Tuple ? returned.children : std::vector<const Expr *>{&returned};
    for (const Expr *item : items) {
      TypeInfo type;
      for (size_t i = 0; i < declared.size(); ++i) {
        if (item->kind == Expr::Kind::Name && item->text == declared[i]->name) {
          type = types[i];
        }
      }
      addResult(type);
    }
  }

  // A declaration of the callee with the types of this call.
  mlir::FunctionType signature =
      builder_.getFunctionType(llvm::to_vector(mlir::ValueRange(operands).getTypes()), resultTypes);
  std::string symbol = callee.name;
  mlir::func::FuncOp declaration;
  for (unsigned suffix = 0;; ++suffix) {
    symbol = suffix == 0 ? callee.name : callee.name + "." + std::to_string(suffix);
    mlir::Operation *existing = module_.lookupSymbol(symbol);
    declaration = mlir::dyn_cast_or_null<mlir::func::FuncOp>(existing);
    if (!existing || (declaration && declaration != function_ && declaration.getFunctionType() == signature)) {
      break;
    }
  }
  if (!declaration) {
    mlir::OpBuilder outer(context_);
    outer.setInsertionPointToEnd(module_.getBody());
    declaration = mlir::func::FuncOp::create(outer, loc(callee.function->nameRange), symbol, signature);
    declaration.setPrivate();
    declaration->setAttr(pl::kKindAttr, builder_.getStringAttr(kindName(callee.kind)));
    declaration->setAttr(pl::kEntryAttr, builder_.getStringAttr(callee.qualifiedName));
  }
  std::vector<const Expr *> argumentExprs;
  for (const syntax::Parameter *parameter : declared) {
    const Expr *argument = bound.get(parameter->name);
    argumentExprs.push_back(argument ? argument : &expr);
  }
  auto op = mlir::func::CallOp::create(builder_, accessLocation(expr.range, {{pl::kOperandsArg, argumentExprs}}),
                                       declaration, operands);
  size_t next = 0;
  for (Val &result : results) {
    if (result.kind != Val::Kind::Poison) {
      result.ir = op.getResult(static_cast<unsigned>(next++));
    }
  }
  if (results.size() == 1) {
    return results[0];
  }
  Val out;
  out.kind = Val::Kind::Tuple;
  out.items = std::move(results);
  return out;
}

Val KernelBuilder::inlineCall(const Expr &expr, const KernelDecl &callee, std::vector<Val> args) {
  if (&callee == &kernel_ || llvm::is_contained(inlining_, &callee)) {
    reporter_.report(diag::NotAllowedInKernel, expr.range, "a recursive call of `" + callee.name + "`");
    return Val::poison();
  }
  if (inlining_.size() >= kMaxInlineDepth || inlinedStatements_ > kMaxInlinedStatements) {
    return notSupported(expr.range, "pasting in helpers more than " + std::to_string(kMaxInlineDepth) +
                                        " deep or with more than " + std::to_string(kMaxInlinedStatements) +
                                        " statements in all");
  }
  Frame frame(callee);
  Frame *outerFrame = std::exchange(frame_, &frame);
  Env outerEnv = std::exchange(env_, {});
  inlining_.push_back(&callee);
  size_t next = 0;
  for (size_t i = 0; i < callee.function->parameters.size() && next < args.size(); ++i) {
    const syntax::Parameter &parameter = callee.function->parameters[i];
    if (i == 0 && parameter.name == "self" && !callee.programClass.empty()) {
      continue;
    }
    env_[std::string(parameter.name)] = {std::move(args[next++]), parameter.nameRange, ""};
  }
  block(callee.function->body);
  inlining_.pop_back();
  env_ = std::move(outerEnv);
  frame_ = outerFrame;
  if (!frame.returned || frame.returned->empty()) {
    return Val::poison();
  }
  if (frame.returned->size() == 1) {
    return frame.returned->front();
  }
  Val out;
  out.kind = Val::Kind::Tuple;
  out.items = std::move(*frame.returned);
  return out;
}

} // namespace placid::frontend
