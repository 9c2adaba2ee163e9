// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/words.h"

#include "compiler/source/python_keywords.h"
#include "compiler/source/words.h"

namespace placid::index {

namespace {

/// `name=` inside brackets, but not `name ==`.
bool namesArgument(std::string_view text, uint32_t end) {
  size_t at = text.find_first_not_of(" \t", end);
  return at != std::string_view::npos && text[at] == '=' && (at + 1 >= text.size() || text[at + 1] != '=');
}

} // namespace

std::vector<source::ByteRange> namesIn(std::string_view text, source::ByteRange range) {
  std::vector<source::ByteRange> out;
  bool afterDot = false;
  for (const source::Word &word : source::wordsOf(text, range)) {
    std::string_view name = source::slice(text, word.range);
    if (word.kind == source::Word::Kind::Name && !afterDot && !source::isPythonKeyword(name) &&
        !namesArgument(text, word.range.end)) {
      out.push_back(word.range);
    }
    afterDot = word.kind == source::Word::Kind::Mark && name == ".";
  }
  return out;
}

std::vector<source::ByteRange> commentsIn(std::string_view text) {
  std::vector<source::ByteRange> out;
  for (const source::Word &word : source::wordsOf(text, {0, static_cast<uint32_t>(text.size())})) {
    if (word.kind == source::Word::Kind::Comment) {
      out.push_back(word.range);
    }
  }
  return out;
}

} // namespace placid::index
