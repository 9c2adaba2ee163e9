// SPDX-License-Identifier: Apache-2.0
// Whether a text imports a PL dialect, without parsing it: whoever looks through a folder asks this of every file.
// Names in comments and texts do not count: a documentation that shows an import is no import. Any thread.
#include "compiler/driver/compiler_service.h"

#include <algorithm>
#include <string>

namespace placid::compiler {

namespace {

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool findsImport() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == '#') {
        skipLine();
      } else if (c == '"' || c == '\'') {
        std::string_view inside = literal();
        if (namesDialect(inside)) {
          return true; // for `importlib.import_module`
        }
        if (broken_ && inside.find("pypto") != std::string_view::npos) {
          return true; // an import with a quote in it: what is wrong with it is told
        }
        if (open_) { // a quote too many turns code and texts round
          return text_.find("language") != std::string_view::npos;
        }
      } else if (isWord(c)) {
        bool isMember = at_ > 0 && text_[at_ - 1] == '.';
        std::string_view name = word();
        if (!isMember && (name == "pypto" || name == "pypto_pro") && isFollowedByLanguage()) {
          return true;
        }
      } else {
        ++at_;
      }
    }
    return false;
  }

private:
  static bool namesDialect(std::string_view text) {
    for (std::string_view name : {"pypto.language", "pypto_pro.language"}) {
      if (text.starts_with(name) && (text.size() == name.size() || text[name.size()] == '.')) {
        return text.find_first_of(" \t\r\n") == std::string_view::npos;
      }
    }
    return false;
  }

  std::string_view word() {
    size_t begin = at_;
    while (at_ < text_.size() && isWord(text_[at_])) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  static bool endsLine(char c) { return c == '\n' || c == '\r'; }

  void skipLine() { at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()); }

  /// Steps over a literal, and gives what stands in it.
  std::string_view literal() {
    char quote = text_[at_];
    bool isLong = text_.substr(at_).starts_with(std::string(3, quote));
    std::string end(isLong ? 3 : 1, quote);
    at_ += end.size();
    size_t begin = at_;
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end) && (isLong || !endsLine(text_[at_]))) {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    std::string_view out = text_.substr(begin, at_ - begin);
    bool ends = text_.substr(at_).starts_with(end);
    open_ = isLong && !ends;
    broken_ = !isLong && !ends;
    at_ += ends ? end.size() : 0;
    return out;
  }

  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  /// `.language`, or ` import …, language …` to the end of the line or parenthesis.
  bool isFollowedByLanguage() {
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      // A name that breaks off is half an import: what is wrong with it is told.
      std::string_view name = word();
      const bool breaks = at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) == std::string_view::npos;
      return name == "language" || (breaks && name.size() > 5 && std::string_view("language").starts_with(name));
    }
    skipSpace();
    if (!text_.substr(at_).starts_with("import")) {
      return false;
    }
    word();
    bool isOpen = false;
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (isWord(c)) {
        if (word() == "language") {
          return true;
        }
        continue;
      }
      if (c == '#') {
        skipLine();
        continue;
      }
      if (c == '\\' && at_ + 1 < text_.size() && endsLine(text_[at_ + 1])) {
        at_ += text_.substr(at_ + 1).starts_with("\r\n") ? 3 : 2;
        continue;
      }
      if (c == ')' || c == ';' || (endsLine(c) && !isOpen)) {
        return false;
      }
      isOpen = isOpen || c == '(';
      ++at_;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool open_ = false;   ///< The last literal never ends.
  bool broken_ = false; ///< It ends with its line, and has no quote there.
};

} // namespace

bool importsPl(std::string_view text) {
  return text.find("pypto") != std::string_view::npos && Scanner(text).findsImport();
}

} // namespace placid::compiler
