// SPDX-License-Identifier: Apache-2.0
// How the two axes of a tile run over a window of global memory, for each byte order. Written from the description of
// the load and store instructions, apart from the compiler's passes on purpose. Counts elements. Thread: any.
#pragma once

#include "compiler/interpreter/core.h"

#include <array>

namespace placid::interp {

class Window {
public:
  /// Leading axes of extent 1 are added up to five.
  explicit Window(const ViewValue &view);

  int64_t rows() const;
  int64_t cols() const;
  /// Elements from the start of the buffer.
  int64_t offset(int64_t row, int64_t col) const;
  int64_t extent(size_t axis) const { return shape_[axis]; }
  int64_t stride(size_t axis) const { return strides_[axis]; }
  Layout layout() const { return layout_; }

private:
  int64_t at(const std::array<int64_t, 5> &index) const;
  std::array<int64_t, 5> shape_{};
  std::array<int64_t, 5> strides_{};
  int64_t start_;
  Layout layout_;
};

} // namespace placid::interp
