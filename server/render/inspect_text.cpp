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
         proof.expr + " is a multiple of " + std::to_string(proof.factor) + " (" + proof.multiple + ")" +
             (proof.nonNegative.empty() ? ""
                                        : " and never negative (" + proof.nonNegative + ")")); // extents need no sign
  }
}

void describe(std::string &out, const compiler::StoreChunks &chunks, const source::SourceText &text) {
  if (chunks.partitions.size() < 2) {
    return; // not cut: the access says it all
  }
  out += "  chunks of the store to " + chunks.tensor + "  (" + place(text, chunks.range) + ")\n";
  line(out, "count", std::to_string(chunks.partitions.size()) + " of " + std::to_string(chunks.columns) + " columns");
  line(out, "first", show(chunks.partitions.front()) + " at " + show(chunks.offsets.front()));
  line(out, "last", show(chunks.partitions.back()) + " at " + show(chunks.offsets.back()));
}

void describe(std::string &out, const compiler::TilePlan &plan, const source::SourceText &text) {
  auto extents = [](const std::array<int64_t, 3> &shape) {
    return std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " x " + std::to_string(shape[2]);
  };
  out += "  matmul" + (plan.result.empty() ? "" : " " + plan.result) + "  (" + place(text, plan.range) + ")\n";
  line(out, "m x n x k", extents(plan.shape));
  line(out, "L0 tile", extents(plan.tile) + ", " + plan.stationary + " stationary");
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
    for (const compiler::StoreChunks &chunks : kernel.chunks) {
      describe(out, chunks, text);
    }
    for (const compiler::TilePlan &plan : kernel.tiles) {
      describe(out, plan, text);
    }
    for (const compiler::MemoryUse &use : kernel.memory) {
      out += "  " + use.space + " (" + use.hardware + ") of " + use.function + ": " + std::to_string(use.used) +
             " of " + std::to_string(use.capacity) + " bytes\n";
    }
  }
  return out.empty() ? text.path + ": no kernels\n" : out;
}

} // namespace placid::server
