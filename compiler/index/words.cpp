// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/words.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace placid::index {

namespace {

constexpr std::string_view kKeywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || (c & '\x80') != 0; }
bool continuesName(char c) { return startsName(c) || std::isdigit(static_cast<unsigned char>(c)); }

/// Walks tokens just well enough to know strings, comments and names apart.
class Scanner {
public:
  Scanner(std::string_view text, source::ByteRange range)
      : text_(text.substr(0, std::min<size_t>(range.end, text.size()))),
        at_(std::min<size_t>(range.begin, text.size())) {}

  bool atEnd() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  uint32_t position() const { return static_cast<uint32_t>(at_); }
  void next() { ++at_; }

  source::ByteRange comment() {
    uint32_t begin = position();
    while (!atEnd() && peek() != '\n' && peek() != '\r') {
      ++at_;
    }
    return {begin, position()};
  }

  void string() {
    char quote = peek();
    bool triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    while (!atEnd()) {
      if (peek() == '\\') {
        at_ += 2;
      } else if (peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at_ += triple ? 3 : 1;
        return;
      } else if (!triple && peek() == '\n') {
        return; // never closed
      } else {
        ++at_;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  source::ByteRange name() {
    uint32_t begin = position();
    while (!atEnd() && continuesName(peek())) {
      ++at_;
    }
    return {begin, position()};
  }

private:
  std::string_view text_;
  size_t at_;
};

bool isKeyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

/// `name=` inside brackets, but not `name ==`.
bool namesArgument(std::string_view text, uint32_t end) {
  size_t at = text.find_first_not_of(" \t", end);
  return at != std::string_view::npos && text[at] == '=' && (at + 1 >= text.size() || text[at + 1] != '=');
}

} // namespace

std::vector<source::ByteRange> namesIn(std::string_view text, source::ByteRange range) {
  std::vector<source::ByteRange> out;
  char before = '\0';
  for (Scanner scanner(text, range); !scanner.atEnd();) {
    char c = scanner.peek();
    if (c == '#') {
      scanner.comment();
    } else if (c == '"' || c == '\'') {
      scanner.string();
      before = c;
    } else if (startsName(c)) {
      source::ByteRange name = scanner.name();
      std::string_view word = text.substr(name.begin, name.end - name.begin);
      char after = scanner.peek();
      bool prefix = (after == '"' || after == '\'') && word.size() <= 2; // r"…", f'…'
      if (!prefix && before != '.' && !isKeyword(word) && !namesArgument(text, name.end)) {
        out.push_back(name);
      }
      before = 'a';
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      scanner.name(); // 0x1f, 1e5: its letters are no name
      before = '0';
    } else {
      if (c != ' ' && c != '\t') {
        before = c;
      }
      scanner.next();
    }
  }
  return out;
}

std::vector<source::ByteRange> commentsIn(std::string_view text) {
  std::vector<source::ByteRange> out;
  for (Scanner scanner(text, {0, static_cast<uint32_t>(text.size())}); !scanner.atEnd();) {
    char c = scanner.peek();
    if (c == '#') {
      out.push_back(scanner.comment());
    } else if (c == '"' || c == '\'') {
      scanner.string();
    } else {
      scanner.next();
    }
  }
  return out;
}

} // namespace placid::index
