// SPDX-License-Identifier: Apache-2.0
// Parameter types from the calls that the Python of a file makes; see entry_types.h.
#include "compiler/driver/entry_types.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/annotation.h"
#include "compiler/frontend/kernel_heads.h"

#include <algorithm>
#include <map>

namespace placid::compiler {

using frontend::EntryArgument;
using frontend::EntryCall;

namespace {

mlir::Type typeOf(const EntryArgument &argument, mlir::MLIRContext *context) {
  bool whole = argument.kind == EntryArgument::Kind::Tensor && argument.shapeKnown && argument.dtype &&
               std::all_of(argument.shape.begin(), argument.shape.end(), [](const std::optional<int64_t> &extent) {
                 return extent.has_value() && *extent > 0 && *extent <= frontend::kMaxExtent;
               });
  if (!whole) {
    return {};
  }
  llvm::SmallVector<mlir::Attribute> extents;
  for (const std::optional<int64_t> &extent : argument.shape) {
    extents.push_back(pl::extentAttr(context, *extent));
  }
  return pl::TensorType::get(context, extents, *argument.dtype);
}

/// One type a parameter, `self` not counted; empty when the call does not fit the signature.
std::vector<mlir::Type> typesOf(const EntryCall &call, mlir::MLIRContext *context) {
  std::vector<std::string_view> names;
  for (const syntax::Parameter *parameter : frontend::calledParameters(*call.kernel)) {
    names.push_back(parameter->name);
  }
  if (call.arguments.size() != names.size()) {
    return {};
  }
  std::vector<mlir::Type> out(names.size());
  size_t next = 0;
  for (const EntryArgument &argument : call.arguments) {
    size_t position = next++;
    if (!argument.name.empty()) {
      position = static_cast<size_t>(std::find(names.begin(), names.end(), argument.name) - names.begin());
      if (position == names.size()) {
        return {};
      }
    }
    out[position] = typeOf(argument, context);
  }
  return out;
}

} // namespace

void recordEntryTypes(const frontend::Program &program, mlir::MLIRContext *context, frontend::CallTypes &types) {
  for (bool guarded : {false, true}) { // what may be expected to fail says only what no other call does
    for (const EntryCall &call : program.calls) {
      std::vector<mlir::Type> made = call.guarded == guarded ? typesOf(call, context) : std::vector<mlir::Type>();
      if (std::any_of(made.begin(), made.end(), [](mlir::Type type) { return static_cast<bool>(type); })) {
        types.record(*call.kernel, made);
      }
    }
  }
}

std::vector<FurtherCall> furtherCalls(const frontend::Program &program, mlir::MLIRContext *context, size_t most) {
  std::vector<FurtherCall> out;
  std::map<const frontend::KernelDecl *, std::vector<std::vector<mlir::Type>>> seen; // looked up, never listed
  for (const EntryCall &call : program.calls) {
    if (call.guarded || !frontend::hasBareParameter(*call.kernel)) {
      continue;
    }
    std::vector<mlir::Type> made = typesOf(call, context);
    bool says = std::any_of(made.begin(), made.end(), [](mlir::Type type) { return static_cast<bool>(type); });
    std::vector<std::vector<mlir::Type>> &known = seen[call.kernel];
    if (!says || known.size() > most || std::find(known.begin(), known.end(), made) != known.end()) {
      continue;
    }
    known.push_back(made);
    if (known.size() > 1) {
      out.push_back({call.kernel, std::move(made), call.range});
    }
  }
  return out;
}

} // namespace placid::compiler
