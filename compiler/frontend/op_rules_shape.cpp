// SPDX-License-Identifier: Apache-2.0
// Type rules of what makes tensors and tiles, and extents as the operations take them.
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using ops::Rule;
using pl::DType;

std::optional<llvm::SmallVector<mlir::Attribute>> KernelBuilder::OpCall::extents(std::string_view argument,
                                                                                 bool isTile) const {
  const Argument *list = find(argument);
  llvm::SmallVector<mlir::Attribute> out;
  if (!list || (isTile && !builder.constants(list->list, *list->expr, "an extent of a tile")) ||
      !builder.soundShape(list->list, *list->expr)) {
    return std::nullopt;
  }
  for (const Entry &entry : list->list) {
    out.push_back(entry.value.isInt() ? pl::extentAttr(context(), entry.value.constant.integer)
                                      : pl::extentAttr(context(), entry.expr ? syntax::spell(*entry.expr) : "?"));
  }
  return out;
}

std::optional<OpResults> KernelBuilder::OpCall::creation() {
  bool tile = kind == ops::FormKind::Tile;
  Rule rule = form().rule;
  if (rule == Rule::Ptr) {
    return handle("ptr");
  }
  auto dims = extents("shape", tile || rule == Rule::CreateL1);
  if (!dims) {
    return std::nullopt;
  }
  Shaped out;
  out.isTile = tile;
  out.dims = *dims;
  out.dtype = dtypeOf("dtype").value_or(DType::F32);
  out.mem = resultMem();
  if (rule == Rule::Arange) {
    if (!llvm::is_contained({DType::I16, DType::I32, DType::UI16, DType::UI32}, out.dtype)) {
      return typeFault("dtype", "counts in INT16, INT32, UINT16 or UINT32, got pl." + pl::plName(out.dtype).str());
    }
    const Argument &start = *find("start");
    if (start.value.isScalar() && start.value.dtype != out.dtype) {
      return typeFault("start", "`start` is " + describe("start") + " and the result is of pl." +
                                    pl::plName(out.dtype).str() + ": convert it with `pl.cast`");
    }
    for (size_t axis = 0; axis < out.rank(); ++axis) {
      bool last = axis + 1 == out.rank();
      if (last ? isExtent(out.dims[axis], 1) : out.extent(axis) && !isExtent(out.dims[axis], 1)) {
        builder.shapeMismatch(rangeOf("shape"), what(),
                              std::string(last ? "the last extent is more than 1" : "the leading extents are 1") +
                                  ", got " + showExtents(out.dims));
        return std::nullopt;
      }
    }
  }
  if ((rule == Rule::Tri || rule == Rule::Random) && out.rank() != 2) {
    builder.reporter_.report(diag::Rank, rangeOf("shape"), what(),
                             "makes rows and columns, got " + showExtents(out.dims));
    return std::nullopt;
  }
  if (rule == Rule::Random && out.dtype != DType::I32 && out.dtype != DType::UI32) {
    return typeFault("dtype", "gives INT32 or UINT32, not pl." + pl::plName(out.dtype).str());
  }
  if (rule == Rule::Random && integer("rounds").value_or(10) != 10 && integer("rounds") != 7) {
    return typeFault("rounds", "`rounds` is 7 or 10");
  }
  if (find("valid_shape")) {
    auto valid = extents("valid_shape", tile);
    if (!valid) {
      return std::nullopt;
    }
    out.valid = *valid;
  }
  return one(out);
}

} // namespace placid::frontend
