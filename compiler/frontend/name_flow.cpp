// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/name_flow.h"

#include <algorithm>
#include <functional>

namespace placid::frontend {

namespace {

using syntax::Expr;
using syntax::Stmt;
using Names = std::set<std::string, std::less<>>;

void visitReads(const Expr *expr, const std::function<void(const Expr &)> &onName) {
  if (!expr) {
    return;
  }
  if (expr->kind == Expr::Kind::Name) {
    onName(*expr);
  }
  for (const Expr *child : expr->children) {
    visitReads(child, onName);
  }
  for (const syntax::Keyword &keyword : expr->keywords) {
    visitReads(keyword.value, onName);
  }
}

/// Names a target binds; a subscript target reads and rebinds its base: `out[a:b] = e` is `out = assemble(out, e)`.
void visitTarget(const Expr *target, const std::function<void(const Expr &)> &onBind,
                 const std::function<void(const Expr &)> &onRead) {
  if (!target) {
    return;
  }
  switch (target->kind) {
  case Expr::Kind::Name:
    onBind(*target);
    break;
  case Expr::Kind::Tuple:
  case Expr::Kind::List:
  case Expr::Kind::Starred:
    for (const Expr *child : target->children) {
      visitTarget(child, onBind, onRead);
    }
    break;
  case Expr::Kind::Subscript:
    visitReads(target, onRead);
    if (target->children[0]->kind == Expr::Kind::Name) {
      onBind(*target->children[0]);
    }
    break;
  default:
    visitReads(target, onRead);
  }
}

/// Calls the visitors for everything a statement reads or binds itself, without its blocks.
void visitStatement(const Stmt &stmt, const std::function<void(const Expr &)> &onRead,
                    const std::function<void(const Expr &)> &onBind) {
  visitReads(stmt.value, onRead);
  for (const syntax::WithItem &item : stmt.items) {
    visitReads(item.value, onRead);
    visitTarget(item.target, onBind, onRead);
  }
  for (const Expr *target : stmt.targets) {
    if (stmt.kind == Stmt::Kind::AugAssign) {
      visitReads(target, onRead);
    }
    visitTarget(target, onBind, onRead);
  }
}

void collectAssigned(const std::vector<const Stmt *> &statements, std::vector<std::string> &out) {
  for (const Stmt *stmt : statements) {
    visitStatement(
        *stmt, [](const Expr &) {},
        [&](const Expr &name) {
          if (std::find(out.begin(), out.end(), name.text) == out.end()) {
            out.emplace_back(name.text);
          }
        });
    collectAssigned(stmt->body, out);
    collectAssigned(stmt->orelse, out);
  }
}

void collectExposed(const std::vector<const Stmt *> &statements, Names &assigned, Names &exposed) {
  for (const Stmt *stmt : statements) {
    std::vector<std::string> bound;
    visitStatement(
        *stmt,
        [&](const Expr &name) {
          if (!assigned.contains(name.text)) {
            exposed.emplace(name.text);
          }
        },
        [&](const Expr &name) { bound.emplace_back(name.text); });
    Names inner = assigned;
    inner.insert(bound.begin(), bound.end());
    Names other = inner;
    collectExposed(stmt->body, inner, exposed);
    collectExposed(stmt->orelse, other, exposed);
    if (stmt->kind == Stmt::Kind::With) {
      assigned = inner; // always runs
    } else if (stmt->kind == Stmt::Kind::If) {
      Names both;
      std::set_intersection(inner.begin(), inner.end(), other.begin(), other.end(), std::inserter(both, both.end()));
      assigned = both;
    } else if (stmt->kind != Stmt::Kind::For && stmt->kind != Stmt::Kind::While) {
      assigned.insert(bound.begin(), bound.end());
    }
  }
}

void collectReads(const std::vector<const Stmt *> &statements,
                  std::map<std::string, std::vector<uint32_t>, std::less<>> &out) {
  for (const Stmt *stmt : statements) {
    visitStatement(
        *stmt, [&](const Expr &name) { out[std::string(name.text)].push_back(name.range.begin); }, [](const Expr &) {});
    collectReads(stmt->body, out);
    collectReads(stmt->orelse, out);
  }
}

} // namespace

std::vector<std::string> assignedNames(const std::vector<const Stmt *> &statements) {
  std::vector<std::string> out;
  collectAssigned(statements, out);
  return out;
}

Names exposedReads(const std::vector<const Stmt *> &statements) {
  Names assigned;
  Names exposed;
  collectExposed(statements, assigned, exposed);
  return exposed;
}

ReadIndex::ReadIndex(const std::vector<const Stmt *> &body) {
  collectReads(body, reads_);
  for (auto &[name, offsets] : reads_) {
    std::sort(offsets.begin(), offsets.end());
  }
}

bool ReadIndex::readOutside(std::string_view name, source::ByteRange range,
                            const std::vector<source::ByteRange> &loops) const {
  auto found = reads_.find(name);
  if (found == reads_.end()) {
    return false;
  }
  const std::vector<uint32_t> &offsets = found->second;
  if (!offsets.empty() && offsets.back() >= range.end) {
    return true;
  }
  return std::any_of(loops.begin(), loops.end(), [&](source::ByteRange loop) {
    return std::any_of(offsets.begin(), offsets.end(), [&](uint32_t at) {
      bool inLoop = at >= loop.begin && at < loop.end;
      bool inRange = at >= range.begin && at < range.end;
      return inLoop && !inRange;
    });
  });
}

} // namespace placid::frontend
