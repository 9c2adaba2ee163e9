// SPDX-License-Identifier: Apache-2.0
// Python text as words: just well enough to know names, strings and comments apart. For texts that do not parse, for
// what a syntax tree keeps as one piece, and for comments, which it drops. Knows no grammar. Total, pure; any thread.
#pragma once

#include "compiler/source/text.h"

#include <string_view>
#include <vector>

namespace placid::source {

struct Word {
  enum class Kind : uint8_t {
    Name,    ///< Keywords too.
    Number,  ///< With the letters in it: 0x1f, 1e5.
    String,  ///< With its prefix and quotes; an f-string is one word.
    Comment, ///< From `#` to the end of the line.
    Mark,    ///< Any other character but blanks and line ends.
  };
  Kind kind = Kind::Mark;
  ByteRange range;
  bool closed = true; ///< Strings: the quotes behind it are there.
};

/// The words that begin in `range`, in order; none reaches beyond it.
std::vector<Word> wordsOf(std::string_view text, ByteRange range);

inline std::string_view slice(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

/// What stands between the quotes of a string literal; empty for anything else.
ByteRange insideQuotes(std::string_view text, ByteRange literal);

} // namespace placid::source
