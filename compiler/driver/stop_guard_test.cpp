// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/stop_guard.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <functional>

using namespace mlir;

namespace placid::compiler {
namespace {

struct CallPass : PassWrapper<CallPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallPass)
  explicit CallPass(std::function<void()> made) : call(std::move(made)) {}
  void runOnOperation() override { call(); }
  std::function<void()> call;
};

TEST(StopGuard, PassesAfterTheStopDoNotRun) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::stop_source stop;
  int before = 0;
  int after = 0;
  PassManager pm(&context);
  pm.addPass(std::make_unique<CallPass>([&] { ++before; }));
  pm.addPass(std::make_unique<CallPass>([&] { stop.request_stop(); }));
  pm.addPass(std::make_unique<CallPass>([&] { ++after; }));
  {
    StopGuard guard(context, stop.get_token());
    EXPECT_FALSE(guard.stopped());
    EXPECT_TRUE(succeeded(pm.run(*module)));
    EXPECT_TRUE(guard.stopped());
    EXPECT_EQ(before, 1);
    EXPECT_EQ(after, 0);
  }
  EXPECT_TRUE(succeeded(pm.run(*module)));
  EXPECT_EQ(before, 2);
  EXPECT_EQ(after, 1) << "without a guard every pass runs";
}

} // namespace
} // namespace placid::compiler
