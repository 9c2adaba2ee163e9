// SPDX-License-Identifier: Apache-2.0
// Tokens of Python for the direct parser: words, numbers, whole string literals, operators, and the ends and indents of
// lines. Strict: whatever is unusual is Bad, and the text is then left to the grammar. Private to compiler/syntax; one
// thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace placid::syntax {

/// A word or an operator of up to 8 bytes as a number, so that comparing one is comparing numbers.
constexpr uint64_t code(std::string_view text) {
  uint64_t out = 0;
  for (size_t i = 0; i < text.size() && i < 8; ++i) {
    out |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  }
  return out;
}

struct Token {
  enum class Kind : uint8_t { Name, Keyword, Int, Float, String, Operator, Newline, Indent, Dedent, End, Bad };
  Kind kind = Kind::Bad;
  uint32_t begin = 0;
  uint32_t end = 0;
  uint64_t code = 0; ///< Keyword, Operator; else 0.
};

class DirectLexer {
public:
  explicit DirectLexer(std::string_view text) : text_(text), limit_(static_cast<uint32_t>(text.size())) {}

  Token next();

  /// The place where the next token is looked for, and what ends the text: a part of it is read by itself inside an
  /// f-string, as if in brackets.
  struct Window {
    uint32_t at = 0;
    uint32_t limit = 0;
    uint32_t brackets = 0;
  };
  Window window() const { return {at_, limit_, brackets_}; }
  void enter(Window window) {
    at_ = window.at;
    limit_ = window.limit;
    brackets_ = window.brackets;
  }

private:
  char peek(uint32_t ahead = 0) const { return at_ + ahead < limit_ ? text_[at_ + ahead] : '\0'; }
  bool skipBlanks();
  bool startLine(Token &out);
  Token word();
  Token number();
  Token string(uint32_t begin);
  Token operatorToken();
  Token finish(Token::Kind kind, uint32_t begin);

  std::string_view text_;
  uint32_t at_ = 0;
  uint32_t limit_;
  uint32_t brackets_ = 0; ///< How many are open: then ends of lines mean nothing.
  bool lineStart_ = true;
  bool solid_ = false; ///< Something stands in the line.
  uint32_t dedents_ = 0;
  std::vector<uint32_t> indents_{0};
};

} // namespace placid::syntax
