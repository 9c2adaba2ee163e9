// SPDX-License-Identifier: Apache-2.0
// PTO IR text to tokens. A type `!pto.x<…>` and an attribute `#pto.x<…>` are one token each, so that their inner
// spelling (`16x32xf16`) never meets the rules of names and numbers. Total: a stray byte is a token. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace placid::interp {

struct Token {
  enum class Kind : uint8_t { End, Word, Value, Symbol, Number, String, Type, Attribute, Punct } kind = Kind::End;
  std::string text; ///< Values without `%`, symbols without `@`, strings without quotes.
  int line = 0;
  bool first = false; ///< The first token of its line.
  bool is(std::string_view what) const { return (kind == Kind::Punct || kind == Kind::Word) && text == what; }
};

/// Ends with an End token.
std::vector<Token> lex(std::string_view text);

} // namespace placid::interp
