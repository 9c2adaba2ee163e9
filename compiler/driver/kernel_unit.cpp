// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/kernel_unit.h"

#include "compiler/dialect/pl/analysis/nz_report.h"
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/driver/ir_dump.h"
#include "compiler/driver/lowering_facts.h"
#include "compiler/driver/stop_guard.h"
#include "compiler/driver/value_facts.h"
#include "compiler/emit/emit_pto.h"
#include "compiler/frontend/dialect_names.h"
#include "compiler/frontend/kernel_builder.h"
#include "compiler/mlir_bridge/collector.h"
#include "compiler/mlir_bridge/emit_diag.h"
#include "compiler/pipeline/check_pipeline.h"
#include "compiler/pipeline/lowering_pipeline.h"

#include "llvm/ADT/ScopeExit.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <iterator>

namespace placid::compiler {

namespace {

using frontend::KernelKind;

std::vector<Expr> toExprs(const std::vector<pl::NzExpr> &list) { return {list.begin(), list.end()}; }

InspectKernel toInspect(const pl::NzReport &report, const std::string &entry, const bridge::SourceLookup &lookup) {
  InspectKernel out;
  out.entry = entry;
  auto range = [&](mlir::LocationAttr loc) {
    return loc ? bridge::byteLocation(mlir::Location(loc), lookup).range : source::ByteRange{};
  };
  for (const pl::NzTensorFact &fact : report.tensors) {
    InspectTensor made;
    made.name = fact.name;
    made.function = fact.function;
    made.annotation = range(fact.annotation);
    made.layout = fact.layout;
    made.dtype = fact.dtype;
    made.logical = toExprs(fact.logical);
    made.c0 = fact.c0;
    made.blocked = toExprs(fact.blocked);
    made.strides = toExprs(fact.strides);
    made.rejected = fact.rejected;
    // A tensor that an outlined scope captures is still the one that was declared.
    bool known = std::any_of(out.tensors.begin(), out.tensors.end(), [&](const InspectTensor &other) {
      return other.name == made.name && other.annotation == made.annotation;
    });
    if (!known) {
      out.tensors.push_back(std::move(made));
    }
  }
  for (const pl::NzAccessFact &fact : report.accesses) {
    InspectAccess made;
    made.op = fact.op;
    made.tensor = fact.tensor;
    made.result = fact.result;
    made.range = range(fact.range);
    made.offsets = toExprs(fact.offsets);
    made.sizes = toExprs(fact.sizes);
    made.tile = toExprs(fact.tile);
    made.gapBlocks = fact.gapBlocks;
    made.rejected = fact.rejected;
    for (const pl::NzProofFact &proof : fact.proof) {
      made.proof.push_back({proof.axis, proof.factor, proof.expr, proof.multiple, proof.nonNegative});
    }
    out.accesses.push_back(std::move(made));
  }
  // In source order; what one line unrolls to keeps its own order.
  std::vector<std::pair<uint32_t, size_t>> order;
  for (size_t i = 0; i < out.accesses.size(); ++i) {
    order.emplace_back(out.accesses[i].range.begin, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<InspectAccess> sorted;
  for (const auto &[begin, index] : order) {
    sorted.push_back(std::move(out.accesses[index]));
  }
  out.accesses = std::move(sorted);
  return out;
}

bool hasError(const std::vector<diag::Diagnostic> &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const diag::Diagnostic &d) { return d.severity == diag::Severity::Error; });
}

void internalError(std::vector<diag::Diagnostic> &out, const frontend::Program &program,
                   const frontend::KernelDecl &kernel, const std::string &what) {
  diag::Diagnostic d;
  d.code = diag::InternalError.code;
  d.at = {program.path(), kernel.function->nameRange};
  d.message = diag::message(diag::InternalError, what);
  d.kernel = kernel.qualifiedName;
  out.push_back(std::move(d));
}

} // namespace

CompileContext::CompileContext() {
  mlir::DialectRegistry registry;
  pipeline::registerLoweringDialects(registry);
  context_ = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  context_->loadAllAvailableDialects();
}

CompileContext::~CompileContext() = default;

void CompileContext::leave(mlir::OwningOpRef<mlir::ModuleOp> module) {
  if (left_.size() < kMaxLeft) {
    left_.push_back(std::move(module));
  }
}

UnitResult compileKernel(CompileContext &owner, const frontend::Program &program, const frontend::KernelDecl &kernel,
                         const std::string &arch, const UnitRequest &request, const std::stop_token &stop,
                         frontend::CallTypes *calls) {
  UnitResult out;
  mlir::MLIRContext *context = owner.get();
  StopGuard guard(*context, stop);
  out.inspect.entry = kernel.qualifiedName;
  bridge::SourceLookup lookup = [&](const std::string &path) { return program.sourceOf(path); };
  bridge::DiagnosticCollector collector(context, out.diagnostics, lookup, kernel.qualifiedName);
  frontend::KernelBuilder builder(program, kernel, arch, context, out.diagnostics, calls);
  mlir::OwningOpRef<mlir::ModuleOp> module = builder.build();
  if (request.planner == target::Planner::Ptoas) {
    module.get()->setAttr(pl::kPlannerAttr, mlir::StringAttr::get(context, target::plannerName(request.planner)));
  }
  llvm::scope_exit leave([&] { owner.leave(std::move(module)); });
  frontend::checkDialectNames(program, kernel, 0, out.diagnostics);
  out.bodiesRead = builder.bodiesRead();
  if (guard.stopped()) {
    out.stopped = true;
    return out;
  }
  if (request.depth == Depth::Lower && kernel.kind != KernelKind::Inline) {
    // What the front end did not follow stands between this kernel and code. A helper has code where it is pasted in.
    out.diagnostics.insert(out.diagnostics.end(), builder.gaps().begin(), builder.gaps().end());
    for (diag::Diagnostic &d : out.diagnostics) {
      if (d.code == diag::NotSupportedYet.code || d.code == diag::UnknownValue.code) {
        d.severity = diag::Severity::Error;
      }
    }
  }
  if (mlir::failed(mlir::verify(*module))) {
    internalError(out.diagnostics, program, kernel, "the IR of `" + kernel.qualifiedName + "` does not verify");
    return out;
  }
  std::vector<InspectValue> values;
  if (request.report) {
    values = valueFacts(*module, program.path(), lookup);
  }
  IrDump dump(request.dumpIr ? &out.ir : nullptr, kernel.qualifiedName);
  dump.add(kFrontEndPass, *module);
  if (kernel.kind == KernelKind::Extern) {
    return out; // its body is not ours
  }

  // What the front end made has been verified. On the way to code, and for readers of IR, so is every phase.
  bool verified = request.depth == Depth::Lower || request.dumpIr;
  auto run = [&](auto build, const char *phase) {
    mlir::PassManager pm(context, mlir::ModuleOp::getOperationName());
    pm.enableVerifier(false); // the module is verified once at the end of each phase
    dump.attach(pm);
    build(pm);
    bool good = mlir::succeeded(pm.run(*module));
    if (guard.stopped()) {
      out.stopped = true; // and the module is half done
      return false;
    }
    if (good && verified && mlir::failed(mlir::verify(*module))) {
      internalError(out.diagnostics, program, kernel, std::string("the IR does not verify after the ") + phase);
      return false;
    }
    if (!good && !hasError(out.diagnostics)) {
      internalError(out.diagnostics, program, kernel, std::string("the ") + phase + " failed without a reason");
    }
    return good;
  };
  if (kernel.kind == KernelKind::Inline) {
    // Its body is checked where it is pasted in, which may be in another file: what its own annotations decide is told
    // here too.
    run([&](mlir::OpPassManager &pm) { pipeline::buildBoundsPipeline(pm); }, "check of windows");
    return out;
  }
  pl::NzReport report;
  bool blocked = run([&](mlir::OpPassManager &pm) { pipeline::buildCheckPipeline(pm, &report); }, "check pipeline");
  if (request.report && !out.stopped) {
    out.inspect = toInspect(report, kernel.qualifiedName, lookup);
    out.inspect.values = std::move(values);
  }
  if (!blocked) {
    return out;
  }
  if (request.depth == Depth::Lower) {
    // A core function with a hole has no code; the others do not suffer from it.
    const bool unread = !program.module->faults.empty();
    const bool told = unread || hasError(out.diagnostics);
    for (auto function : module->getOps<mlir::func::FuncOp>()) {
      const bool incomplete = function->hasAttr(pl::kIncompleteAttr);
      if (unread || incomplete) {
        pl::markFailed(function);
      }
      if (incomplete && !told) {
        bridge::emitDiag(pl::rangeLoc(function.getLoc()), diag::NotLowered, "a kernel with a value that is not known");
      }
    }
  }
  // An operation that no pass knows hides how long its operands live: capacity is then not ours to judge.
  bool modelled = !module->walk([](pl::GenericOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  // What it makes of such a kernel is worth showing all the same, without its faults.
  const bool quiet = !modelled && request.depth == Depth::Check;
  if (quiet && !request.report) {
    return out;
  }
  const size_t before = out.diagnostics.size();
  pl::LoweringReport lowering;
  bool tiled = run([&](mlir::OpPassManager &pm) { pipeline::buildTilingPipeline(pm, &lowering); }, "tiling pipeline");
  const bool faulty = hasError(out.diagnostics);
  if (quiet) {
    out.diagnostics.erase(out.diagnostics.begin() + static_cast<std::ptrdiff_t>(before), out.diagnostics.end());
  }
  if (request.report) {
    markRefusedStores(out.inspect.accesses, out.diagnostics);
  }
  if (tiled && request.report && !faulty) {
    out.inspect.tiles = tilePlans(lowering, lookup);
    out.inspect.memory = memoryUses(lowering);
    out.inspect.chunks = storeChunks(lowering, out.inspect.accesses, lookup);
  }
  if (!tiled || request.depth == Depth::Check) {
    return out;
  }
  if (run([&](mlir::OpPassManager &pm) { pipeline::buildPtoPipeline(pm); }, "PTO pipeline")) {
    out.lowered = emit::emitPto(*module, {.locations = true, .lookup = lookup});
    for (LoweredKernel &lowered : out.lowered) {
      lowered.entry = kernel.qualifiedName;
      lowered.planner = target::plannerName(request.planner);
      auto ours = [&](const auto &fact) { return fact.function == lowered.function; };
      std::ranges::copy_if(tilePlans(lowering, lookup), std::back_inserter(lowered.tiles), ours);
      std::ranges::copy_if(memoryUses(lowering), std::back_inserter(lowered.memory), ours);
    }
  }
  return out;
}

} // namespace placid::compiler
