// SPDX-License-Identifier: Apache-2.0
// What calls of operations that sort, count, pick and place elements become in a trace, and of those that scale rows or
// meet tiles of which one has less in use. Apart from trace_operations.cpp, which has what works element by element.
// Knows no IR. One thread.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/kernel/trace.h"

namespace placid::pro {

namespace {

constexpr int64_t kSorted = 32;   ///< Elements that are sorted together.
constexpr int64_t kRuns = 4;      ///< Runs that are merged at a time.
constexpr int64_t kRunUnit = 64;  ///< Elements of a run are a multiple.
constexpr int64_t kMaxRuns = 255; ///< Of four runs, in one row.

int64_t columns(const TileTypeInfo &type) { return *type.shape.back(); }

/// Of an element and its index, in elements.
int64_t recordLength(const TileTypeInfo &type) { return type.dtype == DType::Fp16 ? 4 : 2; }

/// Nothing where it is not known while compiling.
std::optional<bool> truthOf(const Value &value) {
  Index number = value.asNumber();
  return number && number->range && number->range->isSingle() ? std::optional(number->range->low != 0) : std::nullopt;
}

bool isSortable(const TileTypeInfo &type) { return type.dtype == DType::Fp16 || type.dtype == DType::Fp32; }

} // namespace

std::string Tracer::sortFault(const TraceNode &node) const {
  const TileTypeInfo &out = out_.tiles[*node.written].type;
  const TileTypeInfo &src = out_.tiles[node.read[0]].type;
  if (!isSortable(src) || out.dtype != src.dtype) {
    return "`pl." + std::string(node.op) + "` takes FP16 or FP32, and makes the same";
  }
  int64_t record = recordLength(src);
  if (node.op == "sort32") {
    const TileTypeInfo &indices = out_.tiles[node.read[1]].type;
    bool shared = *indices.shape[0] == 1 || indices.shape[0] == src.shape[0];
    if (columns(src) % kSorted != 0) {
      return "groups of less than 32 elements are not sorted: the unit writes 32 records for each";
    }
    return indices.dtype == DType::UInt32 && shared && indices.shape.back() == src.shape.back() &&
                   out.shape[0] == src.shape[0] && columns(out) == columns(src) * record
               ? ""
               : "`pl.sort32` takes UINT32 indices, one row or one for each, and makes a record of " +
                     std::to_string(record) + " elements of each";
  }
  for (unsigned place : node.read) {
    const TileTypeInfo &run = out_.tiles[place].type;
    if (*run.shape[0] != 1 || run.dtype != out.dtype || columns(run) % record != 0) {
      return "`pl." + std::string(node.op) + "` merges single rows of records of one dtype";
    }
  }
  if (*out.shape[0] != 1) {
    return "`pl." + std::string(node.op) + "` makes a single row";
  }
  if (node.op == "mrgsort") {
    int64_t length = *node.whole;
    bool whole = length > 0 && length % kRunUnit == 0 && columns(src) % (length * kRuns) == 0 &&
                 columns(src) / (length * kRuns) <= kMaxRuns && columns(out) == columns(src);
    return whole ? ""
                 : "`pl.mrgsort` merges four runs at a time, of a multiple of 64 elements each, into a row of the same "
                   "length";
  }
  int64_t sum = 0;
  for (unsigned place : node.read) {
    sum += columns(out_.tiles[place].type);
  }
  return columns(out) <= sum ? "" : "`pl.mrgsort2` makes a row that is longer than what it merges";
}

bool Tracer::sorts(KernelReader &reader, const Call &call, TraceNode &node) {
  std::string_view path = call.row->path;
  auto fail = [&](Site at, std::string why) {
    refuse(at, std::move(why));
    return false;
  };
  bool good = writes(reader, call, node, "dst");
  if (path == "mrgsort") {
    const Argument &length = call.get("block_len");
    node.whole = length.value.integer();
    if (good && !node.whole) {
      return fail(length.given() ? length.at : call.at, "the length of the runs is not known while compiling");
    }
    good = good && reads(reader, call, node, {"src"});
  } else if (path == "sort32") {
    good = good && reads(reader, call, node, {"src", "idx"});
  } else {
    const Argument &exhausted = call.get("exhausted");
    std::optional<bool> stops = exhausted.given() ? truthOf(exhausted.value) : false;
    if (!stops || *stops) {
      return fail(exhausted.at, "how many records `exhausted=` leaves is known at run time only");
    }
    good = good && reads(reader, call, node, {"src0", "src1"});
    for (const Argument &more : call.variadic) {
      std::optional<unsigned> tile = good ? place(reader, more.value, more.at) : std::nullopt;
      good = tile.has_value();
      node.read.push_back(tile.value_or(0));
    }
    const Argument &scratch = call.get("tmp");
    std::optional<unsigned> spoils = good ? place(reader, scratch.value, scratch.at) : std::nullopt;
    good = spoils.has_value();
    node.spoilt = {spoils.value_or(0)};
    if (good && node.read.size() > static_cast<size_t>(kRuns)) {
      return fail(call.at, "`pl.mrgsort2` merges four tiles at most");
    }
  }
  if (std::string why = good ? sortFault(node) : std::string(); !why.empty()) {
    return fail(call.at, std::move(why));
  }
  return good;
}

std::string Tracer::indexFault(const TraceNode &node) const {
  const TileTypeInfo &out = out_.tiles[*node.written].type;
  const TileTypeInfo &src = out_.tiles[node.read[0]].type;
  const TileTypeInfo &index = out_.tiles[node.read[1]].type;
  int64_t bytes = bits(*src.dtype) / 8;
  int64_t indexBytes = bits(*index.dtype) / 8;
  if (node.op == "histogram") {
    bool wide = src.dtype == DType::UInt32;
    bool columnOfFilters = wide || (index.shape[0] == src.shape[0] && columns(index) == 1);
    bool rowsOfFilters = !wide || node.whole == 3 || *index.shape[0] == 3;
    constexpr int64_t kBins = 256;
    return (wide || src.dtype == DType::UInt16) && index.dtype == DType::UInt8 && out.dtype == DType::UInt32 &&
                   columns(out) == kBins && out.shape[0] == src.shape[0] && columnOfFilters && rowsOfFilters
               ? ""
               : "`pl.histogram` counts UINT16 or UINT32 into 256 columns of UINT32, with UINT8 filters: one a row, or "
                 "three rows of them";
  }
  if (node.op == "gatherb") {
    constexpr int64_t kBlock = 32;
    return index.dtype == DType::UInt32 && out.dtype == src.dtype && bytes > 0 && bytes <= 4 &&
                   index.shape[0] == out.shape[0] && columns(index) * kBlock == columns(out) * bytes
               ? ""
               : "`pl.gatherb` takes UINT32 offsets, one for each 32 bytes of the result";
  }
  return out.dtype == src.dtype && isInteger(*index.dtype) && indexBytes == (bytes == 1 ? 2 : bytes) && bytes <= 4 &&
                 index.shape == src.shape && *out.shape[0] * columns(out) >= *src.shape[0] * columns(src)
             ? ""
             : "`pl.scatter` takes an index for each element, of the width of the elements and of at least 16 bits";
}

bool Tracer::arranged(KernelReader &reader, const Call &call, TraceNode &node) {
  std::string_view path = call.row->path;
  auto fail = [&](Site at, std::string why) {
    refuse(at, std::move(why));
    return false;
  };
  if (path == "sort32" || path == "mrgsort" || path == "mrgsort2") {
    return sorts(reader, call, node);
  }
  if (path == "histogram") {
    const Argument &top = call.get("is_msb");
    std::optional<bool> isTop = truthOf(top.value);
    if (!writes(reader, call, node, "dst") || !reads(reader, call, node, {"src", "idx"})) {
      return false;
    }
    if (!isTop) {
      return fail(top.given() ? top.at : call.at, "which byte is counted is not known while compiling");
    }
    node.whole = !*isTop ? 0 : out_.tiles[node.read[0]].type.dtype == DType::UInt32 ? 3 : 1;
    std::string why = indexFault(node);
    return why.empty() || fail(call.at, std::move(why));
  }
  if (!writes(reader, call, node, "out")) {
    return false;
  }
  if (path == "scatter" || path == "gatherb") {
    bool good =
        path == "scatter" ? reads(reader, call, node, {"src", "idx"}) : reads(reader, call, node, {"src", "offsets"});
    std::string why = good ? indexFault(node) : std::string();
    return good && (why.empty() || fail(call.at, std::move(why)));
  }
  if (path == "axpy") {
    const Argument &alpha = call.get("alpha");
    bool good = reads(reader, call, node, {"src"});
    if (good && !number(alpha, node)) {
      return fail(alpha.given() ? alpha.at : call.at, "this number is not known while compiling");
    }
    node.read.push_back(*node.written);
    return good;
  }
  if (path == "addc") {
    return reads(reader, call, node, {"a", "b", "c"});
  }
  if (path.starts_with("part")) {
    return reads(reader, call, node, {"src0", "src1"});
  }
  if (path == "dequant") {
    return reads(reader, call, node, {"src", "scale", "offset"});
  }
  const Argument &mode = call.get("mode");
  bool asymmetric = mode.value.path().ends_with(".ASYM");
  if (mode.given() && !asymmetric && !mode.value.path().ends_with(".SYM")) {
    return fail(mode.at, "this mode is not known while compiling");
  }
  if (asymmetric && !call.get("offset").given()) {
    return fail(call.at, "an asymmetric `pl.quant` needs its `offset=`");
  }
  const std::optional<DType> made = out_.tiles[*node.written].type.dtype;
  if (made != (asymmetric ? DType::UInt8 : DType::Int8)) {
    return fail(call.at, asymmetric ? "an asymmetric `pl.quant` makes UINT8" : "a symmetric `pl.quant` makes INT8");
  }
  return asymmetric ? reads(reader, call, node, {"src", "scale", "offset"})
                    : reads(reader, call, node, {"src", "scale"});
}

} // namespace placid::pro
