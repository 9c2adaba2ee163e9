// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/ir/locations.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/mlir_bridge/source_range.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace placid::pl {

Location makeArgLoc(StringRef spelling, Location range, std::optional<Location> binding) {
  MLIRContext *context = range.getContext();
  Location inner = binding ? FusedLoc::get(context, {range, *binding}) : range;
  return NameLoc::get(StringAttr::get(context, spelling), inner);
}

Location makeAccessLoc(Location call, ArrayRef<NamedAttribute> args) {
  return FusedLoc::get(call.getContext(), {call}, DictionaryAttr::get(call.getContext(), args));
}

FileLineColRange sourceRange(Location loc) { return bridge::sourceRange(loc); }

ArgLoc argLoc(Location access, StringRef list, unsigned index) {
  ArgLoc out{access, "", std::nullopt};
  auto fused = dyn_cast<FusedLoc>(access);
  auto args = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : DictionaryAttr();
  auto entries = args ? args.getAs<ArrayAttr>(list) : ArrayAttr();
  if (!entries || index >= entries.size()) {
    return out;
  }
  auto entry = dyn_cast<LocationAttr>(entries[index]);
  if (!entry) {
    return out;
  }
  out.range = Location(entry);
  if (auto name = dyn_cast<NameLoc>(entry)) {
    out.spelling = name.getName().str();
    out.range = name.getChildLoc();
    if (auto pair = dyn_cast<FusedLoc>(name.getChildLoc())) {
      out.range = pair.getLocations().front();
      if (pair.getLocations().size() > 1) {
        out.binding = pair.getLocations()[1];
      }
    }
  }
  return out;
}

StringRef valueName(Value value) {
  if (auto name = dyn_cast<NameLoc>(value.getLoc())) {
    return name.getName().getValue();
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = function && argument.getOwner()->isEntryBlock()
                    ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr)
                    : StringAttr();
    return name ? name.getValue() : StringRef();
  }
  auto name = value.getDefiningOp()->getAttrOfType<StringAttr>(kResultNameAttr);
  return name ? name.getValue() : StringRef();
}

} // namespace placid::pl
