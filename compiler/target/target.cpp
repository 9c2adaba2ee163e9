// SPDX-License-Identifier: Apache-2.0
#include "compiler/target/target.h"

#include <algorithm>
#include <utility>

namespace placid::target {

namespace {

constexpr int64_t kKiB = 1024;

// The Vec figure is what a kernel may use: 8 KiB below the physical size are reserved.
constexpr Memory kMemoriesA2A3[] = {
    {Space::Vec, "Vec", "UB", 184 * kKiB, 32},        {Space::Mat, "Mat", "L1", 512 * kKiB, 32},
    {Space::Left, "Left", "L0A", 64 * kKiB, 512},     {Space::Right, "Right", "L0B", 64 * kKiB, 512},
    {Space::Acc, "Acc", "L0C", 128 * kKiB, 512},      {Space::Bias, "Bias", "BT", 1 * kKiB, 32},
    {Space::LeftScale, "LeftScale", "L0A_MX", 0, 32}, {Space::RightScale, "RightScale", "L0B_MX", 0, 32},
    {Space::Scaling, "Scaling", "FB", 4 * kKiB, 128},
};
constexpr Memory kMemoriesA5[] = {
    {Space::Vec, "Vec", "UB", 240 * kKiB, 32},
    {Space::Mat, "Mat", "L1", 512 * kKiB, 32},
    {Space::Left, "Left", "L0A", 64 * kKiB, 512},
    {Space::Right, "Right", "L0B", 64 * kKiB, 512},
    {Space::Acc, "Acc", "L0C", 256 * kKiB, 512},
    {Space::Bias, "Bias", "BT", 4 * kKiB, 32},
    {Space::LeftScale, "LeftScale", "L0A_MX", 4 * kKiB, 32},
    {Space::RightScale, "RightScale", "L0B_MX", 4 * kKiB, 32},
    {Space::Scaling, "Scaling", "FB", 4 * kKiB, 128},
};

constexpr MatmulTypes kMatmulsA2A3[] = {
    {"i8", "i8", "i32"}, {"f16", "f16", "f32"}, {"bf16", "bf16", "f32"}, {"f32", "f32", "f32"}};
constexpr MatmulTypes kMatmulsA5[] = {
    {"i8", "i8", "i32"},           {"f16", "f16", "f32"},           {"bf16", "bf16", "f32"},
    {"f32", "f32", "f32"},         {"f8E4M3FN", "f8E4M3FN", "f32"}, {"f8E5M2", "f8E5M2", "f32"},
    {"f8E4M3FN", "f8E5M2", "f32"}, {"f8E5M2", "f8E4M3FN", "f32"},   {"!pto.hif8", "!pto.hif8", "f32"}};

constexpr CubeCost kCubeA2A3 = {129.7, 85.4, 118.0, 164.0, 4.45, 2.6, 21, 2};
constexpr CubeCost kCubeA5 = {206.3, 223.8, 30.0, 343.4, 4.59, 0.26, 32, 8};

constexpr Target a2a3(Arch arch, std::string_view displayName) {
  return {.arch = arch,
          .name = archName(arch),
          .displayName = displayName,
          .memories = kMemoriesA2A3,
          .matmuls = kMatmulsA2A3,
          .cube = kCubeA2A3,
          .accRowsInt32 = 32,
          .accRows = 16,
          .storeMaxRows = 65535,
          .storeMaxColumns = 4095,
          .nd2nzMaxRows = 16384,
          .nd2nzMaxStride = 65535,
          .nzStore = true,
          .leftColMajor = false};
}

constexpr Target kTargets[] = {a2a3(Arch::A2, "A2"),
                               a2a3(Arch::A3, "A3"),
                               {.arch = Arch::A5,
                                .name = archName(Arch::A5),
                                .displayName = "A5",
                                .memories = kMemoriesA5,
                                .matmuls = kMatmulsA5,
                                .cube = kCubeA5,
                                .accRowsInt32 = 16,
                                .accRows = 16,
                                .storeMaxRows = 65535,
                                .storeMaxColumns = 4095,
                                .nd2nzMaxRows = 16384,
                                .nd2nzMaxStride = 65535,
                                .nzStore = false,
                                .leftColMajor = true}};

} // namespace

bool Target::hasMatmul(std::string_view lhs, std::string_view rhs, std::string_view acc) const {
  return std::any_of(matmuls.begin(), matmuls.end(),
                     [&](const MatmulTypes &row) { return row.lhs == lhs && row.rhs == rhs && row.acc == acc; });
}

std::span<const Target> targets() { return kTargets; }

const Target &get(Arch arch) { return kTargets[static_cast<unsigned>(arch)]; }

const Target *find(std::string_view name) {
  std::optional<Arch> arch = parseArch(name);
  return arch ? &get(*arch) : nullptr;
}

int64_t physicalTileBytes(const Target &target, Space space, int64_t rows, int64_t columns, int64_t elementBits,
                          bool integer) {
  if (space == Space::Acc) {
    rows = roundUp(rows, integer ? target.accRowsInt32 : target.accRows);
  }
  int64_t bits = saturatingMul(saturatingMul(rows, columns), elementBits);
  return bits == kSaturated ? kSaturated : roundUp(bits, 8) / 8;
}

Box tileBox(Space space, int64_t elementBits, bool transposed) {
  int64_t line = elementBits >= 8 ? kLineBytes * 8 / elementBits : 1;
  Box box;
  switch (space) {
  case Space::Mat:
  case Space::Left:
    box = {kFractalRows, line};
    break;
  case Space::Right:
    box = {line, kFractalRows};
    break;
  case Space::Acc:
    box = {kFractalRows, kFractalRows};
    break;
  case Space::LeftScale:
    box = {kFractalRows, 2};
    break;
  case Space::RightScale:
    box = {2, kFractalRows};
    break;
  case Space::Vec:
  case Space::Bias:
  case Space::Scaling:
    break;
  }
  if (transposed) {
    std::swap(box.rows, box.columns);
  }
  return box;
}

} // namespace placid::target
