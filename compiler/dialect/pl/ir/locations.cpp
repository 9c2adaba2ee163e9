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

Location withSpelling(Location access, StringRef list, unsigned index, StringRef spelling) {
  auto fused = dyn_cast<FusedLoc>(access);
  auto args = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : DictionaryAttr();
  auto entries = args ? args.getAs<ArrayAttr>(list) : ArrayAttr();
  auto named = entries && index < entries.size() ? dyn_cast<NameLoc>(entries[index]) : NameLoc();
  if (!named) {
    return access;
  }
  SmallVector<Attribute> changed(entries.getValue());
  changed[index] = NameLoc::get(StringAttr::get(access.getContext(), spelling), named.getChildLoc());
  NamedAttrList out(args);
  out.set(list, ArrayAttr::get(access.getContext(), changed));
  return FusedLoc::get(access.getContext(), fused.getLocations(), out.getDictionary(access.getContext()));
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
  auto names = value.getDefiningOp()->getAttrOfType<ArrayAttr>(kResultNamesAttr);
  unsigned number = cast<OpResult>(value).getResultNumber();
  if (names && number < names.size()) {
    return cast<StringAttr>(names[number]).getValue();
  }
  auto name = value.getDefiningOp()->getAttrOfType<StringAttr>(kResultNameAttr);
  return name ? name.getValue() : StringRef();
}

} // namespace placid::pl
