// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/window.h"

namespace placid::interp {

Window::Window(const ViewValue &view) : start_(view.offset), layout_(view.layout) {
  size_t missing = 5 - view.shape.size();
  for (size_t i = 0; i < 5; ++i) {
    shape_[i] = i < missing ? 1 : view.shape[i - missing];
    strides_[i] = i < missing ? 0 : view.strides[i - missing];
  }
}

int64_t Window::rows() const {
  switch (layout_) {
  case Layout::ND:
    return shape_[0] * shape_[1] * shape_[2] * shape_[3];
  case Layout::DN:
    return shape_[3];
  case Layout::NZ:
    return shape_[2] * shape_[3];
  }
  return 0;
}

int64_t Window::cols() const {
  switch (layout_) {
  case Layout::ND:
    return shape_[4];
  case Layout::DN:
    return shape_[0] * shape_[1] * shape_[2] * shape_[4];
  case Layout::NZ:
    return shape_[0] * shape_[1] * shape_[4];
  }
  return 0;
}

int64_t Window::at(const std::array<int64_t, 5> &index) const {
  int64_t out = start_;
  for (size_t i = 0; i < 5; ++i) {
    out += index[i] * strides_[i];
  }
  return out;
}

int64_t Window::offset(int64_t row, int64_t col) const {
  switch (layout_) {
  case Layout::ND:
    return at({row / (shape_[1] * shape_[2] * shape_[3]), row / (shape_[2] * shape_[3]) % shape_[1],
               row / shape_[3] % shape_[2], row % shape_[3], col});
  case Layout::DN:
    return at({col / (shape_[1] * shape_[2] * shape_[4]), col / (shape_[2] * shape_[4]) % shape_[1],
               col / shape_[4] % shape_[2], row, col % shape_[4]});
  case Layout::NZ:
    return at({col / (shape_[1] * shape_[4]), col / shape_[4] % shape_[1], row / shape_[3], row % shape_[3],
               col % shape_[4]});
  }
  return 0;
}

} // namespace placid::interp
