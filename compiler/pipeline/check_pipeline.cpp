// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/check_pipeline.h"

#include "compiler/dialect/pl/lower/passes.h"
#include "compiler/dialect/pl/transforms/passes.h"

using namespace mlir;

namespace placid::pipeline {

void buildBoundsPipeline(OpPassManager &pm) { pm.addPass(pl::createCheckWindowBounds()); }

void buildCheckPipeline(OpPassManager &pm, pl::NzReport *report) {
  // Before loops and core scopes part from their accesses: a capture says nothing of the loop it comes from.
  buildBoundsPipeline(pm);
  // Core scopes next: what a scope captures becomes a parameter, and a proof never looks past its function.
  pm.addPass(pl::createOutlineIncoreScopes());
  // Loads and stores must exist before windows can be judged.
  pm.addPass(pl::createConvertTensorToTileOps());
  // Tiles must be 2-D before their windows get rank 5: the tile is then never re-deduced from the window.
  pm.addPass(pl::createFlattenTileNdTo2D());
  // While tiles are what the user wrote, and before the one pass here that may give up.
  pm.addPass(pl::createCheckTiles());
  // Nothing may simplify offsets before this pass (acceptance follows the source's own expression) or re-associate them
  // after it (an offset is divided as a whole).
  pm.addPass(pl::createBlockNzTensorViewsPass(report));
}

std::vector<std::string_view> checkPassNames() {
  return {"CheckWindowBounds", "OutlineIncoreScopes", "ConvertTensorToTileOps",
          "FlattenTileNdTo2D", "CheckTiles",          "BlockNzTensorViews"};
}

} // namespace placid::pipeline
