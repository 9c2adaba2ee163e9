// SPDX-License-Identifier: Apache-2.0
// String literals: plain ones, several in a row, and those with values in braces, which are read by the same parser
// through a window on the text.
#include "compiler/syntax/direct_parser.h"
#include "compiler/syntax/escapes.h"

namespace placid::syntax {

DirectParser::Read DirectParser::strings() {
  uint32_t begin = token_.begin;
  std::vector<const Expr *> all;
  while (good_ && token_.kind == Token::Kind::String) {
    Token token = token_;
    advance();
    all.push_back(string(token));
  }
  if (!good_) {
    return fail();
  }
  if (all.size() == 1) {
    return {all[0], begin, end_, false};
  }
  Expr &made = newExpr(Expr::Kind::Other, begin, end_);
  made.text = "a concatenated string";
  newPython(made, PythonExpr::Kind::Concatenated).parts = std::move(all);
  return {&made, begin, end_, false};
}

std::string_view DirectParser::contents(uint32_t begin, uint32_t end, bool raw, bool bytes) {
  std::string_view seen = text(begin, end);
  if (raw || seen.find('\\') == std::string_view::npos) {
    return seen;
  }
  return part_->decoded.emplace_back(decodeEscapes(seen, bytes));
}

const Expr *DirectParser::string(const Token &token) {
  uint32_t begin = token.begin;
  bool raw = false;
  bool bytes = false;
  bool format = false;
  for (; text_[begin] != '"' && text_[begin] != '\''; ++begin) {
    char flag = static_cast<char>(text_[begin] | 32);
    raw |= flag == 'r';
    bytes |= flag == 'b';
    format |= flag == 'f';
  }
  char quote = text_[begin];
  bool triple = token.end - begin >= 6 && text_[begin + 1] == quote && text_[begin + 2] == quote;
  uint32_t width = triple ? 3 : 1;
  begin += width;
  uint32_t end = token.end - width;
  if (format && text(begin, end).find_first_of("{}") != std::string_view::npos) {
    return formatted(token, begin, end, raw);
  }
  if (raw && begin < end && text(begin, end).find_first_not_of("\\\"'\r\n") == std::string_view::npos) {
    giveUp(); // the grammar sees nothing in it
  }
  std::string_view all = contents(begin, end, raw, bytes);
  if (format && all.find_first_of("{}") != std::string_view::npos) {
    giveUp(); // braces out of escapes
  }
  Expr &made = newExpr(bytes ? Expr::Kind::Other : Expr::Kind::String, token.begin, token.end);
  made.text = bytes ? std::string_view("a bytes literal") : all;
  if (bytes) {
    newPython(made, PythonExpr::Kind::Bytes).text = all;
  }
  return &made;
}

const Expr *DirectParser::formatted(const Token &token, uint32_t begin, uint32_t end, bool raw) {
  Expr &made = newExpr(Expr::Kind::Other, token.begin, token.end);
  made.text = "an f-string";
  PythonExpr &python = newPython(made, PythonExpr::Kind::FString);
  std::vector<FormatPiece> pieces;
  uint32_t piece = begin; // where the text that is being read began
  auto addText = [&](uint32_t upTo) {
    if (upTo == piece) {
      return;
    }
    std::string_view seen = contents(piece, upTo, raw, false);
    // `{{` and `}}` stand for one brace.
    if (seen.find("{{") != std::string_view::npos || seen.find("}}") != std::string_view::npos) {
      std::string plain;
      for (size_t i = 0; i < seen.size(); ++i) {
        plain += seen[i];
        i += (seen[i] == '{' || seen[i] == '}') && i + 1 < seen.size() && seen[i + 1] == seen[i] ? 1 : 0;
      }
      seen = part_->decoded.emplace_back(std::move(plain));
    }
    FormatPiece text;
    text.text = seen;
    pieces.push_back(text);
  };
  for (uint32_t at = begin; good_ && at < end;) {
    char c = text_[at];
    char next = at + 1 < end ? text_[at + 1] : '\0';
    if (c == '\\') {
      if (next == '{' || next == '}' || next == 'N') {
        giveUp();
      }
      at += 2;
    } else if ((c == '{' || c == '}') && next == c) {
      at += 2;
    } else if (c == '{') {
      addText(at);
      FormatPiece value;
      at = interpolation(at, end, value);
      pieces.push_back(value);
      piece = at;
    } else if (c == '}') {
      giveUp();
    } else {
      ++at;
    }
  }
  addText(end);
  python.pieces = std::move(pieces);
  return &made;
}

/// What stands between the brace at `at` and its partner; returns the offset after that.
uint32_t DirectParser::interpolation(uint32_t at, uint32_t limit, FormatPiece &out) {
  if (++depth_ > 20) {
    giveUp();
  }
  DirectLexer::Window outer = lexer_.window();
  Token outerToken = token_;
  uint32_t outerEnd = end_;
  lexer_.enter({at + 1, limit, 1});
  advance();
  out.value = expression().expr;
  if (isOperator("=")) {
    out.named = true;
    uint32_t after = token_.end;
    while (after < limit && text_[after] == ' ') {
      ++after;
    }
    out.text = text(at + 1, after); // from the brace on, blanks and all
    advance();
  }
  if (isOperator("!")) {
    uint32_t mark = token_.end;
    advance();
    bool one = token_.kind == Token::Kind::Name && token_.begin == mark && token_.end == mark + 1 &&
               text_[mark] >= 'a' && text_[mark] <= 'z';
    if (!one) {
      giveUp();
    }
    out.conversion = good_ ? text_[mark] : '\0';
    advance();
  }
  uint32_t close = token_.begin;
  if (isOperator(":")) {
    out.spec = formatSpecifier(token_.begin, limit, close);
  } else if (!isOperator("}")) {
    giveUp();
  }
  lexer_.enter(outer);
  token_ = good_ ? outerToken : Token();
  end_ = outerEnd;
  --depth_;
  return close + 1;
}

/// From the colon to before the brace that ends the value, whose offset is put to `end`.
const Expr *DirectParser::formatSpecifier(uint32_t colon, uint32_t limit, uint32_t &end) {
  Expr &made = newExpr(Expr::Kind::Other, colon, colon);
  made.text = "a format specifier";
  PythonExpr &python = newPython(made, PythonExpr::Kind::FString);
  std::vector<FormatPiece> pieces;
  uint32_t at = colon + 1;
  uint32_t piece = at;
  auto addText = [&] {
    if (at > piece) {
      FormatPiece text;
      text.text = this->text(piece, at);
      pieces.push_back(text);
    }
  };
  while (good_ && at < limit && text_[at] != '}') {
    char c = text_[at];
    if (c == '\\' || c == '\n' || c == '\r') {
      giveUp();
    } else if (c == '{') {
      addText();
      FormatPiece value;
      at = interpolation(at, limit, value);
      pieces.push_back(value);
      piece = at;
      continue;
    }
    ++at;
  }
  addText();
  if (at >= limit) {
    giveUp();
  }
  python.pieces = std::move(pieces);
  made.range.end = at;
  end = at;
  return &made;
}

} // namespace placid::syntax
