// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/scratch_tiles.h"

#include <algorithm>

using namespace mlir;

namespace placid::pl {

namespace {

TileType vec(MLIRContext *context, ArrayRef<int64_t> shape, DType dtype) {
  return TileType::get(context, shape, dtype, Mem::Vec);
}

/// FP32 to INT16 and FP16 to INT16 or INT8 go through a buffer of the size that the instruction works in.
TileType castScratch(TileType from, TileType to) {
  const int64_t rows = to.getShape()[0];
  const int64_t columns = to.getShape()[1];
  int64_t bytes = 0;
  if (from.getDtype() == DType::F32 && to.getDtype() == DType::I16) {
    const int64_t head = 4 * 64 * std::min<int64_t>(columns / 64, 255);
    const int64_t rest = columns % 64;
    const int64_t tail =
        rest == 0 ? 0 : 32 * ((std::min<int64_t>(rows, 255) - 1) * (columns / 8) + target::roundUp(rest, 8) / 8);
    // A live part that is narrower than the tile may end anywhere.
    const int64_t any = 32 * ((std::min<int64_t>(rows, 255) - 1) * (columns / 8) + 8);
    bytes = std::max(head, to.getValid().empty() ? tail : any);
  } else if (from.getDtype() == DType::F16 && (to.getDtype() == DType::I16 || to.getDtype() == DType::I8)) {
    const int64_t width = std::min<int64_t>(columns, 64);
    bytes = 32 * (target::roundUp(width, 8) / 8);
    if (to.getDtype() == DType::I8) {
      bytes = std::max(bytes, 128 + 32 * (target::roundUp(width, 16) / 16));
    }
  }
  return bytes == 0 ? TileType() : vec(to.getContext(), {1, target::roundUp(bytes, 32)}, DType::I8);
}

} // namespace

TileType scratchTile(GenericOp op, Scratch scratch, const target::Target &target) {
  MLIRContext *context = op.getContext();
  TileType first;
  for (Value operand : op.getOperands()) {
    first = first ? first : dyn_cast<TileType>(operand.getType());
  }
  auto result = dyn_cast<TileType>(op->getResult(0).getType());
  if (!result || result.getRank() != 2 || (first && first.getRank() != 2)) {
    return {};
  }
  const bool a5 = target.arch == target::Arch::A5;
  const DType dtype = first ? first.getDtype() : result.getDtype();
  const std::optional<int64_t> line = c0Elements(dtype);
  if (a5 && scratch != Scratch::Count && scratch != Scratch::Cast && line) {
    return vec(context, {1, *line}, dtype); // looked at, not used
  }
  switch (scratch) {
  case Scratch::None:
    return {};
  case Scratch::Whole:
    return first ? vec(context, first.getShape(), first.getDtype()) : TileType();
  case Scratch::OneRow:
    return vec(context, {1, result.getShape()[1]}, result.getDtype());
  case Scratch::TwoRows:
    return vec(context, {2, result.getShape()[1]}, result.getDtype());
  case Scratch::Words:
    return vec(context, {1, 16}, DType::I32);
  case Scratch::Predicates:
    return vec(context, {result.getShape()[0] + 1, target::roundUp(target::roundUp(result.getShape()[1], 8) / 8, 32)},
               DType::UI8);
  case Scratch::Count:
    return a5 ? TileType() : vec(context, {1, bitWidth(result.getDtype()) == 16 ? 448 : 192}, DType::F32);
  case Scratch::Cast:
    return a5 ? TileType() : castScratch(first, result);
  }
  return {};
}

} // namespace placid::pl
