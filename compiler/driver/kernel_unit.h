// SPDX-License-Identifier: Apache-2.0
// One source function through the front end and the pass pipelines: the unit of compilation. The units of one compile
// share an MLIRContext that is thrown away with it, so no type or attribute lives for ever; what leaves is plain data.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/frontend/program.h"
#include "compiler/target/planner.h"

#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir
namespace placid::frontend {
class CallTypes;
}

namespace placid::compiler {

/// How far a unit is taken.
enum class Depth : uint8_t {
  Check, ///< Through BlockNzTensorViews and tiling: every fault of the user's program.
  Lower, ///< To PTO IR text.
};

struct UnitRequest {
  Depth depth = Depth::Check;
  target::Planner planner = target::kDefaultPlanner;
  bool report = false; ///< Fill `inspect`.
  bool dumpIr = false; ///< Fill `ir`, one entry a pass.
};

struct UnitResult {
  std::vector<diag::Diagnostic> diagnostics; ///< Unsorted.
  InspectKernel inspect;
  std::vector<IrUnit> ir;
  std::vector<LoweredKernel> lowered;
  std::vector<const frontend::KernelDecl *> bodiesRead; ///< See KernelBuilder.
  std::string arch;                                     ///< Of a kernel of the second dialect: the one it has chosen.
  bool stopped = false;                                 ///< The stop token was honoured: everything else is partial.
};

/// The context of one compile: threading off, every dialect of the pipelines loaded. One thread at a time.
class CompileContext {
public:
  CompileContext();
  ~CompileContext();
  mlir::MLIRContext *get() { return context_.get(); }
  /// Takes a module that is done with. Taking one apart is a tenth of making it, and can wait until the context goes.
  void leave(mlir::OwningOpRef<mlir::ModuleOp> module);

private:
  static constexpr size_t kMaxLeft = 32; ///< What comes after these is taken apart at once.

  std::unique_ptr<mlir::MLIRContext> context_;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> left_; // after the context: goes first
};

/// `stop` is asked after the front end, between passes and between pipelines. `calls` collects the argument types of
/// calls and gives them to kernels that need them; it belongs to `owner`.
UnitResult compileKernel(CompileContext &owner, const frontend::Program &program, const frontend::KernelDecl &kernel,
                         const std::string &arch, const UnitRequest &request, const std::stop_token &stop,
                         frontend::CallTypes *calls = nullptr);

/// The name `ir --after` uses for what the front end makes.
inline constexpr std::string_view kFrontEndPass = "FrontEnd";

} // namespace placid::compiler
