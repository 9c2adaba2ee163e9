// SPDX-License-Identifier: Apache-2.0
// placid-emit: IR text after BlockNzTensorViews (or, with --converted, after ConvertPlToPto) to the text of its
// kernels, one after the other with `// -----` between them. Diagnostics go to stderr; the exit code is 1 when there
// was an error.
#include "compiler/emit/emit_pto.h"
#include "compiler/pipeline/lowering_pipeline.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"

using namespace mlir;

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::init("-"), llvm::cl::desc("<input>"));
  llvm::cl::opt<bool> converted("converted", llvm::cl::desc("the input is PTO IR already"));
  llvm::cl::opt<bool> locations("locations", llvm::cl::init(true), llvm::cl::desc("print source locations"));
  llvm::cl::ParseCommandLineOptions(argc, argv, "placid's PTO text emitter\n");

  DialectRegistry registry;
  placid::pipeline::registerLoweringDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  std::string error;
  auto buffer = openInputFile(input, &error);
  if (!buffer) {
    llvm::errs() << error << '\n';
    return 2;
  }
  sources.AddNewSourceBuffer(std::move(buffer), {});
  SourceMgrDiagnosticHandler handler(sources, &context);
  unsigned errors = 0;
  ScopedDiagnosticHandler counter(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure();
  });
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module) {
    return 1;
  }
  if (!converted) {
    PassManager pm(&context);
    placid::pipeline::buildLoweringPipeline(pm);
    if (failed(pm.run(*module))) {
      return 1;
    }
  }
  bool first = true;
  for (const auto &kernel : placid::emit::emitPto(*module, {.locations = locations, .lookup = {}})) {
    llvm::outs() << (first ? "" : "// -----\n") << kernel.pto;
    first = false;
  }
  return errors ? 1 : 0;
}
