// SPDX-License-Identifier: Apache-2.0
// textDocument/hover: the declaration or the access under the cursor, narrowest first. Compile thread.
#include "server/handlers/handlers.h"
#include "server/publish/publish.h"
#include "server/render/hover_text.h"

namespace placid::server {

namespace {

bool contains(source::ByteRange range, uint32_t offset) { return range.begin <= offset && offset <= range.end; }

/// The narrowest candidate that holds the cursor; the first of equals, so that shared functions answer once.
template <class T>
void consider(const T &candidate, source::ByteRange range, uint32_t offset, const T *&best, uint32_t &width) {
  if (contains(range, offset) && range.end - range.begin < width) {
    best = &candidate;
    width = range.end - range.begin;
  }
}

} // namespace

Result<std::optional<lsp::Hover>> handleHover(const Snapshot &snapshot, const lsp::HoverParams &params,
                                              const std::stop_token &stop) {
  std::optional<compiler::InspectResult> &known = snapshot.memo->result;
  if (!known) {
    compiler::InspectResult fresh = snapshot.compiler->inspect(snapshot.text, snapshot.options, stop);
    if (fresh.check.stopped) {
      return protocol::RpcError{protocol::ErrorCode::RequestCancelled, "cancelled"};
    }
    known = std::move(fresh);
  }
  uint32_t offset = snapshot.text->lines.offset(snapshot.text->text, {params.position.line, params.position.character});
  const compiler::InspectTensor *tensor = nullptr;
  const compiler::InspectAccess *access = nullptr;
  uint32_t tensorWidth = UINT32_MAX;
  uint32_t accessWidth = UINT32_MAX;
  for (const compiler::InspectKernel &kernel : known->kernels) {
    for (const compiler::InspectTensor &candidate : kernel.tensors) {
      if (candidate.layout == "NZ") {
        consider(candidate, candidate.annotation, offset, tensor, tensorWidth);
      }
    }
    for (const compiler::InspectAccess &candidate : kernel.accesses) {
      consider(candidate, candidate.range, offset, access, accessWidth);
    }
  }
  if (!tensor && !access) {
    return std::optional<lsp::Hover>();
  }
  bool markdown = snapshot.client.hoverMarkdown;
  const std::vector<diag::Diagnostic> &diagnostics = known->check.diagnostics;
  bool showTensor = tensor && tensorWidth <= accessWidth;
  lsp::Hover hover;
  hover.markdown = markdown;
  hover.text = showTensor ? hoverText(*tensor, diagnostics, markdown) : hoverText(*access, diagnostics, markdown);
  hover.range = toLsp(snapshot.text->range(showTensor ? tensor->annotation : access->range));
  return std::optional(std::move(hover));
}

} // namespace placid::server
