// SPDX-License-Identifier: Apache-2.0
// Where the front end puts its diagnostics: typed catalogue rows at byte ranges of one module.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/syntax/ast.h"

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
    made.at = {path_, at};
    made.message = diag::message(kind, args...);
    made.kernel = kernel_;
    return made;
  }

  /// Says once for each name why its value is not known; whatever depends on it stays unchecked.
  void unknown(const syntax::Expr &expr, const std::string &why) {
    const syntax::Expr *root = &expr;
    while (root->kind != syntax::Expr::Kind::Name && !root->children.empty() && root->children[0]) {
      root = root->children[0];
    }
    if (unknown_.insert(syntax::spell(*root)).second) {
      report(diag::UnknownValue, expr.range, syntax::spell(expr), why);
    }
  }

  void note(diag::Diagnostic &to, source::ByteRange at, std::string message,
            diag::Related::Role role = diag::Related::Role::Note) const {
    to.related.push_back({{path_, at}, std::move(message), role});
  }

private:
  std::string path_;
  std::string kernel_;
  std::vector<diag::Diagnostic> &out_;
  std::set<std::string> unknown_;
};

} // namespace placid::frontend
