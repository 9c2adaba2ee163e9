// SPDX-License-Identifier: Apache-2.0
// textDocument/hover: the name under the cursor, and the NZ declaration or access around it, narrowest first. Compile
// thread.
#include "server/handlers/query.h"
#include "server/render/hover_text.h"
#include "server/render/picture_text.h"

#include <algorithm>

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

/// What the variable holds at this occurrence in one kernel: what was bound to its name last, inside the same function.
/// At a binding, what is bound there.
const compiler::InspectValue *valueIn(const compiler::InspectKernel &kernel, const index::Symbol &symbol,
                                      source::ByteRange function, const index::Occurrence &at) {
  const compiler::InspectValue *last = nullptr;
  for (const compiler::InspectValue &value : kernel.values) {
    bool inside = function.begin <= value.range.begin && value.range.end <= function.end;
    if (value.name != symbol.name || !inside) {
      continue;
    }
    if (at.write && value.range.begin >= at.range.end) {
      return &value;
    }
    last = value.range.end <= at.range.begin ? &value : last;
  }
  return last;
}

/// The types it has, a line each; where kernels that share the function give it different ones, with a kernel of each.
std::string typesOf(const compiler::InspectResult &known, const index::Index &index, const index::Occurrence &at) {
  const index::Symbol &symbol = index.symbols[at.symbol];
  if (symbol.parent == index::kNone) {
    return {};
  }
  source::ByteRange function = index.symbols[symbol.parent].range;
  std::vector<std::pair<std::string, std::string>> types; // and who has it first
  for (const compiler::InspectKernel &kernel : known.kernels) {
    const compiler::InspectValue *value = valueIn(kernel, symbol, function, at);
    for (const compiler::InspectValue &one : kernel.values) {
      // A function that is read for each of its calls has a type a reading.
      bool same = value && one.range == value->range && one.name == value->name;
      bool told = std::any_of(types.begin(), types.end(), [&](const auto &other) { return other.first == one.type; });
      if (same && !told) {
        types.emplace_back(one.type, kernel.entry);
      }
    }
  }
  std::string out;
  for (const auto &[type, kernel] : types) {
    out += (out.empty() ? "" : "\n") + symbol.name + ": " + type + (types.size() > 1 ? "  # in " + kernel : "");
  }
  return out;
}

/// What the name under the cursor is: an operation of PL, or a symbol of this text.
std::optional<source::ByteRange> hoverName(const Snapshot &snapshot, const compiler::InspectResult &known,
                                           uint32_t offset, std::string &text) {
  const index::Index &index = indexOf(snapshot);
  auto code = [&](const std::string &words) {
    return snapshot.client.hoverMarkdown ? "```python\n" + words + "\n```" : words;
  };
  if (const index::Member *member = memberAt(index, offset)) {
    std::string path = plPath(member->path);
    std::vector<index::OpInfo> ops = snapshot.compiler->ops();
    const index::OpInfo *op = path.empty() ? nullptr : findOp(ops, path);
    if (op && !op->signatures.empty()) {
      std::string forms;
      for (const std::string &signature : op->signatures) {
        forms += (forms.empty() ? "" : "\n") + shownPath(path) + "(" + signature + ")";
      }
      text = code(forms) + (op->documentation.empty() ? "" : "\n\n" + op->documentation);
      text += op->modelled ? "" : "\n\nplacid does not follow the type of its result yet.";
      return member->range;
    }
  }
  const index::Occurrence *found = occurrenceAt(index, offset);
  if (!found) {
    return std::nullopt;
  }
  const index::Symbol &symbol = index.symbols[found->symbol];
  switch (symbol.kind) {
  case index::SymbolKind::Import:
    return std::nullopt;
  case index::SymbolKind::Function:
  case index::SymbolKind::Kernel:
    text = code("def " + symbol.name + symbol.detail);
    break;
  case index::SymbolKind::Class:
  case index::SymbolKind::Program:
    text = code("class " + symbol.name);
    break;
  case index::SymbolKind::Variable:
    if (std::string types = typesOf(known, index, *found); !types.empty()) {
      text = code(types);
      break;
    }
    [[fallthrough]];
  default:
    text = code(symbol.name + (symbol.detail.starts_with(':') ? "" : " ") + symbol.detail);
  }
  text += symbol.documentation.empty() ? "" : "\n\n" + symbol.documentation;
  return found->range;
}

/// The plane in characters, below the facts.
std::string picture(const compiler::InspectResult &known, const Snapshot &snapshot, const std::string &tensor,
                    const compiler::InspectAccess *access, bool markdown) {
  std::vector<Picture> pictures = picturesOf(known, *snapshot.text, tensor);
  if (pictures.empty() || (access && access->offsets.empty())) {
    return {};
  }
  const PictureWindow *window = nullptr;
  if (access) {
    uint32_t line = snapshot.text->lines.lineColumn(access->range.begin).line + 1;
    for (const PictureWindow &candidate : pictures.front().windows) {
      window = candidate.line == line && candidate.result == access->result ? &candidate : window;
    }
  }
  std::string drawn = pictureText(pictures.front(), window);
  return drawn.empty() ? drawn : markdown ? "\n\n```text\n" + drawn + "```" : "\n\n" + drawn;
}

} // namespace

Result<std::optional<lsp::Hover>> handleHover(const Snapshot &snapshot, const lsp::HoverParams &params,
                                              const std::stop_token &stop) {
  Result<const compiler::InspectResult *> known = inspectionOf(snapshot, stop);
  if (known.has_error()) {
    return known.error();
  }
  uint32_t offset = offsetOf(*snapshot.text, params.position);
  const compiler::InspectTensor *tensor = nullptr;
  const compiler::InspectAccess *access = nullptr;
  uint32_t tensorWidth = UINT32_MAX;
  uint32_t accessWidth = UINT32_MAX;
  for (const compiler::InspectKernel &kernel : (*known)->kernels) {
    for (const compiler::InspectTensor &candidate : kernel.tensors) {
      if (candidate.layout == "NZ") {
        consider(candidate, candidate.annotation, offset, tensor, tensorWidth);
      }
    }
    for (const compiler::InspectAccess &candidate : kernel.accesses) {
      consider(candidate, candidate.range, offset, access, accessWidth);
    }
  }
  bool markdown = snapshot.client.hoverMarkdown;
  const std::vector<diag::Diagnostic> &diagnostics = (*known)->check.diagnostics;
  lsp::Hover hover;
  hover.markdown = markdown;
  if (std::optional<source::ByteRange> named = hoverName(snapshot, **known, offset, hover.text)) {
    // A name is narrower than the access around it; inside the access the rest of the text shows the access.
    hover.range = rangeOf(*snapshot.text, *named);
    if (!access) {
      return std::optional(std::move(hover));
    }
  }
  if (!tensor && !access) {
    return std::optional<lsp::Hover>();
  }
  bool showTensor = tensor && tensorWidth <= accessWidth;
  std::string shown =
      showTensor ? hoverText(*tensor, diagnostics, markdown) : hoverText(*access, diagnostics, markdown);
  shown +=
      picture(**known, snapshot, showTensor ? tensor->name : access->tensor, showTensor ? nullptr : access, markdown);
  hover.text = hover.text.empty() ? std::move(shown) : hover.text + (markdown ? "\n\n---\n\n" : "\n\n") + shown;
  if (!hover.range) {
    hover.range = rangeOf(*snapshot.text, showTensor ? tensor->annotation : access->range);
  }
  return std::optional(std::move(hover));
}

} // namespace placid::server
