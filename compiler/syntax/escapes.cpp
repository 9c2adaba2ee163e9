// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/escapes.h"

#include <cstdint>

namespace placid::syntax {

namespace {

void appendUtf8(uint32_t code, std::string &out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

int hexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

} // namespace

std::string decodeEscapes(std::string_view text, bool bytes) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    char c = text[++i];
    auto hex = [&](size_t digits) {
      uint32_t code = 0;
      for (size_t k = 1; k <= digits; ++k) {
        int digit = i + k < text.size() ? hexDigit(text[i + k]) : -1;
        if (digit < 0) {
          out += '\\';
          out += c;
          return;
        }
        code = code * 16 + static_cast<uint32_t>(digit);
      }
      i += digits;
      if (bytes) {
        out += static_cast<char>(code);
      } else {
        appendUtf8(code < 0x110000 ? code : 0xFFFD, out);
      }
    };
    switch (c) {
    case '\n':
      break;
    case '\r':
      i += i + 1 < text.size() && text[i + 1] == '\n' ? 1 : 0;
      break;
    case 'n':
      out += '\n';
      break;
    case 't':
      out += '\t';
      break;
    case 'r':
      out += '\r';
      break;
    case 'a':
      out += '\a';
      break;
    case 'b':
      out += '\b';
      break;
    case 'f':
      out += '\f';
      break;
    case 'v':
      out += '\v';
      break;
    case '\\':
    case '\'':
    case '"':
      out += c;
      break;
    case 'x':
      hex(2);
      break;
    case 'u':
    case 'U':
      if (bytes) {
        out += '\\';
        out += c;
      } else {
        hex(c == 'u' ? 4 : 8);
      }
      break;
    default:
      if (c >= '0' && c <= '7') {
        uint32_t code = 0;
        size_t digits = 0;
        while (digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7') {
          code = code * 8 + static_cast<uint32_t>(text[i + digits] - '0');
          ++digits;
        }
        i += digits - 1;
        if (bytes) {
          out += static_cast<char>(code);
        } else {
          appendUtf8(code, out);
        }
      } else {
        out += '\\';
        out += c;
      }
    }
  }
  return out;
}

} // namespace placid::syntax
