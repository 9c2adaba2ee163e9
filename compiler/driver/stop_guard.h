// SPDX-License-Identifier: Apache-2.0
// Makes pass managers of one context honour a stop token: while a guard lives, a pass that begins after the stop was
// requested is skipped, so a pipeline ends with the pass that runs. Apart, because what it hangs on (MLIR's actions) is
// nobody else's business. A stopped pipeline still succeeds and its module is half done: ask stopped() before using it.
// The thread of the context.
#pragma once

#include "mlir/IR/MLIRContext.h"

#include <stop_token>

namespace placid::compiler {

class StopGuard {
public:
  /// One guard a context at a time.
  StopGuard(mlir::MLIRContext &context, std::stop_token stop);
  ~StopGuard();
  StopGuard(const StopGuard &) = delete;
  StopGuard &operator=(const StopGuard &) = delete;
  bool stopped() const { return stop_.stop_requested(); }

private:
  mlir::MLIRContext &context_;
  std::stop_token stop_;
};

} // namespace placid::compiler
