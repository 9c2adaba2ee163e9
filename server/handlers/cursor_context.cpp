// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/cursor_context.h"

#include <algorithm>
#include <iterator>

namespace placid::server {

namespace {

using source::Word;

/// What begins a statement and stands nowhere in an expression: a bracket in front of it was never closed.
constexpr std::string_view kStatements[] = {"class",  "def",  "del",    "elif",  "except", "finally", "from",
                                            "import", "pass", "return", "raise", "try",    "while",   "with"};
/// Names in front of a bracket that call nothing.
constexpr std::string_view kNoCallees[] = {"and", "assert", "elif", "else", "for",    "from",  "if",   "import", "in",
                                           "is",  "lambda", "not",  "or",   "return", "while", "with", "yield"};

template <size_t N> bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class Reader {
public:
  Reader(std::string_view text, uint32_t cursor) : text_(text), cursor_(cursor) {}

  CursorContext run() {
    CursorContext out;
    words_ = source::wordsOf(text_, {0, cursor_});
    if (!words_.empty() && words_.back().range.end == cursor_) {
      const Word &last = words_.back();
      if (last.kind == Word::Kind::Comment || (last.kind == Word::Kind::String && !last.closed)) {
        out.kind = CursorContext::Kind::Prose;
        return out;
      }
    }
    std::erase_if(words_, [](const Word &word) { return word.kind == Word::Kind::Comment; });
    openBrackets();
    size_t begin = chainBefore(words_.size(), cursor_);
    for (size_t i = begin; i < words_.size(); ++i) {
      out.chain += at(i);
    }
    rest();
    out.named = named_;
    out.kind = kindAt(begin);
    if (out.kind == CursorContext::Kind::Code) {
      out.call = call();
    }
    return out;
  }

private:
  std::string_view at(size_t i) const {
    return i < words_.size() ? source::slice(text_, words_[i].range) : std::string_view();
  }
  bool isMark(size_t i, std::string_view marks) const {
    return i < words_.size() && words_[i].kind == Word::Kind::Mark && marks.find(at(i)) != std::string_view::npos;
  }
  bool isName(size_t i) const { return i < words_.size() && words_[i].kind == Word::Kind::Name; }

  bool firstOfLine(size_t i) const {
    uint32_t before = i == 0 ? 0 : words_[i - 1].range.end;
    return i == 0 ||
           text_.substr(before, words_[i].range.begin - before).find_first_of("\r\n") != std::string_view::npos;
  }
  size_t indentation(size_t i) const {
    while (i > 0 && !firstOfLine(i)) {
      --i;
    }
    size_t line = text_.find_last_of("\r\n", words_[i].range.begin);
    line = line == std::string_view::npos || words_[i].range.begin == 0 ? 0 : line + 1;
    return words_[i].range.begin - line;
  }

  void openBrackets() {
    for (size_t i = 0; i < words_.size(); ++i) {
      bool cursors = words_[i].range.end == cursor_;
      if (firstOfLine(i) && isName(i)) {
        bool begins =
            among(kStatements, at(i)) || (!open_.empty() && !cursors && indentation(i) <= indentation(open_.front()));
        if (begins || open_.empty()) {
          open_.clear();
          statement_ = i;
        }
      } else if (firstOfLine(i) && open_.empty()) {
        statement_ = i;
      }
      if (isMark(i, "([{")) {
        open_.push_back(i);
      } else if (isMark(i, ")]}") && !open_.empty()) {
        open_.pop_back();
      }
    }
  }

  /// The first word of the dotted name that ends in front of word `end`, without a gap up to `offset`.
  size_t chainBefore(size_t end, uint32_t offset) const {
    size_t begin = end;
    while (begin > 0 && words_[begin - 1].range.end == offset && (isName(begin - 1) || isMark(begin - 1, "."))) {
      --begin;
      offset = words_[begin].range.begin;
    }
    return begin;
  }

  CursorContext::Kind kindAt(size_t begin) const {
    using Kind = CursorContext::Kind;
    if (begin > 0 && (at(begin - 1) == "def" || at(begin - 1) == "class" || at(begin - 1) == "as")) {
      return Kind::Definition;
    }
    if (statement_ < begin && (at(statement_) == "import" || at(statement_) == "from")) {
      return Kind::Import;
    }
    // `def f(a, b: T = d)`: annotations and defaults are expressions.
    bool head = !open_.empty() && open_.front() >= 2 && at(open_.front() - 2) == "def";
    if (!head || open_.size() > 1) {
      return Kind::Code;
    }
    for (size_t i = begin; i-- > open_.front() + 1;) {
      if (isMark(i, ":=")) {
        return Kind::Code;
      }
      if (isMark(i, ",")) {
        break;
      }
    }
    return Kind::Definition;
  }

  /// What follows the cursor: the rest of its name, and the names of arguments up to the closing bracket.
  void rest() {
    constexpr uint32_t kMaxAhead = 8192;
    auto end = static_cast<uint32_t>(std::min<size_t>(text_.size(), size_t{cursor_} + kMaxAhead));
    std::vector<Word> words = source::wordsOf(text_, {cursor_, end});
    std::erase_if(words, [](const Word &word) { return word.kind == Word::Kind::Comment; });
    auto word = [&](size_t i) { return i < words.size() ? source::slice(text_, words[i].range) : std::string_view(); };
    auto equals = [&](size_t i) { return word(i) == "=" && text_.substr(words[i].range.end, 1) != "="; };
    bool inName = !words.empty() && words[0].range.begin == cursor_ && words[0].kind != Word::Kind::Mark &&
                  words[0].kind != Word::Kind::String;
    named_ = equals(inName ? 1 : 0);
    int depth = 0;
    for (size_t i = 0; i < words.size() && depth >= 0; ++i) {
      bool mark = words[i].kind == Word::Kind::Mark;
      depth += mark && std::string_view("([{").find(word(i)) != std::string_view::npos ? 1 : 0;
      depth -= mark && std::string_view(")]}").find(word(i)) != std::string_view::npos ? 1 : 0;
      if (depth == 0 && i > 0 && word(i - 1) == "," && words[i].kind == Word::Kind::Name && equals(i + 1)) {
        behind_.emplace_back(word(i));
      }
      if (words[i].kind == Word::Kind::Name && among(kStatements, word(i))) {
        break;
      }
    }
  }

  std::optional<CallAround> call() const {
    for (size_t level = open_.size(); level-- > 0;) {
      size_t open = open_[level];
      size_t begin = isMark(open, "(") ? chainBefore(open, words_[open].range.begin) : open;
      if (begin == open || (begin > 0 && (at(begin - 1) == "def" || at(begin - 1) == "class")) ||
          (open - begin == 1 && among(kNoCallees, at(begin)))) {
        continue; // a list or a parenthesis inside one argument of what is around it
      }
      CallAround out;
      for (size_t i = begin; i < open; ++i) {
        out.callee += at(i);
      }
      if (level + 1 == open_.size()) {
        out.given = behind_;
      }
      arguments(open, out);
      return out;
    }
    return std::nullopt;
  }

  /// Those between the bracket and the cursor.
  void arguments(size_t open, CallAround &out) const {
    int depth = 0;
    std::string name;
    for (size_t i = open + 1; i < words_.size(); ++i) {
      depth += isMark(i, "([{") ? 1 : 0;
      depth -= isMark(i, ")]}") ? 1 : 0;
      bool first = i == open + 1 || (isMark(i - 1, ",") && depth == 0);
      bool equals = isMark(i + 1, "=") && !(isMark(i + 2, "=") && words_[i + 2].range.begin == words_[i + 1].range.end);
      if (first && isName(i) && equals) {
        name = at(i);
      }
      if (depth == 0 && isMark(i, ",")) {
        out.positional += name.empty() ? 1 : 0;
        ++out.argument;
        if (!name.empty()) {
          out.given.push_back(name);
        }
        name.clear();
      }
    }
    out.keyword = name;
  }

  std::string_view text_;
  uint32_t cursor_;
  std::vector<Word> words_;
  std::vector<size_t> open_; ///< Words that are open brackets, outermost first.
  size_t statement_ = 0;     ///< The first word of the statement.
  bool named_ = false;
  std::vector<std::string> behind_;
};

} // namespace

CursorContext contextAt(std::string_view text, uint32_t cursor) {
  return Reader(text, static_cast<uint32_t>(std::min<size_t>(cursor, text.size()))).run();
}

} // namespace placid::server
