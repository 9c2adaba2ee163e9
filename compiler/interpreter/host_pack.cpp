// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/host_pack.h"

#include <cstring>
#include <utility>

namespace placid::interp {

namespace {

constexpr int64_t kRows = 16;
constexpr int64_t kLine = 32;

/// Calls `each(logical index, packed index)` for every element, in packed order.
template <class F> void walk(const std::vector<int64_t> &shape, int64_t elementBytes, F each) {
  int64_t rows = shape[shape.size() - 2];
  int64_t cols = shape[shape.size() - 1];
  int64_t c0 = kLine / elementBytes;
  int64_t panels = 1;
  for (size_t i = 0; i + 2 < shape.size(); ++i) {
    panels *= shape[i];
  }
  int64_t packed = 0;
  for (int64_t panel = 0; panel < panels; ++panel) {
    for (int64_t block = 0; block < cols; block += c0) { // columns of fractals, one after the other
      for (int64_t row = 0; row < rows; ++row) {         // fractals below each other are one run of rows
        for (int64_t col = block; col < block + c0; ++col) {
          each((panel * rows + row) * cols + col, packed++);
        }
      }
    }
  }
}

} // namespace

std::string nzFault(const std::vector<int64_t> &shape, int64_t elementBytes) {
  if (shape.size() < 2) {
    return "an NZ tensor has at least two axes";
  }
  if (shape[shape.size() - 2] % kRows != 0 || shape[shape.size() - 1] % (kLine / elementBytes) != 0) {
    return "an NZ tensor is made of whole fractals of 16 x " + std::to_string(kLine / elementBytes);
  }
  return {};
}

int64_t nzBytes(const std::vector<int64_t> &shape, int64_t elementBytes) {
  int64_t bytes = elementBytes;
  for (int64_t extent : shape) {
    bytes *= extent;
  }
  return bytes;
}

std::vector<uint8_t> packNz(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                            int64_t elementBytes) {
  std::vector<uint8_t> out(bytes.size());
  walk(shape, elementBytes, [&](int64_t logical, int64_t packed) {
    std::memcpy(out.data() + packed * elementBytes, bytes.data() + logical * elementBytes, elementBytes);
  });
  return out;
}

std::vector<uint8_t> unpackNz(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                              int64_t elementBytes) {
  std::vector<uint8_t> out(bytes.size());
  walk(shape, elementBytes, [&](int64_t logical, int64_t packed) {
    std::memcpy(out.data() + logical * elementBytes, bytes.data() + packed * elementBytes, elementBytes);
  });
  return out;
}

std::vector<uint8_t> packDn(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                            int64_t elementBytes) {
  if (shape.size() < 2) {
    return bytes;
  }
  int64_t rows = shape[shape.size() - 2];
  int64_t cols = shape[shape.size() - 1];
  std::vector<uint8_t> out(bytes.size());
  int64_t elements = static_cast<int64_t>(bytes.size()) / elementBytes;
  for (int64_t i = 0; i < elements; ++i) {
    int64_t panel = i / (rows * cols);
    int64_t row = i / cols % rows;
    int64_t at = panel * rows * cols + i % cols * rows + row;
    std::memcpy(out.data() + at * elementBytes, bytes.data() + i * elementBytes, elementBytes);
  }
  return out;
}

std::vector<uint8_t> unpackDn(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                              int64_t elementBytes) {
  std::vector<int64_t> turned = shape;
  if (turned.size() >= 2) {
    std::swap(turned[turned.size() - 2], turned[turned.size() - 1]);
  }
  return packDn(bytes, turned, elementBytes);
}

} // namespace placid::interp
