// SPDX-License-Identifier: Apache-2.0
// Byte offsets of one text to positions, for many of them in order: on one line each is counted from the one before,
// not from the line's beginning. Generated tables have lines of hundreds of kilobytes with a name in every one of them.
// One thread.
#pragma once

#include "protocol/lsp/types.h"
#include "server/publish/publish.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace placid::server {

class PositionWalk {
public:
  explicit PositionWalk(const source::SourceText &text) : text_(text) {}

  /// The same as rangeOf(), whatever the order.
  lsp::Range range(source::ByteRange range) {
    lsp::Position start = at(range.begin);
    return {start, at(range.end)};
  }

private:
  lsp::Position at(uint32_t offset) {
    source::LineColumn place = text_.lines.lineColumn(offset);
    uint32_t lineStart = std::min(offset, static_cast<uint32_t>(text_.text.size())) - place.column;
    if (place.line != last_.line || lineStart + place.column < lastOffset_) {
      last_ = {place.line, 0};
      lastOffset_ = lineStart;
    }
    std::string_view piece = std::string_view(text_.text).substr(lastOffset_, lineStart + place.column - lastOffset_);
    uint32_t units = 0;
    uint32_t walked = 0;
    while (walked < piece.size()) {
      auto lead = static_cast<unsigned char>(piece[walked]);
      uint32_t length = lead < 0xC0 || lead >= 0xF8 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      units += length == 4 ? 2 : 1;
      walked += length;
    }
    lsp::Position out{place.line, last_.character + units};
    if (walked == piece.size()) { // else the text is no UTF-8: what follows is counted from where it was right
      last_ = out;
      lastOffset_ = lineStart + place.column;
    }
    return out;
  }

  const source::SourceText &text_;
  lsp::Position last_;
  uint32_t lastOffset_ = 0;
};

} // namespace placid::server
