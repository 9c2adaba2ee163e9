// SPDX-License-Identifier: Apache-2.0
// Source text, byte ranges, and the one conversion between byte offsets (inside) and lines with UTF-16 columns
// (outside, the Language Server Protocol's). Standard library only: server and compiler both include it.
// Values are immutable after construction, so any thread may read them. Nothing here throws or fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace placid::source {

/// Half-open range of byte offsets into one text.
struct ByteRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const ByteRange &) const = default;
  auto operator<=>(const ByteRange &) const = default;
};

/// 0-based line and 0-based UTF-16 code unit.
struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  bool operator==(const Position &) const = default;
  auto operator<=>(const Position &) const = default;
};

/// Half-open range of positions.
struct Range {
  Position start;
  Position end;
  bool operator==(const Range &) const = default;
  auto operator<=>(const Range &) const = default;
};

/// 0-based line and 0-based byte column: what compiler locations carry (as 1-based numbers).
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
};

/// Where each line of a text begins. Lines end at "\n", "\r\n" or "\r", as the protocol says.
class LineIndex {
public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text);

  uint32_t lineCount() const { return static_cast<uint32_t>(starts_.size()); }
  LineColumn lineColumn(uint32_t offset) const;
  /// Offsets past the end of a line or of the text are clamped to it.
  uint32_t offset(LineColumn at) const;
  /// The line's bytes without its line ending. `line` past the end gives an empty view.
  std::string_view line(std::string_view text, uint32_t line) const;

  Position position(std::string_view text, uint32_t offset) const;
  uint32_t offset(std::string_view text, Position at) const;
  Range range(std::string_view text, ByteRange bytes) const {
    return {position(text, bytes.begin), position(text, bytes.end)};
  }

private:
  std::vector<uint32_t> starts_{0};
  uint32_t size_ = 0;
};

/// One module's text. `path` is as the user gave it and is only ever shown, never opened here.
struct SourceText {
  std::string path;
  std::string text;
  LineIndex lines;

  SourceText(std::string pathIn, std::string textIn) : path(std::move(pathIn)), text(std::move(textIn)), lines(text) {}
  Range range(ByteRange bytes) const { return lines.range(text, bytes); }
};

using SourcePtr = std::shared_ptr<const SourceText>;

/// What makes a file unreadable as source, as an offset; npos when it is fine.
struct TextFault {
  enum class Kind { None, InvalidUtf8, NulByte } kind = Kind::None;
  uint32_t offset = 0;
};
TextFault findTextFault(std::string_view text);

} // namespace placid::source
