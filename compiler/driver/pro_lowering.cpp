// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pro_lowering.h"

#include "compiler/dialect/pl/analysis/nz_report.h"
#include "compiler/dialect/pl/lower/core_pipe.h"
#include "compiler/driver/ir_dump.h"
#include "compiler/driver/lowering_facts.h"
#include "compiler/driver/stop_guard.h"
#include "compiler/emit/emit_pto.h"
#include "compiler/mlir_bridge/collector.h"
#include "compiler/pipeline/check_pipeline.h"
#include "compiler/pipeline/lowering_pipeline.h"
#include "compiler/pro/lower/build_module.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <iterator>

namespace placid::compiler {

namespace {

const diag::Diagnostic *firstError(const std::vector<diag::Diagnostic> &list) {
  auto found = std::find_if(list.begin(), list.end(),
                            [](const diag::Diagnostic &d) { return d.severity == diag::Severity::Error; });
  return found != list.end() ? &*found : nullptr;
}

/// False for loops and branches around nothing.
bool works(const std::vector<pro::TraceNode> &list) {
  return std::any_of(list.begin(), list.end(), [](const pro::TraceNode &node) {
    return node.kind == pro::TraceNode::Kind::Operation || works(node.body) || works(node.otherwise);
  });
}

/// The cores that do something; or one with a reason why it is not lowered.
std::vector<pro::Trace *> coresOf(std::deque<pro::Trace> &traces) {
  std::vector<pro::Trace *> out;
  for (pro::Trace &trace : traces) {
    if (!trace.refused.empty()) {
      return {&trace};
    }
    if (works(trace.body)) {
      out.push_back(&trace);
    }
  }
  return out;
}

/// The two functions are one kernel.
void pairFunctions(mlir::ModuleOp module, const std::string &kernel, const pro::SharedPlaces &shared) {
  auto functions = llvm::to_vector(module.getOps<mlir::func::FuncOp>());
  pl::CorePipe pipe;
  pipe.kernel = kernel;
  pipe.sharedVec = shared.vecBytes;
  pipe.sharedMat = shared.matBytes;
  for (size_t i = 0; i < functions.size(); ++i) {
    pipe.side = i == 0 ? pl::CoreSide::Cube : pl::CoreSide::Vector;
    pipe.peer = functions[1 - i].getSymName().str();
    pl::setCorePipe(functions[i], pipe);
  }
}

/// What a kernel that is lowered should know: once each, also where both cores say it.
void noteTrace(const pro::Trace &core, const frontend::KernelDecl &kernel, const diag::Location &named,
               std::vector<diag::Diagnostic> &out) {
  auto add = [&](diag::Diagnostic d, pro::Site place) {
    d.at = place.module ? diag::Location{place.module->source->path, place.range} : named;
    d.kernel = kernel.qualifiedName;
    const bool said = std::ranges::any_of(out, [&](const diag::Diagnostic &other) {
      return other.code == d.code && other.message == d.message && other.at.path == d.at.path &&
             other.at.range == d.at.range;
    });
    if (!said) {
      out.push_back(std::move(d));
    }
  };
  for (const auto &[tile, place] : core.unwritten) {
    diag::Diagnostic d;
    d.code = diag::ProEmptyLoop.code;
    d.severity = diag::Severity::Warning;
    d.message = diag::message(diag::ProEmptyLoop, "`" + tile +
                                                      "` is read behind this loop and written in it only: with no "
                                                      "round it holds what nobody wrote");
    add(std::move(d), place);
  }
  for (const auto &[operation, place] : core.dropped) {
    diag::Diagnostic d;
    d.code = diag::ProLeftOut.code;
    d.severity = diag::Severity::Information;
    d.message = diag::message(diag::ProLeftOut, "`pl." + operation + "` is left out of the PTO IR of kernel `" +
                                                    kernel.qualifiedName + "`, which has no form for it");
    add(std::move(d), place);
  }
}

} // namespace

bool lowerProKernel(mlir::MLIRContext &context, const frontend::Program &program, const frontend::KernelDecl &kernel,
                    target::Arch arch, std::deque<pro::Trace> &traces, const UnitRequest &request,
                    const std::stop_token &stop, bool last, UnitResult &out) {
  if (firstError(out.diagnostics)) {
    return true;
  }
  diag::Location named{program.path(), kernel.function->nameRange};
  auto refuse = [&](const std::string &why, const diag::Location &at) {
    if (request.depth != Depth::Lower) {
      return true;
    }
    diag::Diagnostic d;
    d.code = diag::ProNotLowered.code;
    d.severity = diag::Severity::Error;
    d.at = at;
    d.message = diag::message(diag::ProNotLowered, "kernel `" + kernel.qualifiedName + "` is not lowered: " + why +
                                                       "; pypto_pro's own route, C++ for bisheng, is the only one");
    d.kernel = kernel.qualifiedName;
    out.diagnostics.push_back(std::move(d));
    return true;
  };
  auto refuseTrace = [&](const pro::Trace &trace) {
    if (trace.slots && !last) {
      return false;
    }
    pro::Site at = trace.refusedAt;
    return refuse(trace.refused, at.module ? diag::Location{at.module->source->path, at.range} : named);
  };
  std::vector<pro::Trace *> cores = coresOf(traces);
  auto refused = [&]() -> const pro::Trace * {
    auto found = std::ranges::find_if(cores, [](const pro::Trace *trace) { return !trace->refused.empty(); });
    return found != cores.end() ? *found : nullptr;
  };
  if (const pro::Trace *trace = refused()) {
    return refuseTrace(*trace);
  }
  if (cores.empty() || arch != target::Arch::A5) {
    return refuse(arch != target::Arch::A5 ? "only a5 is a target of this dialect" : "it has no operations", named);
  }
  StopGuard guard(context, stop);
  bridge::SourceLookup lookup = [&](const std::string &path) { return program.sourceOf(path); };
  std::vector<diag::Diagnostic> found; // of the first dialect's passes
  bridge::DiagnosticCollector collector(&context, found, lookup, kernel.qualifiedName);
  pro::Site at{kernel.module, kernel.function->nameRange};
  const pro::ModuleNames names{kernel.name, kernel.qualifiedName, at};
  pro::SharedPlaces shared;
  const bool both = cores.size() == 2;
  mlir::OwningOpRef<mlir::ModuleOp> module = both ? pro::buildModule(context, *cores[0], *cores[1], names, arch, shared)
                                                  : pro::buildModule(context, *cores[0], names, arch);
  if (!module) {
    const pro::Trace *trace = refused();
    return trace ? refuseTrace(*trace) : refuse("its form at the tile level does not verify", named);
  }
  if (both) {
    pairFunctions(*module, kernel.name, shared);
  }
  IrDump dump(request.dumpIr ? &out.ir : nullptr, kernel.qualifiedName);
  dump.add(kFrontEndPass, *module);
  auto run = [&](auto build) {
    mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
    pm.enableVerifier(false);
    dump.attach(pm);
    build(pm);
    bool good = mlir::succeeded(pm.run(*module));
    if (guard.stopped()) {
      out.stopped = true;
      return false;
    }
    return good && !firstError(found) && mlir::succeeded(mlir::verify(*module));
  };
  pl::NzReport report;
  pl::LoweringReport lowering;
  bool done = mlir::succeeded(mlir::verify(*module)) &&
              run([&](mlir::OpPassManager &pm) { pipeline::buildCheckPipeline(pm, &report); }) &&
              run([&](mlir::OpPassManager &pm) { pipeline::buildTilingPipeline(pm, &lowering); }) &&
              run([&](mlir::OpPassManager &pm) { pipeline::buildPtoPipeline(pm); });
  if (out.stopped) {
    return true;
  }
  if (!done) {
    const diag::Diagnostic *why = firstError(found);
    return why ? refuse(why->message, why->at.path.empty() ? named : why->at)
               : refuse("its form at the tile level does not verify", named);
  }
  if (request.depth != Depth::Lower) {
    return true;
  }
  out.lowered = emit::emitPto(*module, {.locations = true, .lookup = lookup});
  for (LoweredKernel &lowered : out.lowered) {
    lowered.entry = kernel.qualifiedName;
    auto ours = [&](const auto &fact) { return fact.function == lowered.function; };
    std::ranges::copy_if(tilePlans(lowering, lookup), std::back_inserter(lowered.tiles), ours);
    std::ranges::copy_if(memoryUses(lowering), std::back_inserter(lowered.memory), ours);
  }
  if (const diag::Diagnostic *why = firstError(found)) {
    out.lowered.clear();
    return refuse(why->message, why->at.path.empty() ? named : why->at);
  }
  for (const pro::Trace *core : cores) {
    noteTrace(*core, kernel, named, out.diagnostics);
  }
  return true;
}

} // namespace placid::compiler
