// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/layout/tensor_layout.h"

#include <algorithm>

namespace placid::pro {

namespace {

using target::Arch;

constexpr std::array<std::string_view, kLayoutCount> kLayoutNames{"ND", "DN", "NZ", "ZN", "NN", "ZZ"};

struct SpaceRow {
  std::string_view name;
  std::string_view hardware;
  std::optional<Layout> onA3;
  std::optional<Layout> onA5;
  int64_t capacityA3; ///< Bytes; 0: none.
  int64_t capacityA5;
  int64_t alignment;
  int64_t documented;
};

constexpr std::array<SpaceRow, kSpaceCount> kSpaces{{
    {"Vec", "UB", std::nullopt, std::nullopt, 196608, 262144, 32, 32},
    {"Mat", "L1", Layout::NZ, Layout::NZ, 524288, 524288, 32, 32},
    {"Left", "L0A", Layout::ZZ, Layout::NZ, 65536, 65536, 512, 512},
    {"Right", "L0B", Layout::ZN, Layout::ZN, 65536, 65536, 512, 512},
    {"Acc", "L0C", Layout::NZ, Layout::NZ, 131072, 262144, 64, 64},
    {"Bias", "the bias table", Layout::ND, Layout::ND, 1024, 4096, 1, 64},
    {"Scaling", "the fixpipe buffer", Layout::ND, Layout::ND, 0, 4096, 1, 128},
    {"ScaleLeft", "L0A-MX", std::nullopt, Layout::ZZ, 0, 4096, 32, 32},
    {"ScaleRight", "L0B-MX", std::nullopt, Layout::NN, 0, 4096, 32, 32},
    {"DDR", "global memory", std::nullopt, std::nullopt, 0, 0, 1, 1},
}};

constexpr int64_t kVecForKernelsA5 = 253952;
constexpr int64_t kSaturated = INT64_MAX;

const SpaceRow &row(Space space) { return kSpaces[static_cast<size_t>(space)]; }

int64_t multiply(int64_t a, int64_t b) { return b != 0 && a > kSaturated / b ? kSaturated : a * b; }
int64_t ceilDiv(int64_t value, int64_t by) { return value / by + (value % by != 0 ? 1 : 0); }

} // namespace

std::string_view name(Layout layout) { return kLayoutNames[static_cast<size_t>(layout)]; }

std::optional<Layout> layoutOf(std::string_view text) {
  for (size_t i = 0; i < kLayoutNames.size(); ++i) {
    if (kLayoutNames[i] == text) {
      return static_cast<Layout>(i);
    }
  }
  return std::nullopt;
}

std::string_view name(Space space) { return row(space).name; }
std::string_view hardwareName(Space space) { return row(space).hardware; }

std::optional<Space> spaceOf(std::string_view text) {
  for (size_t i = 0; i < kSpaces.size(); ++i) {
    if (kSpaces[i].name == text) {
      return static_cast<Space>(i);
    }
  }
  return std::nullopt;
}

bool tensorMayBe(Layout layout) { return layout == Layout::ND || layout == Layout::NZ; }

std::optional<Layout> defaultLayout(Space space, Arch arch) {
  return arch == Arch::A5 ? row(space).onA5 : row(space).onA3;
}

std::vector<Layout> allowedLayouts(Space space, DType dtype) {
  switch (space) {
  case Space::Mat: {
    std::vector<Layout> out;
    if (is64Bit(dtype)) {
      out.push_back(Layout::ND);
    }
    out.push_back(Layout::NZ);
    out.push_back(Layout::ZN);
    if (dtype == DType::Fp8E8M0) {
      out.push_back(Layout::NN);
      out.push_back(Layout::ZZ);
    }
    return out;
  }
  case Space::Left:
    return {Layout::NZ, Layout::ZZ};
  case Space::Right:
    return {Layout::ZN};
  case Space::Acc:
    return {Layout::NZ};
  case Space::Bias:
  case Space::Scaling:
    return {Layout::ND};
  case Space::ScaleLeft:
    return {Layout::ZZ};
  case Space::ScaleRight:
    return {Layout::NN};
  case Space::Vec:
    return {Layout::ND, Layout::DN, Layout::NZ};
  case Space::DDR:
    break;
  }
  return {Layout::ND, Layout::DN, Layout::NZ, Layout::ZN, Layout::NN, Layout::ZZ};
}

bool existsOn(Space space, Arch arch) {
  return arch == Arch::A5 || (space != Space::ScaleLeft && space != Space::ScaleRight);
}

Layout transposed(Layout layout) {
  switch (layout) {
  case Layout::ND:
    return Layout::DN;
  case Layout::DN:
    return Layout::ND;
  case Layout::NZ:
    return Layout::ZN;
  case Layout::ZN:
    return Layout::NZ;
  case Layout::NN:
    return Layout::ZZ;
  case Layout::ZZ:
    return Layout::NN;
  }
  return layout;
}

bool isBoxed(Layout layout) { return layout != Layout::ND && layout != Layout::DN; }

std::string_view orderText(Layout layout) {
  switch (layout) {
  case Layout::ND:
    return "row-major";
  case Layout::DN:
    return "column-major";
  case Layout::NZ:
    return "fractals in column order, rows inside each";
  case Layout::ZN:
    return "fractals in row order, columns inside each";
  case Layout::NN:
    return "fractals in column order, columns inside each";
  case Layout::ZZ:
    return "fractals in row order, rows inside each";
  }
  return "";
}

int64_t defaultFractal(Space space, DType dtype, Layout layout) {
  bool scale = space == Space::ScaleLeft || space == Space::ScaleRight ||
               (space == Space::Mat && dtype == DType::Fp8E8M0 && (layout == Layout::ZZ || layout == Layout::NN));
  if (scale) {
    return 32;
  }
  return space == Space::Acc && (dtype == DType::Fp32 || dtype == DType::Int32) ? 1024 : 512;
}

Box innerBox(Layout layout, int64_t fractal, DType dtype) {
  bool rowsInside = layout == Layout::NZ || layout == Layout::ZZ;
  if (fractal == 1024) {
    return {16, 16};
  }
  if (fractal == 32) {
    return rowsInside ? Box{16, 2} : Box{2, 16};
  }
  int64_t line = 32 / boxBytes(dtype);
  return rowsInside ? Box{16, line} : Box{line, 16};
}

int64_t footprint(const std::vector<int64_t> &shape, DType dtype) {
  int64_t elements = 1;
  for (int64_t extent : shape) {
    elements = multiply(elements, extent);
  }
  int64_t allBits = multiply(elements, bits(dtype));
  return allBits == kSaturated ? kSaturated : ceilDiv(allBits, 8);
}

int64_t capacity(Space space, Arch arch) { return arch == Arch::A5 ? row(space).capacityA5 : row(space).capacityA3; }

int64_t softCapacity(Space space, Arch arch) {
  return space == Space::Vec && arch == Arch::A5 ? kVecForKernelsA5 : capacity(space, arch);
}

int64_t addressAlignment(Space space) { return row(space).alignment; }
int64_t documentedAlignment(Space space) { return row(space).documented; }

NzPlane nzPlane(int64_t rows, int64_t columns, DType dtype) {
  NzPlane out;
  out.c0 = c0(dtype);
  if (out.c0 == 0) {
    return out;
  }
  int64_t blocksOfRows = ceilDiv(rows, kFractalRows);
  int64_t blocksOfColumns = ceilDiv(columns, out.c0);
  out.paddedRows = multiply(blocksOfRows, kFractalRows);
  out.paddedColumns = multiply(blocksOfColumns, out.c0);
  out.elements = multiply(out.paddedRows, out.paddedColumns);
  out.bytes = footprint({out.paddedRows, out.paddedColumns}, dtype);
  out.blocked = {blocksOfColumns, blocksOfRows, kFractalRows, out.c0};
  out.padded = out.paddedRows != rows || out.paddedColumns != columns;
  return out;
}

int64_t nzElementOffset(const NzPlane &plane, int64_t row, int64_t column) {
  int64_t inBlock = row * plane.c0 + column % plane.c0; // a column block is its rows of C0 elements, one after another
  return column / plane.c0 * plane.paddedRows * plane.c0 + inBlock;
}

} // namespace placid::pro
