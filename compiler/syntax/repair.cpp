// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/repair.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace placid::syntax {

namespace {

bool startsBlock(std::string_view statement) {
  constexpr std::array<std::string_view, 12> kKeywords{"if",  "elif",   "else", "for",   "while", "with",
                                                       "try", "except", "def",  "class", "async", "match"};
  return std::any_of(kKeywords.begin(), kKeywords.end(), [&](std::string_view keyword) {
    return statement.starts_with(keyword) && statement.size() > keyword.size() &&
           (statement[keyword.size()] == ' ' || statement[keyword.size()] == ':');
  });
}

/// True for the first line of a block as it stands ahead of its colon; `match` and `case` are names too.
bool headOfBlock(std::string_view statement) {
  constexpr std::array<std::string_view, 10> kLong{"if",  "elif",  "for",    "while",     "with",
                                                   "def", "class", "except", "async for", "async def"};
  constexpr std::array<std::string_view, 4> kAlone{"else", "try", "finally", "except"};
  const bool alone = std::find(kAlone.begin(), kAlone.end(), statement) != kAlone.end();
  return alone || std::any_of(kLong.begin(), kLong.end(), [&](std::string_view keyword) {
           return statement.starts_with(keyword) && statement.size() > keyword.size() &&
                  (statement[keyword.size()] == ' ' || statement[keyword.size()] == '(');
         });
}

/// `1.` is a whole number, `x1.` is not.
bool endsInFloat(std::string_view statement) {
  if (statement.back() != '.') {
    return false;
  }
  size_t begin = statement.size() - 1;
  // Bytes above 0x7F are letters of names here.
  auto isWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; };
  while (begin > 0 && isWord(static_cast<unsigned char>(statement[begin - 1]))) {
    --begin;
  }
  std::string_view digits = statement.substr(begin, statement.size() - 1 - begin);
  return !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
         digits.find_first_not_of("0123456789_") == std::string_view::npos &&
         (begin == 0 || statement[begin - 1] != '.');
}

class Scanner {
public:
  Scanner(std::string_view text, RepairScope scope) : text_(text), scope_(scope) { out_.text = std::string(text); }

  std::optional<Repair> run() {
    while (at_ < text_.size()) {
      line();
    }
    if (!open_.empty() && scope_ == RepairScope::AllFaults) {
      unclosed(text_.size());
    }
    return out_.faults.empty() ? std::nullopt : std::optional(std::move(out_));
  }

private:
  struct Bracket {
    char close;
    uint32_t offset;
  };

  uint32_t offset() const { return static_cast<uint32_t>(at_); }
  bool endOfLine() const { return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }

  void line() {
    size_t begin = at_;
    while (!endOfLine() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\f')) {
      ++at_;
    }
    bool blank = endOfLine() || text_[at_] == '#';
    if (!blank) {
      size_t indent = at_ - begin;
      bool closes = std::string_view(")]}").find(text_[at_]) != std::string_view::npos;
      if (!open_.empty() && indent <= indent_ && !closes && scope_ == RepairScope::AllFaults) {
        unclosed(begin);
      }
      if (open_.empty() && !continued_) {
        statement_ = at_;
        indent_ = indent;
        colon_ = false;
      }
    }
    continued_ = false;
    lastSolid_ = std::string_view::npos;
    while (!endOfLine()) {
      token();
    }
    if (open_.empty() && !continued_ && !blank) {
      const size_t told = out_.faults.size();
      dangling();
      if (out_.faults.size() == told) {
        missingColon();
      }
    }
    at_ += at_ + 1 < text_.size() && text_[at_] == '\r' && text_[at_ + 1] == '\n' ? 2 : at_ < text_.size() ? 1 : 0;
  }

  void token() {
    char c = text_[at_];
    if (c == '#') {
      while (!endOfLine()) {
        ++at_;
      }
      return;
    }
    if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '\n' || text_[at_ + 1] == '\r')) {
      continued_ = true;
      ++at_;
      return;
    }
    if (c == '"' || c == '\'') {
      string(c);
      return;
    }
    colon_ |= c == ':' && open_.empty();
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back({c == '(' ? ')' : c == '[' ? ']' : '}', offset()});
    } else if (!open_.empty() && c == open_.back().close) {
      open_.pop_back();
    }
    if (c != ' ' && c != '\t') {
      lastSolid_ = at_;
    }
    ++at_;
  }

  void string(char quote) {
    size_t begin = at_;
    std::string triple(3, quote);
    if (text_.substr(at_, 3) == triple) {
      for (at_ += 3; at_ < text_.size() && text_.substr(at_, 3) != triple;) {
        at_ += escape();
      }
      if (at_ >= text_.size()) {
        at_ = text_.size();
        open_.clear();
        lastSolid_ = std::string_view::npos;
        const auto opening = static_cast<uint32_t>(begin);
        blank(at_, {{opening, opening + 3}, "the string is never closed"});
        return;
      }
      at_ = std::min(at_ + 3, text_.size());
      lastSolid_ = at_ - 1;
      return;
    }
    for (++at_; !endOfLine() && text_[at_] != quote;) {
      at_ += escape();
    }
    if (at_ < text_.size() && text_[at_] == quote) {
      lastSolid_ = at_++;
      return;
    }
    open_.clear();
    lastSolid_ = std::string_view::npos;
    blank(at_, {{static_cast<uint32_t>(begin), offset()}, "the string is never closed"});
  }

  /// Bytes of one character inside quotes, a backslash with what it escapes: a line end too, of one byte or two.
  size_t escape() const {
    if (text_[at_] != '\\' || at_ + 1 >= text_.size()) {
      return 1;
    }
    return text_.substr(at_ + 1, 2) == "\r\n" ? 3 : 2;
  }

  void unclosed(size_t nextLine) {
    Bracket bracket = open_.back();
    open_.clear();
    std::string which(1, text_[bracket.offset]);
    size_t end = nextLine;
    while (end > statement_ && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) {
      --end;
    }
    blank(end, {{bracket.offset, bracket.offset + 1}, "`" + which + "` is never closed"});
  }

  /// A line that ends where an operand must follow.
  void dangling() {
    if (lastSolid_ == std::string_view::npos) {
      return;
    }
    std::string_view statement = text_.substr(statement_, lastSolid_ + 1 - statement_);
    bool operatorEnd = std::string_view("+-*/%=<>|&^~.").find(statement.back()) != std::string_view::npos;
    bool importsAll = statement.ends_with("import *") || statement.starts_with("from ");
    if (!operatorEnd || statement.ends_with("...") || importsAll || endsInFloat(statement)) {
      return;
    }
    auto last = static_cast<uint32_t>(lastSolid_);
    blank(lastSolid_ + 1, {{last, last + 1}, "an operand is missing after `" + std::string(1, statement.back()) + "`"});
  }

  /// The head of a block without its colon. The block stays one column less indented, which makes the room for the
  /// colon: no character behind it changes its place.
  void missingColon() {
    if (scope_ != RepairScope::AllFaults || lastSolid_ == std::string_view::npos || colon_ ||
        out_.faults.size() >= kMaxFaults || at_ >= text_.size() || !bodyFollows(at_)) {
      return;
    }
    std::string_view statement = text_.substr(statement_, lastSolid_ + 1 - statement_);
    if (!headOfBlock(statement) || out_.text[at_] != text_[at_]) {
      return; // in a block that was moved itself
    }
    const bool room = lastSolid_ + 1 < at_ || text_[at_] == '\r'; // a blank behind the head
    std::string moved = out_.text;
    if (room) {
      moved[lastSolid_ + 1] = ':';
    }
    for (size_t end = at_; !room && end < text_.size();) {
      const size_t next = end + 1;
      const size_t solid = std::min(text_.find_first_not_of(" \t\f", next), text_.size());
      const bool bare = solid >= text_.size() || text_[solid] == '\n' || text_[solid] == '\r';
      const size_t deep = solid - next;
      if (!bare && deep <= indent_) {
        break; // behind the block
      }
      if (!bare && (deep <= indent_ + 1 || text_[next] != ' ')) {
        return; // no column to spare
      }
      if (deep > 0) {
        moved[end] = end == at_ ? ':' : ' ';
        moved[next] = '\n';
      } else if (end == at_) {
        return;
      }
      end = std::min(text_.find('\n', next), text_.size());
    }
    out_.text = std::move(moved);
    const auto end = static_cast<uint32_t>(lastSolid_ + 1);
    out_.faults.push_back({{end, end}, "a `:` is missing at the end of this line"});
  }

  bool bodyFollows(size_t from) const {
    size_t next = text_.find_first_not_of("\r\n", from);
    size_t indent = 0;
    while (next != std::string_view::npos && next + indent < text_.size() &&
           (text_[next + indent] == ' ' || text_[next + indent] == '\t')) {
      ++indent;
    }
    return next != std::string_view::npos && indent > indent_;
  }

  void blank(size_t end, SyntaxFault fault) {
    if (out_.faults.size() >= kMaxFaults || end <= statement_) {
      return;
    }
    std::string_view statement = text_.substr(statement_, end - statement_);
    std::string_view stand = startsBlock(statement) && bodyFollows(end) ? "if 1:" : "pass";
    stand = statement.size() < stand.size() ? "0" : stand;
    for (size_t i = 0; i < statement.size(); ++i) {
      char &c = out_.text[statement_ + i];
      if (c != '\n' && c != '\r') {
        c = i < stand.size() ? stand[i] : ' ';
      }
    }
    out_.faults.push_back(std::move(fault));
  }

  std::string_view text_;
  RepairScope scope_;
  Repair out_;
  std::vector<Bracket> open_;
  size_t at_ = 0;
  size_t statement_ = 0; ///< Where the statement of this line begins.
  size_t indent_ = 0;    ///< Its indentation in bytes.
  size_t lastSolid_ = std::string_view::npos;
  bool continued_ = false;
  bool colon_ = false; ///< This statement has a colon outside of brackets.
};

} // namespace

std::optional<Repair> repairStatements(std::string_view text, RepairScope scope) { return Scanner(text, scope).run(); }

} // namespace placid::syntax
