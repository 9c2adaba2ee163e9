// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/nz_layout.h"

#include "compiler/dialect/pl/analysis/expr_text.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace placid::pl {

std::optional<int64_t> staticProduct(ArrayRef<Attribute> extents) {
  int64_t product = 1;
  for (Attribute extent : extents) {
    auto value = dyn_cast<IntegerAttr>(extent);
    if (value && llvm::MulOverflow(product, value.getInt(), product)) {
      return std::nullopt;
    }
  }
  return product;
}

std::optional<NzPlane> nzPlane(TensorType logical) {
  std::optional<int64_t> c0 = c0Elements(logical.getDtype());
  unsigned rank = logical.getRank();
  if (!c0 || rank < 2) {
    return std::nullopt;
  }
  std::optional<int64_t> rows = logical.getExtent(rank - 2);
  std::optional<int64_t> cols = logical.getExtent(rank - 1);
  if (!rows || !cols || *rows <= 0 || *cols <= 0 || *rows % kFractalRows != 0 || *cols % *c0 != 0) {
    return std::nullopt;
  }
  return NzPlane{*rows, *cols, *c0};
}

TensorType blockedType(TensorType logical) {
  std::optional<NzPlane> plane = nzPlane(logical);
  if (!plane || !staticProduct(logical.getDims())) {
    return {};
  }
  MLIRContext *context = logical.getContext();
  ArrayRef<Attribute> leading = logical.getDims().drop_back(2);
  int64_t product = *staticProduct(leading);
  std::string symbols;
  for (Attribute extent : leading) {
    if (auto symbol = dyn_cast<StringAttr>(extent)) {
      std::string text = symbol.getValue().str();
      const bool alone = leading.size() == 1;
      symbols += (symbols.empty() ? "" : " * ") + (!alone && isCompound(text) ? "(" + text + ")" : text);
    }
  }
  Attribute batch = symbols.empty() ? extentAttr(context, product)
                    : product == 1  ? extentAttr(context, symbols)
                                    : extentAttr(context, symbols + " * " + std::to_string(product));
  return TensorType::get(context,
                         {batch, extentAttr(context, plane->cols / plane->c0),
                          extentAttr(context, plane->rows / kFractalRows), extentAttr(context, kFractalRows),
                          extentAttr(context, plane->c0)},
                         logical.getDtype(), Layout::NZ);
}

SmallVector<int64_t> blockedStrides(const NzPlane &plane) {
  return {plane.cols * plane.rows, plane.rows * plane.c0, kFractalRows * plane.c0, plane.c0, 1};
}

bool isNz(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && tensor.isNz();
}

Type blockType(Type type) {
  if (!isNz(type)) {
    return type;
  }
  TensorType blocked = blockedType(cast<TensorType>(type));
  return blocked ? Type(blocked) : type;
}

std::string shapeText(ArrayRef<Attribute> extents) {
  std::string out = "[";
  for (Attribute extent : extents) {
    out += out.size() == 1 ? "" : ", ";
    auto value = dyn_cast<IntegerAttr>(extent);
    out += value ? std::to_string(value.getInt()) : cast<StringAttr>(extent).getValue().str();
  }
  return out + "]";
}

} // namespace placid::pl
