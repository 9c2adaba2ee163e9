// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit/emit_pto.h"

#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace placid::emit {

namespace {

std::vector<compiler::Expr> exprs(ArrayRef<Attribute> extents) {
  std::vector<compiler::Expr> out;
  for (Attribute extent : extents) {
    if (auto value = dyn_cast<IntegerAttr>(extent)) {
      out.emplace_back(value.getInt());
    } else {
      out.emplace_back(cast<StringAttr>(extent).str());
    }
  }
  return out;
}

/// The declared shape of a blocked type, as far as it can be read back: leading axes are folded into one.
std::vector<compiler::Expr> unblocked(pl::TensorType type) {
  std::vector<compiler::Expr> out;
  ArrayRef<Attribute> dims = type.getDims();
  if (dims.size() != 5) {
    return exprs(dims);
  }
  auto extent = [&](unsigned axis) { return type.getExtent(axis).value_or(0); };
  if (extent(0) != 1) {
    out.push_back(exprs(dims.take_front()).front());
  }
  out.emplace_back(extent(2) * extent(3));
  out.emplace_back(extent(1) * extent(4));
  return out;
}

std::string dtypeName(Type type) {
  if (type.isIndex()) {
    return "INDEX";
  }
  if (type.isInteger(1)) {
    return "BOOL";
  }
  std::string out;
  llvm::raw_string_ostream(out) << type;
  for (unsigned i = 0; i <= static_cast<unsigned>(pl::DType::F32); ++i) {
    if (pl::scalarType(type.getContext(), static_cast<pl::DType>(i)) == type) {
      return pl::plName(static_cast<pl::DType>(i)).str();
    }
  }
  return out;
}

compiler::LoweredKernel::Argument describe(func::FuncOp function, unsigned index, StringRef kind) {
  auto text = [&](StringRef key) {
    auto value = function.getArgAttrOfType<StringAttr>(index, key);
    return value ? value.str() : std::string();
  };
  auto type = [&](StringRef key) {
    auto value = function.getArgAttrOfType<TypeAttr>(index, key);
    return value ? value.getValue() : Type();
  };
  compiler::LoweredKernel::Argument out;
  out.name = text(pl::kNameAttr);
  out.kind = kind.str();
  out.direction = text(pl::kDirAttr);
  auto tensor = dyn_cast_or_null<pl::TensorType>(type(conversion::kArgTypeAttr));
  if (!tensor) {
    out.dtype = dtypeName(function.getArgument(index).getType());
    return out;
  }
  out.dtype = pl::plName(tensor.getDtype()).str();
  out.layout = pl::plName(tensor.getLayout()).str();
  auto logical = function.getArgAttrOfType<ArrayAttr>(index, pl::kLogicalShapeAttr);
  if (tensor.isNz()) {
    out.blocked = exprs(tensor.getDims());
    out.shape = logical ? exprs(logical.getValue()) : unblocked(tensor);
  } else {
    out.shape = exprs(tensor.getDims());
  }
  return out;
}

} // namespace

std::vector<compiler::LoweredKernel> emitPto(ModuleOp module, const TextOptions &options) {
  std::vector<compiler::LoweredKernel> out;
  const StringRef arch = pto::targetOf(module).name;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kind = function->getAttrOfType<pto::KernelKindAttr>(pto::kKernelKindAttr);
    if (!kind || function.isExternal()) {
      continue;
    }
    Operation *unknown = nullptr;
    compiler::LoweredKernel kernel;
    kernel.name = function.getSymName().str();
    auto entry = function->getAttrOfType<StringAttr>(pl::kEntryAttr);
    kernel.entry = entry ? entry.str() : kernel.name;
    kernel.coreType = kind.getValue() == pto::KernelKind::Cube ? "aic" : "aiv";
    kernel.pto = printPtoKernel(function, arch, options, unknown);
    if (unknown) {
      bridge::emitDiag(unknown->getLoc(), diag::InternalError,
                       "`" + unknown->getName().getStringRef().str() + "` has no PTO spelling");
      continue;
    }
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto argument = function.getArgAttrOfType<StringAttr>(i, conversion::kArgKindAttr);
      if (argument && argument.getValue() != "identity") {
        kernel.arguments.push_back(describe(function, i, argument.getValue()));
      }
    }
    out.push_back(std::move(kernel));
  }
  return out;
}

} // namespace placid::emit
