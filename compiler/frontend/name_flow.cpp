// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/name_flow.h"

#include <algorithm>
#include <unordered_set>

namespace placid::frontend {

namespace {

using syntax::Expr;
using syntax::Stmt;
using Names = std::set<std::string, std::less<>>;

template <class OnName> void visitReads(const Expr *expr, const OnName &onName) {
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
template <class OnBind, class OnRead> void visitTarget(const Expr *target, const OnBind &onBind, const OnRead &onRead) {
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
template <class OnRead, class OnBind>
void visitStatement(const Stmt &stmt, const OnRead &onRead, const OnBind &onBind) {
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

/// Views into the parsed text; only looked up, never listed.
using NameSet = std::unordered_set<std::string_view>;

void collectAssigned(const std::vector<const Stmt *> &statements, NameSet &seen, std::vector<std::string> &out) {
  for (const Stmt *stmt : statements) {
    visitStatement(
        *stmt, [](const Expr &) {},
        [&](const Expr &name) {
          if (seen.insert(name.text).second) {
            out.emplace_back(name.text);
          }
        });
    collectAssigned(stmt->body, seen, out);
    collectAssigned(stmt->orelse, seen, out);
  }
}

/// Walks statements with the set of surely assigned names. What a block adds is taken back where it may not have run,
/// so that no set is ever copied.
class ExposedReads {
public:
  explicit ExposedReads(Names &exposed) : exposed_(exposed) {}

  void block(const std::vector<const Stmt *> &statements) {
    for (const Stmt *stmt : statements) {
      statement(*stmt);
    }
  }

private:
  void assign(std::string_view name) {
    if (assigned_.insert(name).second) {
      added_.push_back(name);
    }
  }

  /// Forgets what was assigned since `mark`, and returns it.
  std::vector<std::string_view> takeBack(size_t mark) {
    auto first = added_.begin() + static_cast<std::ptrdiff_t>(mark);
    std::vector<std::string_view> out(first, added_.end());
    added_.erase(first, added_.end());
    for (std::string_view name : out) {
      assigned_.erase(name);
    }
    return out;
  }

  void statement(const Stmt &stmt) {
    std::vector<std::string_view> bound;
    visitStatement(
        stmt,
        [&](const Expr &name) {
          if (!assigned_.contains(name.text)) {
            exposed_.emplace(name.text);
          }
        },
        [&](const Expr &name) { bound.push_back(name.text); });
    size_t before = added_.size();
    for (std::string_view name : bound) {
      assign(name);
    }
    if (stmt.body.empty() && stmt.orelse.empty() && stmt.kind != Stmt::Kind::For) {
      return;
    }
    size_t inside = added_.size();
    block(stmt.body);
    if (stmt.kind == Stmt::Kind::With) {
      return; // always runs
    }
    std::vector<std::string_view> inBody = takeBack(inside);
    block(stmt.orelse);
    std::vector<std::string_view> inElse = takeBack(inside);
    if (stmt.kind == Stmt::Kind::If) {
      NameSet other(inElse.begin(), inElse.end());
      for (std::string_view name : inBody) {
        if (other.contains(name)) {
          assign(name);
        }
      }
    } else if (stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::Other) {
      takeBack(before); // without a round not even the loop variable is set; nor what a clause binds that is not taken
    }
  }

  Names &exposed_;
  NameSet assigned_;
  std::vector<std::string_view> added_; ///< The names of assigned_ in order.
};

} // namespace

std::vector<std::string> assignedNames(const std::vector<const Stmt *> &statements) {
  std::vector<std::string> out;
  NameSet seen;
  collectAssigned(statements, seen, out);
  return out;
}

Names exposedReads(const std::vector<const Stmt *> &statements) {
  Names exposed;
  ExposedReads(exposed).block(statements);
  return exposed;
}

} // namespace placid::frontend
