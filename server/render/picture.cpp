// SPDX-License-Identifier: Apache-2.0
#include "server/render/picture.h"

#include "server/render/expr.h"

#include <algorithm>

namespace placid::server {

namespace {

constexpr int64_t kLineBytes = 32;
constexpr int64_t kFractalRows = 16;

std::optional<int64_t> number(const compiler::Expr &value) {
  const auto *found = std::get_if<int64_t>(&value);
  return found ? std::optional(*found) : std::nullopt;
}

/// A start in elements: `48` from 3 fractals, `r0` from `floordiv(r0, 16)`.
std::string inElements(const compiler::Expr &value, int64_t unit) {
  if (std::optional<int64_t> constant = number(value)) {
    return std::to_string(*constant * unit);
  }
  std::string text = show(value);
  std::string tail = ", " + std::to_string(unit) + ")";
  constexpr std::string_view kDivision = "floordiv(";
  if (unit > 1 && text.starts_with(kDivision) && text.ends_with(tail)) {
    return text.substr(kDivision.size(), text.size() - kDivision.size() - tail.size());
  }
  return unit > 1 ? "(" + text + ") * " + std::to_string(unit) : text;
}

PictureSpan span(const compiler::Expr &start, const compiler::Expr &size, int64_t unit) {
  return {number(start), inElements(start, unit), number(size), inElements(size, unit)};
}

uint32_t lineOf(const source::SourceText &text, source::ByteRange range) {
  return text.lines.lineColumn(range.begin).line + 1;
}

std::vector<int64_t> chunksOf(const compiler::InspectKernel &kernel, const compiler::InspectAccess &access) {
  std::vector<int64_t> out;
  for (const compiler::StoreChunks &chunks : kernel.chunks) {
    if (chunks.tensor != access.tensor || chunks.range != access.range || chunks.offsets.size() < 2) {
      continue;
    }
    for (const std::vector<compiler::Expr> &offset : chunks.offsets) {
      std::optional<int64_t> column = offset.size() == 5 ? number(offset[1]) : std::nullopt;
      if (!column) {
        return {};
      }
      out.push_back(*column);
    }
  }
  return out;
}

Picture pictureOf(const compiler::InspectKernel &kernel, const compiler::InspectTensor &tensor,
                  const source::SourceText &text) {
  Picture out;
  out.kernel = kernel.entry;
  out.tensor = tensor.name;
  out.dtype = tensor.dtype;
  out.logical = show(tensor.logical);
  out.line = lineOf(text, tensor.annotation);
  out.rejected = tensor.rejected;
  if (tensor.blocked.size() == 5 && tensor.c0 > 0 && tensor.rejected.empty()) {
    out.blocked = show(tensor.blocked);
    out.c0 = tensor.c0;
    out.elementBytes = kLineBytes / tensor.c0;
    out.panels = show(tensor.blocked[0]);
    out.columnFractals = number(tensor.blocked[1]).value_or(0);
    out.rowFractals = number(tensor.blocked[2]).value_or(0);
  }
  for (const compiler::InspectAccess &access : kernel.accesses) {
    bool drawn = access.offsets.size() == 5 || !access.rejected.empty();
    if (access.tensor == tensor.name && drawn) {
      out.windows.push_back(windowOf(access, lineOf(text, access.range), tensor.c0));
      out.windows.back().chunks = chunksOf(kernel, access);
    }
  }
  return out;
}

} // namespace

PictureWindow windowOf(const compiler::InspectAccess &access, uint32_t line, int64_t c0) {
  PictureWindow out;
  out.op = access.op;
  out.result = access.result;
  out.line = line;
  out.rejected = access.rejected;
  if (access.offsets.size() == 5 && access.sizes.size() == 5) {
    out.panel = span(access.offsets[0], access.sizes[0], 1);
    out.columns = span(access.offsets[1], access.sizes[1], c0);
    out.rows = span(access.offsets[2], access.sizes[2], kFractalRows);
    out.gapBlocks = access.gapBlocks;
  }
  return out;
}

std::vector<Picture> picturesOf(const compiler::InspectResult &result, const source::SourceText &text,
                                const std::string &tensor) {
  std::vector<Picture> out;
  for (const compiler::InspectKernel &kernel : result.kernels) {
    for (const compiler::InspectTensor &candidate : kernel.tensors) {
      if (candidate.layout == "NZ" && (tensor.empty() || tensor == candidate.name)) {
        out.push_back(pictureOf(kernel, candidate, text));
      }
    }
  }
  return out;
}

std::string windowWords(const PictureWindow &window) {
  if (!window.rejected.empty()) {
    return "refused: " + window.rejected;
  }
  auto part = [](const char *name, const PictureSpan &along) {
    return std::string(name) + " " + along.startText + " … +" + along.sizeText;
  };
  std::string out = part("rows", window.rows) + ", " + part("columns", window.columns);
  bool firstPanel = window.panel.start && *window.panel.start == 0 && window.panel.size && *window.panel.size == 1;
  return firstPanel ? out : part("panels", window.panel) + ", " + out;
}

} // namespace placid::server
