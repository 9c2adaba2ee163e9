// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/text_mirror.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace placid::lsp {

namespace {

size_t sequenceLength(unsigned char lead) {
  if (lead < 0xc0 || lead >= 0xf8) {
    return 1;
  }
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

/// Behind the line that begins at `i`, its end included; npos when it is the last one.
size_t nextLine(std::string_view text, size_t i) {
  size_t end = text.find_first_of("\r\n", i);
  if (end == std::string_view::npos) {
    return end;
  }
  return end + (text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? 2 : 1);
}

/// Where a character of the line that begins at `i` is; beyond the line it is the line's end.
size_t columnOf(std::string_view text, size_t i, uint32_t character) {
  size_t end = std::min(text.find_first_of("\r\n", i), text.size());
  uint32_t units = 0;
  while (i < end) {
    size_t length = sequenceLength(static_cast<unsigned char>(text[i]));
    units += length == 4 ? 2 : 1;
    if (units > character) {
      break;
    }
    i += length;
  }
  return std::min(i, end);
}

/// Walks to a position; the line after the last one is the end of the text, what is beyond is nothing.
std::optional<size_t> offsetOf(std::string_view text, Position at) {
  size_t i = 0;
  for (uint32_t line = 0; line < at.line; ++line) {
    i = nextLine(text, i);
    if (i == std::string_view::npos) {
      return line + 1 == at.line ? std::optional(text.size()) : std::nullopt;
    }
  }
  return columnOf(text, i, at.character);
}

bool before(Position a, Position b) { return a.line != b.line ? a.line < b.line : a.character < b.character; }

/// A text as its lines, each with its end, so that one of many edits costs what it touches. The lines are kept on two
/// stacks, what lies before the last edit and what lies behind it: edits of one message are mostly in order, one way or
/// the other. There is always a last line without an end, which may be empty.
class Lines {
public:
  explicit Lines(std::string_view text) { push(text); }

  /// False when the range does not fit.
  bool edit(const Range &range, const std::string &text) {
    size_t count = before_.size() + behind_.size();
    if (range.start.line > count || before(range.end, range.start)) {
      return false;
    }
    Position start = inside(range.start, count);
    Position end = inside(range.end, count);
    moveTo(start.line);
    // The edited lines leave, what stays of the first and the last one comes back around the new text.
    std::string_view first = behind_.back();
    std::string block(first.substr(0, columnOf(first, 0, start.character)));
    block += text;
    for (uint32_t line = start.line; line < end.line; ++line) {
      behind_.pop_back();
    }
    std::string_view last = behind_.back();
    block += last.substr(columnOf(last, 0, end.character));
    behind_.pop_back();
    // "\r" and "\n" that have met are one line end.
    if (!before_.empty() && before_.back().ends_with('\r') && block.starts_with('\n')) {
      block.insert(0, before_.back());
      before_.pop_back();
    }
    if (!behind_.empty() && block.ends_with('\r') && behind_.back().starts_with('\n')) {
      block += behind_.back();
      behind_.pop_back();
    }
    bool wasLast = behind_.empty();
    push(block);
    if (!wasLast && before_.back().empty()) {
      before_.pop_back(); // the block ended with its last line: the next one is there already
    }
    return true;
  }

  std::string text() const {
    std::string out;
    for (const std::string &line : before_) {
      out += line;
    }
    for (auto line = behind_.rbegin(); line != behind_.rend(); ++line) {
      out += *line;
    }
    return out;
  }

private:
  /// What lies beyond the last line is the end of the text.
  Position inside(Position at, size_t count) {
    constexpr uint32_t kEnd = std::numeric_limits<uint32_t>::max();
    return at.line < count ? at : Position{static_cast<uint32_t>(count - 1), kEnd};
  }

  void push(std::string_view text) {
    size_t at = 0;
    for (size_t next = nextLine(text, at); next != std::string_view::npos; next = nextLine(text, at)) {
      before_.emplace_back(text.substr(at, next - at));
      at = next;
    }
    before_.emplace_back(text.substr(at));
  }

  void moveTo(size_t line) {
    for (; before_.size() > line; before_.pop_back()) {
      behind_.push_back(std::move(before_.back()));
    }
    for (; before_.size() < line; behind_.pop_back()) {
      before_.push_back(std::move(behind_.back()));
    }
  }

  std::vector<std::string> before_;
  std::vector<std::string> behind_; ///< The next one at the back.
};

/// Below so many, lines are not worth making.
constexpr size_t kMany = 8;

/// Nothing when one of them does not fit.
std::optional<std::string> applyMany(const std::string &text, const std::vector<ContentChange> &changes) {
  Lines lines(text);
  for (const ContentChange &change : changes) {
    if (!change.range) {
      lines = Lines(change.text);
    } else if (!lines.edit(*change.range, change.text)) {
      return std::nullopt;
    }
  }
  return lines.text();
}

} // namespace

std::optional<std::string> applyContentChanges(std::string text, const std::vector<ContentChange> &changes) {
  if (changes.size() > kMany) {
    return applyMany(text, changes);
  }
  for (const ContentChange &change : changes) {
    if (!change.range) {
      text = change.text;
      continue;
    }
    std::optional<size_t> begin = offsetOf(text, change.range->start);
    if (!begin || before(change.range->end, change.range->start)) {
      return std::nullopt;
    }
    size_t end = offsetOf(text, change.range->end).value_or(text.size());
    text.replace(*begin, end - *begin, change.text);
  }
  return text;
}

} // namespace placid::lsp
