// SPDX-License-Identifier: Apache-2.0
// `pl.op`: an operation that is a row of the op table and nothing more. Its textual form, its accessors, its effects,
// and the verifier that holds it against the row. A verifier's complaint is a fault of ours, never of the user.
#include "compiler/dialect/pl/ir/pl.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// What an operand of this type can stand for. While tensors become tiles one may stand for the other.
uint32_t kindsOf(Type type) {
  if (isa<TensorType, TileType>(type)) {
    return ops::kTensor | ops::kDistributed | ops::kTile;
  }
  if (isa<HandleType>(type)) {
    return ops::kHandle | ops::kDeps | ops::kScalar;
  }
  if (isa<ArrayType>(type)) {
    return ops::kArray | ops::kDeps;
  }
  if (isa<FloatType>(type)) {
    return ops::kNumber | ops::kScalar;
  }
  return ops::kNumber | ops::kIntNumber | ops::kScalar | ops::kInteger | ops::kCondition | ops::kList | ops::kConstList;
}

} // namespace

const ops::OpRow &GenericOp::getRow() { return *ops::findIrName(getName()).row; }

ops::FormKind GenericOp::getFormKind() { return *ops::findIrName(getName()).kind; }

Value GenericOp::getArgument(StringRef parameter) {
  for (auto [value, name] : llvm::zip(getOperands(), getOperandNames().getAsRange<StringAttr>())) {
    if (name.getValue() == parameter) {
      return value;
    }
  }
  return {};
}

SmallVector<OpFoldResult> GenericOp::getList(StringRef parameter) {
  SmallVector<Value> dynamic;
  for (auto [value, name] : llvm::zip(getOperands(), getOperandNames().getAsRange<StringAttr>())) {
    if (name.getValue() == parameter) {
      dynamic.push_back(value);
    }
  }
  auto statics = dyn_cast_or_null<DenseI64ArrayAttr>(getConfig(parameter));
  return statics ? mixedList(dynamic, statics.asArrayRef(), getContext()) : SmallVector<OpFoldResult>();
}

StringRef GenericOp::getText(StringRef parameter, StringRef otherwise) {
  auto text = dyn_cast_or_null<StringAttr>(getConfig(parameter));
  return text ? text.getValue() : otherwise;
}

bool GenericOp::getFlag(StringRef parameter) {
  auto flag = dyn_cast_or_null<BoolAttr>(getConfig(parameter));
  return flag && flag.getValue();
}

void GenericOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  ops::OpMatch match = ops::findIrName(getName());
  ops::Effect effect = match.row ? match.row->effect : ops::Effect::Sync;
  // As a value it is a new array; whoever holds the old one sees the element as well.
  if (getName() == "array.update_element") {
    effect = ops::Effect::Writes;
  }
  switch (effect) {
  case ops::Effect::Pure:
    return;
  case ops::Effect::Allocates:
    effects.emplace_back(MemoryEffects::Allocate::get());
    return;
  case ops::Effect::Reads:
    effects.emplace_back(MemoryEffects::Read::get());
    return;
  case ops::Effect::Writes:
  case ops::Effect::Sync:
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
    return;
  }
}

LogicalResult GenericOp::verify() {
  ops::OpMatch match = ops::findIrName(getName());
  if (!match.row) {
    return emitOpError("has no row named ") << getName();
  }
  const ops::Form &form = *match.row->form(*match.kind);
  if (getOperandNames().size() != getOperands().size()) {
    return emitOpError("expects one name an operand");
  }
  auto known = [&](StringRef name) -> const ops::Parameter * {
    return form.find(std::string_view(name.data(), name.size()));
  };
  for (auto [value, name] : llvm::zip(getOperands(), getOperandNames().getAsRange<StringAttr>())) {
    const ops::Parameter *parameter = known(name.getValue());
    if (!parameter && !form.open && !name.getValue().contains('.')) { // what a pass adds has a dotted name
      return emitOpError("has no parameter ") << name;
    }
    if (parameter && (parameter->kinds & (kindsOf(value.getType()) | ops::kAny)) == 0) {
      return emitOpError("takes no ") << value.getType() << " as " << name;
    }
  }
  for (NamedAttribute attribute : (*this)->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (!name.contains('.') && !known(name) && !form.open) {
      return emitOpError("has no parameter ") << attribute.getName();
    }
  }
  return success();
}

} // namespace placid::pl
