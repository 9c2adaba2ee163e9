// SPDX-License-Identifier: Apache-2.0
#include "server/settings/toml.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace placid::server {

namespace {

constexpr int kMaxDepth = 32;

bool bareChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

void appendUtf8(uint32_t code, std::string &out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    out += static_cast<char>(0x80U | ((code >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  TomlText run() {
    while (!atEnd()) {
      skipSpace(/*lines=*/true);
      if (atEnd()) {
        break;
      }
      size_t begin = at_;
      bool good = peek() == '[' ? header() : entry(table_, out_.entries);
      if (good && !endOfLine()) {
        good = fail(at_, "expected the end of the line");
      }
      if (!good) {
        // A broken value may span lines; what follows is told apart again by the next line.
        at_ = std::max(at_, begin);
        while (!atEnd() && peek() != '\n') {
          ++at_;
        }
      }
    }
    return std::move(out_);
  }

private:
  bool atEnd() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  source::ByteRange from(size_t begin) const { return {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)}; }

  bool fail(size_t where, std::string message) {
    auto begin = static_cast<uint32_t>(std::min(where, text_.size()));
    uint32_t end = begin;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r' && end < begin + 40) {
      ++end;
    }
    out_.faults.push_back({{begin, end}, std::move(message), table_});
    return false;
  }

  void skipSpace(bool lines) {
    while (!atEnd()) {
      char c = peek();
      if (c == '#') {
        while (!atEnd() && peek() != '\n') {
          ++at_;
        }
      } else if (c == ' ' || c == '\t' || (lines && (c == '\n' || c == '\r'))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool endOfLine() {
    skipSpace(false);
    return atEnd() || peek() == '\n' || peek() == '\r';
  }

  bool header() {
    size_t begin = at_;
    bool array = peek(1) == '[';
    at_ += array ? 2 : 1;
    std::vector<std::string> path;
    if (!keyPath(path)) {
      return false;
    }
    std::string_view close = array ? "]]" : "]";
    if (text_.substr(at_, close.size()) != close) {
      return fail(begin, "the name of a table is not closed");
    }
    at_ += close.size();
    table_ = std::move(path);
    if (array) {
      table_.emplace_back("[]"); // an element of a list of tables is no table of settings
    }
    return true;
  }

  bool keyPath(std::vector<std::string> &path) {
    while (true) {
      skipSpace(false);
      std::string part;
      size_t begin = at_;
      if (peek() == '"' || peek() == '\'') {
        TomlValue value;
        if (!string(value)) {
          return false;
        }
        part = std::move(value.text);
      } else {
        while (bareChar(peek())) {
          part += text_[at_++];
        }
        if (part.empty()) {
          return fail(begin, "expected a key");
        }
      }
      path.push_back(std::move(part));
      skipSpace(false);
      if (peek() != '.') {
        return true;
      }
      ++at_;
    }
  }

  bool entry(const std::vector<std::string> &table, std::vector<TomlEntry> &out) {
    TomlEntry made;
    made.path = table;
    size_t begin = at_;
    if (!keyPath(made.path)) {
      return false;
    }
    size_t end = at_;
    while (end > begin && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) {
      --end;
    }
    made.keyRange = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    if (peek() != '=') {
      return fail(at_, "expected `=` after the key");
    }
    ++at_;
    skipSpace(false);
    if (!value(made.value)) {
      return false;
    }
    out.push_back(std::move(made));
    return true;
  }

  bool value(TomlValue &out) {
    size_t begin = at_;
    if (depth_ >= kMaxDepth) {
      return fail(begin, "nested too deep");
    }
    ++depth_;
    bool good = valueInner(out);
    --depth_;
    out.range = from(begin);
    return good;
  }

  bool valueInner(TomlValue &out) {
    char c = peek();
    if (c == '"' || c == '\'') {
      return string(out);
    }
    if (c == '[') {
      return array(out);
    }
    if (c == '{') {
      return inlineTable(out);
    }
    size_t begin = at_;
    while (!atEnd() && (bareChar(peek()) || peek() == '+' || peek() == '.' || peek() == ':')) {
      out.text += text_[at_++];
    }
    if (out.text.empty()) {
      return fail(begin, "expected a value");
    }
    if (out.text == "true" || out.text == "false") {
      out.kind = TomlValue::Kind::Boolean;
      return true;
    }
    std::string digits;
    std::copy_if(out.text.begin(), out.text.end(), std::back_inserter(digits), [](char d) { return d != '_'; });
    size_t sign = digits[0] == '-' || digits[0] == '+' ? 1 : 0;
    bool whole =
        digits.size() > sign && std::all_of(digits.begin() + static_cast<std::ptrdiff_t>(sign), digits.end(),
                                            [](char d) { return std::isdigit(static_cast<unsigned char>(d)); });
    if (whole) {
      out.kind = TomlValue::Kind::Integer;
      out.text = digits[0] == '+' ? digits.substr(1) : digits;
      return true;
    }
    if (!std::isdigit(static_cast<unsigned char>(digits[sign])) && digits.substr(sign) != "inf" &&
        digits.substr(sign) != "nan") {
      return fail(begin, "`" + out.text + "` is no value: a string stands in quotes");
    }
    out.kind = TomlValue::Kind::Other; // a float or a date
    return true;
  }

  bool string(TomlValue &out) {
    out.kind = TomlValue::Kind::String;
    size_t begin = at_;
    char quote = peek();
    bool multi = peek(1) == quote && peek(2) == quote;
    at_ += multi ? 3 : 1;
    while (!atEnd()) {
      char c = peek();
      if (c == quote && (!multi || (peek(1) == quote && peek(2) == quote))) {
        at_ += multi ? 3 : 1;
        return true;
      }
      if (!multi && (c == '\n' || c == '\r')) {
        break;
      }
      if (c == '\\' && quote == '"') {
        if (!escape(out.text)) {
          return false;
        }
        continue;
      }
      out.text += c;
      ++at_;
    }
    return fail(begin, "the string is not closed");
  }

  bool escape(std::string &out) {
    size_t begin = at_++;
    char c = atEnd() ? '\0' : text_[at_++];
    constexpr std::string_view kNames = "btnfr\"\\";
    constexpr std::string_view kValues = "\b\t\n\f\r\"\\";
    if (size_t found = kNames.find(c); c != '\0' && found != std::string_view::npos) {
      out += kValues[found];
      return true;
    }
    if (c == '\n' || c == '\r') {
      skipSpace(true);
      return true;
    }
    size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    uint32_t code = 0;
    for (size_t i = 0; i < digits; ++i) {
      char d = peek();
      if (!std::isxdigit(static_cast<unsigned char>(d))) {
        return fail(begin, "an escape that TOML does not have");
      }
      code = code * 16 +
             static_cast<uint32_t>(std::isdigit(static_cast<unsigned char>(d)) ? d - '0' : (d | 0x20) - 'a' + 10);
      ++at_;
    }
    if (digits == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      return fail(begin, "an escape that TOML does not have");
    }
    appendUtf8(code, out);
    return true;
  }

  bool array(TomlValue &out) {
    out.kind = TomlValue::Kind::Array;
    size_t begin = at_++;
    while (true) {
      skipSpace(true);
      if (peek() == ']') {
        ++at_;
        return true;
      }
      if (atEnd()) {
        return fail(begin, "the list is not closed");
      }
      if (!value(out.items.emplace_back())) {
        return false;
      }
      skipSpace(true);
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ']') {
        return fail(at_, "expected `,` or `]`");
      }
    }
  }

  bool inlineTable(TomlValue &out) {
    out.kind = TomlValue::Kind::Table;
    size_t begin = at_++;
    while (true) {
      skipSpace(false);
      if (peek() == '}') {
        ++at_;
        return true;
      }
      if (atEnd() || peek() == '\n') {
        return fail(begin, "the table is not closed");
      }
      if (!entry({}, out.members)) {
        return false;
      }
      skipSpace(false);
      if (peek() == ',') {
        ++at_;
      } else if (peek() != '}') {
        return fail(at_, "expected `,` or `}`");
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> table_;
  TomlText out_;
};

} // namespace

TomlText parseToml(std::string_view text) { return Parser(text).run(); }

} // namespace placid::server
