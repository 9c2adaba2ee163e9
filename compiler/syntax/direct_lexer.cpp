// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/direct_lexer.h"

#include "compiler/source/python_keywords.h"

#include <algorithm>
#include <array>

namespace placid::syntax {

namespace {

constexpr auto kKeywords = [] {
  std::array<uint64_t, source::kPythonKeywords.size()> out{};
  std::transform(source::kPythonKeywords.begin(), source::kPythonKeywords.end(), out.begin(), code);
  return out;
}();

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isLetter(c) || isDigit(c); }

bool isStringPrefix(std::string_view word) {
  auto lower = [](char c) { return static_cast<char>(c | 32); };
  if (word.size() == 1) {
    return std::string_view("rbuf").find(lower(word[0])) != std::string_view::npos;
  }
  if (word.size() != 2) {
    return false;
  }
  char a = lower(word[0]);
  char b = lower(word[1]);
  return (a == 'r' && (b == 'b' || b == 'f')) || (b == 'r' && (a == 'b' || a == 'f'));
}

} // namespace

Token DirectLexer::finish(Token::Kind kind, uint32_t begin) {
  Token out;
  out.kind = kind;
  out.begin = begin;
  out.end = at_;
  return out;
}

/// False for what is no blank of a plain text.
bool DirectLexer::skipBlanks() {
  while (at_ < limit_) {
    char c = text_[at_];
    if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '#') {
      while (at_ < limit_ && text_[at_] != '\n' && text_[at_] != '\r') {
        ++at_;
      }
    } else if (c == '\\') {
      uint32_t width = peek(1) == '\n' ? 2 : peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
      if (width == 0 || at_ + width >= limit_) {
        return false;
      }
      at_ += width;
    } else if (brackets_ > 0 && c == '\n') {
      ++at_;
    } else if (brackets_ > 0 && c == '\r' && peek(1) == '\n') {
      at_ += 2;
    } else {
      return c != '\r' || peek(1) == '\n';
    }
  }
  return true;
}

/// Blank lines away, and the indentation of the next one: true when it is a token.
bool DirectLexer::startLine(Token &out) {
  uint32_t indent = 0;
  while (true) {
    uint32_t begin = at_;
    while (peek() == ' ') {
      ++at_;
    }
    indent = at_ - begin;
    if (peek() == '#') {
      while (at_ < limit_ && text_[at_] != '\n' && text_[at_] != '\r') {
        ++at_;
      }
    }
    if (peek() == '\r' && peek(1) == '\n') {
      ++at_;
    }
    if (at_ >= limit_) {
      indent = 0;
      break;
    }
    if (text_[at_] != '\n') {
      break;
    }
    ++at_;
  }
  lineStart_ = false;
  solid_ = false;
  if (at_ < limit_ && (text_[at_] == '\t' || text_[at_] == '\\' || text_[at_] == '\r' || text_[at_] == '\f')) {
    out = finish(Token::Kind::Bad, at_);
    return true;
  }
  if (indent > indents_.back()) {
    indents_.push_back(indent);
    out = finish(Token::Kind::Indent, at_);
    return true;
  }
  while (indent < indents_.back()) {
    indents_.pop_back();
    ++dedents_;
  }
  if (indent != indents_.back()) {
    out = finish(Token::Kind::Bad, at_);
    return true;
  }
  return false;
}

Token DirectLexer::next() {
  Token out;
  if (lineStart_ && brackets_ == 0 && startLine(out)) {
    return out;
  }
  if (dedents_ > 0) {
    --dedents_;
    return finish(Token::Kind::Dedent, at_);
  }
  if (!skipBlanks()) {
    return finish(Token::Kind::Bad, at_);
  }
  uint32_t begin = at_;
  if (at_ >= limit_) {
    if (solid_ && brackets_ == 0) {
      solid_ = false;
      lineStart_ = true;
      return finish(Token::Kind::Newline, begin);
    }
    return finish(Token::Kind::End, begin);
  }
  char c = text_[at_];
  if (c == '\n' || c == '\r') {
    at_ += c == '\r' ? 2 : 1;
    lineStart_ = true;
    return finish(Token::Kind::Newline, begin);
  }
  solid_ = true;
  if (isLetter(c)) {
    return word();
  }
  if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
    return number();
  }
  if (c == '"' || c == '\'') {
    return string(begin);
  }
  return operatorToken();
}

Token DirectLexer::word() {
  uint32_t begin = at_;
  while (isWord(peek())) {
    ++at_;
  }
  char after = peek();
  std::string_view text = text_.substr(begin, at_ - begin);
  if (after == '"' || after == '\'') {
    return isStringPrefix(text) ? string(begin) : finish(Token::Kind::Bad, begin);
  }
  if ((after & 0x80) != 0) {
    return finish(Token::Kind::Bad, begin);
  }
  Token out = finish(Token::Kind::Name, begin);
  if (text.size() <= 8 && std::find(kKeywords.begin(), kKeywords.end(), code(text)) != kKeywords.end()) {
    out.kind = Token::Kind::Keyword;
    out.code = code(text);
  }
  return out;
}

Token DirectLexer::number() {
  uint32_t begin = at_;
  bool good = true;
  // Digits with single underscores between them.
  auto digits = [&](auto isOne) {
    uint32_t first = at_;
    while (isOne(peek()) || (peek() == '_' && at_ > first)) {
      good &= peek() != '_' || isOne(peek(1));
      ++at_;
    }
    return at_ > first;
  };
  char base = static_cast<char>(peek(1) | 32);
  if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    at_ += 2;
    good &= digits([&](char c) {
      char lower = static_cast<char>(c | 32);
      return base == 'x'   ? isDigit(c) || (lower >= 'a' && lower <= 'f')
             : base == 'o' ? c >= '0' && c <= '7'
                           : c == '0' || c == '1';
    });
    return finish(good && !isWord(peek()) ? Token::Kind::Int : Token::Kind::Bad, begin);
  }
  bool real = false;
  digits(isDigit);
  if (peek() == '.') {
    real = true;
    ++at_;
    digits(isDigit);
  }
  if ((peek() | 32) == 'e' && (isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && isDigit(peek(2))))) {
    real = true;
    at_ += 2;
    digits(isDigit);
  }
  bool end = !isWord(peek()) && peek() != '.' && (peek() & 0x80) == 0;
  return finish(!good || !end ? Token::Kind::Bad : real ? Token::Kind::Float : Token::Kind::Int, begin);
}

Token DirectLexer::string(uint32_t begin) {
  char quote = text_[at_];
  bool triple = peek(1) == quote && peek(2) == quote;
  at_ += triple ? 3 : 1;
  for (; at_ < limit_; ++at_) {
    char c = text_[at_];
    if (c == '\\') {
      ++at_;
      if (!triple && (peek() == '\n' || peek() == '\r')) {
        break;
      }
    } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
      at_ += triple ? 3 : 1;
      return finish(Token::Kind::String, begin);
    } else if (!triple && (c == '\n' || c == '\r')) {
      break;
    } else if (c == '\0') {
      break;
    }
  }
  at_ = std::min(at_, limit_);
  return finish(Token::Kind::Bad, begin);
}

Token DirectLexer::operatorToken() {
  uint32_t begin = at_;
  auto made = [&](uint32_t width) {
    at_ += width;
    Token out = finish(Token::Kind::Operator, begin);
    out.code = code(text_.substr(begin, width));
    return out;
  };
  char c = peek();
  char second = peek(1);
  switch (c) {
  case '(':
  case '[':
  case '{':
    ++brackets_;
    return made(1);
  case ')':
  case ']':
  case '}':
    if (brackets_ == 0) {
      return finish(Token::Kind::Bad, begin);
    }
    --brackets_;
    return made(1);
  case ',':
  case ';':
  case '~':
    return made(1);
  case ':':
    return made(second == '=' ? 2 : 1);
  case '.':
    return second == '.' && peek(2) == '.' ? made(3) : made(1);
  case '*':
  case '/':
  case '<':
  case '>':
    if (c == '<' && second == '>') {
      return finish(Token::Kind::Bad, begin);
    }
    if (second == c) {
      return made(peek(2) == '=' ? 3 : 2);
    }
    return made(second == '=' ? 2 : 1);
  case '-':
    return made(second == '=' || second == '>' ? 2 : 1);
  case '+':
  case '%':
  case '@':
  case '&':
  case '|':
  case '=':
  case '!':
    return made(second == '=' ? 2 : 1);
  default: // `^` too: the grammar and Python disagree on what it binds
    return finish(Token::Kind::Bad, begin);
  }
}

} // namespace placid::syntax
