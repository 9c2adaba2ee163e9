// SPDX-License-Identifier: Apache-2.0
#include "compiler/source/text.h"

#include <algorithm>
#include <cstring>

namespace placid::source {

namespace {

/// Length of the UTF-8 sequence that `lead` starts; 1 for a stray byte, so that walking always advances.
unsigned sequenceLength(unsigned char lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xF0 && lead < 0xF8) {
    return 4;
  }
  if (lead >= 0xE0) {
    return lead < 0xF0 ? 3 : 1;
  }
  return lead >= 0xC0 ? 2 : 1;
}

/// UTF-16 code units of a sequence of `length` bytes.
unsigned utf16Units(unsigned length) { return length == 4 ? 2 : 1; }

} // namespace

LineIndex::LineIndex(std::string_view text) : size_(static_cast<uint32_t>(text.size())) {
  constexpr size_t kBytesALine = 32; // about
  starts_.reserve(text.size() / kBytesALine + 2);
  if (text.find('\r') == std::string_view::npos) {
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      starts_.push_back(static_cast<uint32_t>(at + 1));
    }
    return;
  }
  for (uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      starts_.push_back(i + 1);
    }
  }
}

LineColumn LineIndex::lineColumn(uint32_t offset) const {
  offset = std::min(offset, size_);
  auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  auto line = static_cast<uint32_t>(next - starts_.begin() - 1);
  return {line, offset - starts_[line]};
}

uint32_t LineIndex::offset(LineColumn at) const {
  if (at.line >= starts_.size()) {
    return size_;
  }
  uint32_t end = at.line + 1 < starts_.size() ? starts_[at.line + 1] : size_;
  return std::min(starts_[at.line] + at.column, end);
}

std::string_view LineIndex::line(std::string_view text, uint32_t line) const {
  if (line >= starts_.size()) {
    return {};
  }
  size_t end = line + 1 < starts_.size() ? starts_[line + 1] : size_;
  std::string_view out = text.substr(starts_[line], end - starts_[line]);
  while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) {
    out.remove_suffix(1);
  }
  return out;
}

Position LineIndex::position(std::string_view text, uint32_t offset) const {
  LineColumn at = lineColumn(offset);
  std::string_view bytes = text.substr(starts_[at.line], at.column);
  uint32_t units = 0;
  for (size_t i = 0; i < bytes.size();) {
    unsigned length = sequenceLength(static_cast<unsigned char>(bytes[i]));
    units += utf16Units(length);
    i += length;
  }
  return {at.line, units};
}

uint32_t LineIndex::offset(std::string_view text, Position at) const {
  if (at.line >= starts_.size()) {
    return size_;
  }
  std::string_view bytes = line(text, at.line);
  uint32_t units = 0;
  size_t i = 0;
  while (i < bytes.size()) {
    unsigned length = sequenceLength(static_cast<unsigned char>(bytes[i]));
    if (units + utf16Units(length) > at.character) {
      break; // also a position inside a surrogate pair: it means the character's start
    }
    units += utf16Units(length);
    i += length;
  }
  return starts_[at.line] + static_cast<uint32_t>(std::min(i, bytes.size()));
}

namespace {

/// Whether the eight bytes at `at` are ASCII and none of them is NUL.
bool plainWord(const char *at) {
  constexpr uint64_t kHigh = 0x8080808080808080;
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return ((word | (word - kOnes)) & kHigh) == 0; // of bytes below 128, only NUL borrows
}

} // namespace

TextFault findTextFault(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    if (i + sizeof(uint64_t) <= text.size() && plainWord(text.data() + i)) {
      i += sizeof(uint64_t);
      continue;
    }
    auto lead = static_cast<unsigned char>(text[i]);
    if (lead == 0) {
      return {TextFault::Kind::NulByte, static_cast<uint32_t>(i)};
    }
    if (lead < 0x80) {
      ++i;
      continue;
    }
    unsigned length = sequenceLength(lead);
    bool good = length > 1 && i + length <= text.size();
    uint32_t code = length == 2 ? lead & 0x1FU : length == 3 ? lead & 0x0FU : lead & 0x07U;
    for (unsigned k = 1; good && k < length; ++k) {
      auto next = static_cast<unsigned char>(text[i + k]);
      good = (next & 0xC0U) == 0x80;
      code = code << 6 | (next & 0x3FU);
    }
    bool overlong = (length == 2 && code < 0x80) || (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    bool surrogate = code >= 0xD800 && code < 0xE000;
    if (!good || overlong || surrogate || code > 0x10FFFF) {
      return {TextFault::Kind::InvalidUtf8, static_cast<uint32_t>(i)};
    }
    i += length;
  }
  return {};
}

} // namespace placid::source
