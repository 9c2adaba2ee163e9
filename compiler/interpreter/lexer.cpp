// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/lexer.h"

#include <cctype>

namespace placid::interp {

namespace {

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> out;
    while (skipSpace()) {
      Token token = next();
      token.first = fresh_;
      fresh_ = false;
      out.push_back(std::move(token));
    }
    out.push_back({Token::Kind::End, "", line_, true});
    return out;
  }

private:
  char at(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  static bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  static bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool inName(char c) { return letter(c) || digit(c) || c == '.' || c == '$'; }

  /// False at the end.
  bool skipSpace() {
    while (pos_ < text_.size()) {
      if (at() == '\n') {
        ++line_;
        fresh_ = true;
        ++pos_;
      } else if (std::isspace(static_cast<unsigned char>(at())) != 0) {
        ++pos_;
      } else if (at() == '/' && at(1) == '/') {
        while (pos_ < text_.size() && at() != '\n') {
          ++pos_;
        }
      } else {
        return true;
      }
    }
    return false;
  }

  std::string take(size_t from) { return std::string(text_.substr(from, pos_ - from)); }

  void name() {
    while (inName(at()) || (at() == '-' && letter(at(1)))) {
      ++pos_;
    }
  }

  /// A `<…>` that follows at once, `->` inside not counted.
  void angles() {
    if (at() != '<') {
      return;
    }
    int depth = 0;
    for (; pos_ < text_.size(); ++pos_) {
      if (at() == '\n') {
        ++line_;
      }
      bool arrow = at() == '>' && pos_ > 0 && text_[pos_ - 1] == '-';
      depth += at() == '<' ? 1 : at() == '>' && !arrow ? -1 : 0;
      if (depth == 0) {
        ++pos_;
        return;
      }
    }
  }

  Token next() {
    int line = line_;
    size_t from = pos_;
    char c = at();
    if (c == '%' || c == '@') {
      ++pos_;
      size_t begin = pos_;
      if (at() == '"') {
        return {c == '@' ? Token::Kind::Symbol : Token::Kind::Value, string(), line};
      }
      name();
      if (at() == '#' && digit(at(1))) { // a result of several: %x#1
        ++pos_;
        name();
      }
      return {c == '%' ? Token::Kind::Value : Token::Kind::Symbol, take(begin), line};
    }
    if (c == '!' || c == '#') {
      ++pos_;
      name();
      angles();
      return {c == '!' ? Token::Kind::Type : Token::Kind::Attribute, take(from), line};
    }
    if (c == '"') {
      return {Token::Kind::String, string(), line};
    }
    if (digit(c) || (c == '-' && digit(at(1)))) {
      number();
      return {Token::Kind::Number, take(from), line};
    }
    if (letter(c)) {
      name();
      if (text_.substr(from, pos_ - from) == "memref" || text_.substr(from, pos_ - from) == "vector") {
        angles();
        return {Token::Kind::Type, take(from), line};
      }
      return {Token::Kind::Word, take(from), line};
    }
    ++pos_;
    if (c == '-' && at() == '>') {
      ++pos_;
    }
    return {Token::Kind::Punct, take(from), line};
  }

  std::string string() {
    size_t from = ++pos_;
    while (pos_ < text_.size() && at() != '"' && at() != '\n') {
      pos_ += at() == '\\' && pos_ + 1 < text_.size() ? 2 : 1;
    }
    std::string out = take(from);
    pos_ += at() == '"' ? 1 : 0;
    return out;
  }

  void number() {
    ++pos_; // a digit or the sign
    if (at() == 'x' && text_[pos_ - 1] == '0') {
      ++pos_;
      while (std::isxdigit(static_cast<unsigned char>(at())) != 0) {
        ++pos_;
      }
      return;
    }
    while (digit(at()) || at() == '.') {
      ++pos_;
    }
    if ((at() == 'e' || at() == 'E') && (digit(at(1)) || ((at(1) == '-' || at(1) == '+') && digit(at(2))))) {
      pos_ += 2;
      while (digit(at())) {
        ++pos_;
      }
    }
  }

  std::string_view text_;
  size_t pos_ = 0;
  int line_ = 1;
  bool fresh_ = true;
};

} // namespace

std::vector<Token> lex(std::string_view text) { return Lexer(text).run(); }

} // namespace placid::interp
