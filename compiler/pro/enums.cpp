// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/enums.h"

#include <algorithm>
#include <array>

namespace placid::pro {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kSpaces[] = {"DDR", "Vec",  "Mat",     "Left",      "Right",
                                        "Acc", "Bias", "Scaling", "ScaleLeft", "ScaleRight"};
constexpr std::string_view kLayouts[] = {"ND", "DN", "NZ", "ZN", "NN", "ZZ"};
constexpr std::string_view kPads[] = {"null", "zero", "max", "min"};
constexpr std::string_view kPipes[] = {"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"};
constexpr std::string_view kRelus[] = {"NoRelu", "NormalRelu", "ScalarRelu", "VectorRelu"};
constexpr std::string_view kAtomics[] = {"AtomicNone", "AtomicAdd", "AtomicMax", "AtomicMin"};
constexpr std::string_view kPhases[] = {"Unspecified", "Partial", "Final"};
constexpr std::string_view kAccModes[] = {"SingleModeVec0", "SingleModeVec1", "DualModeSplitM", "DualModeSplitN"};
constexpr std::string_view kRounds[] = {"CAST_NONE", "CAST_RINT",  "CAST_ROUND", "CAST_FLOOR",
                                        "CAST_CEIL", "CAST_TRUNC", "CAST_ODD",   "CAST_HYBRID"};
constexpr std::string_view kMerges[] = {"ZEROING", "MERGING"};
constexpr std::string_view kCrossCores[] = {"INTER_BLOCK", "INTER_SUBBLOCK", "INTRA_BLOCK", "UNICAST_BLOCK"};
constexpr std::string_view kCoreTypes[] = {"AIV_ONLY", "AIC_ONLY", "MIX"};
constexpr std::string_view kSyncAlls[] = {"HARD", "SOFT"};
constexpr std::string_view kFills[] = {"NORMAL", "EXPAND", "INPLACE"};

struct Enumeration {
  std::string_view name;
  Names members;
};
constexpr Enumeration kEnumerations[] = {
    {"MemorySpace", kSpaces},     {"TensorLayout", kLayouts}, {"TilePad", kPads},
    {"PipeType", kPipes},         {"ReluPreMode", kRelus},    {"AtomicType", kAtomics},
    {"STPhase", kPhases},         {"AccPhase", kPhases},      {"AccToVecMode", kAccModes},
    {"RoundMode", kRounds},       {"MergeMode", kMerges},     {"CrossCoreSyncMode", kCrossCores},
    {"SyncCoreType", kCoreTypes}, {"SyncAllMode", kSyncAlls}, {"FillPadMode", kFills},
};

struct Keyword {
  std::string_view name;
  std::string_view enumeration;
};
constexpr Keyword kKeywords[] = {
    {"target_memory", "MemorySpace"},   {"layout", "TensorLayout"},  {"atomic", "AtomicType"},
    {"relu_pre_mode", "ReluPreMode"},   {"merge_mode", "MergeMode"}, {"acc_to_vec_mode", "AccToVecMode"},
    {"data_copy_mode", "DataCopyMode"}, {"cache_line", "CacheLine"},
};

} // namespace

Names enumMembers(std::string_view name) {
  const auto *found = std::find_if(std::begin(kEnumerations), std::end(kEnumerations),
                                   [&](const Enumeration &one) { return one.name == name; });
  return found == std::end(kEnumerations) ? Names() : found->members;
}

std::string_view enumOf(std::string_view path) {
  if (!path.starts_with("pro.")) {
    return {};
  }
  path.remove_prefix(4);
  size_t dot = path.find('.');
  if (dot != std::string_view::npos) {
    return path.find('.', dot + 1) == std::string_view::npos ? path.substr(0, dot) : std::string_view();
  }
  return std::find(std::begin(kLayouts), std::end(kLayouts), path) != std::end(kLayouts) ? "TensorLayout"
                                                                                         : std::string_view();
}

std::string_view enumOfKeyword(std::string_view keyword) {
  const auto *found =
      std::find_if(std::begin(kKeywords), std::end(kKeywords), [&](const Keyword &one) { return one.name == keyword; });
  return found == std::end(kKeywords) ? std::string_view() : found->enumeration;
}

} // namespace placid::pro
