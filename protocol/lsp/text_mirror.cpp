// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/text_mirror.h"

#include <algorithm>

namespace placid::lsp {

namespace {

size_t sequenceLength(unsigned char lead) {
  if (lead < 0xc0 || lead >= 0xf8) {
    return 1;
  }
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/// Walks to a position; the line after the last one is the end of the text, what is beyond is nothing.
std::optional<size_t> offsetOf(std::string_view text, Position at) {
  size_t i = 0;
  for (uint32_t line = 0; line < at.line; ++line) {
    size_t end = text.find_first_of("\r\n", i);
    if (end == std::string_view::npos) {
      return line + 1 == at.line ? std::optional(text.size()) : std::nullopt;
    }
    i = end + (text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? 2 : 1);
  }
  size_t end = std::min(text.find_first_of("\r\n", i), text.size());
  uint32_t units = 0;
  while (i < end) {
    size_t length = sequenceLength(static_cast<unsigned char>(text[i]));
    units += length == 4 ? 2 : 1;
    if (units > at.character) {
      break;
    }
    i += length;
  }
  return std::min(i, end);
}

bool before(Position a, Position b) { return a.line != b.line ? a.line < b.line : a.character < b.character; }

} // namespace

std::optional<std::string> applyContentChanges(std::string text, const std::vector<ContentChange> &changes) {
  for (const ContentChange &change : changes) {
    if (!change.range) {
      text = change.text;
      continue;
    }
    std::optional<size_t> begin = offsetOf(text, change.range->start);
    std::optional<size_t> end = offsetOf(text, change.range->end);
    if (!begin || !end || before(change.range->end, change.range->start)) {
      return std::nullopt;
    }
    text.replace(*begin, *end - *begin, change.text);
  }
  return text;
}

} // namespace placid::lsp
