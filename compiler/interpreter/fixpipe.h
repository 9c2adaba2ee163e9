// SPDX-License-Identifier: Apache-2.0
// What the fixpipe does to numbers that leave an accumulator: one scale for all, or one a column, relu, and the
// rounding to the elements of the destination. Apart from ops_data.cpp, which moves them. One thread.
#pragma once

#include "compiler/interpreter/core.h"

namespace placid::interp {

/// A scale is a word: its low half are the bits of an f32, bits 37 to 45 an offset of eight-bit results, which bit 46
/// makes signed. Of a word in Scaling the fixpipe keeps ten bits of the mantissa.
class Fixpipe {
public:
  /// Takes the options of a store from the accumulator `from` to elements of `to`. What is wrong with them, or empty.
  std::string read(Core &core, const Statement &statement, const TileValue &from, DType to);
  Number leave(Number element, int64_t column) const;

private:
  std::string readScales(Core &core, const TileValue &row, int64_t columns);
  Number scaled(Number element, int64_t column) const;

  DType to_ = DType::F32;
  bool relu_ = false;
  std::optional<uint64_t> one_;
  std::vector<uint64_t> columns_;
};

} // namespace placid::interp
