// SPDX-License-Identifier: Apache-2.0
// Rules about what reaches memory: inputs that are written, outputs that are rebound instead of written, computing that
// stands outside every core scope. Apart because each is asked from several places. Looks at values as they are built,
// so that the place it names is the source's.
#include "compiler/frontend/frame.h"
#include "compiler/frontend/name_flow.h"
#include "compiler/ops/op_table.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace placid::frontend {

using syntax::Expr;

namespace {

/// What the tensor form writes to is on the chip by then: the result is a tensor of its own, as that of a sum is.
bool isNewValue(const ops::OpRow &row, bool tile) {
  return !tile && row.tensor && row.tensor->rule == ops::Rule::GatherRow;
}

/// The tensor whose bytes an operation's result holds; null where it makes its own.
mlir::Value aliased(mlir::Value tensor) {
  if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(tensor)) {
    mlir::Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = mlir::dyn_cast_or_null<mlir::scf::ForOp>(parent)) {
      unsigned number = argument.getArgNumber();
      return number == 0 ? mlir::Value() : loop.getInitArgs()[number - 1];
    }
    if (auto loop = mlir::dyn_cast_or_null<mlir::scf::WhileOp>(parent)) {
      return loop.getInits()[argument.getArgNumber()];
    }
    return {};
  }
  mlir::Operation *op = tensor.getDefiningOp();
  unsigned number = mlir::cast<mlir::OpResult>(tensor).getResultNumber();
  if (auto slice = mlir::dyn_cast<pl::TensorSliceOp>(op)) {
    return slice.getSource();
  }
  if (auto reshape = mlir::dyn_cast<pl::TensorReshapeOp>(op)) {
    return reshape.getSource();
  }
  if (auto assemble = mlir::dyn_cast<pl::TensorAssembleOp>(op)) {
    return assemble.getTarget();
  }
  if (auto store = mlir::dyn_cast<pl::TileStoreOp>(op)) {
    return store.getDest();
  }
  if (auto generic = mlir::dyn_cast<pl::GenericOp>(op)) {
    const ops::OpRow &row = generic.getRow();
    bool tile = generic.getFormKind() == ops::FormKind::Tile;
    std::string_view written = tile ? row.writesTile : row.writesTensor;
    if (isNewValue(row, tile)) {
      return {};
    }
    if (row.category == ops::Category::View) {
      written = row.form(generic.getFormKind())->parameters[0].name;
    }
    return written.empty() ? mlir::Value() : generic.getArgument(llvm::StringRef(written.data(), written.size()));
  }
  if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
    return loop.getInitArgs()[number];
  }
  if (auto loop = mlir::dyn_cast<mlir::scf::WhileOp>(op)) {
    return loop.getInits()[number];
  }
  if (auto branch = mlir::dyn_cast<mlir::scf::IfOp>(op)) {
    return branch.thenYield()->getOperand(number);
  }
  if (auto scope = mlir::dyn_cast<pl::IncoreOp>(op)) {
    return scope.getBody().front().getTerminator()->getOperand(number);
  }
  return {};
}

constexpr unsigned kMaxSteps = 1U << 16;

/// What may be done to tensors outside a core scope: making one, looking at one, handing parts of it on.
bool schedules(std::string_view op) {
  static constexpr std::string_view kAllowed[] = {
      "create_tensor", "create",         "create_l1",        "read",           "write",  "slice",
      "reshape",       "assemble",       "reinterpret_view", "transpose",      "view",   "dim",
      "no_dep",        "set_validshape", "get_element",      "update_element", "tensor", "expand_clone"};
  return std::find(std::begin(kAllowed), std::end(kAllowed), op) != std::end(kAllowed);
}

} // namespace

int KernelBuilder::writtenParameter(mlir::Value tensor) const {
  for (unsigned step = 0; tensor && step < kMaxSteps; ++step) { // the bound is for bad IR
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(tensor);
    if (argument && argument.getOwner() == entry_) {
      return static_cast<int>(argument.getArgNumber());
    }
    auto known = aliases_.find(tensor);
    tensor = known != aliases_.end() ? known->second : aliased(tensor);
  }
  return -1;
}

void KernelBuilder::noteWrite(const Val &target, source::ByteRange at, std::string_view what) {
  bool wrappers = kernel_.kind != KernelKind::Inline && !isHost(kernel_);
  int number = target.isTensor() && wrappers ? writtenParameter(target.ir) : -1;
  if (number < 0 || static_cast<size_t>(number) >= writable_.size()) {
    return;
  }
  Written &parameter = writable_[static_cast<size_t>(number)];
  if (parameter.direction != "in" || parameter.distributed || parameter.reported) {
    return;
  }
  parameter.reported = true; // one parameter, one fault
  std::string name = pl::valueName(function_.getArgument(static_cast<unsigned>(number))).str();
  diag::Diagnostic &d = reporter_.report(diag::InputWritten, at, name, std::string(what));
  reporter_.stillBuilt();
  // The direction of such a parameter is found from what is written: only a declared one can be wrong.
  bool inferred = kernel_.jit || kernel_.kind == KernelKind::Opaque;
  d.severity = inferred ? diag::Severity::Warning : diag::Severity::Error;
  reporter_.note(d, parameter.annotation, "`" + name + "` is declared an input here", diag::Related::Role::Annotation);
  d.fixes.push_back({"declare it `pl.Out[…]` when it is written only, `pl.InOut[…]` when it is read too", {}});
}

void KernelBuilder::noteOpWrites(const Expr &expr, std::string_view path) {
  if (!path.starts_with("pl.")) {
    return;
  }
  const ops::OpRow *row = ops::findOp(path).row;
  for (const ops::Form *form :
       row ? std::vector<const ops::Form *>{row->tensor, row->tile} : std::vector<const ops::Form *>{}) {
    std::string_view written = row && form == row->tile ? row->writesTile : row->writesTensor;
    if (!form || written.empty() || isNewValue(*row, false)) {
      continue;
    }
    const Expr *target = nullptr;
    for (size_t i = 0; i < form->parameters.size(); ++i) {
      target = form->parameters[i].name == written && i + 1 < expr.children.size() ? expr.children[i + 1] : target;
    }
    for (const syntax::Keyword &keyword : expr.keywords) {
      target = keyword.name == written ? keyword.value : target;
    }
    const Variable *known = target && target->kind == Expr::Kind::Name ? env_.find(target->text) : nullptr;
    if (known) {
      noteWrite(known->value, target->range, "`" + std::string(path) + "` writes it");
    }
  }
}

void KernelBuilder::checkUnusedResult(const Expr &expr, const Val &result) {
  if (expr.kind != Expr::Kind::Call || !(result.isTensor() || result.isTile())) {
    return;
  }
  std::string path = pathOf(&expr);
  const ops::OpRow *row = ops::findOp(path).row;
  // What a matrix has of live rows and columns is said of the matrix in some releases, of the result in others.
  if (!row || (row->effect == ops::Effect::Writes && row->name != "gather_row") || row->effect == ops::Effect::Sync ||
      row->name == "set_validshape") {
    return;
  }
  diag::Diagnostic &d = reporter_.report(diag::UnusedResult, expr.range, path);
  reporter_.stillBuilt();
  d.fixes.push_back({"bind it: `name = " + path + "(…)`; or take the statement out", {}});
}

void KernelBuilder::checkOutputs() {
  const std::vector<const syntax::Stmt *> &body = kernel_.function->body;
  const bool stub = std::all_of(body.begin(), body.end(), [](const syntax::Stmt *stmt) {
    return stmt->kind == syntax::Stmt::Kind::Pass ||
           (stmt->kind == syntax::Stmt::Kind::Expr && stmt->value->kind != Expr::Kind::Call);
  });
  const ConstValue type = decoratorOption(kernel_, "type");
  const bool part = type.isPath("pl.FunctionType.AIC") || type.isPath("pl.FunctionType.AIV");
  if (stub || part) {
    return; // the function of one core has the parameters of both
  }
  const std::vector<std::string> bound = assignedNames(body);
  for (auto [number, parameter] : llvm::enumerate(writable_)) {
    std::string name = pl::valueName(function_.getArgument(static_cast<unsigned>(number))).str();
    const bool read = cache_->fates.in(body, 0, name) == Fate::Read;
    if (parameter.direction == "out" && !read && !llvm::is_contained(bound, name)) {
      diag::Diagnostic &d = reporter_.report(diag::OutputNotWritten, parameter.annotation.range, name, kernel_.name);
      reporter_.stillBuilt();
      d.fixes.push_back({"write it, or take the parameter out", {}});
    }
  }
}

/// `out = pl.add(out, x)` gives the name another tensor; the one that the caller passed stays as it was.
void KernelBuilder::checkLostWrite(const Expr &target, const Variable &old, const Val &value) {
  if (!inlining_.empty() || !old.value.isTensor() || !value.isTensor() || isHost(kernel_) ||
      kernel_.kind == KernelKind::Inline) {
    return;
  }
  int number = writtenParameter(old.value.ir);
  if (number < 0 || static_cast<size_t>(number) >= writable_.size() ||
      pl::valueName(function_.getArgument(static_cast<unsigned>(number))) != llvm::StringRef(target.text)) {
    return;
  }
  const Written &parameter = writable_[static_cast<size_t>(number)];
  bool call = mlir::isa_and_nonnull<mlir::func::CallOp>(value.ir.getDefiningOp());
  if (parameter.direction == "in" || call || writtenParameter(value.ir) == number) {
    return;
  }
  std::string name(target.text);
  diag::Diagnostic &d = reporter_.report(diag::LostWrite, target.range, name);
  reporter_.note(d, parameter.annotation, "`" + name + "` is an output here", diag::Related::Role::Annotation);
  d.fixes.push_back(
      {"write into it: `" + name + "[:] = …`, `pl.assemble(" + name + ", …)` or `pl.store(…, " + name + ")`", {}});
}

bool KernelBuilder::misplaced(const Expr &expr, std::string_view path, const Val &result) {
  const KernelDecl &outermost = kernel_;
  bool computes = result.isTensor() || result.isTile();
  if (inCore_ || outermost.kind != KernelKind::Orchestration || !computes || !path.starts_with("pl.")) {
    return false;
  }
  std::string_view name = path.substr(path.rfind('.') + 1);
  bool tile = path.starts_with("pl.tile.") || result.isTile();
  if (!tile && schedules(name)) {
    return false;
  }
  diag::Diagnostic &d = reporter_.report(diag::MisplacedOp, expr.range, std::string(path));
  reporter_.note(d, diag::Location{outermost.module->source->path, outermost.function->nameRange},
                 "`" + outermost.name + "` schedules kernels, it computes nothing itself");
  d.fixes.push_back(
      {"put it in a core scope: `with pl.at(level=pl.Level.CORE_GROUP):`, or in a `@pl.jit.incore` kernel", {}});
  return true;
}

void KernelBuilder::nameCallSite(size_t firstDiagnostic, const Expr &call, const KernelDecl &callee) {
  for (size_t i = firstDiagnostic; i < diagnostics_.size(); ++i) {
    reporter_.note(diagnostics_[i], call.range, "`" + callee.name + "` is pasted in here");
  }
}

} // namespace placid::frontend
