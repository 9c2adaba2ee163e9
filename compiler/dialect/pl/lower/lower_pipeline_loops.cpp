// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/dialect/pl/lower/passes.h"

#include "mlir/IR/Builders.h"

namespace placid::pl {

#define GEN_PASS_DEF_LOWERPIPELINELOOPS
#include "compiler/dialect/pl/lower/passes.h.inc"

using namespace mlir;

namespace {

struct LowerPipelineLoops : impl::LowerPipelineLoopsBase<LowerPipelineLoops> {
  void runOnOperation() override {
    forEachKernel(getOperation(), [](func::FuncOp function) { run(function); });
  }

  static void run(func::FuncOp function) {
    function.walk([](scf::ForOp loop) {
      auto kind = loop->getAttrOfType<StringAttr>(kLoopKindAttr);
      if (kind && kind.getValue() == "pipeline") {
        loop->setAttr(kLoopKindAttr, StringAttr::get(loop.getContext(), "range"));
      }
      loop->removeAttr(kStagesAttr);
    });
  }
};

} // namespace

} // namespace placid::pl
