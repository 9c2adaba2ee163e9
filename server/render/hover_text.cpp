// SPDX-License-Identifier: Apache-2.0
#include "server/render/hover_text.h"

#include "server/render/expr.h"

#include <algorithm>

namespace placid::server {

namespace {

constexpr int64_t kLineBytes = 32; ///< A C0 line.
constexpr int64_t kFractalRows = 16;

/// Builds the same text with or without Markdown marks.
class Writer {
public:
  explicit Writer(bool markdown) : markdown_(markdown) {}

  std::string code(const std::string &text) const {
    if (!markdown_) {
      return text;
    }
    // Backticks inside would end the span.
    return text.find('`') == std::string::npos ? "`" + text + "`" : "`` " + text + " ``";
  }
  std::string strong(const std::string &text) const { return markdown_ ? "**" + text + "**" : text; }
  void paragraph(const std::string &text) { out_ += (out_.empty() ? "" : "\n\n") + text; }
  void fact(const std::string &name, const std::string &value) {
    out_ += (inList_ ? "\n" : "\n\n") + std::string(markdown_ ? "- " : "  ") + name + ": " + value;
    inList_ = true;
  }
  void endFacts() { inList_ = false; }
  std::string take() { return std::move(out_); }

private:
  bool markdown_;
  bool inList_ = false;
  std::string out_;
};

void refusal(Writer &writer, const std::string &slug, source::ByteRange range,
             const std::vector<diag::Diagnostic> &diagnostics) {
  writer.endFacts();
  writer.paragraph(writer.strong("Refused: " + slug));
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    const diag::CatalogRow *row = diag::find(diagnostic.code);
    bool inside = diagnostic.at.range.begin >= range.begin && diagnostic.at.range.end <= range.end;
    if (inside && row && row->slug == slug) {
      writer.paragraph(diagnostic.message);
    }
  }
}

/// `2 * (b * 12288 + (c / 16) * 3072 + (r / 16) * 256 + (r % 16) * 16 + c % 16)`
std::string byteFormula(const compiler::InspectTensor &tensor) {
  auto term = [](const std::string &index, const compiler::Expr &stride) {
    const auto *number = std::get_if<int64_t>(&stride);
    if (number && *number == 1) {
      return index;
    }
    std::string shown = show(stride);
    bool compound = !number && shown.find(' ') != std::string::npos;
    return index + " * " + (compound ? "(" + shown + ")" : shown);
  };
  std::string c0 = std::to_string(tensor.c0);
  std::string rows = std::to_string(kFractalRows);
  const std::vector<compiler::Expr> &strides = tensor.strides;
  bool batched = !(tensor.blocked.front() == compiler::Expr(int64_t{1}));
  std::string sum = batched ? term("b", strides[0]) + " + " : "";
  sum += term("(c / " + c0 + ")", strides[1]) + " + " + term("(r / " + rows + ")", strides[2]) + " + " +
         term("(r % " + rows + ")", strides[3]) + " + " + term("c % " + c0, strides[4]);
  int64_t bytes = kLineBytes / tensor.c0;
  return bytes == 0 ? "(" + sum + ") / 2" : bytes == 1 ? sum : std::to_string(bytes) + " * (" + sum + ")";
}

/// `48 x 96 elements, 9216 bytes, for 37 x 90 of the tensor`; empty where the plane is not padded or not constant.
std::string paddedText(const compiler::InspectTensor &tensor) {
  constexpr size_t kBlockedRank = 5;
  if (tensor.blocked.size() != kBlockedRank || tensor.logical.size() < 2 || tensor.c0 <= 0) {
    return {};
  }
  const auto *panels = std::get_if<int64_t>(&tensor.blocked[1]);
  const auto *fractals = std::get_if<int64_t>(&tensor.blocked[2]);
  const auto *rows = std::get_if<int64_t>(&tensor.logical[tensor.logical.size() - 2]);
  const auto *columns = std::get_if<int64_t>(&tensor.logical.back());
  if (!panels || !fractals || !rows || !columns) {
    return {};
  }
  int64_t paddedRows = *fractals * kFractalRows;
  int64_t paddedColumns = *panels * tensor.c0;
  if (paddedRows == *rows && paddedColumns == *columns) {
    return {};
  }
  return std::to_string(paddedRows) + " x " + std::to_string(paddedColumns) + " elements, " +
         std::to_string(paddedRows * *panels * kLineBytes) + " bytes, for " + std::to_string(*rows) + " x " +
         std::to_string(*columns) + " of the tensor";
}

} // namespace

std::string hoverText(const compiler::InspectTensor &tensor, const std::vector<diag::Diagnostic> &diagnostics,
                      bool markdown) {
  Writer writer(markdown);
  writer.paragraph(writer.strong(tensor.name) + ": " + tensor.layout + " tensor of " + tensor.dtype);
  writer.fact("logical shape", writer.code(show(tensor.logical)));
  if (tensor.c0 > 0) {
    writer.fact("c0", writer.code(std::to_string(tensor.c0)) + ", the elements of one 32-byte C0 line");
  }
  if (std::string padded = paddedText(tensor); !padded.empty()) {
    writer.fact("storage of one plane", padded);
  }
  if (tensor.blocked.size() == 5 && tensor.strides.size() == 5 && tensor.c0 > 0) {
    writer.fact("blocked shape", writer.code(show(tensor.blocked)) + ", as batch, columns / c0, rows / 16, 16, c0");
    writer.fact("strides in elements", writer.code(show(tensor.strides)));
    bool batched = !(tensor.blocked.front() == compiler::Expr(int64_t{1}));
    writer.fact(std::string("byte of element [") + (batched ? "b, " : "") + "r, c]", writer.code(byteFormula(tensor)));
  }
  if (!tensor.rejected.empty()) {
    refusal(writer, tensor.rejected, tensor.annotation, diagnostics);
  }
  return writer.take();
}

std::string hoverText(const compiler::InspectAccess &access, const std::vector<diag::Diagnostic> &diagnostics,
                      bool markdown) {
  Writer writer(markdown);
  std::string head = access.op + " of NZ tensor " + writer.strong(access.tensor);
  if (!access.result.empty()) {
    head += access.op == "store" ? " from " + writer.code(access.result) : " to " + writer.code(access.result);
  }
  writer.paragraph(head);
  if (!access.offsets.empty()) {
    writer.fact("blocked offsets", writer.code(show(access.offsets)));
  }
  if (!access.sizes.empty()) {
    writer.fact("blocked sizes", writer.code(show(access.sizes)));
  }
  if (!access.tile.empty()) {
    writer.fact("tile", writer.code(show(access.tile)));
  }
  if (access.gapBlocks) {
    writer.fact("GM row gap", writer.code(std::to_string(*access.gapBlocks)) + " of at most 65535 32-byte blocks");
  }
  for (const compiler::OffsetProof &proof : access.proof) {
    std::string axis = proof.axis == -2 ? "row" : "column";
    writer.fact(axis + " offset " + writer.code(proof.expr) + " is a multiple of " + std::to_string(proof.factor),
                proof.multiple + "; never negative: " + proof.nonNegative);
  }
  if (!access.rejected.empty()) {
    refusal(writer, access.rejected, access.range, diagnostics);
  }
  return writer.take();
}

} // namespace placid::server
