// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/guards.h"

#include <algorithm>
#include <cstdio>
#include <functional>

namespace placid::syntax {

namespace {

/// tree-sitter 0.20 counts the children of a node in 16 bits, and a broken statement is one node.
constexpr size_t kMaxWords = 60000;

/// Bytes and code point of a character that Python refuses outside of texts and comments; 0 bytes for any other.
size_t invisibleAt(std::string_view text, size_t at, unsigned &code) {
  static constexpr unsigned kCodes[] = {0x0B,   0xA0,   0xAD,   0x200B, 0x200C, 0x200D, 0x200E,
                                        0x200F, 0x2028, 0x2029, 0x2060, 0x3000, 0xFEFF};
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  size_t size = 1;
  code = byte(at);
  if ((code & 0xC0) == 0x80) {
    return 0; // inside a character
  }
  if ((code & 0xE0) == 0xC0) {
    size = 2;
    code = (code & 0x1F) << 6 | (byte(at + 1) & 0x3F);
  } else if ((code & 0xF0) == 0xE0) {
    size = 3;
    code = (code & 0x0F) << 12 | (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F);
  }
  return std::find(std::begin(kCodes), std::end(kCodes), code) != std::end(kCodes) ? size : 0;
}

/// A logical line: with all that brackets, three quotes and backslashes join to it.
struct Line {
  size_t begin = 0; ///< Its first character, indentation included.
  size_t end = 0;   ///< Its line end, or the end of the text.
  size_t words = 0;
  char last = 0; ///< The last character that is no blank.
};

bool inWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

void eachLine(std::string_view code, const std::function<void(const Line &)> &visit,
              const std::function<void(size_t)> &outside) {
  Line line;
  size_t depth = 0;
  auto finish = [&](size_t at) {
    line.end = at;
    visit(line);
    line = {};
    line.begin = at + 1;
  };
  for (size_t at = 0; at < code.size(); ++at) {
    char c = code[at];
    if (c == '\n') {
      if (depth == 0) {
        finish(at);
      }
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      continue;
    }
    if (c == '\\') {
      at += at + 1 < code.size() && code[at + 1] == '\r' ? 2 : 1;
      continue;
    }
    line.last = c;
    if (c == '"' || c == '\'') {
      ++line.words;
      const bool three = code.substr(at, 3) == std::string(3, c);
      for (at += three ? 3 : 1; at < code.size(); ++at) {
        if (code[at] == '\\') {
          ++at;
        } else if (three ? code.substr(at, 3) == std::string(3, c) : code[at] == c) {
          at += three ? 2 : 0;
          break;
        } else if (!three && code[at] == '\n') {
          --at; // never closed
          break;
        }
      }
      continue;
    }
    line.words += inWord(c) && at > 0 && inWord(code[at - 1]) ? 0 : 1;
    depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
    depth -= (c == ')' || c == ']' || c == '}') && depth > 0 ? 1 : 0;
    outside(at);
  }
  finish(code.size());
}

} // namespace

std::vector<SyntaxFault> guardGrammar(std::string &code) {
  std::vector<SyntaxFault> faults;
  std::vector<std::pair<size_t, size_t>> blanks;
  const std::string_view text = code;
  auto fault = [&](size_t begin, size_t end, std::string message, bool tooDeep) {
    if (faults.size() < kMaxFaults) {
      faults.push_back({{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, std::move(message), tooDeep});
    }
  };
  eachLine(
      text,
      [&](const Line &line) {
        if (line.words > kMaxWords) {
          blanks.emplace_back(line.begin, line.end);
          fault(line.begin, std::min(line.begin + 40, line.end), "", /*tooDeep=*/true);
        }
      },
      [&](size_t at) {
        unsigned point = 0;
        const size_t size = invisibleAt(text, at, point);
        if (size == 0) {
          return;
        }
        blanks.emplace_back(at, at + size);
        if (at > 0 || point != 0xFEFF) { // a mark at the beginning is none of the text
          char shown[16];
          std::snprintf(shown, sizeof shown, "U+%04X", point);
          fault(at, at + size, "a character that cannot be seen, " + std::string(shown), false);
        }
      });
  for (const auto &[begin, end] : blanks) {
    std::replace_if(
        code.begin() + static_cast<std::ptrdiff_t>(begin), code.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n' && c != '\r'; }, ' ');
  }
  return faults;
}

std::vector<SyntaxFault> badIndentation(std::string_view code) {
  /// Columns with a tab as up to eight blanks, and with a tab as one: Python wants both to agree.
  struct Indent {
    size_t wide = 0;
    size_t narrow = 0;
  };
  std::vector<SyntaxFault> faults;
  std::vector<Indent> open{Indent()};
  bool opens = false; // the line before ends in a colon
  Line solid;         // the last one that has words
  eachLine(
      code,
      [&](const Line &line) {
        if (line.words == 0 || !faults.empty()) {
          return;
        }
        Indent own;
        size_t at = line.begin;
        for (; at < line.end && (code[at] == ' ' || code[at] == '\t' || code[at] == '\f'); ++at) {
          own.wide = code[at] == '\f' ? 0 : code[at] == '\t' ? (own.wide / 8 + 1) * 8 : own.wide + 1;
          own.narrow = code[at] == '\f' ? 0 : own.narrow + 1;
        }
        auto refuse = [&](const char *why) {
          faults.push_back({{static_cast<uint32_t>(at), static_cast<uint32_t>(std::min(line.end, at + 40))}, why});
        };
        if (own.wide > open.back().wide) {
          if (own.narrow <= open.back().narrow) {
            refuse("tabs and blanks that do not agree on the indentation");
          } else if (!opens) {
            refuse("an indentation that nothing before it begins");
          }
          open.push_back(own);
        } else {
          while (open.size() > 1 && own.wide < open.back().wide) {
            open.pop_back();
          }
          if (opens) {
            refuse("a block is missing: the line before ends in `:`, and this one is not indented below it");
          } else if (own.wide != open.back().wide) {
            refuse("an indentation that no block around it has");
          } else if (own.narrow != open.back().narrow) {
            refuse("tabs and blanks that do not agree on the indentation");
          }
        }
        opens = line.last == ':';
        solid = line;
      },
      [](size_t) {});
  if (opens && faults.empty()) {
    const size_t colon = code.rfind(':', solid.end);
    faults.push_back({{static_cast<uint32_t>(colon), static_cast<uint32_t>(colon + 1)},
                      "a block is missing: nothing follows this `:`"});
  }
  return faults;
}

} // namespace placid::syntax
