// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit/emit_pto.h"

#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

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
  if (auto bytes = function.getArgAttrOfType<IntegerAttr>(index, conversion::kBytesAttr)) {
    out.dtype = "FP32";
    out.elementBytes = 4;
    out.shape.emplace_back(bytes.getInt() / out.elementBytes);
    return out;
  }
  auto tensor = dyn_cast_or_null<pl::TensorType>(type(conversion::kArgTypeAttr));
  if (kind == "context") {
    out.dtype = "INT64";
    out.elementBytes = 8;
    return out;
  }
  if (!tensor) {
    out.dtype = dtypeName(function.getArgument(index).getType());
    return out;
  }
  out.dtype = pl::plName(tensor.getDtype()).str();
  out.elementBytes = pl::bitWidth(tensor.getDtype()) / 8;
  out.layout = pl::plName(tensor.getLayout()).str();
  auto logical = function.getArgAttrOfType<ArrayAttr>(index, pl::kLogicalShapeAttr);
  if (tensor.isNz()) {
    out.blocked = exprs(tensor.getDims());
    out.shape = logical ? exprs(logical.getValue()) : unblocked(tensor);
    // Packed planes have no padding: rows and columns are whole fractals, as BlockNzTensorViews has checked.
    int64_t stride = 1;
    for (unsigned axis = tensor.getRank(); axis-- > 0;) {
      out.strides.insert(out.strides.begin(), stride);
      stride *= axis == 0 ? 1 : tensor.getExtent(axis).value_or(1);
    }
    out.panelElements = tensor.getRank() == 5 ? stride : 0;
    out.dynamicBatch = !tensor.getExtent(0) && out.shape.size() == 3;
  } else {
    out.shape = exprs(tensor.getDims());
  }
  return out;
}

/// The parameters that a launcher fills for each block.
void nameLaunch(func::FuncOp function, StringRef core, std::vector<std::string> &out) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto kind = function.getArgAttrOfType<StringAttr>(i, conversion::kArgKindAttr);
    if (kind && kind.getValue() == "identity") {
      out.push_back((core + function.getArgAttrOfType<StringAttr>(i, pl::kNameAttr).getValue()).str());
    }
  }
}

/// Arguments are told apart by their names, also one that the source has no name for: what a function hands back.
void nameUnnamed(std::vector<compiler::LoweredKernel::Argument> &arguments) {
  auto isTaken = [&](const std::string &name) {
    return llvm::any_of(arguments, [&](const auto &argument) { return argument.name == name; });
  };
  for (compiler::LoweredKernel::Argument &argument : arguments) {
    if (argument.name.empty()) {
      const std::string base = argument.direction == "out" ? "out" : argument.kind;
      std::string name = base;
      for (int i = 1; isTaken(name); ++i) {
        name = base + "_" + std::to_string(i);
      }
      argument.name = name;
    }
  }
}

/// Where each dynamic extent comes from: the first tensor argument, and the first axis of its logical shape, that has
/// it.
void nameExtentSources(std::vector<compiler::LoweredKernel::Argument> &arguments) {
  for (compiler::LoweredKernel::Argument &extent : arguments) {
    if (extent.kind != "extent") {
      continue;
    }
    for (const compiler::LoweredKernel::Argument &tensor : arguments) {
      auto axis = std::find(tensor.shape.begin(), tensor.shape.end(), compiler::Expr(extent.name));
      if (tensor.kind == "tensor" && axis != tensor.shape.end()) {
        extent.extentOf = tensor.name;
        extent.extentAxis = axis - tensor.shape.begin();
        break;
      }
    }
  }
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
    SmallVector<func::FuncOp> unit{function};
    auto group = function->getAttrOfType<StringAttr>(conversion::kGroupAttr);
    if (group) {
      // The cube function stands first and brings its peer along.
      for (auto other : module.getOps<func::FuncOp>()) {
        if (other != function && other->getAttr(conversion::kGroupAttr) == group) {
          unit.push_back(other);
        }
      }
      if (unit.size() != 2 || kind.getValue() != pto::KernelKind::Cube) {
        continue;
      }
      for (func::FuncOp member : unit) {
        kernel.functions.push_back(member.getSymName().str());
      }
    }
    kernel.name = group ? group.str() : function.getSymName().str();
    auto entry = function->getAttrOfType<StringAttr>(pl::kEntryAttr);
    kernel.entry = entry ? entry.str() : kernel.name;
    kernel.coreType = group ? "mixed" : kind.getValue() == pto::KernelKind::Cube ? "aic" : "aiv";
    kernel.pto = printPtoKernel(unit, arch, options, unknown);
    if (Attribute blocks = function->getAttr(pl::kBlocksAttr)) {
      compiler::Expr count = exprs({blocks}).front();
      const auto *number = std::get_if<int64_t>(&count);
      // For who runs the text alone: the assembler passes over comments.
      kernel.pto =
          "// blocks: " + (number ? std::to_string(*number) : std::get<std::string>(count)) + "\n" + kernel.pto;
    }
    if (unknown) {
      bridge::emitDiag(unknown->getLoc(), diag::InternalError,
                       "`" + unknown->getName().getStringRef().str() + "` has no PTO spelling");
      continue;
    }
    auto symbol = function->getAttrOfType<StringAttr>(conversion::kSourceSymbolAttr);
    kernel.function = symbol ? symbol.str() : kernel.name;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto argument = function.getArgAttrOfType<StringAttr>(i, conversion::kArgKindAttr);
      if (argument && argument.getValue() != "identity") {
        kernel.arguments.push_back(describe(function, i, argument.getValue()));
      }
    }
    constexpr StringLiteral kCores[] = {"aic.", "aiv."};
    for (auto [member, core] : llvm::zip(unit, kCores)) {
      nameLaunch(member, group ? core : "", kernel.launch);
    }
    nameUnnamed(kernel.arguments);
    nameExtentSources(kernel.arguments);
    out.push_back(std::move(kernel));
  }
  return out;
}

} // namespace placid::emit
