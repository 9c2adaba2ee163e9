// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/nz_annotation.h"

#include "compiler/dialect/pl/analysis/nz_layout.h"
#include "compiler/dialect/pl/ir/window_attrs.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// The extents as they were declared, also where the type is already blocked.
ArrayRef<Attribute> declaredDims(Value root, TensorType type) {
  auto argument = dyn_cast<BlockArgument>(root);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto logical =
      function ? function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), kLogicalShapeAttr) : ArrayAttr();
  return logical ? logical.getValue() : type.getDims();
}

} // namespace

void annotateNz(bridge::DiagBuilder &builder, const TensorOrigin &origin) {
  StringRef declaredName = valueName(origin.root);
  std::string text = "`" + (declaredName.empty() ? origin.name : declaredName.str()) + "` is declared NZ here";
  if (auto declared = dyn_cast<TensorType>(origin.root.getType())) {
    text += ": " + shapeText(declaredDims(origin.root, declared)) + " of " + plName(declared.getDtype()).str();
    if (std::optional<int64_t> c0 = c0Elements(declared.getDtype())) {
      text += ", c0 = " + std::to_string(*c0);
    }
  }
  builder.annotation(origin.annotation, text);
  if (origin.binding) {
    builder.note(*origin.binding, "the annotation's name is bound here");
  }
}

void annotatePastes(bridge::DiagBuilder &builder, Operation *access) {
  if (auto calls = access->getAttrOfType<ArrayAttr>(kPastedAttr)) {
    for (NameLoc call : calls.getAsRange<NameLoc>()) {
      builder.note(call.getChildLoc(), "`" + call.getName().str() + "` is pasted in here");
    }
  }
}

} // namespace placid::pl
