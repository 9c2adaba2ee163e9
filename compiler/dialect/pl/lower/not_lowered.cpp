// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/not_lowered.h"

#include "compiler/dialect/pl/lower/lowering.h"
#include "compiler/mlir_bridge/emit_diag.h"

using namespace mlir;

namespace placid::pl {

void reportNotLowered(Operation *op) {
  auto why = op->getAttrOfType<StringAttr>(kNotLoweredAttr);
  auto report = bridge::emitDiag(rangeLoc(op->getLoc()), diag::NotLowered, why.getValue().str());
  if (auto help = op->getAttrOfType<StringAttr>(kNotLoweredHelpAttr)) {
    report.help(help.getValue().str());
  }
}

} // namespace placid::pl
