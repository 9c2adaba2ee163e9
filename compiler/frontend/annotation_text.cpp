// SPDX-License-Identifier: Apache-2.0
// Types as messages spell them, and what can be told of an annotation without resolving it. Apart from annotation.cpp,
// which resolves them and reports.
#include "compiler/frontend/annotation.h"

#include <algorithm>

namespace placid::frontend {

using syntax::Expr;

bool hasBareParameter(const KernelDecl &kernel) {
  return std::any_of(
      kernel.function->parameters.begin(), kernel.function->parameters.end(), [&](const syntax::Parameter &parameter) {
        const Expr *type = parameter.annotation;
        if (type && type->kind == Expr::Kind::Subscript && type->children.size() == 2) {
          ConstValue base = evaluate(*type->children[0], *kernel.scope);
          type = base.isPath("pl.Out") || base.isPath("pl.InOut") ? type->children[1] : nullptr;
        }
        return type && type->kind != Expr::Kind::Subscript && evaluate(*type, *kernel.scope).isPath("pl.Tensor");
      });
}

std::string showExtents(llvm::ArrayRef<mlir::Attribute> extents) {
  std::string out = "[";
  for (auto [i, extent] : llvm::enumerate(extents)) {
    out += i > 0 ? ", " : "";
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(extent)) {
      out += std::to_string(number.getInt());
    } else {
      out += mlir::cast<mlir::StringAttr>(extent).getValue();
    }
  }
  return out + "]";
}

std::string show(pl::TensorType type) {
  std::string out = type.getDistributed() ? "pld.DistributedTensor[" : "pl.Tensor[";
  out += showExtents(type.getDims()) + ", pl." + pl::plName(type.getDtype()).str();
  if (type.getLayout() != pl::Layout::ND) {
    out += ", pl." + pl::plName(type.getLayout()).str();
  }
  return out + "]";
}

std::string show(const TypeInfo &type) {
  std::string dtype = "pl." + pl::plName(type.dtype).str();
  switch (type.kind) {
  case TypeInfo::Kind::Tensor:
    return show(type.tensor);
  case TypeInfo::Kind::Tile:
    return show(type.tile);
  case TypeInfo::Kind::Scalar:
    return "pl.Scalar[" + dtype + "]";
  case TypeInfo::Kind::Array:
    return "pl.Array[" + std::to_string(type.extent) + ", " + dtype + "]";
  case TypeInfo::Kind::Tuple:
    return "a tuple";
  case TypeInfo::Kind::Handle:
    return "a handle";
  case TypeInfo::Kind::Constexpr:
    return "a value that is known without running";
  case TypeInfo::Kind::Invalid:
  case TypeInfo::Kind::Unknown:
    return "an unknown type";
  }
  return "";
}

std::string show(pl::TileType type) {
  std::string out = "pl.Tile[[";
  for (auto [i, extent] : llvm::enumerate(type.getShape())) {
    out += (i > 0 ? ", " : "") + std::to_string(extent);
  }
  out += "], pl." + pl::plName(type.getDtype()).str();
  if (type.getMem() != pl::Mem::Unset) {
    out += ", pl.Mem." + pl::plName(type.getMem()).str();
  }
  return out + "]";
}

} // namespace placid::frontend
