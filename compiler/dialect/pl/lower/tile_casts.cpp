// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/tile_casts.h"

#include <algorithm>
#include <array>

namespace placid::pl {

namespace {

struct Row {
  DType from;
  llvm::SmallVector<DType> to;
};

const std::vector<Row> &rows(bool a5) {
  using enum DType;
  static const std::vector<Row> kA2A3 = {
      {F32, {F16, BF16, I16, I32, I64}},
      {F16, {F32, I32, I16, I8, UI8, I4}},
      {BF16, {F32, I32}},
      {I16, {F16, F32}},
      {I32, {F32, I16, I64, F16}},
      {I64, {F32, I32}},
      {UI8, {F16}},
      {I8, {F16}},
      {I4, {F16}},
  };
  static const std::vector<Row> kA5 = {
      {F32, {F16, BF16, I16, I32, I64, F8E4M3FN, F8E5M2, HF8}},
      {F16, {F32, I32, I16, I8, UI8, HF8}},
      {BF16, {F32, I32, F16, FP4}},
      {I16, {F16, F32, UI8, UI32, I32}},
      {I32, {F32, I16, I64, UI16, UI8}},
      {I64, {F32, I32}},
      {UI8, {F16, UI16}},
      {I8, {F16, I16, I32}},
      {UI32, {UI8, UI16, I16}},
      {F8E4M3FN, {F32}},
      {F8E5M2, {F32}},
      {HF8, {F32}},
      {FP4, {BF16}},
  };
  return a5 ? kA5 : kA2A3;
}

} // namespace

std::optional<llvm::SmallVector<DType>> castSteps(const target::Target &target, DType from, DType to) {
  if (from == to) {
    return llvm::SmallVector<DType>();
  }
  // Breadth first; the widest intermediate type first, floats before integers.
  std::vector<llvm::SmallVector<DType>> open{{from}};
  llvm::SmallVector<DType> seen{from};
  for (size_t at = 0; at < open.size(); ++at) {
    const llvm::SmallVector<DType> path = open[at];
    for (const Row &row : rows(target.arch == target::Arch::A5)) {
      if (row.from != path.back()) {
        continue;
      }
      llvm::SmallVector<DType> next = row.to;
      std::sort(next.begin(), next.end(), [](DType a, DType b) {
        const std::array<int, 3> left{isFloat(a) ? 0 : 1, -static_cast<int>(bitWidth(a)), static_cast<int>(a)};
        const std::array<int, 3> right{isFloat(b) ? 0 : 1, -static_cast<int>(bitWidth(b)), static_cast<int>(b)};
        return left < right;
      });
      for (DType dtype : next) {
        if (dtype == to) {
          llvm::SmallVector<DType> out(path.begin() + 1, path.end());
          out.push_back(to);
          return out;
        }
        if (!llvm::is_contained(seen, dtype)) {
          seen.push_back(dtype);
          open.push_back(path);
          open.back().push_back(dtype);
        }
      }
    }
  }
  return std::nullopt;
}

} // namespace placid::pl
