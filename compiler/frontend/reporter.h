// SPDX-License-Identifier: Apache-2.0
// Where the front end puts its diagnostics: typed catalogue rows at byte ranges of one module.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/frontend/const_value.h"
#include "compiler/syntax/ast.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace placid::frontend {

class Reporter {
public:
  Reporter(std::string path, std::string kernel, std::vector<diag::Diagnostic> &out)
      : path_(std::move(path)), kernel_(std::move(kernel)), out_(out) {}

  /// Returns the entry so that related places and fixes can be added; valid until the next report.
  template <class... Args>
  diag::Diagnostic &report(diag::Kind<Args...> kind, source::ByteRange at, const std::type_identity_t<Args> &...args) {
    diag::Diagnostic &made = out_.emplace_back();
    made.code = kind.code;
    made.severity = diag::find(kind.code)->severity;
    counted_ = made.severity == diag::Severity::Error || kind.code == diag::NotSupportedYet.code ? 1 : 0;
    holes_ += counted_;
    made.at = {path(), at};
    made.message = diag::message(kind, args...);
    made.kernel = kernel_;
    return made;
  }

  /// Says once for each reason why a value is not known; whatever depends on it stays unchecked.
  void unknown(const syntax::Expr &expr, const std::string &why) {
    ++holes_;
    if (unknown_.insert(why).second) {
      report(diag::UnknownValue, expr.range, syntax::spell(expr), why);
    }
  }
  /// The same, and an error where Python itself would refuse the expression.
  void unknown(const syntax::Expr &expr, const ConstValue &value) {
    if (value.refused) {
      report(diag::PythonRaises, expr.range, value.text);
    } else {
      unknown(expr, value.text);
    }
  }

  void note(diag::Diagnostic &to, diag::Location at, std::string message,
            diag::Related::Role role = diag::Related::Role::Note) const {
    to.related.push_back({std::move(at), std::move(message), role});
  }
  void note(diag::Diagnostic &to, source::ByteRange at, std::string message,
            diag::Related::Role role = diag::Related::Role::Note) const {
    note(to, location(at), std::move(message), role);
  }

  /// For what is reported later, when another text may be the current one.
  diag::Location location(source::ByteRange at) const { return {path(), at}; }

  /// Reports so far.
  size_t size() const { return out_.size(); }
  /// Moves all reports since `from` to `at`: what they are about stands in a text that this kernel only names.
  void collapse(size_t from, source::ByteRange at) {
    for (size_t i = from; i < out_.size(); ++i) {
      out_[i].at = location(at);
      out_[i].fixes.clear();
    }
  }

  /// How often something was refused or not understood, told or not: what then depends on it is not built.
  unsigned holes() const { return holes_; }
  /// What the last report is about is built all the same.
  void stillBuilt() { holes_ -= std::exchange(counted_, 0); }

  /// Ranges belong to the text that `path` names at the time of a report.
  void follow(std::function<std::string()> path) { current_ = std::move(path); }

private:
  std::string path() const { return current_ ? current_() : path_; }

  std::function<std::string()> current_;
  std::string path_;
  std::string kernel_;
  std::vector<diag::Diagnostic> &out_;
  std::set<std::string> unknown_;
  unsigned holes_ = 0;
  unsigned counted_ = 0; ///< Of the last report.
};

} // namespace placid::frontend
