// SPDX-License-Identifier: Apache-2.0
// Type rules of gathers, scatters and sorts, a function a rule.
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using ops::Rule;
using pl::DType;

namespace {

bool isGatherDtype(DType dtype) { return llvm::is_contained({DType::F16, DType::F32, DType::I16, DType::I32}, dtype); }
constexpr const char *kGatherDtypes = "is of FP16, FP32, INT16 or INT32";

bool isScatterDtype(DType dtype) {
  return llvm::is_contained({DType::I8, DType::I16, DType::I32, DType::F16, DType::F32, DType::BF16}, dtype);
}

/// How many columns one kept column stands for.
int64_t maskDivisor(const std::string &pattern) {
  return pattern == "P0101" || pattern == "P1010" ? 2 : pattern == "P1111" ? 1 : 4;
}

} // namespace

std::optional<OpResults> KernelBuilder::OpCall::gatherForms() {
  Shaped out = shaped("input");
  bool byIndex = find("index") != nullptr;
  bool byMask = find("mask_pattern") != nullptr;
  bool byValue = find("kvalue") != nullptr;
  if (static_cast<int>(byIndex) + static_cast<int>(byMask) + static_cast<int>(byValue) != 1) {
    builder.reporter_.report(diag::WrongArguments, expr.range, path,
                             "takes one of `index` (with `dim`), `mask_pattern` and `kvalue`");
    return std::nullopt;
  }
  if (!isGatherDtype(out.dtype)) {
    return dtypeFault("input", kGatherDtypes);
  }
  if (byIndex) {
    Shaped index = shaped("index");
    bool narrow = index.dtype == DType::I16 && pl::bitWidth(out.dtype) == 16;
    if (index.dtype != DType::I32 && !narrow) {
      return dtypeFault("index", "is of INT32, or of INT16 next to elements of 16 bits");
    }
    if (out.rank() < 2 || index.rank() != out.rank()) {
      return rankFault(out.rank() < 2 ? "input" : "index", "takes an input of rank 2 or more and an index of its rank");
    }
    auto rank = static_cast<int64_t>(out.rank());
    std::optional<int64_t> dim = integer("dim");
    if (!dim) {
      builder.reporter_.report(diag::WrongArguments, expr.range, path, "misses its argument `dim`");
      return std::nullopt;
    }
    if (*dim < -rank || *dim >= rank) {
      return rankFault("dim", std::to_string(*dim) + " is not an axis of " + describe("input"));
    }
    for (size_t axis = 0; axis < out.rank(); ++axis) {
      bool other = static_cast<int64_t>(axis) != (*dim < 0 ? *dim + rank : *dim);
      if (other && out.extent(axis) && index.extent(axis) && *index.extent(axis) > *out.extent(axis)) {
        return shapeFault("index", "the index has no more entries than the input on axis " + std::to_string(axis));
      }
    }
    out.dims = index.dims;
    return one(out);
  }
  if (out.rank() != 2) {
    return rankFault("input", "takes rows and columns");
  }
  if (byMask) {
    return maskResult("input");
  }
  std::optional<int64_t> columns = integer("out_cols");
  if (!columns || *columns <= 0) {
    builder.reporter_.report(diag::WrongArguments, expr.range, path, "needs `out_cols`, more than 0, with `kvalue`");
    return std::nullopt;
  }
  Shaped counts = out;
  counts.dims = {pl::extentAttr(context(), int64_t{1}), out.dims[0]};
  counts.dtype = dtypeOf("count_dtype").value_or(DType::I32);
  out.dims[1] = pl::extentAttr(context(), *columns);
  out.dtype = DType::I32;
  return OpResults{result(out), result(counts)};
}

std::optional<OpResults> KernelBuilder::OpCall::maskResult(std::string_view operand) {
  Shaped out = shaped(operand);
  int64_t divisor = maskDivisor(text("mask_pattern"));
  if (std::optional<int64_t> columns = out.extent(1)) {
    if (*columns % divisor != 0) {
      return shapeFault(operand, "the pattern takes columns in groups of " + std::to_string(divisor));
    }
    out.dims[1] = pl::extentAttr(context(), *columns / divisor);
  } else {
    out.dims[1] = pl::extentAttr(context(), "?");
  }
  out.valid.clear();
  if (std::optional<DType> dtype = find("output_dtype") ? dtypeOf("output_dtype") : std::nullopt) {
    if (pl::bitWidth(*dtype) != pl::bitWidth(out.dtype)) {
      return typeFault("output_dtype", "`output_dtype` is as wide as the elements: " + operandsText());
    }
    out.dtype = *dtype;
  }
  out.mem = out.isTile ? resultMem() : out.mem;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredTile() {
  Shaped out = shaped("indices");
  Shaped source = shaped("src");
  if (!isGatherDtype(source.dtype)) {
    return dtypeFault("src", kGatherDtypes);
  }
  bool narrow = out.dtype == DType::I16 && pl::bitWidth(source.dtype) == 16;
  if (out.dtype != DType::I32 && !narrow) {
    return dtypeFault("indices", "is of INT32, or of INT16 next to elements of 16 bits");
  }
  out.dtype = source.dtype;
  out.mem = resultMem();
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredRow() {
  std::string_view name = form().parameters[0].name;
  Shaped target = shaped(name);
  if (target.dtype != shaped("src").dtype) {
    return typeFault("src", "copies between operands of one dtype: " + operandsText());
  }
  const Argument *live = find("valid_shape");
  const Argument *whole = find("shapes");
  for (size_t axis = 0; live && axis < std::min(live->list.size(), whole->list.size()); ++axis) {
    const Val &part = live->list[axis].value;
    const Val &extent = whole->list[axis].value;
    if (part.isInt() &&
        (part.constant.integer < 1 || (extent.isInt() && part.constant.integer > extent.constant.integer))) {
      return shapeFault("valid_shape", "copies between one and all of the elements that `shapes` says along an axis");
    }
  }
  if (!windowFits("src", "src_offset", live ? "valid_shape" : "shapes", "src")) {
    return std::nullopt;
  }
  return like(name);
}

std::optional<OpResults> KernelBuilder::OpCall::scattered() {
  Rule rule = form().rule;
  std::string_view name = form().parameters[0].name;
  bool masked = find("mask_pattern") && find("dst") && rule == Rule::Scatter;
  std::string_view target = masked ? "dst" : name;
  std::string_view source = masked ? name : "src";
  if (!find(source)) {
    builder.reporter_.report(diag::WrongArguments, expr.range, path, "misses its argument `src`");
    return std::nullopt;
  }
  if (!isScatterDtype(shaped(target).dtype)) {
    return dtypeFault(target, "is of INT8, INT16, INT32, FP16, FP32 or BF16");
  }
  if (shaped(source).dtype != shaped(target).dtype) {
    return typeFault(source, "writes elements of the target's dtype: " + operandsText());
  }
  if (shaped(target).rank() != 2) {
    return rankFault(target, "writes rows and columns");
  }
  return like(target);
}

std::optional<OpResults> KernelBuilder::OpCall::rowsUpdated() {
  std::string_view name = form().parameters[0].name;
  for (std::string_view part : {"index", "src"}) {
    if (!find(part)) {
      builder.reporter_.report(diag::WrongArguments, expr.range, path,
                               "misses its argument `" + std::string(part) + "`");
      return std::nullopt;
    }
  }
  if (shaped("src").dtype != shaped(name).dtype) {
    return typeFault("src", "writes rows of the input's dtype: " + operandsText());
  }
  if (!isInteger(shaped("index").dtype)) {
    return dtypeFault("index", "is of an integer dtype");
  }
  if (integer("dim").value_or(-2) != -2) {
    return typeFault("dim", "only rows are updated: `dim` is -2");
  }
  return like(name);
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredByComparison() {
  Shaped out = shaped("src");
  if (!isGatherDtype(out.dtype)) {
    return dtypeFault("src", kGatherDtypes);
  }
  if (out.rank() != 2) {
    return rankFault("src", "takes rows and columns");
  }
  Shaped counts = out;
  counts.dims = {pl::extentAttr(context(), int64_t{1}), out.dims[0]};
  counts.valid.clear();
  counts.dtype = find("count_dtype") ? *dtypeOf("count_dtype") : DType::I32;
  out.dims[1] = pl::extentAttr(context(), integer("out_cols").value_or(1));
  out.valid.clear();
  out.dtype = DType::I32;
  out.mem = counts.mem = resultMem();
  return OpResults{result(out), result(counts)};
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredByMask() {
  if (!isGatherDtype(shaped("src").dtype)) {
    return dtypeFault("src", kGatherDtypes);
  }
  if (shaped("src").rank() != 2) {
    return rankFault("src", "takes rows and columns");
  }
  return maskResult("src");
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredBlocks() {
  Shaped out = shaped("src");
  Shaped offset = shaped("offset");
  if (offset.dtype != DType::UI32) {
    return dtypeFault("offset", "is of UINT32");
  }
  if (out.rank() != 2 || offset.rank() != 2) {
    return rankFault(out.rank() != 2 ? "src" : "offset", "takes rows and columns");
  }
  out.dtype = find("output_dtype") ? *dtypeOf("output_dtype") : out.dtype;
  int64_t each = 256 / static_cast<int64_t>(std::max(8U, pl::bitWidth(out.dtype)));
  out.dims = {offset.dims[0], pl::extentAttr(context(), offset.extent(1).value_or(1) * each)};
  out.valid.clear();
  out.mem = resultMem();
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredFromMemory() {
  Shaped memory = shaped("mem");
  Shaped out = shaped("idx");
  if (text("coalesce") == "row" || find("coalesce") == nullptr) {
    // Rows: one for each index, as wide as the memory's.
    std::optional<int64_t> count = 1;
    for (size_t axis = 0; axis < out.rank(); ++axis) {
      count = count && out.extent(axis) ? std::optional<int64_t>(*count * *out.extent(axis)) : std::nullopt;
    }
    out.dims = {count ? pl::extentAttr(context(), *count) : pl::extentAttr(context(), "?"), memory.dims.back()};
  }
  out.isTile = true;
  out.dtype = memory.dtype;
  out.valid.clear();
  out.transposed = false;
  out.mem = resultMem();
  if (!out.isStatic()) {
    return rankFault("idx", "makes a tile, so the number of rows and columns is known");
  }
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::gatheredPages() {
  Shaped out = shaped("src");
  if (out.rank() != 2) {
    return rankFault("src", "takes rows and columns");
  }
  if (shaped("indices").dtype != DType::I32) {
    return dtypeFault("indices", "is of INT32");
  }
  int64_t skipped = integer("col_off").value_or(0);
  int64_t size = integer("size").value_or(0);
  int64_t most = integer("max_indices").value_or(0);
  if (size <= 0 || most <= 0) {
    return shapeFault(size <= 0 ? "size" : "max_indices", "is a positive number");
  }
  std::optional<int64_t> columns = out.extent(1);
  if (skipped < 0 || (columns && (skipped > *columns || size > *columns - skipped))) {
    return shapeFault("src", "has the columns from `col_off` on, as many as `size` says");
  }
  // The rows that the indices pick, at most so many, and of each the columns asked for.
  out.dims = {pl::extentAttr(context(), most), pl::extentAttr(context(), size)};
  if (flagOf("is_trans")) {
    std::swap(out.dims[0], out.dims[1]);
  }
  out.valid.clear();
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::sortedGroups() {
  Shaped out = shaped("src");
  Shaped index = shaped("idx");
  if (out.dtype != DType::F16 && out.dtype != DType::F32) {
    return dtypeFault("src", "is of FP16 or FP32");
  }
  if (kind == ops::FormKind::Tensor && index.dtype != DType::UI32) {
    return dtypeFault("idx", "is of UINT32");
  }
  if (out.rank() == 0) {
    return rankFault("src", "sorts along an axis");
  }
  if (std::optional<int64_t> last = out.extent(out.rank() - 1)) {
    if (*last <= 0 || *last % 32 != 0) {
      return shapeFault("src", "sorts groups of 32: the last extent is a multiple of 32");
    }
    out.dims.back() = pl::extentAttr(context(), *last * 2);
  } else {
    out.dims.back() = pl::extentAttr(context(), "?");
  }
  out.valid.clear();
  out.mem = out.isTile ? resultMem() : out.mem;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::mergedRuns() {
  Shaped out = shaped("src0");
  if (out.dtype != DType::F16 && out.dtype != DType::F32) {
    return dtypeFault("src0", "is of FP16 or FP32");
  }
  bool runs = find("block_len") != nullptr;
  bool several = find("src1") != nullptr;
  if (runs == several) {
    builder.reporter_.report(diag::WrongArguments, expr.range, path,
                             "takes either `block_len`, or two to four operands");
    return std::nullopt;
  }
  std::optional<int64_t> block = integer("block_len");
  if (block && (*block <= 0 || *block % 64 != 0)) {
    return typeFault("block_len", "`block_len` is a multiple of 64, got " + std::to_string(*block));
  }
  std::optional<int64_t> columns = out.extent(out.rank() - 1);
  for (std::string_view other : {"src1", "src2", "src3"}) {
    if (!find(other)) {
      continue;
    }
    Shaped next = shaped(other);
    if (next.dtype != out.dtype) {
      return typeFault(other, "merges operands of one dtype: " + operandsText());
    }
    if (next.rank() != out.rank()) {
      return rankFault(other, "merges operands of one rank");
    }
    columns = columns && next.extent(next.rank() - 1) ? std::optional<int64_t>(*columns + *next.extent(next.rank() - 1))
                                                      : std::nullopt;
  }
  if (several && out.isTile && !find("tmp")) {
    builder.reporter_.report(diag::WrongArguments, expr.range, path,
                             "misses its argument `tmp`, scratch to merge several tiles");
    return std::nullopt;
  }
  if (several) {
    out.dims.back() = columns ? pl::extentAttr(context(), *columns) : pl::extentAttr(context(), "?");
    out.valid.clear();
  }
  out.mem = out.isTile ? pl::Mem::Vec : out.mem;
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::gatherOrSort() {
  switch (form().rule) {
  case Rule::GatherTile:
    return gatheredTile();
  case Rule::GatherRow:
    return gatheredRow();
  case Rule::Scatter:
  case Rule::LikeFirst:
    return scattered();
  case Rule::ScatterUpdate:
    return rowsUpdated();
  case Rule::GatherCompare:
    return gatheredByComparison();
  case Rule::GatherMask:
    return gatheredByMask();
  case Rule::GatherB:
    return gatheredBlocks();
  case Rule::MGather:
    return gatheredFromMemory();
  case Rule::LikeOutput:
    return like("output_tensor");
  case Rule::PagedGather:
    return gatheredPages();
  case Rule::Sort32:
    return sortedGroups();
  case Rule::MrgSort:
    return mergedRuns();
  default:
    return unhandled();
  }
}

} // namespace placid::frontend
