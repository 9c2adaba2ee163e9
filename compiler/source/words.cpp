// SPDX-License-Identifier: Apache-2.0
#include "compiler/source/words.h"

#include "compiler/source/byte_order_mark.h"

#include <algorithm>
#include <cctype>

namespace placid::source {

namespace {

constexpr size_t kMaxPrefix = 2; // rb"…"

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & '\x80') != 0; }
bool quote(char c) { return c == '"' || c == '\''; }

class Scanner {
public:
  Scanner(std::string_view text, ByteRange range)
      : text_(text.substr(0, std::min<size_t>(range.end, text.size()))),
        at_(std::min<size_t>(range.begin, text_.size())) {}

  std::vector<Word> run() {
    std::vector<Word> out;
    if (at_ == 0 && text_.starts_with(kByteOrderMark)) {
      at_ = kByteOrderMark.size(); // the mark of the encoding is no part of the first name
    }
    while (at_ < text_.size()) {
      char c = text_[at_];
      size_t begin = at_;
      Word word;
      if (c == '#') {
        word.kind = Word::Kind::Comment;
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (quote(c)) {
        word.kind = Word::Kind::String;
        word.closed = string();
      } else if (startsName(c) || digit(c)) {
        word.kind = digit(c) ? Word::Kind::Number : Word::Kind::Name;
        while (at_ < text_.size() && (startsName(text_[at_]) || digit(text_[at_]))) {
          ++at_;
        }
        if (!digit(c) && at_ - begin <= kMaxPrefix && at_ < text_.size() && quote(text_[at_]) && prefix(begin)) {
          word.kind = Word::Kind::String;
          word.closed = string();
        }
      } else {
        ++at_;
        if (std::string_view(" \t\r\n\f\\").find(c) != std::string_view::npos) {
          continue;
        }
      }
      word.range = {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
      out.push_back(word);
    }
    return out;
  }

private:
  bool prefix(size_t begin) const {
    return text_.substr(begin, at_ - begin).find_first_not_of("rRbBuUfF") == std::string_view::npos;
  }

  /// From the quote on; true when it is closed.
  bool string() {
    char mark = text_[at_];
    auto three = [&] { return at_ + 2 < text_.size() && text_[at_ + 1] == mark && text_[at_ + 2] == mark; };
    bool triple = three();
    at_ += triple ? 3 : 1;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '\\') {
        at_ = std::min(at_ + 2, text_.size());
      } else if (c == mark && (!triple || three())) {
        at_ += triple ? 3 : 1;
        return true;
      } else if (!triple && (c == '\n' || c == '\r')) {
        return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_;
};

} // namespace

std::vector<Word> wordsOf(std::string_view text, ByteRange range) { return Scanner(text, range).run(); }

ByteRange insideQuotes(std::string_view text, ByteRange literal) {
  std::string_view seen = text.substr(std::min<size_t>(literal.begin, text.size()), literal.end - literal.begin);
  size_t open = seen.find_first_of("\"'");
  if (open == std::string_view::npos) {
    return {};
  }
  bool triple = seen.size() >= open + 6 && seen[open + 1] == seen[open] && seen[open + 2] == seen[open];
  size_t width = triple ? 3 : 1;
  if (seen.size() < open + 2 * width) {
    return {};
  }
  return {static_cast<uint32_t>(literal.begin + open + width), static_cast<uint32_t>(literal.end - width)};
}

} // namespace placid::source
