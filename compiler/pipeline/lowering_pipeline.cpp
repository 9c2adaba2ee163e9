// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/lowering_pipeline.h"

#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pto/ir/pto.h"

#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace placid::pipeline {

void buildTilingPipeline(OpPassManager &pm, pl::LoweringReport *report) {
  // Ahead of memories and lifetimes, which its scratch tiles take part in.
  pm.addPass(pl::createLegalizeVectorOps());
  // While operands are still in Mat: what is in Left or Right can no longer be cut.
  pm.addPass(pl::createAutoTileMatmulL0Pass(report));
  // After tiling, so that only pieces move to L0.
  pm.addPass(pl::createInferTileMemorySpace());
  // After spaces, which say what moves where; products that were cut and those that were not are windows alike by now.
  pm.addPass(pl::createCanonicalizeTileSlice());
  // The last guard of NZ stores; before addresses, so that the fault is told as one of the store.
  pm.addPass(pl::createCheckAccStores());
  // After spaces, which say what the vector core has; before the pipe, which carries halves.
  pm.addPass(pl::createSplitVectorLanes());
  // Signatures are final before two functions are made of one.
  pm.addPass(pl::createNormalizeReturnOrder());
  // After spaces, which say what runs on which core, and before anything that looks at one core's order or bytes.
  pm.addPass(pl::createExpandMixedKernel());
  // After spaces: what an operation moves, and where to, decides its place. Lifetimes are those of the loops as they
  // will run, so both come before addresses.
  pm.addPass(pl::createLowerPipelineLoops());
  pm.addPass(pl::createCanonicalizeIOOrder());
  // Types only; the last pass that sees what BlockNzTensorViews promised.
  pm.addPass(pl::createMaterializeTensorStrides());
  // The order of reads and writes stands now; addresses need every value that is read later to have bytes of its own.
  pm.addPass(pl::createSeparateCarriedTiles());
  // A column and its row are one buffer: before addresses, and after everything that looks at lifetimes value by value.
  pm.addPass(pl::createResolveBackendOpLayouts());
  pm.addPass(pl::createAllocateMemoryAddrPass(report));
}

void buildPtoPipeline(OpPassManager &pm) {
  pm.addPass(conversion::createConvertPlToPto());
  // Judges what was emitted, whoever chose the addresses.
  pm.addPass(conversion::createCheckTileHazards());
}

void buildLoweringPipeline(OpPassManager &pm) {
  buildTilingPipeline(pm);
  buildPtoPipeline(pm);
}

std::span<const std::string_view> loweringPassNames() {
  static constexpr std::string_view kNames[] = {
      "LegalizeVectorOps",       "AutoTileMatmulL0",    "InferTileMemorySpace",     "CanonicalizeTileSlice",
      "CheckAccStores",          "SplitVectorLanes",    "NormalizeReturnOrder",     "ExpandMixedKernel",
      "LowerPipelineLoops",      "CanonicalizeIOOrder", "MaterializeTensorStrides", "SeparateCarriedTiles",
      "ResolveBackendOpLayouts", "AllocateMemoryAddr",  "ConvertPlToPto",           "CheckTileHazards"};
  return kNames;
}

void registerLoweringPasses() {
  pl::registerPlLowerPasses();
  conversion::registerPlToPtoPasses();
  PassPipelineRegistration<>("placid-lower", "everything after BlockNzTensorViews, down to PTO IR",
                             buildLoweringPipeline);
}

void registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<pl::PlDialect, pto::PtoDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
}

} // namespace placid::pipeline
