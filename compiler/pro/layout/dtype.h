// SPDX-License-Identifier: Apache-2.0
// Element types of pypto_pro: their names, their bits and what each may be used for. Apart from the first dialect's
// dtypes because names, sets and rules differ. Standard library only; immutable: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::pro {

enum class DType : uint8_t {
  Bool,
  Int4,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt4,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Fp4,
  Fp4E2M1,
  Fp4E1M2,
  Fp8E4M3FN,
  Fp8E5M2,
  Fp8E8M0,
  Fp16,
  Bf16,
  Fp32,
  Hf4,
  Hf8,
};
inline constexpr unsigned kDTypeCount = 22;

/// Without its prefix: "FP16", "INT8".
std::string_view name(DType dtype);
/// As users write it: "pl.DT_FP16".
std::string spelled(DType dtype);
/// Of "DT_FP16". Nothing for any other text.
std::optional<DType> dtypeOf(std::string_view name);
/// Every "DT_…", for proposals.
std::vector<std::string> dtypeNames();

/// Bits of one element.
int64_t bits(DType dtype);
/// Elements in one 32-byte line of NZ storage: 256 / bits; 4-bit types count logical elements. 0 for Bool, which has
/// no NZ storage.
int64_t c0(DType dtype);
/// Bytes that one element of a tile's inner box takes; those of less than a byte take one.
int64_t boxBytes(DType dtype);

/// Lives in memory only: no scalar parameter and no scalar access has it.
bool isStorageOnly(DType dtype);
/// load and store move it.
bool isTransferable(DType dtype);
/// "FP16, BF16, …": the types that load and store move, for messages.
std::string transferableNames();
bool isFp4(DType dtype);
/// FP8E4M3FN or FP8E5M2: data of an MX product. The scales' FP8E8M0 is none.
bool isFp8Data(DType dtype);
bool is64Bit(DType dtype);
/// INT8 to INT64 and UINT8 to UINT64: what counts as a number to compute offsets with.
bool isInteger(DType dtype);

} // namespace placid::pro
