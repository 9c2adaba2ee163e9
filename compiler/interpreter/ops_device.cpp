// SPDX-License-Identifier: Apache-2.0
// Operations between devices, and arrays of scalars. One device is run: a window of a peer is wherever the context that
// the kernel was given says. Caches and fences have no effect here: memory is what was written last.
#include "compiler/interpreter/core.h"

#include <charconv>

namespace placid::interp {

namespace {

constexpr int64_t kLargestArray = 1 << 20;

std::string nothing(Core &, const Statement &) { return {}; }

//===-- Signals ---------------------------------------------------------------------------------------------------===//

/// The one 32-bit integer that the first operand is a window of, and the number beside it.
std::string signalOf(Core &core, const Statement &statement, std::shared_ptr<ViewValue> &view, int64_t &value,
                     Number &current) {
  if (statement.operands.size() != 2) {
    return "needs a signal and a number";
  }
  std::string wrong = core.partition(statement.operands[0], view);
  wrong = wrong.empty() ? core.scalar(statement.operands[1], value) : wrong;
  if (!wrong.empty()) {
    return wrong;
  }
  for (int64_t extent : view->shape) {
    if (extent != 1) {
      return "needs a window of one element";
    }
  }
  if (view->dtype != DType::I32) {
    return "needs a signal of 32 bits";
  }
  return view->buffer->read(view->offset * info(view->dtype).bytes, view->dtype, current);
}

bool says(const Statement &statement, const char *attribute, const char *word) {
  auto found = statement.attributes.find(attribute);
  return found != statement.attributes.end() && found->second.find(word) != std::string::npos;
}

std::string notify(Core &core, const Statement &statement) {
  std::shared_ptr<ViewValue> view;
  int64_t value = 0;
  Number current;
  if (std::string wrong = signalOf(core, statement, view, value, current); !wrong.empty()) {
    return wrong;
  }
  const bool add = says(statement, "notifyOp", "atomic_add");
  if (!add && !says(statement, "notifyOp", "set")) {
    return "does not say how the signal changes";
  }
  const Number next = Number::ofInt(add ? static_cast<int32_t>(current.i + value) : value);
  return view->buffer->write(view->offset * info(view->dtype).bytes, view->dtype, next);
}

std::string wait(Core &core, const Statement &statement) {
  std::shared_ptr<ViewValue> view;
  int64_t value = 0;
  Number current;
  if (std::string wrong = signalOf(core, statement, view, value, current); !wrong.empty()) {
    return wrong;
  }
  const bool equal = says(statement, "cmp", "eq");
  if (!equal && !says(statement, "cmp", "ge")) {
    return "does not say how the signal compares";
  }
  if (equal ? current.i != value : current.i < value) {
    core.wait();
  }
  return {};
}

//===-- Arrays ----------------------------------------------------------------------------------------------------===//

std::string declareArray(Core &core, const Statement &statement) {
  // `-> !pto.local_array<4xi32>`
  const std::string text = statement.resultTypes.empty() ? "" : statement.resultTypes[0].text;
  const size_t open = text.find('<');
  const size_t by = text.find('x', open == std::string::npos ? 0 : open);
  int64_t extent = 0;
  if (open == std::string::npos || by == std::string::npos ||
      std::from_chars(text.data() + open + 1, text.data() + by, extent).ptr != text.data() + by) {
    return "has no array type";
  }
  std::optional<DType> element = parseDType(text.substr(by + 1, text.size() - by - 2));
  if (!element || extent < 1 || extent > kLargestArray) {
    return "has no array type that is modelled";
  }
  Value out;
  out.kind = Value::Kind::Array;
  out.dtype = *element;
  out.array = std::make_shared<std::vector<std::optional<Number>>>(static_cast<size_t>(extent));
  core.set(statement, std::move(out));
  return {};
}

/// The element that the first two operands name.
std::string elementOf(Core &core, const Statement &statement, size_t operands, std::optional<Number> *&out) {
  int64_t index = 0;
  if (statement.operands.size() != operands || core.value(statement.operands[0]).kind != Value::Kind::Array) {
    return "needs an array and an index";
  }
  if (std::string wrong = core.scalar(statement.operands[1], index); !wrong.empty()) {
    return wrong;
  }
  std::vector<std::optional<Number>> &array = *core.value(statement.operands[0]).array;
  if (index < 0 || index >= static_cast<int64_t>(array.size())) {
    return "takes element " + std::to_string(index) + " of an array of " + std::to_string(array.size());
  }
  out = &array[static_cast<size_t>(index)];
  return {};
}

std::string getElement(Core &core, const Statement &statement) {
  std::optional<Number> *element = nullptr;
  if (std::string wrong = elementOf(core, statement, 2, element); !wrong.empty()) {
    return wrong;
  }
  if (!*element) {
    return "reads an element that nobody has written";
  }
  core.set(statement, Value::ofScalar(core.value(statement.operands[0]).dtype, **element));
  return {};
}

std::string setElement(Core &core, const Statement &statement) {
  std::optional<Number> *element = nullptr;
  std::string wrong = elementOf(core, statement, 3, element);
  if (wrong.empty() && core.value(statement.operands[2]).kind != Value::Kind::Scalar) {
    wrong = "needs a number";
  }
  if (wrong.empty()) {
    *element = core.value(statement.operands[2]).number;
  }
  return wrong;
}

} // namespace

void addDeviceOperations(OperationTable &table) {
  table["pto.comm.tnotify"] = notify;
  table["pto.comm.twait"] = wait;
  table["pto.cmo.cacheinvalid"] = nothing;
  table["pto.fence.barrier_all"] = nothing;
  table["pto.declare_local_array"] = declareArray;
  table["pto.local_array_get"] = getElement;
  table["pto.local_array_set"] = setElement;
}

} // namespace placid::interp
