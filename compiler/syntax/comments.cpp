// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/comments.h"

namespace placid::syntax {

std::string blankComments(std::string_view text) {
  std::string out(text);
  auto endOfLine = [&](size_t at) { return at >= text.size() || text[at] == '\n' || text[at] == '\r'; };
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '#') {
      for (; !endOfLine(at); ++at) {
        out[at] = ' ';
      }
    } else if (c == '"' || c == '\'') {
      // A string: three quotes end with three, one quote ends with one or, when it is never closed, with its line.
      size_t width = text.substr(at, 3) == std::string(3, c) ? 3 : 1;
      for (at += width; at < text.size(); ++at) {
        if (text[at] == '\\') {
          ++at;
        } else if (text.substr(at, width) == std::string(width, c)) {
          at += width;
          break;
        } else if (width == 1 && endOfLine(at)) {
          break;
        }
      }
    } else {
      ++at;
    }
  }
  return out;
}

} // namespace placid::syntax
