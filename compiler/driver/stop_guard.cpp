// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/stop_guard.h"

#include "mlir/IR/Action.h"
#include "mlir/Pass/Pass.h"

#include <utility>

namespace placid::compiler {

// A PassInstrumentation is told of each pass but cannot keep one from running; an action handler decides.
StopGuard::StopGuard(mlir::MLIRContext &context, std::stop_token stop) : context_(context), stop_(std::move(stop)) {
  context_.registerActionHandler([this](llvm::function_ref<void()> run, const mlir::tracing::Action &action) {
    if (!(stopped() && llvm::isa<mlir::PassExecutionAction>(action))) {
      run();
    }
  });
}

StopGuard::~StopGuard() { context_.registerActionHandler(nullptr); }

} // namespace placid::compiler
