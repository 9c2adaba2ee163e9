// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/folds.h"

#include "compiler/index/words.h"

#include <algorithm>

namespace placid::index {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::Stmt;

class Ranges {
public:
  Ranges(const syntax::Module &module, Index &out)
      : text_(module.source->text), lines_(module.source->lines), out_(out) {}

  void run(const syntax::Module &module) {
    for (const Expr &expr : module.exprs()) {
      node(expr.range);
      bool bracketed = expr.kind == Expr::Kind::Call || expr.kind == Expr::Kind::List ||
                       expr.kind == Expr::Kind::Other || expr.kind == Expr::Kind::Subscript ||
                       expr.kind == Expr::Kind::String;
      if (bracketed) {
        fold(expr.range, Fold::Kind::Region);
      }
    }
    for (const Stmt &stmt : module.stmts()) {
      node(stmt.range);
      statement(stmt);
    }
    importRuns(module.body);
    commentRuns();
    auto outerFirst = [](ByteRange a, ByteRange b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; };
    std::sort(out_.nodes.begin(), out_.nodes.end(), outerFirst);
    out_.nodes.erase(std::unique(out_.nodes.begin(), out_.nodes.end()), out_.nodes.end());
    std::sort(out_.folds.begin(), out_.folds.end(),
              [](const Fold &a, const Fold &b) { return a.range != b.range ? a.range < b.range : a.kind < b.kind; });
    // One fold a first line: editors show one marker there.
    auto sameStart = [this](const Fold &a, const Fold &b) { return line(a.range.begin) == line(b.range.begin); };
    std::vector<Fold> kept;
    for (const Fold &one : out_.folds) {
      if (!kept.empty() && sameStart(kept.back(), one)) {
        if (line(one.range.end) > line(kept.back().range.end)) {
          kept.back() = one;
        }
      } else {
        kept.push_back(one);
      }
    }
    out_.folds = std::move(kept);
  }

private:
  uint32_t line(uint32_t offset) const { return lines_.lineColumn(offset).line; }

  void node(ByteRange range) {
    if (range.begin < range.end) {
      out_.nodes.push_back(range);
    }
  }

  void fold(ByteRange range, Fold::Kind kind) {
    if (range.begin < range.end && line(range.begin) < line(range.end)) {
      out_.folds.push_back({range, kind});
    }
  }

  void statement(const Stmt &stmt) {
    auto block = [&](uint32_t begin, const std::vector<const Stmt *> &body) {
      if (!body.empty()) {
        fold({begin, body.back()->range.end}, Fold::Kind::Region);
      }
    };
    // A definition folds from its name, so that its decorators stay in view.
    block(stmt.nameRange.end > stmt.nameRange.begin ? stmt.nameRange.begin : stmt.range.begin, stmt.body);
    if (!stmt.orelse.empty() && stmt.kind != Stmt::Kind::Other) {
      block(stmt.orelse.front()->range.begin, stmt.orelse);
    }
  }

  void importRuns(const std::vector<const Stmt *> &body) {
    for (size_t i = 0; i < body.size();) {
      size_t end = i;
      while (end < body.size() &&
             (body[end]->kind == Stmt::Kind::Import || body[end]->kind == Stmt::Kind::ImportFrom)) {
        ++end;
      }
      if (end > i + 1) {
        fold({body[i]->range.begin, body[end - 1]->range.end}, Fold::Kind::Imports);
      }
      i = std::max(end, i + 1);
    }
  }

  /// Comments that stand alone on adjacent lines.
  void commentRuns() {
    std::vector<ByteRange> comments = commentsIn(text_);
    std::erase_if(comments, [&](ByteRange comment) {
      uint32_t start = lines_.offset(source::LineColumn{line(comment.begin), 0});
      return text_.substr(start, comment.begin - start).find_first_not_of(" \t") != std::string_view::npos;
    });
    for (size_t i = 0; i < comments.size();) {
      size_t end = i + 1;
      while (end < comments.size() && line(comments[end].begin) == line(comments[end - 1].begin) + 1) {
        ++end;
      }
      fold({comments[i].begin, comments[end - 1].end}, Fold::Kind::Comment);
      i = end;
    }
  }

  std::string_view text_;
  const source::LineIndex &lines_;
  Index &out_;
};

} // namespace

void addRanges(const syntax::Module &module, Index &out) { Ranges(module, out).run(module); }

} // namespace placid::index
