// SPDX-License-Identifier: Apache-2.0
#include "compiler/syntax/python_rules.h"

#include "compiler/source/python_keywords.h"

#include <algorithm>
#include <set>
#include <string>

namespace placid::syntax {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits of `base` with single underscores between them, at least one.
bool soundDigits(std::string_view digits, unsigned base) {
  bool after = false; // a digit stands before
  for (char c : digits) {
    if (c == '_' && after) {
      after = false;
      continue;
    }
    const char lower = static_cast<char>(c | 32);
    const unsigned value = isDigit(c)                     ? static_cast<unsigned>(c - '0')
                           : lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10
                                                          : 99;
    if (value >= base) {
      return false;
    }
    after = true;
  }
  return after;
}

/// What is wrong with the spelling of a number; null: nothing. `whole`: a whole number by the grammar.
const char *wrongNumber(std::string_view text, bool whole) {
  const char second = text.size() > 1 ? static_cast<char>(text[1] | 32) : '0';
  if (text.empty()) {
    return nullptr;
  }
  if (text[0] == '0' && (second == 'x' || second == 'o' || second == 'b')) {
    std::string_view digits = text.substr(2);
    digits.remove_prefix(!digits.empty() && digits[0] == '_' ? 1 : 0); // `0x_ff`
    return soundDigits(digits, second == 'x' ? 16 : second == 'o' ? 8 : 2) ? nullptr : "a number without its digits";
  }
  const bool imaginary = text.back() == 'j' || text.back() == 'J';
  text.remove_suffix(imaginary ? 1 : 0);
  if (!whole) {
    for (size_t at = 0; at < text.size(); ++at) {
      const bool between = at > 0 && at + 1 < text.size() && isDigit(text[at - 1]) && isDigit(text[at + 1]);
      if (text[at] == '_' && !between) {
        return "an underscore that is not between two digits";
      }
    }
    return nullptr;
  }
  if (text.find_first_not_of("0123456789_") != std::string_view::npos) {
    return "a number with a letter behind it";
  }
  if (!soundDigits(text, 10)) {
    return "an underscore that is not between two digits";
  }
  const bool zeros = text.find_first_not_of("0_") == std::string_view::npos;
  return text[0] == '0' && !zeros && !imaginary ? "leading zeros (an octal number is written `0o17`)" : nullptr;
}

/// What is imported from __future__ stands ahead of all but the comment of the module.
template <class Visit> void visitLateFutures(const std::vector<const Stmt *> &body, Visit visit) {
  bool late = false;
  for (const Stmt *stmt : body) {
    const bool future = stmt->kind == Stmt::Kind::ImportFrom && stmt->text == "__future__";
    if (future && late) {
      visit(*stmt);
    }
    const bool comment = stmt == body.front() && stmt->kind == Stmt::Kind::Expr && stmt->value &&
                         (stmt->value->kind == Expr::Kind::String || stmt->value->kind == Expr::Kind::Other);
    late |= !future && !comment;
  }
}

class Rules {
public:
  Rules(const Module &module, std::string_view code) : module_(module), code_(code) {}

  std::vector<SyntaxFault> run() {
    for (const Expr &expr : module_.exprs()) {
      expression(expr);
    }
    for (const PythonExpr &python : module_.pythonExprs()) {
      parameters(python.parameters);
    }
    for (const Stmt &stmt : module_.stmts()) {
      statement(stmt);
    }
    futures();
    block(module_.body, /*inFunction=*/false, /*inLoop=*/false);
    yields();
    std::sort(faults_.begin(), faults_.end(), [](const SyntaxFault &a, const SyntaxFault &b) {
      return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.message < b.message;
    });
    auto same = [](const SyntaxFault &a, const SyntaxFault &b) { return a.range.begin == b.range.begin; };
    faults_.erase(std::unique(faults_.begin(), faults_.end(), same), faults_.end());
    faults_.resize(std::min(faults_.size(), kMaxFaults));
    return std::move(faults_);
  }

private:
  void fault(ByteRange at, std::string message) { faults_.push_back({at, std::move(message)}); }

  void name(std::string_view text, ByteRange at) {
    if (source::isPythonKeyword(text)) {
      fault(at, "`" + std::string(text) + "` is a word of Python itself, it names nothing");
    }
  }

  void dotted(std::string_view path, ByteRange at) {
    while (!path.empty()) {
      const size_t dot = std::min(path.find('.'), path.size());
      name(path.substr(0, dot), at);
      path.remove_prefix(std::min(dot + 1, path.size()));
    }
  }

  /// Of whole statements and arguments: inside of expressions the grammar puts a star on the first word alone.
  void unstarred(const Expr *expr) {
    if (expr && expr->kind == Expr::Kind::Starred) {
      fault(expr->range, "a star with nothing around it that takes several values");
    }
  }

  void expression(const Expr &expr) {
    switch (expr.kind) {
    case Expr::Kind::Name:
      name(expr.text, expr.range);
      break;
    case Expr::Kind::Int:
    case Expr::Kind::Float:
      if (const char *why = wrongNumber(expr.text, expr.kind == Expr::Kind::Int)) {
        fault(expr.range, why);
      }
      break;
    case Expr::Kind::Attribute:
      name(expr.text, expr.nameRange);
      break;
    case Expr::Kind::Call:
      arguments(expr);
      break;
    default:
      break;
    }
  }

  void arguments(const Expr &call) {
    if (call.keywords.empty()) {
      return;
    }
    uint32_t mapping = UINT32_MAX; // where the first `**` stands
    constexpr size_t kFew = 16;    // compared with one another
    std::set<std::string_view> given;
    for (size_t i = 0; i < call.keywords.size(); ++i) {
      const Keyword &keyword = call.keywords[i];
      if (keyword.name.empty()) {
        mapping = std::min(mapping, keyword.nameRange.begin);
        continue;
      }
      unstarred(keyword.value);
      name(keyword.name, keyword.nameRange);
      auto here = call.keywords.begin() + static_cast<std::ptrdiff_t>(i);
      const bool again = call.keywords.size() > kFew
                             ? !given.insert(keyword.name).second
                             : std::any_of(call.keywords.begin(), here,
                                           [&](const Keyword &before) { return before.name == keyword.name; });
      if (again) {
        fault(keyword.nameRange, "the argument `" + std::string(keyword.name) + "` is given twice");
      }
    }
    const uint32_t first = call.keywords.front().nameRange.begin;
    for (size_t i = 1; i < call.children.size(); ++i) {
      const Expr &argument = *call.children[i];
      const bool starred = argument.kind == Expr::Kind::Starred;
      if (argument.kind != Expr::Kind::Error && argument.range.begin > (starred ? mapping : first)) {
        fault(argument.range, starred ? "an argument with `*` after one with `**`"
                                      : "an argument without a name after one with a name");
        break;
      }
    }
  }

  void parameters(const std::vector<Parameter> &list) {
    bool defaults = false;
    bool star = false;    // `*` or `*args` came
    bool mapping = false; // `**kw` came
    for (size_t i = 0; i < list.size(); ++i) {
      const Parameter &parameter = list[i];
      std::string_view text = parameter.name;
      const char *why = nullptr;
      if (mapping) {
        why = "a parameter after the one with `**`";
      } else if (text.starts_with("(")) {
        why = "a parameter that is no name";
      } else if (text.starts_with("**")) {
        mapping = true;
      } else if (text.starts_with("*")) {
        const bool alone = text == "*" && (i + 1 == list.size() || list[i + 1].name.starts_with("*"));
        why = star ? "a second parameter with `*`" : alone ? "a `*` with no parameter behind it" : nullptr;
        star = true;
      } else if (text == "/") {
        why = i == 0 ? "a `/` with no parameter before it" : star ? "a `/` behind a `*`" : nullptr;
      } else if (parameter.defaultValue) {
        defaults = true;
        unstarred(parameter.defaultValue);
      } else if (defaults && !star) {
        why = "a parameter without a default after one with a default";
      }
      if (why) {
        fault(parameter.nameRange, why);
        return;
      }
      text.remove_prefix(std::min(text.find_first_not_of('*'), text.size()));
      name(text, parameter.nameRange);
    }
  }

  void statement(const Stmt &stmt) {
    const std::string_view text = stmt.text;
    switch (stmt.kind) {
    case Stmt::Kind::Expr:
    case Stmt::Kind::Return:
    case Stmt::Kind::Assign:
    case Stmt::Kind::AugAssign:
    case Stmt::Kind::If:
    case Stmt::Kind::For:
    case Stmt::Kind::While:
      unstarred(stmt.value);
      if (stmt.targets.size() == 1) {
        unstarred(stmt.targets[0]);
      }
      break;
    case Stmt::Kind::Function:
      parameters(stmt.parameters);
      [[fallthrough]];
    case Stmt::Kind::Class:
      name(stmt.name, stmt.nameRange);
      break;
    case Stmt::Kind::Import:
    case Stmt::Kind::ImportFrom:
      for (const ImportedName &imported : stmt.imports) {
        dotted(imported.name, stmt.range);
        dotted(imported.asName, stmt.range);
      }
      dotted(stmt.text, stmt.range);
      break;
    case Stmt::Kind::Other:
      if (text == "a print statement" || text == "`exec`") {
        fault(stmt.range, text == "`exec`" ? "`exec` without parentheses" : "`print` without parentheses");
      }
      break;
    default:
      break;
    }
  }

  void futures() {
    visitLateFutures(module_.body, [this](const Stmt &stmt) {
      fault(stmt.range, "an import from `__future__` that is not at the beginning");
    });
  }

  /// The statements of one block: each on lines of its own, or behind a semicolon.
  void block(const std::vector<const Stmt *> &statements, bool inFunction, bool inLoop) {
    for (size_t i = 0; i < statements.size(); ++i) {
      const Stmt &stmt = *statements[i];
      if (i > 0 && stmt.kind != Stmt::Kind::Error && statements[i - 1]->kind != Stmt::Kind::Error &&
          joined(*statements[i - 1], stmt)) {
        fault(stmt.range, "a second statement on the line");
      }
      if (stmt.kind == Stmt::Kind::Return && !inFunction) {
        fault(stmt.range, "a `return` outside of every function");
      }
      if ((stmt.kind == Stmt::Kind::Break || stmt.kind == Stmt::Kind::Continue) && !inFunction && !inLoop) {
        fault(stmt.range, stmt.kind == Stmt::Kind::Break ? "a `break` outside of every loop"
                                                         : "a `continue` outside of every loop");
      }
      const bool function = stmt.kind == Stmt::Kind::Function;
      if (function && (functions_.empty() || functions_.back().end <= stmt.range.begin)) {
        functions_.push_back(stmt.range);
      }
      const bool fresh = function || stmt.kind == Stmt::Kind::Class;
      const bool loop = stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::While;
      block(stmt.body, function || (inFunction && stmt.kind != Stmt::Kind::Class), (!fresh && inLoop) || loop);
      if (stmt.kind != Stmt::Kind::Other) {
        block(stmt.orelse, inFunction, inLoop);
        continue;
      }
      for (const Stmt *part : stmt.orelse) { // the parts of a `try` and of a `match`
        block({part}, inFunction, inLoop);
      }
    }
  }

  bool joined(const Stmt &before, const Stmt &after) const {
    const size_t end = after.range.begin;
    if (end > code_.size() || before.range.end > end || before.range.begin >= before.range.end) {
      return false;
    }
    const size_t begin = before.range.end - 1; // some nodes end with their line
    return code_.substr(begin, end - begin).find_first_of("\n\r;") == std::string_view::npos;
  }

  void yields() {
    for (const Expr &expr : module_.exprs()) {
      const bool yield = expr.python && expr.python->kind == PythonExpr::Kind::Yield;
      if (!yield && !(expr.kind == Expr::Kind::Other && expr.text == "`await`")) {
        continue;
      }
      auto next = std::upper_bound(functions_.begin(), functions_.end(), expr.range.begin,
                                   [](uint32_t at, ByteRange function) { return at < function.begin; });
      bool inside = next != functions_.begin() && expr.range.end <= std::prev(next)->end;
      for (const Expr &other : module_.exprs()) {
        const bool lambda = other.python && other.python->kind == PythonExpr::Kind::Lambda;
        inside |= lambda && other.range.begin <= expr.range.begin && expr.range.end <= other.range.end;
      }
      if (!inside) {
        fault(expr.range, yield ? "a `yield` outside of every function" : "an `await` outside of every function");
        return; // the first one says it
      }
    }
  }

  const Module &module_;
  std::string_view code_;
  std::vector<SyntaxFault> faults_;
  std::vector<ByteRange> functions_; ///< The outermost ones, in source order.
};

} // namespace

std::vector<SyntaxFault> brokenRules(const Module &module, std::string_view code) { return Rules(module, code).run(); }

bool brokenOrder(const std::vector<const Stmt *> &body) {
  bool out = false;
  visitLateFutures(body, [&](const Stmt &) { out = true; });
  return out;
}

} // namespace placid::syntax
