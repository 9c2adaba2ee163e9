// SPDX-License-Identifier: Apache-2.0
// The function around a kernel's body: parameters in, results out, and the small helpers every part uses.
#include "compiler/frontend/kernel_builder.h"

#include "compiler/dialect/pl/analysis/symbolic_values.h"
#include "compiler/evaluator/builtin_names.h"
#include "compiler/frontend/frame.h"
#include "compiler/frontend/kernel_heads.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

KernelBuilder::KernelBuilder(const Program &program, const KernelDecl &kernel, std::string_view arch,
                             mlir::MLIRContext *context, std::vector<diag::Diagnostic> &diagnostics, CallTypes *calls)
    : program_(program), kernel_(kernel), arch_(arch), context_(context),
      reporter_(program.path(), kernel.qualifiedName, diagnostics), builder_(context),
      file_(mlir::StringAttr::get(context, program.path())), diagnostics_(diagnostics), calls_(calls),
      cache_(calls ? calls->cache() : std::make_shared<BuildCache>()) {
  reporter_.follow(
      [this] { return frame_ && frame_->decl.module ? frame_->decl.module->source->path : program_.path(); });
}

KernelBuilder::~KernelBuilder() = default;

bool KernelBuilder::isHost(const KernelDecl &kernel) const {
  return kernel.kind == KernelKind::Host || decoratorOption(kernel, "level").isPath("pl.Level.HOST");
}

/// A keyword of the decorator; None when it is not given.
ConstValue KernelBuilder::decoratorOption(const KernelDecl &kernel, std::string_view name) const {
  for (const Expr *decorator : kernel.function->decorators) {
    for (const syntax::Keyword &keyword : decorator->keywords) {
      if (keyword.name == name) {
        return evaluate(*keyword.value, *kernel.scope);
      }
    }
  }
  return ConstValue::make(ConstValue::Kind::None);
}

pl::TensorType KernelBuilder::applyDynamicBindings(pl::TensorType type, std::string_view parameter,
                                                   const KernelDecl &kernel) const {
  llvm::SmallVector<mlir::Attribute> dims(type.getDims());
  for (const Expr *call : dynamicBindings(*kernel.function)) {
    if (call->children[0]->children[0]->text != parameter) {
      continue;
    }
    ConstValue axis = evaluate(*call->children[1], *kernel.scope);
    ConstValue symbol = evaluate(*call->children[2], *kernel.scope);
    if (axis.isInt() && axis.integer >= 0 && axis.integer < static_cast<int64_t>(dims.size()) &&
        symbol.kind == ConstValue::Kind::DynDim) {
      dims[static_cast<size_t>(axis.integer)] = pl::extentAttr(context_, symbol.text);
    }
  }
  return pl::TensorType::get(context_, dims, type.getDtype(), type.getLayout(), type.getStrides(), type.getValid(),
                             type.getDistributed());
}

/// The type of a parameter in the IR; null for what has none there, which is then bound here.
mlir::Type KernelBuilder::parameterType(const syntax::Parameter &parameter, TypeInfo &info, size_t position) {
  Val &bound = env_[parameter.name].value;
  switch (info.kind) {
  case TypeInfo::Kind::Tensor:
    info.tensor = applyDynamicBindings(info.tensor, parameter.name, kernel_);
    return info.tensor;
  case TypeInfo::Kind::Tile:
    return info.tile;
  case TypeInfo::Kind::Scalar:
    if (mlir::Type type = pl::scalarType(context_, info.dtype)) {
      return type;
    }
    bound = Val::ofTask();
    return {};
  case TypeInfo::Kind::Array:
    if (pl::scalarType(context_, info.dtype)) {
      return pl::ArrayType::get(context_, info.extent, info.dtype);
    }
    bound.kind = Val::Kind::Array;
    bound.dtype = info.dtype;
    bound.extent = info.extent;
    return {};
  case TypeInfo::Kind::Handle:
    bound = Val::ofTask();
    return {};
  case TypeInfo::Kind::Constexpr:
    // Where it is a helper's, each call pastes it in with its value; by itself it is judged with its default.
    if (parameter.defaultValue) {
      bound = ofStatic(evaluate(*parameter.defaultValue, *kernel_.scope), *parameter.defaultValue);
    } else {
      gap(parameter.nameRange, "the parameter `" + std::string(parameter.name) + "`, a constant that no call tells,");
    }
    return {};
  case TypeInfo::Kind::Unknown:
    if (info.bare) {
      mlir::Type told = calls_ ? calls_->find(kernel_, position, context_) : mlir::Type();
      asked_.emplace_back(position, told);
      auto known = mlir::dyn_cast_or_null<pl::TensorType>(told);
      if (known) {
        info.kind = TypeInfo::Kind::Tensor;
        info.tensor = applyDynamicBindings(known, parameter.name, kernel_);
        return info.tensor;
      }
      gap(parameter.nameRange, "the parameter `" + std::string(parameter.name) + "`, whose shape no call tells,");
    }
    return {};
  case TypeInfo::Kind::Invalid:
  case TypeInfo::Kind::Tuple:
    return {};
  }
  return {};
}

void KernelBuilder::parameters(mlir::OwningOpRef<mlir::ModuleOp> &module) {
  struct Argument {
    const syntax::Parameter *parameter;
    TypeInfo info;
    mlir::Type type;
  };
  std::vector<Argument> arguments;
  AnnotationPlace place = kernel_.jit ? AnnotationPlace::JitParameter : AnnotationPlace::FunctionParameter;
  size_t position = 0;
  for (const syntax::Parameter *declared : calledParameters(kernel_)) {
    const syntax::Parameter &parameter = *declared;
    const size_t number = position++; // as calls count them
    if (env_.contains(parameter.name)) {
      reporter_.report(diag::BadAnnotation, parameter.nameRange,
                       "the parameter `" + std::string(parameter.name) + "` is declared twice");
      continue;
    }
    env_.set(parameter.name, {Val::poison(), parameter.nameRange, ""});
    if (parameter.variadic) {
      reporter_.report(diag::NotAllowedInKernel, parameter.nameRange, "a `*` parameter");
      continue;
    }
    if (!parameter.annotation) {
      reporter_.report(diag::BadAnnotation, parameter.nameRange,
                       "the parameter `" + std::string(parameter.name) + "` has no type annotation");
      continue;
    }
    TypeInfo info =
        resolveAnnotation(*parameter.annotation, *kernel_.scope, context_, place, reporter_, parameter.name);
    if (mlir::Type type = parameterType(parameter, info, number)) {
      arguments.push_back({&parameter, std::move(info), type});
    }
  }

  llvm::SmallVector<mlir::Type> types;
  for (const Argument &argument : arguments) {
    types.push_back(argument.type);
  }
  builder_.setInsertionPointToEnd(module->getBody());
  mlir::Location at = loc(kernel_.function->nameRange);
  function_ = mlir::func::FuncOp::create(builder_, at, kernel_.name, builder_.getFunctionType(types, {}));
  function_->setAttr(pl::kKindAttr, builder_.getStringAttr(kindName(kernel_.kind)));
  function_->setAttr(pl::kEntryAttr, builder_.getStringAttr(kernel_.qualifiedName));
  mlir::Block *entry = function_.addEntryBlock();
  entry_ = entry;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    std::string name(argument.parameter->name);
    auto index = static_cast<unsigned>(i);
    mlir::Value value = entry->getArgument(index);
    value.setLoc(mlir::NameLoc::get(builder_.getStringAttr(name), loc(argument.parameter->nameRange)));
    function_.setArgAttr(index, pl::kNameAttr, builder_.getStringAttr(name));
    Variable &variable = env_[name];
    writable_.push_back(
        {argument.info.direction, reporter_.location(argument.parameter->annotation->range), false, false});
    if (argument.info.kind == TypeInfo::Kind::Scalar) {
      variable.value = Val::ofScalar(value, argument.info.dtype);
      continue;
    }
    if (argument.info.kind == TypeInfo::Kind::Array) {
      variable.value.kind = Val::Kind::Array;
      variable.value.ir = value;
      continue;
    }
    if (argument.info.kind == TypeInfo::Kind::Tile) {
      variable.value = Val::ofTile(value);
      continue;
    }
    writable_.back().distributed = argument.info.tensor.getDistributed();
    function_.setArgAttr(index, pl::kDirAttr, builder_.getStringAttr(argument.info.direction));
    function_.setArgAttr(index, pl::kAnnotationAttr, loc(argument.info.layoutRange));
    if (argument.info.bare) {
      function_.setArgAttr(index, pl::kToldAttr, builder_.getUnitAttr());
    }
    if (argument.info.layoutBinding) {
      function_.setArgAttr(index, pl::kBindingAttr, loc(*argument.info.layoutBinding));
    }
    const NzOrigin *origin = nullptr;
    if (argument.info.tensor.isNz()) {
      origin =
          origins_
              .emplace_back(std::make_unique<NzOrigin>(NzOrigin{name, reporter_.location(argument.info.layoutRange)}))
              .get();
    }
    variable.value = Val::ofTensor(value, origin);
  }
  builder_.setInsertionPointToEnd(entry);
}

mlir::OwningOpRef<mlir::ModuleOp> KernelBuilder::build() {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc(kernel_.function->range));
  module_ = *module;
  module_->setAttr(pl::kArchAttr, builder_.getStringAttr(arch_));
  Frame frame(kernel_, cache_->fates);
  frame_ = &frame;
  before_ = evaluationUse(program_);
  inCore_ = kernel_.kind == KernelKind::Incore;
  ConstValue strict = decoratorOption(kernel_, "strict_ssa");
  strictSsa_ = strict.isBool() && strict.truthy();
  parameters(module);
  frame.region = builder_.getInsertionBlock()->getParent();
  if (kernel_.kind == KernelKind::Extern) {
    externBody();
  } else if (decoratorOption(kernel_, "role").isPath("pl.Role.SubWorker")) {
    // Plain Python, which runs on the host.
  } else {
    block(kernel_.function->body);
    checkOutputs();
  }

  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> values;
  if (frame.returned) {
    returned_ = *frame.returned;
    for (const Val &value : returned_) {
      if (value.isRuntime()) {
        values.push_back(value.ir);
        types.push_back(value.ir.getType());
      }
    }
  }
  mlir::func::ReturnOp::create(builder_, function_.getLoc(), values);
  function_.setFunctionType(builder_.getFunctionType(function_.getArgumentTypes(), types));
  if (inCore_ && holes() > 0) {
    function_->setAttr(pl::kIncompleteAttr, builder_.getUnitAttr());
  }
  frame_ = nullptr;
  if (calls_ && typing_ + typedDepth_ < kMaxTypingDepth && evaluationUse(program_).changes == before_.changes) {
    calls_->found(kernel_, foundResults());
  }
  return module;
}

/// A stub of a kernel that is written elsewhere has no body of its own.
void KernelBuilder::externBody() {
  for (const Stmt *stmt : kernel_.function->body) {
    bool ellipsis = stmt->kind == Stmt::Kind::Expr && stmt->value->kind == Expr::Kind::Other;
    bool comment = stmt->kind == Stmt::Kind::Expr && stmt->value->kind == Expr::Kind::String;
    if (!ellipsis && !comment && stmt->kind != Stmt::Kind::Pass && stmt->kind != Stmt::Kind::Error) {
      reporter_.report(diag::ExternBody, stmt->range, kernel_.name)
          .fixes.push_back({"write `...` for the body: the kernel is in its `source`", {}});
      return;
    }
  }
}

namespace {

/// True when every way through the statements ends in a `return`.
bool alwaysReturns(const std::vector<const Stmt *> &block) {
  const Stmt *last = block.empty() ? nullptr : block.back();
  if (!last || last->kind == Stmt::Kind::Return) {
    return last != nullptr;
  }
  return (last->kind == Stmt::Kind::If && alwaysReturns(last->body) && alwaysReturns(last->orelse)) ||
         (last->kind == Stmt::Kind::With && alwaysReturns(last->body));
}

} // namespace

/// True when what is being built may not run: it stands in a branch that is decided at run time.
bool KernelBuilder::inBranch() const {
  for (mlir::Region *at = builder_.getInsertionBlock()->getParent(); at != frame_->region; at = at->getParentRegion()) {
    if (!at || mlir::isa<mlir::scf::IfOp>(at->getParentOp())) {
      return at != nullptr;
    }
  }
  return false;
}

void KernelBuilder::returnValues(const Stmt &stmt) {
  std::vector<Val> values;
  if (stmt.value && stmt.value->kind == Expr::Kind::Tuple) {
    for (const Expr *item : stmt.value->children) {
      values.push_back(expression(*item));
    }
  } else if (stmt.value) {
    Val value = expression(*stmt.value);
    values = value.kind == Val::Kind::Tuple ? value.items : std::vector<Val>{value};
  }
  bool outermost = inlining_.empty() && kernel_.kind != KernelKind::Incore;
  const bool branch = frame_->next.isLast() && inBranch();
  if (branch && values.empty()) {
    return; // nothing follows that it could skip
  }
  if (branch ? alwaysReturns(frame_->decl.function->body) : !frame_->next.isLast() && frame_->next.endsPath()) {
    gap(stmt.range, "a `return` in a branch"); // legal: the branch ends the kernel
    return;
  }
  if (branch) {
    diag::Diagnostic &d = reporter_.report(diag::ReturnPlace, stmt.range);
    d.fixes.push_back({"return on the other path too: bind the result on every path and return it at the end", {}});
    return;
  }
  if (!frame_->next.isLast() || (inCore_ && outermost)) {
    reporter_.report(diag::ReturnPlace, stmt.range)
        .fixes.push_back({"bind the result on every path and return it at the end", {}});
    return;
  }
  if (frame_->decl.function->annotation && inlining_.empty()) {
    checkReturn(stmt, values);
  }
  frame_->returned = std::move(values);
}

void KernelBuilder::checkReturn(const Stmt &stmt, const std::vector<Val> &values) {
  const Expr &annotation = *frame_->decl.function->annotation;
  TypeInfo declared = resolveAnnotation(annotation, *frame_->decl.scope, context_, AnnotationPlace::Result, reporter_);
  bool several = declared.kind == TypeInfo::Kind::Tuple;
  std::vector<TypeInfo> types = several ? declared.items : std::vector<TypeInfo>{declared};
  bool known = declared.kind != TypeInfo::Kind::Invalid && declared.kind != TypeInfo::Kind::Unknown;
  source::ByteRange at = stmt.value ? stmt.value->range : stmt.range;
  if (known && types.size() != values.size()) {
    bool poison = std::any_of(values.begin(), values.end(), [](const Val &value) { return value.isPoison(); });
    if (!poison || stmt.value->kind == Expr::Kind::Tuple) {
      diag::Diagnostic &d = reporter_.report(diag::TypeMismatch, at, "the return",
                                             "the function declares " + std::to_string(types.size()) +
                                                 " results, this returns " + std::to_string(values.size()));
      reporter_.note(d, annotation.range, "declared here", diag::Related::Role::Annotation);
    }
    return;
  }
  for (size_t i = 0; known && i < values.size(); ++i) {
    const TypeInfo &type = types[i];
    const Val &value = values[i];
    bool tensor = type.kind == TypeInfo::Kind::Tensor;
    bool wrong = tensor && value.isTensor() && surelyDiffer(value.tensorType(), type.tensor);
    wrong |= tensor && (value.isTile() || value.isScalar() || (value.isConst() && value.constant.isNumber()));
    wrong |= type.kind == TypeInfo::Kind::Scalar && (value.isTensor() || value.isTile());
    if (wrong && tensor && value.isTensor() && frame_->decl.jit) {
      // A JIT function takes the type of a tensor result from what it returns: the annotation is untrue, no more.
      const Expr *item = stmt.value && stmt.value->kind == Expr::Kind::Tuple ? stmt.value->children[i] : nullptr;
      diag::Diagnostic &d = reporter_.report(diag::UntrueResult, annotation.range, frame_->decl.name, describe(value),
                                             frontend::show(type));
      reporter_.note(d, item ? item->range : at, "returned here");
      continue;
    }
    if (wrong) {
      const Expr *item = stmt.value && stmt.value->kind == Expr::Kind::Tuple ? stmt.value->children[i] : nullptr;
      diag::Diagnostic &d =
          reporter_.report(diag::TypeMismatch, item ? item->range : at, "the return",
                           "the function declares " + frontend::show(type) + ", this returns " + describe(value));
      reporter_.note(d, annotation.range, "declared here", diag::Related::Role::Annotation);
    }
  }
}

ConstValue KernelBuilder::staticValue(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Attribute && expr.text == "dtype" && expr.children[0]->kind == Expr::Kind::Name) {
    const Variable *local = env_.find(expr.children[0]->text);
    if (local && local->value.isTensor()) {
      ConstValue dtype = ConstValue::make(ConstValue::Kind::DType);
      dtype.dtype = local->value.tensorType().getDtype();
      return dtype;
    }
  }
  // The kernel's own names hide the module's, also where their value is only known at run time.
  Scope own;
  own.parent = frame_->decl.scope;
  visitNames(expr, [&](const Expr &name) {
    if (const Variable *local = env_.find(name.text)) {
      const Val &value = local->value;
      own.names[std::string(name.text)] = {
          value.isConst() ? value.constant : ConstValue::unknown("it is only known at run time"), local->bound};
    }
  });
  return evaluate(expr, own.names.empty() ? *frame_->decl.scope : own);
}

void KernelBuilder::nameResults(mlir::Operation *op, llvm::ArrayRef<std::string> names) {
  if (!names.empty()) {
    llvm::SmallVector<llvm::StringRef> list(names.begin(), names.end());
    op->setAttr(pl::kResultNamesAttr, builder_.getStrArrayAttr(list));
  }
}

void KernelBuilder::checkNames(const Expr *expr) {
  if (!expr) {
    return;
  }
  using Python = syntax::PythonExpr;
  const Python *python = expr->python;
  std::set<std::string_view> bound; // by the clauses of a comprehension
  auto check = [&](const Expr *part) {
    if (!part) {
      return;
    }
    visitNames(*part, [&](const Expr &use) {
      bool known = env_.contains(use.text) || frame_->decl.scope->find(use.text) || py::isBuiltinName(use.text) ||
                   use.text == "self" || bound.contains(use.text);
      if (!known) {
        name(use); // reports it
      }
    });
  };
  check(expr);
  if (!python || (python->kind != Python::Kind::ListComprehension && python->kind != Python::Kind::SetComprehension)) {
    return;
  }
  for (const syntax::ComprehensionClause &clause : python->clauses) {
    if (clause.target) {
      visitNames(*clause.target, [&](const Expr &target) { bound.insert(target.text); });
    }
  }
  for (const Expr *part : python->parts) {
    check(part);
  }
  for (const syntax::ComprehensionClause &clause : python->clauses) {
    check(clause.iterable);
    for (const Expr *condition : clause.conditions) {
      check(condition);
    }
  }
}

//===-- Small helpers ---------------------------------------------------------------------------------------------===//

bool KernelBuilder::flag(const BoundArguments &args, std::string_view name) {
  ConstValue value = constantArgument(args, name);
  if (value.isUnknown()) {
    const Expr &given = *args.get(name);
    Val known = expression(given); // reports a name that does not exist
    if (!known.isPoison() && !known.isConst()) {
      reporter_.report(diag::LiteralRequired, given.range, "`" + std::string(name) + "`", "True or False");
    }
    return false;
  }
  return value.truthy();
}

std::optional<pl::DType> KernelBuilder::dtypeArgument(const BoundArguments &args, std::string_view name) {
  const Expr *expr = args.get(name);
  if (!expr) {
    return std::nullopt;
  }
  ConstValue value = staticValue(*expr);
  if (value.kind == ConstValue::Kind::DType) {
    return value.dtype;
  }
  if (value.kind != ConstValue::Kind::None) {
    expression(*expr); // reports a name that does not exist
  }
  return std::nullopt;
}

ConstValue KernelBuilder::constantArgument(const BoundArguments &args, std::string_view name) {
  const Expr *expr = args.get(name);
  return expr ? staticValue(*expr) : ConstValue::make(ConstValue::Kind::None);
}

Val KernelBuilder::notSupported(source::ByteRange at, std::string what) {
  reporter_.report(diag::NotSupportedYet, at, std::move(what));
  return Val::poison();
}

Val KernelBuilder::gap(source::ByteRange at, std::string what) {
  Reporter silent(reporter_.location(at).path, kernel_.qualifiedName, gaps_);
  silent.report(diag::NotLowered, at, std::move(what));
  return Val::poison();
}

Val KernelBuilder::typeMismatch(source::ByteRange at, std::string where, std::string what) {
  reporter_.report(diag::TypeMismatch, at, std::move(where), std::move(what));
  return Val::poison();
}

Val KernelBuilder::shapeMismatch(source::ByteRange at, std::string where, std::string what) {
  reporter_.report(diag::ShapeMismatch, at, std::move(where), std::move(what));
  return Val::poison();
}

std::string KernelBuilder::describe(const Val &value) const {
  switch (value.kind) {
  case Val::Kind::Poison:
    return "an unknown value";
  case Val::Kind::Const:
    return frontend::show(value.constant);
  case Val::Kind::Scalar:
    return "pl.Scalar[pl." + pl::plName(value.dtype).str() + "]";
  case Val::Kind::Tensor:
    return frontend::show(value.tensorType());
  case Val::Kind::Tile:
    return frontend::show(value.tileType());
  case Val::Kind::Tuple:
    return value.items.empty() ? "nothing" : "a tuple";
  case Val::Kind::Task:
    return value.ir ? "a " + mlir::cast<pl::HandleType>(value.ir.getType()).getKind().str() + " handle" : "a task id";
  case Val::Kind::Array:
    return "pl.Array[" + std::to_string(value.arrayExtent()) + ", pl." + pl::plName(value.arrayDtype()).str() + "]";
  }
  return "";
}

void forgetInside(Val &value) {
  if (value.kind == Val::Kind::Task) {
    value.ir = {};
  } else if (value.kind == Val::Kind::Array && value.ir) {
    value.extent = value.arrayExtent();
    value.dtype = value.arrayDtype();
    value.ir = {};
  }
  for (Val &item : value.items) {
    forgetInside(item);
  }
}

bool surelyDiffer(mlir::Type a, mlir::Type b) {
  auto tensorA = mlir::dyn_cast<pl::TensorType>(a);
  auto tensorB = mlir::dyn_cast<pl::TensorType>(b);
  auto tileA = mlir::dyn_cast<pl::TileType>(a);
  auto tileB = mlir::dyn_cast<pl::TileType>(b);
  if (tensorA && tensorB) {
    bool differ = tensorA.getDtype() != tensorB.getDtype() || tensorA.getLayout() != tensorB.getLayout() ||
                  tensorA.getRank() != tensorB.getRank();
    for (unsigned axis = 0; !differ && axis < tensorA.getRank(); ++axis) {
      std::optional<int64_t> left = tensorA.getExtent(axis);
      std::optional<int64_t> right = tensorB.getExtent(axis);
      differ = left && right && *left != *right;
    }
    return differ;
  }
  if (tileA && tileB) {
    bool placed = tileA.getMem() != pl::Mem::Unset && tileB.getMem() != pl::Mem::Unset;
    return tileA.getShape() != tileB.getShape() || tileA.getDtype() != tileB.getDtype() ||
           (placed && tileA.getMem() != tileB.getMem());
  }
  return a != b;
}

} // namespace placid::frontend
