// SPDX-License-Identifier: Apache-2.0
// placid-opt: runs passes on IR text. All of placid's dialects and passes are registered; nothing of the front end.
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/pipeline/check_pipeline.h"
#include "compiler/pipeline/lowering_pipeline.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<placid::pl::PlDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect>();
  placid::pipeline::registerLoweringDialects(registry);
  placid::pl::registerplPasses();
  placid::pipeline::registerLoweringPasses();
  mlir::PassPipelineRegistration<> check("placid-check", "The passes of `placid check`",
                                         [](mlir::OpPassManager &pm) { placid::pipeline::buildCheckPipeline(pm); });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "placid's pass driver\n", registry));
}
