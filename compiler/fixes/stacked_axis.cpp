// SPDX-License-Identifier: Apache-2.0
#include "compiler/fixes/stacked_axis.h"

#include <algorithm>

namespace placid::fixes {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::Stmt;

bool inside(ByteRange inner, ByteRange outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

const Expr *product(const Expr *expr) {
  return expr && expr->kind == Expr::Kind::Binary && expr->text == "*" ? expr : nullptr;
}

class Unstacker {
public:
  Unstacker(const syntax::Module &module, const Place &annotation)
      : module_(module), text_(module.source->text), dims_(tensorAround(annotation).dims) {
    for (const Stmt &stmt : module.stmts()) {
      for (const syntax::Parameter &parameter : stmt.parameters) {
        if (parameter.annotation && annotation.expr() &&
            inside(annotation.expr()->range, parameter.annotation->range)) {
          function_ = &stmt;
          tensor_ = parameter.name;
        }
      }
    }
  }

  std::optional<std::vector<TextEdit>> run() {
    const Expr *stacked = dims_ && dims_->children.size() == 2 ? product(dims_->children[0]) : nullptr;
    if (!function_ || !stacked || isCalled()) {
      return std::nullopt;
    }
    layers_ = text(*stacked->children[0]);
    rows_ = text(*stacked->children[1]);
    size_t loads = 0;
    for (const Expr &expr : module_.exprs()) {
      if (isLoad(expr)) {
        if (!load(expr)) {
          return std::nullopt;
        }
        ++loads;
      }
    }
    // Any other use of the name sees the new shape, and that is not followed here.
    auto uses = static_cast<size_t>(std::ranges::count_if(module_.exprs(), [&](const Expr &expr) {
      return expr.kind == Expr::Kind::Name && expr.text == tensor_ && inside(expr.range, function_->range);
    }));
    if (loads == 0 || uses != loads) {
      return std::nullopt;
    }
    edits_.emplace_back(stacked->range, layers_ + ", " + rows_);
    return std::move(edits_);
  }

private:
  std::string text(const Expr &expr) const {
    return std::string(text_.substr(expr.range.begin, expr.range.end - expr.range.begin));
  }

  /// Callers hand over a tensor of the declared shape: then the declaration is not this function's alone.
  bool isCalled() const {
    return std::ranges::any_of(module_.exprs(), [&](const Expr &expr) {
      return expr.kind == Expr::Kind::Call && !expr.children.empty() && expr.children[0]->text == function_->name;
    });
  }

  bool isLoad(const Expr &expr) const {
    return expr.kind == Expr::Kind::Call && inside(expr.range, function_->range) && expr.children.size() >= 2 &&
           expr.children[0]->text == "load" && expr.children[1]->kind == Expr::Kind::Name &&
           expr.children[1]->text == tensor_;
  }

  /// Panel and row of an offset: `l * R`, `l * R + r`, 0, or a name that is bound to one of these once.
  bool offset(const Expr &expr, std::string &panel, std::string &row, int depth = 0) const {
    if (literal(&expr) == 0) {
      panel = row = "0";
      return true;
    }
    if (const Expr *scaled = product(&expr)) {
      bool right = text(*scaled->children[1]) == rows_;
      bool left = text(*scaled->children[0]) == rows_;
      panel = right ? text(*scaled->children[0]) : text(*scaled->children[1]);
      row = "0";
      return right || left;
    }
    if (expr.kind == Expr::Kind::Binary && expr.text == "+") {
      std::string ignored;
      row = text(*expr.children[1]);
      return product(expr.children[0]) && offset(*expr.children[0], panel, ignored, depth);
    }
    if (expr.kind != Expr::Kind::Name || depth > 0) {
      return false;
    }
    const Expr *value = nullptr;
    for (const Stmt &stmt : module_.stmts()) {
      bool binds = inside(stmt.range, function_->range) && stmt.targets.size() == 1 &&
                   stmt.targets[0]->kind == Expr::Kind::Name && stmt.targets[0]->text == expr.text;
      if (binds && (value || stmt.kind != Stmt::Kind::Assign || !stmt.value)) {
        return false; // bound twice, or by a loop
      }
      value = binds ? stmt.value : value;
    }
    return value && offset(*value, panel, row, depth + 1);
  }

  bool load(const Expr &call) {
    constexpr size_t kPlain = 4; // callee, tensor, offsets, sizes
    if (call.children.size() != kPlain || keyword(call, "valid_shape")) {
      return false;
    }
    const Expr *offsets = call.children[2];
    const Expr *sizes = call.children[3];
    bool lists = offsets->kind == Expr::Kind::List && offsets->children.size() == 2 &&
                 sizes->kind == Expr::Kind::List && sizes->children.size() == 2;
    std::string panel;
    std::string row;
    if (!lists || !offset(*offsets->children[0], panel, row)) {
      return false;
    }
    edits_.emplace_back(offsets->children[0]->range, panel + ", " + row);
    edits_.emplace_back(sizes->children[0]->range, "1, " + text(*sizes->children[0]));
    // One panel is a tile of rank 3; what follows was written for rank 2.
    edits_.emplace_back(ByteRange{call.range.begin, call.range.begin}, languageName(module_) + ".reshape(");
    edits_.emplace_back(ByteRange{call.range.end, call.range.end}, ", " + text(*sizes) + ")");
    return true;
  }

  const syntax::Module &module_;
  std::string_view text_;
  const Expr *dims_;
  const Stmt *function_ = nullptr;
  std::string_view tensor_;
  std::string layers_, rows_;
  std::vector<TextEdit> edits_;
};

} // namespace

std::optional<std::vector<TextEdit>> unstack(const syntax::Module &module, const Place &annotation) {
  std::optional<std::vector<TextEdit>> edits = Unstacker(module, annotation).run();
  if (edits) {
    std::sort(edits->begin(), edits->end());
  }
  return edits;
}

} // namespace placid::fixes
