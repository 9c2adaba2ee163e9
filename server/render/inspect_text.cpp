// SPDX-License-Identifier: Apache-2.0
#include "server/render/inspect_text.h"

#include "server/render/expr.h"

namespace placid::server {

namespace {

std::string place(const source::SourceText &text, source::ByteRange range) {
  return text.path + ":" + std::to_string(text.lines.lineColumn(range.begin).line + 1);
}

void line(std::string &out, const std::string &name, const std::string &value) {
  constexpr size_t kWidth = 10;
  out += "    " + name + std::string(name.size() < kWidth ? kWidth - name.size() : 1, ' ') + value + "\n";
}

void describe(std::string &out, const compiler::InspectTensor &tensor, const source::SourceText &text) {
  out += "  tensor " + tensor.name + ": " + tensor.layout + " " + tensor.dtype + "  (" +
         place(text, tensor.annotation) + ")\n";
  line(out, "logical", show(tensor.logical));
  if (!tensor.rejected.empty()) {
    line(out, "refused", tensor.rejected);
  } else if (!tensor.blocked.empty()) {
    line(out, "blocked", show(tensor.blocked) + "  c0 = " + std::to_string(tensor.c0));
    line(out, "strides", show(tensor.strides) + "  in elements");
  }
}

void describe(std::string &out, const compiler::InspectAccess &access, const source::SourceText &text) {
  out += "  " + access.op + " of " + access.tensor;
  if (!access.result.empty()) {
    out += (access.op == "store" ? " from " : " to ") + access.result;
  }
  out += "  (" + place(text, access.range) + ")\n";
  if (!access.rejected.empty()) {
    line(out, "refused", access.rejected);
    return;
  }
  line(out, "offsets", show(access.offsets));
  line(out, "sizes", show(access.sizes));
  if (!access.tile.empty()) {
    line(out, "tile", show(access.tile));
  }
  if (access.gapBlocks) {
    line(out, "gap", std::to_string(*access.gapBlocks) + " of at most 65535 32-byte blocks");
  }
  for (const compiler::OffsetProof &proof : access.proof) {
    line(out, proof.axis == -2 ? "rows" : "columns",
         proof.expr + " is a multiple of " + std::to_string(proof.factor) + " (" + proof.multiple +
             ") and never negative (" + proof.nonNegative + ")");
  }
}

} // namespace

std::string inspectText(const compiler::InspectResult &result, const source::SourceText &text) {
  std::string out;
  for (const compiler::InspectKernel &kernel : result.kernels) {
    out += (out.empty() ? "" : "\n") + std::string("kernel ") + kernel.entry + "  (" + result.arch + ")\n";
    for (const compiler::InspectTensor &tensor : kernel.tensors) {
      describe(out, tensor, text);
    }
    for (const compiler::InspectAccess &access : kernel.accesses) {
      describe(out, access, text);
    }
  }
  return out.empty() ? text.path + ": no kernels\n" : out;
}

} // namespace placid::server
