// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/layout/dtype.h"

#include <algorithm>
#include <array>

namespace placid::pro {

namespace {

struct Row {
  DType dtype;
  std::string_view name;
  int64_t bits;
  bool storageOnly;
  bool transferable;
};

constexpr std::array<Row, kDTypeCount> kRows{{
    {DType::Bool, "BOOL", 8, false, false},
    {DType::Int4, "INT4", 4, true, false},
    {DType::Int8, "INT8", 8, false, true},
    {DType::Int16, "INT16", 16, false, true},
    {DType::Int32, "INT32", 32, false, true},
    {DType::Int64, "INT64", 64, false, true},
    {DType::UInt4, "UINT4", 4, true, false},
    {DType::UInt8, "UINT8", 8, false, true},
    {DType::UInt16, "UINT16", 16, false, true},
    {DType::UInt32, "UINT32", 32, false, true},
    {DType::UInt64, "UINT64", 64, false, true},
    {DType::Fp4, "FP4", 4, true, false},
    {DType::Fp4E2M1, "FP4E2M1", 4, true, true},
    {DType::Fp4E1M2, "FP4E1M2", 4, true, true},
    {DType::Fp8E4M3FN, "FP8E4M3FN", 8, true, true},
    {DType::Fp8E5M2, "FP8E5M2", 8, true, true},
    {DType::Fp8E8M0, "FP8E8M0", 8, true, true},
    {DType::Fp16, "FP16", 16, false, true},
    {DType::Bf16, "BF16", 16, false, true},
    {DType::Fp32, "FP32", 32, false, true},
    {DType::Hf4, "HF4", 4, true, false},
    {DType::Hf8, "HF8", 8, true, true},
}};

constexpr std::string_view kPrefix = "DT_";
constexpr int64_t kLineBits = 256;

const Row &row(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

} // namespace

std::string_view name(DType dtype) { return row(dtype).name; }
std::string spelled(DType dtype) { return "pl.DT_" + std::string(name(dtype)); }

std::optional<DType> dtypeOf(std::string_view text) {
  if (!text.starts_with(kPrefix)) {
    return std::nullopt;
  }
  text.remove_prefix(kPrefix.size());
  const auto *found = std::find_if(kRows.begin(), kRows.end(), [&](const Row &one) { return one.name == text; });
  return found != kRows.end() ? std::optional(found->dtype) : std::nullopt;
}

std::vector<std::string> dtypeNames() {
  std::vector<std::string> out;
  for (const Row &one : kRows) {
    out.push_back(std::string(kPrefix) + std::string(one.name));
  }
  return out;
}

int64_t bits(DType dtype) { return row(dtype).bits; }
int64_t c0(DType dtype) { return dtype == DType::Bool ? 0 : kLineBits / bits(dtype); }
int64_t boxBytes(DType dtype) { return std::max<int64_t>(1, bits(dtype) / 8); }
bool isStorageOnly(DType dtype) { return row(dtype).storageOnly; }
bool isTransferable(DType dtype) { return row(dtype).transferable; }

std::string transferableNames() {
  std::string out;
  for (const Row &one : kRows) {
    if (one.transferable) {
      out += (out.empty() ? "" : ", ") + std::string(one.name);
    }
  }
  return out;
}

bool isFp4(DType dtype) { return dtype == DType::Fp4 || dtype == DType::Fp4E2M1 || dtype == DType::Fp4E1M2; }
bool isFp8Data(DType dtype) { return dtype == DType::Fp8E4M3FN || dtype == DType::Fp8E5M2; }
bool isInteger(DType dtype) { return name(dtype).find("INT") != std::string_view::npos && bits(dtype) >= 8; }
bool is64Bit(DType dtype) { return bits(dtype) == 64; }

} // namespace placid::pro
