// SPDX-License-Identifier: Apache-2.0
// Calls of other kernels: whether they may be called, what the call hands back, and helpers that are pasted in. Apart
// from calls.cpp because a call is typed from two ends. Reports nothing of a callee's own body, which is checked where
// it is defined; what a body without declared results hands back is found by building it in silence.
#include "compiler/dialect/pl/ir/window_attrs.h"
#include "compiler/frontend/frame.h"
#include "compiler/frontend/kernel_heads.h"
#include "compiler/frontend/scope_options.h"
#include "compiler/support/suggest.h"

#include <functional>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr unsigned kMaxInlineDepth = 12;
constexpr unsigned kMaxInlinedStatements = 40000;

/// A related place in the callee's text, which may be another module's.
void noteIn(diag::Diagnostic &d, const KernelDecl &callee, source::ByteRange at, std::string message,
            diag::Related::Role role = diag::Related::Role::Note) {
  d.related.push_back({{callee.module->source->path, at}, std::move(message), role});
}

/// Some axis of the argument is a number that the helper leaves open: its windows may be blocks that reach past it.
bool leavesOpen(const TypeInfo &type, const Val &value) {
  if (type.kind != TypeInfo::Kind::Tensor || !value.isTensor()) {
    return false;
  }
  pl::TensorType given = value.tensorType();
  bool open = false;
  for (unsigned axis = 0; axis < std::min(given.getRank(), type.tensor.getRank()); ++axis) {
    open |= given.getExtent(axis) && !type.tensor.getExtent(axis);
  }
  return open;
}

void close(std::vector<Val> &values) {
  for (Val &value : values) {
    value.open = false;
    close(value.items);
  }
}

} // namespace

bool KernelBuilder::mayCall(const Expr &expr, const KernelDecl &callee) {
  auto inlined = std::find(inlining_.begin(), inlining_.end(), &callee);
  if (&callee == &kernel_ || inlined != inlining_.end()) {
    diag::Diagnostic &d = reporter_.report(diag::RecursiveCall, expr.range, callee.name);
    noteIn(d, callee, callee.function->nameRange, "`" + callee.name + "` is defined here");
    return false;
  }
  const KernelDecl &caller = frame_->decl;
  bool entry = callee.jit && callee.kind == KernelKind::Orchestration;
  if (entry && caller.jit && !isHost(caller)) {
    diag::Diagnostic &d =
        reporter_.report(diag::ScopeRule, expr.range,
                         "a call of `" + callee.name + "`, an entry of its own, from `" + caller.name + "`");
    noteIn(d, callee, callee.function->nameRange, "`" + callee.name + "` is defined here");
    d.fixes.push_back(
        {"decorate the callee with `@pl.jit.inline` or `@pl.jit.incore`, or the caller with `@pl.jit.host`", {}});
    return false;
  }
  return true;
}

std::vector<TypeInfo> KernelBuilder::resultTypes(const KernelDecl &callee,
                                                 const std::vector<const syntax::Parameter *> &declared,
                                                 const std::vector<TypeInfo> &types, const std::vector<Val> &values) {
  std::vector<diag::Diagnostic> silent; // the callee's faults are told where it is built
  if (const Expr *annotation = callee.function->annotation) {
    Reporter mute(program_.path(), callee.qualifiedName, silent);
    TypeInfo result = resolveAnnotation(*annotation, *callee.scope, context_, AnnotationPlace::Result, mute);
    bool known = result.kind == TypeInfo::Kind::Tensor || result.kind == TypeInfo::Kind::Scalar;
    if (result.kind == TypeInfo::Kind::Tuple) {
      return result.items;
    }
    if (known) {
      return {result};
    }
    if (result.bare && returnedItems(*callee.function).empty()) {
      // A stub that says no more than "a tensor": the output, else the first that it writes.
      for (std::string_view direction : {"out", "inout"}) {
        auto found =
            std::find_if(types.begin(), types.end(), [&](const TypeInfo &type) { return type.direction == direction; });
        if (found != types.end()) {
          return {*found};
        }
      }
    }
  }
  std::vector<TypeInfo> out;
  bool parameters = true;
  std::vector<const Expr *> items = returnedItems(*callee.function);
  if (items.empty() && callee.jit) {
    // Without a return it hands back what it writes.
    std::copy_if(types.begin(), types.end(), std::back_inserter(out),
                 [](const TypeInfo &type) { return type.direction != "in"; });
    return out;
  }
  for (const Expr *item : items) {
    TypeInfo type;
    bool found = false;
    for (size_t i = 0; i < declared.size(); ++i) {
      if (item->kind == Expr::Kind::Name && item->text == declared[i]->name) {
        type = types[i];
        found = true;
      }
    }
    parameters &= found;
    out.push_back(std::move(type));
  }
  if (parameters || callee.kind == KernelKind::Extern) {
    return out;
  }
  if (typing_ >= kMaxTypingDepth) {
    typedDepth_ = kMaxTypingDepth; // another way here may know more
    return out;
  }
  // It hands out what it computes: its body says what that is, for the types of this call.
  std::vector<mlir::Type> arguments;
  for (const Val &value : values) {
    arguments.push_back(value.isTensor() ? value.ir.getType() : mlir::Type());
  }
  CallTypes calls = calls_ ? calls_->forOneCall() : CallTypes();
  FoundResults results;
  const FoundResults *known = calls.find(callee, arguments);
  if (known && typing_ + 1 + known->depth <= kMaxTypingDepth) {
    results = *known;
    takeFromBudget(program_, {results.steps, results.bytes, 0});
  } else {
    calls.record(callee, arguments);
    KernelBuilder typing(program_, callee, arch_, context_, silent, &calls);
    typing.typing_ = typing_ + 1;
    mlir::OwningOpRef<mlir::ModuleOp> module = typing.build();
    results = typing.foundResults();
  }
  typedDepth_ = std::max(typedDepth_, results.depth + 1);
  bodiesRead_.push_back(&callee);
  bodiesRead_.insert(bodiesRead_.end(), results.bodiesRead.begin(), results.bodiesRead.end());
  for (size_t i = 0; i < out.size() && i < results.results.size(); ++i) {
    const FoundResults::Result &found = results.results[i];
    if (out[i].kind == TypeInfo::Kind::Invalid && found.kind == FoundResults::Result::Kind::Tensor) {
      out[i].kind = TypeInfo::Kind::Tensor;
      out[i].tensor = mlir::cast<pl::TensorType>(found.type);
    } else if (out[i].kind == TypeInfo::Kind::Invalid && found.kind == FoundResults::Result::Kind::Scalar) {
      out[i].kind = TypeInfo::Kind::Scalar;
      out[i].dtype = found.dtype;
    }
  }
  return out;
}

FoundResults KernelBuilder::foundResults() const {
  FoundResults out;
  for (const Val &value : returned_) {
    FoundResults::Result &made = out.results.emplace_back();
    if (value.isTensor()) {
      made.kind = FoundResults::Result::Kind::Tensor;
      made.type = value.ir.getType();
    } else if (value.isScalar()) {
      made.kind = FoundResults::Result::Kind::Scalar;
      made.dtype = value.dtype;
    }
  }
  out.asked = asked_;
  out.bodiesRead = bodiesRead_;
  out.depth = typedDepth_;
  EvaluationUse after = evaluationUse(program_);
  out.steps = after.steps - before_.steps;
  out.bytes = after.bytes - before_.bytes;
  return out;
}

Val KernelBuilder::submit(const Expr &expr, const std::string &path) {
  if (expr.children.size() < 2) {
    reporter_.report(diag::WrongArguments, expr.range, path, "misses the kernel to submit");
    return Val::poison();
  }
  Expr task = expr; // the options of the task
  task.children.resize(1);
  scopeOptions(task, kSubmit);
  bool blocks = std::any_of(expr.keywords.begin(), expr.keywords.end(),
                            [](const syntax::Keyword &k) { return k.name == "core_num"; });
  if (path == "pl.spmd_submit" && !blocks) {
    reporter_.report(diag::WrongArguments, expr.range, path, "misses its argument `core_num`");
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    if (keyword.name == "core_num") {
      Val count = expression(*keyword.value);
      bool integer = count.isInt() || (count.isScalar() && !pl::isFloat(count.dtype));
      if (!integer && !count.isPoison()) {
        typeMismatch(keyword.value->range, "the number of blocks", "must be an integer scalar, got " + describe(count));
      }
    }
  }
  // The first argument names the kernel; the rest are its arguments. The result comes with a task id.
  const Expr &callee = *expr.children[1];
  Expr inner = expr;
  inner.children.erase(inner.children.begin());
  inner.keywords.clear();
  const KernelDecl *kernel = nullptr;
  bool self = callee.kind == Expr::Kind::Attribute && callee.children[0]->kind == Expr::Kind::Name &&
              callee.children[0]->text == "self" && !frame_->decl.programClass.empty();
  if (self) {
    kernel = program_.method(frame_->decl.programClass, callee.text);
  } else if (ConstValue value = staticValue(callee); value.kind == ConstValue::Kind::Kernel) {
    kernel = value.kernel;
  }
  Val result = kernel ? kernelCall(inner, *kernel, /*submitted=*/true) : call(inner);
  return Val::ofTuple({std::move(result), Val::ofTask()});
}

/// A call of a kernel while it is typed: all lists are by parameter of the callee.
struct KernelBuilder::KernelCall {
  const Expr &expr;
  const KernelDecl &callee;
  std::vector<const syntax::Parameter *> declared{};
  std::vector<TypeInfo> types{};
  std::string form{}; ///< As bindArguments takes it.
  BoundArguments bound{};
  std::vector<Val> values{};
  bool poison = false; ///< An argument is not known, so there is nothing to build.
};

Val KernelBuilder::kernelCall(const Expr &expr, const KernelDecl &callee, bool submitted) {
  KernelCall call{.expr = expr, .callee = callee};
  readHead(call, submitted);
  if (!bindCall(call) || !mayCall(expr, callee) || !checkCall(call)) {
    return Val::poison();
  }
  if (callee.kind == KernelKind::Inline) {
    for (size_t i = 0; i < call.declared.size(); ++i) {
      call.values[i].open |= !call.types[i].bare && leavesOpen(call.types[i], call.values[i]);
    }
    return inlineCall(expr, callee, std::move(call.values)); // checked here, with the types of this call
  }
  return call.poison ? Val::poison() : emitCall(call);
}

void KernelBuilder::readHead(KernelCall &call, bool submitted) {
  call.declared = calledParameters(call.callee);
  std::vector<diag::Diagnostic> silent; // the callee's own faults are reported where it is built, not here
  Reporter mute(program_.path(), call.callee.qualifiedName, silent);
  AnnotationPlace place = call.callee.jit ? AnnotationPlace::JitParameter : AnnotationPlace::FunctionParameter;
  for (const syntax::Parameter *parameter : call.declared) {
    TypeInfo type;
    if (parameter->annotation) {
      type = resolveAnnotation(*parameter->annotation, *call.callee.scope, context_, place, mute);
    }
    // A submitted kernel may leave its outputs to the runtime, which allocates them.
    bool optional = parameter->defaultValue || (submitted && type.direction == "out");
    call.form += (call.form.empty() ? "" : ", ") + std::string(parameter->name) + (optional ? "?" : "");
    if (type.kind == TypeInfo::Kind::Tensor) {
      type.tensor = applyDynamicBindings(type.tensor, parameter->name, call.callee);
    }
    call.types.push_back(std::move(type));
  }
}

bool KernelBuilder::bindCall(KernelCall &call) {
  Expr plain = call.expr;
  for (const syntax::Keyword &keyword : call.expr.keywords) {
    if (keyword.name == "device" && !isHost(frame_->decl)) {
      reporter_.report(diag::WrongArguments, keyword.nameRange, call.callee.name,
                       "takes `device=` from a host function only");
    } else if (keyword.name == "device") {
      expression(*keyword.value);
    }
  }
  std::erase_if(plain.keywords, [](const syntax::Keyword &k) { return k.name == "attrs" || k.name == "device"; });
  call.bound = bindArguments(plain, call.form);
  const auto &declared = call.declared;
  call.values.resize(declared.size());
  for (const Expr *argument : call.bound.inOrder) {
    size_t at = 0; // evaluated in the order of the source
    while (at < declared.size() && call.bound.get(declared[at]->name) != argument) {
      ++at;
    }
    Val value = expression(*argument);
    if (at < declared.size()) {
      call.values[at] = std::move(value);
    }
  }
  for (size_t i = 0; i < declared.size(); ++i) {
    if (!call.bound.get(declared[i]->name) && declared[i]->defaultValue) {
      ConstValue value = evaluate(*declared[i]->defaultValue, *call.callee.scope);
      call.values[i] = ofStatic(std::move(value), *declared[i]->defaultValue);
    }
  }
  if (!call.bound.fault.empty()) {
    diag::Diagnostic &d =
        reporter_.report(diag::WrongArguments, call.bound.faultAt, call.callee.name, call.bound.fault);
    noteIn(d, call.callee, call.callee.function->nameRange, "`" + call.callee.name + "` is defined here");
    return false;
  }
  return true;
}

bool KernelBuilder::checkCall(KernelCall &call) {
  bool good = true;
  Symbols symbols;
  std::vector<mlir::Type> given;
  for (size_t i = 0; i < call.declared.size(); ++i) {
    const Expr *argument = call.bound.get(call.declared[i]->name);
    TypeInfo &type = call.types[i];
    Val &value = call.values[i];
    given.push_back(value.isTensor() ? value.ir.getType() : mlir::Type());
    if (type.kind == TypeInfo::Kind::Unknown && type.bare && value.isTensor()) {
      type.kind = TypeInfo::Kind::Tensor; // a bare parameter takes what the call gives
      type.tensor = value.tensorType();
    }
    if (argument) {
      good &= checkArgument(*argument, value, type, call.declared[i]->name, call.callee, symbols);
      bool writes = type.direction != "in" && call.callee.kind != KernelKind::Inline;
      if (writes && value.isTensor()) {
        noteWrite(value, argument->range,
                  "`" + call.callee.name + "` writes its parameter `" + std::string(call.declared[i]->name) + "`");
      }
    }
    call.poison |= value.isPoison() && argument && type.kind != TypeInfo::Kind::Unknown;
  }
  if (good && call.callee.kind != KernelKind::Inline && calls_) {
    calls_->record(call.callee, given);
  }
  return good;
}

/// An Out argument that the callee returns keeps the caller's own type and origin. `handedBack`: by result, the number
/// of that argument, or -1.
std::vector<Val> KernelBuilder::resultsOf(const KernelCall &call, std::vector<int64_t> &handedBack,
                                          llvm::SmallVectorImpl<mlir::Type> &irTypes) {
  std::vector<Val> results;
  std::vector<bool> taken(call.declared.size());
  for (const TypeInfo &type : resultTypes(call.callee, call.declared, call.types, call.values)) {
    Val made;
    int64_t argument = -1;
    if (type.kind == TypeInfo::Kind::Tensor) {
      for (size_t i = 0; i < call.declared.size() && argument < 0; ++i) {
        const TypeInfo &parameter = call.types[i];
        bool output = parameter.kind == TypeInfo::Kind::Tensor && parameter.direction != "in" && !taken[i];
        argument =
            output && parameter.tensor == type.tensor && call.values[i].isTensor() ? static_cast<int64_t>(i) : -1;
      }
      if (argument >= 0) {
        taken[static_cast<size_t>(argument)] = true;
        made = call.values[static_cast<size_t>(argument)];
      } else {
        made.kind = Val::Kind::Tensor;
      }
      irTypes.push_back(made.ir ? made.ir.getType() : mlir::Type(type.tensor));
    } else if (type.kind == TypeInfo::Kind::Scalar && pl::scalarType(context_, type.dtype)) {
      made.kind = Val::Kind::Scalar;
      made.dtype = type.dtype;
      irTypes.push_back(pl::scalarType(context_, type.dtype));
    } else if (type.kind == TypeInfo::Kind::Scalar) {
      made = Val::ofTask();
    }
    handedBack.push_back(argument);
    results.push_back(std::move(made));
  }
  return results;
}

/// A declaration of the callee with the types of one call, made where there is none yet.
mlir::func::FuncOp KernelBuilder::declarationOf(const KernelDecl &callee, mlir::FunctionType signature) {
  std::string symbol = callee.name;
  for (unsigned suffix = 0;; ++suffix) {
    symbol = suffix == 0 ? callee.name : callee.name + "." + std::to_string(suffix);
    mlir::Operation *existing = module_.lookupSymbol(symbol);
    auto declaration = mlir::dyn_cast_or_null<mlir::func::FuncOp>(existing);
    if (declaration && declaration != function_ && declaration.getFunctionType() == signature) {
      return declaration;
    }
    if (!existing) {
      break;
    }
  }
  mlir::OpBuilder outer(context_);
  outer.setInsertionPointToEnd(module_.getBody());
  auto declaration = mlir::func::FuncOp::create(outer, loc(callee.function->nameRange), symbol, signature);
  declaration.setPrivate();
  declaration->setAttr(pl::kKindAttr, builder_.getStringAttr(kindName(callee.kind)));
  declaration->setAttr(pl::kEntryAttr, builder_.getStringAttr(callee.qualifiedName));
  return declaration;
}

Val KernelBuilder::emitCall(const KernelCall &call) {
  llvm::SmallVector<mlir::Value> operands;
  std::vector<const Expr *> argumentExprs;
  for (size_t i = 0; i < call.declared.size(); ++i) {
    Val value = call.values[i];
    const TypeInfo &type = call.types[i];
    if (type.kind == TypeInfo::Kind::Scalar && !value.isTensor() && !value.isTile()) {
      if (value.isConst()) {
        mlir::Value made = materialize(value, type.dtype, call.expr.range);
        value = made ? Val::ofScalar(made, type.dtype) : Val::poison();
      }
      value = value.isScalar() ? castScalar(value, type.dtype, call.expr.range) : value;
    }
    if (value.isRuntime()) {
      operands.push_back(value.ir);
      const Expr *argument = call.bound.get(call.declared[i]->name);
      argumentExprs.push_back(argument ? argument : &call.expr);
    }
  }
  std::vector<int64_t> handedBack;
  llvm::SmallVector<mlir::Type> irTypes;
  std::vector<Val> results = resultsOf(call, handedBack, irTypes);
  mlir::func::FuncOp declaration = declarationOf(
      call.callee, builder_.getFunctionType(llvm::to_vector(mlir::ValueRange(operands).getTypes()), irTypes));
  auto op = mlir::func::CallOp::create(builder_, accessLocation(call.expr.range, {{pl::kOperandsArg, argumentExprs}}),
                                       declaration, operands);
  size_t next = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].isRuntime()) {
      continue;
    }
    results[i].ir = op.getResult(static_cast<unsigned>(next++));
    if (handedBack[i] >= 0) {
      aliases_[results[i].ir] = call.values[static_cast<size_t>(handedBack[i])].ir;
    }
  }
  if (results.size() == 1) {
    return results[0];
  }
  return Val::ofTuple(std::move(results));
}

namespace {

/// Accesses of NZ tensors between two operations of the block, null at its ends, remember the call, for rules that
/// judge them later.
void markPasted(mlir::Block &block, mlir::Operation *before, mlir::Operation *behind, mlir::Location call) {
  auto isNz = [](mlir::Value value) {
    auto type = mlir::dyn_cast<pl::TensorType>(value.getType());
    return type && type.isNz();
  };
  for (mlir::Operation *op = before          ? before->getNextNode()
                             : block.empty() ? nullptr
                                             : &block.front();
       op; op = op->getNextNode()) {
    op->walk([&](mlir::Operation *access) {
      if (access->getNumRegions() == 0 && llvm::any_of(access->getOperands(), isNz)) {
        llvm::SmallVector<mlir::Attribute> calls;
        if (auto inner = access->getAttrOfType<mlir::ArrayAttr>(pl::kPastedAttr)) {
          calls.assign(inner.begin(), inner.end());
        }
        calls.push_back(call);
        access->setAttr(pl::kPastedAttr, mlir::ArrayAttr::get(call.getContext(), calls));
      }
    });
  }
}

} // namespace

Val KernelBuilder::inlineCall(const Expr &expr, const KernelDecl &callee, std::vector<Val> args) {
  // One report a kernel: helpers that call one another twice each would be refused thousands of times.
  constexpr unsigned kTold = kMaxInlinedStatements + 2;
  if (inlinedStatements_ >= kTold) {
    ++unknowns_;
    return Val::poison();
  }
  if (inlining_.size() >= kMaxInlineDepth || inlinedStatements_ > kMaxInlinedStatements) {
    inlinedStatements_ = kTold;
    return notSupported(expr.range, "pasting in helpers more than " + std::to_string(kMaxInlineDepth) +
                                        " deep or with more than " + std::to_string(kMaxInlinedStatements) +
                                        " statements in all");
  }
  Frame frame(callee, cache_->fates);
  frame.region = builder_.getInsertionBlock()->getParent();
  Frame *outerFrame = std::exchange(frame_, &frame);
  Env outerEnv = std::exchange(env_, {});
  inlining_.push_back(&callee);
  size_t next = 0;
  for (const syntax::Parameter *parameter : calledParameters(callee)) {
    if (next < args.size()) {
      env_.set(parameter->name, {std::move(args[next++]), parameter->nameRange, ""});
    }
  }
  size_t firstDiagnostic = diagnostics_.size();
  mlir::Block *into = builder_.getInsertionBlock();
  const mlir::Block::iterator here = builder_.getInsertionPoint();
  mlir::Operation *before = here == into->begin() ? nullptr : &*std::prev(here);
  mlir::Operation *behind = here == into->end() ? nullptr : &*here;
  block(callee.function->body);
  inlining_.pop_back();
  env_ = std::move(outerEnv);
  frame_ = outerFrame;
  markPasted(*into, before, behind, mlir::NameLoc::get(builder_.getStringAttr(callee.name), loc(expr.range)));
  nameCallSite(firstDiagnostic, expr, callee);
  if (frame.returned && inlining_.empty()) {
    close(*frame.returned);
  }
  if (!frame.returned || frame.returned->empty()) {
    return Val::poison();
  }
  if (frame.returned->size() == 1) {
    return frame.returned->front();
  }
  return Val::ofTuple(std::move(*frame.returned));
}

} // namespace placid::frontend
