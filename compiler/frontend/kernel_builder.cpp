// SPDX-License-Identifier: Apache-2.0
// The function around a kernel's body: parameters in, results out, and the small helpers every part uses.
#include "compiler/frontend/kernel_builder.h"

#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

KernelBuilder::KernelBuilder(const Program &program, const KernelDecl &kernel, std::string_view arch,
                             mlir::MLIRContext *context, std::vector<diag::Diagnostic> &diagnostics)
    : program_(program), kernel_(kernel), arch_(arch), context_(context),
      reporter_(program.path(), kernel.qualifiedName, diagnostics), builder_(context),
      file_(mlir::StringAttr::get(context, program.path())) {
  reporter_.follow(
      [this] { return frame_ && frame_->decl.module ? frame_->decl.module->source->path : program_.path(); });
}

KernelBuilder::~KernelBuilder() = default;

namespace {

bool isSelf(const KernelDecl &kernel, size_t index, const syntax::Parameter &parameter) {
  return index == 0 && parameter.name == "self" && !kernel.programClass.empty();
}

} // namespace

pl::TensorType KernelBuilder::applyDynamicBindings(pl::TensorType type, std::string_view parameter) const {
  llvm::SmallVector<mlir::Attribute> dims(type.getDims());
  for (const Stmt *stmt : frame_->decl.function->body) {
    // `x.bind_dynamic(axis, SYM)` stands in the body and changes the parameter's type.
    const Expr *call = stmt->kind == Stmt::Kind::Expr ? stmt->value : nullptr;
    if (!call || call->kind != Expr::Kind::Call || call->children.size() != 3) {
      continue;
    }
    const Expr &callee = *call->children[0];
    if (callee.kind != Expr::Kind::Attribute || callee.text != "bind_dynamic" ||
        callee.children[0]->kind != Expr::Kind::Name || callee.children[0]->text != parameter) {
      continue;
    }
    ConstValue axis = evaluate(*call->children[1], *frame_->decl.scope);
    ConstValue symbol = evaluate(*call->children[2], *frame_->decl.scope);
    if (axis.isInt() && axis.integer >= 0 && axis.integer < static_cast<int64_t>(dims.size()) &&
        symbol.kind == ConstValue::Kind::DynDim) {
      dims[static_cast<size_t>(axis.integer)] = pl::extentAttr(context_, symbol.text);
    }
  }
  return pl::TensorType::get(context_, dims, type.getDtype(), type.getLayout(), type.getStrides(), type.getValid(),
                             type.getDistributed());
}

void KernelBuilder::parameters(mlir::OwningOpRef<mlir::ModuleOp> &module) {
  struct Argument {
    const syntax::Parameter *parameter;
    TypeInfo info;
    mlir::Type type;
  };
  std::vector<Argument> arguments;
  const std::vector<syntax::Parameter> &declared = kernel_.function->parameters;
  AnnotationPlace place = kernel_.jit ? AnnotationPlace::JitParameter : AnnotationPlace::FunctionParameter;
  for (size_t i = 0; i < declared.size(); ++i) {
    const syntax::Parameter &parameter = declared[i];
    if (isSelf(kernel_, i, parameter)) {
      continue;
    }
    if (env_.contains(parameter.name)) {
      reporter_.report(diag::BadAnnotation, parameter.nameRange,
                       "the parameter `" + std::string(parameter.name) + "` is declared twice");
      continue;
    }
    env_[std::string(parameter.name)] = {Val::poison(), parameter.nameRange, ""};
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
    mlir::Type type;
    if (info.kind == TypeInfo::Kind::Tensor) {
      info.tensor = applyDynamicBindings(info.tensor, parameter.name);
      type = info.tensor;
    } else if (info.kind == TypeInfo::Kind::Tile) {
      type = info.tile;
    } else if (info.kind == TypeInfo::Kind::Scalar) {
      type = pl::scalarType(context_, info.dtype);
    }
    if (type) {
      arguments.push_back({&parameter, std::move(info), type});
    } else if (info.kind == TypeInfo::Kind::Scalar) {
      Val task;
      task.kind = Val::Kind::Task;
      env_[std::string(parameter.name)].value = task;
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
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    std::string name(argument.parameter->name);
    auto index = static_cast<unsigned>(i);
    mlir::Value value = entry->getArgument(index);
    value.setLoc(mlir::NameLoc::get(builder_.getStringAttr(name), loc(argument.parameter->nameRange)));
    function_.setArgAttr(index, pl::kNameAttr, builder_.getStringAttr(name));
    Variable &variable = env_[name];
    if (argument.info.kind == TypeInfo::Kind::Scalar) {
      variable.value = Val::ofScalar(value, argument.info.dtype);
      continue;
    }
    if (argument.info.kind == TypeInfo::Kind::Tile) {
      variable.value = Val::ofTile(value);
      continue;
    }
    function_.setArgAttr(index, pl::kDirAttr, builder_.getStringAttr(argument.info.direction));
    function_.setArgAttr(index, pl::kAnnotationAttr, loc(argument.info.layoutRange));
    if (argument.info.layoutBinding) {
      function_.setArgAttr(index, pl::kBindingAttr, loc(*argument.info.layoutBinding));
    }
    const NzOrigin *origin = nullptr;
    if (argument.info.tensor.isNz()) {
      origin = origins_.emplace_back(std::make_unique<NzOrigin>(NzOrigin{name, argument.info.layoutRange})).get();
    }
    variable.value = Val::ofTensor(value, origin);
  }
  builder_.setInsertionPointToEnd(entry);
}

mlir::OwningOpRef<mlir::ModuleOp> KernelBuilder::build() {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc(kernel_.function->range));
  module_ = *module;
  module_->setAttr(pl::kArchAttr, builder_.getStringAttr(arch_));
  Frame frame(kernel_);
  frame_ = &frame;
  inCore_ = kernel_.kind == KernelKind::Incore;
  parameters(module);
  if (kernel_.kind != KernelKind::Extern) {
    block(kernel_.function->body);
  }

  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> values;
  if (frame.returned) {
    for (const Val &value : *frame.returned) {
      if (value.isRuntime()) {
        values.push_back(value.ir);
        types.push_back(value.ir.getType());
      }
    }
  }
  mlir::func::ReturnOp::create(builder_, function_.getLoc(), values);
  function_.setFunctionType(builder_.getFunctionType(function_.getArgumentTypes(), types));
  frame_ = nullptr;
  return module;
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
  if (frame_->decl.function->body.back() != &stmt) {
    notSupported(stmt.range, "a `return` that is not the last statement of its function");
    return;
  }
  const Expr *annotation = frame_->decl.function->annotation;
  if (annotation && inlining_.empty()) {
    TypeInfo declared =
        resolveAnnotation(*annotation, *frame_->decl.scope, context_, AnnotationPlace::Result, reporter_);
    std::vector<TypeInfo> types =
        declared.kind == TypeInfo::Kind::Tuple ? declared.items : std::vector<TypeInfo>{declared};
    bool known = declared.kind != TypeInfo::Kind::Invalid && declared.kind != TypeInfo::Kind::Unknown;
    known &= std::none_of(values.begin(), values.end(), [](const Val &value) { return value.isPoison(); });
    if (known && types.size() != values.size()) {
      typeMismatch(stmt.range, "the return",
                   "the function declares " + std::to_string(types.size()) + " results, this returns " +
                       std::to_string(values.size()));
    }
    for (size_t i = 0; known && i < values.size() && i < types.size(); ++i) {
      if (types[i].kind != TypeInfo::Kind::Tensor || !values[i].isTensor()) {
        continue;
      }
      pl::TensorType given = values[i].tensorType();
      bool same = given.getDims() == types[i].tensor.getDims() && given.getDtype() == types[i].tensor.getDtype() &&
                  given.getLayout() == types[i].tensor.getLayout();
      bool comparable = given.hasStaticShape() && types[i].tensor.hasStaticShape();
      if (!same && (comparable || given.getLayout() != types[i].tensor.getLayout())) {
        diag::Diagnostic &d =
            reporter_.report(diag::TypeMismatch, stmt.value ? stmt.value->range : stmt.range, "the return",
                             "the function declares " + show(types[i].tensor) + ", this returns " + show(given));
        reporter_.note(d, annotation->range, "declared here", diag::Related::Role::Annotation);
      }
    }
  }
  frame_->returned = std::move(values);
}

ConstValue KernelBuilder::staticValue(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Attribute && expr.text == "dtype" && expr.children[0]->kind == Expr::Kind::Name) {
    auto local = env_.find(expr.children[0]->text);
    if (local != env_.end() && local->second.value.isTensor()) {
      ConstValue dtype = ConstValue::make(ConstValue::Kind::DType);
      dtype.dtype = local->second.value.tensorType().getDtype();
      return dtype;
    }
  }
  // The kernel's own names hide the module's, also where their value is only known at run time.
  Scope own;
  own.parent = frame_->decl.scope;
  visitNames(expr, [&](const Expr &name) {
    auto local = env_.find(name.text);
    if (local != env_.end()) {
      const Val &value = local->second.value;
      own.names[std::string(name.text)] = {
          value.isConst() ? value.constant : ConstValue::unknown("it is only known at run time"), local->second.bound};
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
  visitNames(*expr, [&](const Expr &use) {
    bool known = env_.contains(use.text) || frame_->decl.scope->find(use.text) || isPythonBuiltin(use.text) ||
                 use.text == "self";
    if (!known) {
      name(use); // reports it
    }
  });
}

//===-- Small helpers ---------------------------------------------------------------------------------------------===//

bool KernelBuilder::flag(const BoundArguments &args, std::string_view name) {
  ConstValue value = constantArgument(args, name);
  return !value.isUnknown() && value.truthy();
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
    return "a tuple";
  case Val::Kind::Task:
    return value.ir ? "a " + mlir::cast<pl::HandleType>(value.ir.getType()).getKind().str() + " handle" : "a task id";
  case Val::Kind::Array: {
    auto type = mlir::cast<pl::ArrayType>(value.ir.getType());
    return "pl.Array[" + std::to_string(type.getExtent()) + ", pl." + pl::plName(type.getDtype()).str() + "]";
  }
  }
  return "";
}

} // namespace placid::frontend
