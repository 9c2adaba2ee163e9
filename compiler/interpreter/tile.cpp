// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/tile.h"

namespace placid::interp {

namespace {

constexpr int64_t kLine = 32;     // bytes of one line of a fractal
constexpr int64_t kBoxLines = 16; // lines of one fractal
constexpr int64_t kAccBox = 1024; // an accumulator's fractal: 16 x 16 of 4 bytes
constexpr int64_t kScaleBox = 32; // an MX scale's: 16 x 2 of 1 byte

} // namespace

BoxExtents boxOf(const TileType &type) {
  if (!type.boxed) {
    return {};
  }
  int64_t lines = kBoxLines;
  int64_t perLine = type.fractal == kAccBox     ? kBoxLines
                    : type.fractal == kScaleBox ? type.fractal / kBoxLines / info(type.dtype).bytes
                                                : kLine / info(type.dtype).bytes;
  return type.boxColMajor ? BoxExtents{perLine, lines} : BoxExtents{lines, perLine};
}

std::string tileFault(const TileType &type) {
  BoxExtents box = boxOf(type);
  if (type.boxed && type.fractal != 512 && type.fractal != kAccBox && type.fractal != kScaleBox) {
    return "has a fractal of " + std::to_string(type.fractal) + " bytes: 32, 512 and 1024 exist";
  }
  if (box.rows == 0 || box.cols == 0) {
    return "has elements that no fractal holds";
  }
  if (type.rows % box.rows != 0 || type.cols % box.cols != 0) {
    return "of " + std::to_string(type.rows) + " x " + std::to_string(type.cols) +
           " is not made of whole fractals of " + std::to_string(box.rows) + " x " + std::to_string(box.cols);
  }
  if (!type.boxed && type.space == Space::Vec) {
    int64_t run = (type.blockColMajor ? type.rows : type.cols) * info(type.dtype).bytes;
    if (run % kLine != 0) {
      return "has runs of " + std::to_string(run) + " bytes: a multiple of 32 is needed";
    }
  }
  return {};
}

int64_t TileValue::byteAddress(int64_t row, int64_t col) const {
  int64_t r = firstRow + row;
  int64_t c = firstCol + col;
  BoxExtents box = boxOf(type);
  int64_t index = 0;
  if (!type.boxed) {
    index = type.blockColMajor ? c * type.rows + r : r * type.cols + c;
  } else {
    int64_t boxRow = r / box.rows;
    int64_t boxCol = c / box.cols;
    int64_t boxIndex =
        type.blockColMajor ? boxCol * (type.rows / box.rows) + boxRow : boxRow * (type.cols / box.cols) + boxCol;
    int64_t inner =
        type.boxColMajor ? (c % box.cols) * box.rows + r % box.rows : (r % box.rows) * box.cols + c % box.cols;
    index = boxIndex * box.rows * box.cols + inner;
  }
  return address + index * info(type.dtype).bytes;
}

} // namespace placid::interp
