// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/value_facts.h"

#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/annotation.h"

#include <algorithm>

namespace placid::compiler {

namespace {

std::vector<Expr> extents(pl::TensorType type) {
  std::vector<Expr> out;
  for (mlir::Attribute extent : type.getDims()) {
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(extent)) {
      out.emplace_back(number.getInt());
    } else {
      out.emplace_back(mlir::cast<mlir::StringAttr>(extent).getValue().str());
    }
  }
  return out;
}

} // namespace

std::vector<InspectValue> valueFacts(mlir::ModuleOp module, const std::string &path,
                                     const bridge::SourceLookup &lookup) {
  std::vector<InspectValue> out;
  module.walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults()) {
      llvm::StringRef name = pl::valueName(result);
      auto tile = mlir::dyn_cast<pl::TileType>(result.getType());
      auto tensor = mlir::dyn_cast<pl::TensorType>(result.getType());
      if (name.empty() || (!tile && !tensor)) {
        continue;
      }
      diag::Location at = bridge::byteLocation(op->getLoc(), lookup);
      if (at.path != path) {
        continue; // of a helper in another file
      }
      InspectValue made;
      made.name = name.str();
      made.range = at.range;
      if (tile) {
        made.shape.assign(tile.getShape().begin(), tile.getShape().end());
        made.dtype = pl::plName(tile.getDtype()).str();
        made.place = tile.getMem() == pl::Mem::Unset ? std::string() : pl::plName(tile.getMem()).str();
        made.type = frontend::show(tile);
      } else {
        made.shape = extents(tensor);
        made.dtype = pl::plName(tensor.getDtype()).str();
        made.place = tensor.getLayout() == pl::Layout::ND ? std::string() : pl::plName(tensor.getLayout()).str();
        made.type = frontend::show(tensor);
      }
      out.push_back(std::move(made));
    }
  });
  auto before = [](const InspectValue &a, const InspectValue &b) {
    return a.range != b.range ? a.range < b.range : a.name != b.name ? a.name < b.name : a.type < b.type;
  };
  std::sort(out.begin(), out.end(), before);
  auto same = [](const InspectValue &a, const InspectValue &b) { return a.range == b.range && a.name == b.name; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

} // namespace placid::compiler
