// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/liveness.h"

#include <algorithm>
#include <span>

namespace placid::frontend {

namespace {

using syntax::Expr;
using syntax::Stmt;

/// What happens to a name first.
enum class Fate : uint8_t { Untouched, Read, Assigned };

/// The name that is asked about.
struct Asked {
  std::string_view name;
  syntax::NameMask mask;
};

bool reads(const Expr *expr, std::string_view name) {
  if (!expr) {
    return false;
  }
  return (expr->kind == Expr::Kind::Name && expr->text == name) ||
         std::any_of(expr->children.begin(), expr->children.end(),
                     [&](const Expr *child) { return reads(child, name); }) ||
         std::any_of(expr->keywords.begin(), expr->keywords.end(),
                     [&](const syntax::Keyword &keyword) { return reads(keyword.value, name); });
}

/// A target that is a plain name is bound, all others read what they are made of (`out[a:b] = e` reads `out`).
Fate fateOfTarget(const Expr *target, std::string_view name) {
  if (!target) {
    return Fate::Untouched;
  }
  if (target->kind == Expr::Kind::Name) {
    return target->text == name ? Fate::Assigned : Fate::Untouched;
  }
  if (target->kind != Expr::Kind::Tuple && target->kind != Expr::Kind::List && target->kind != Expr::Kind::Starred) {
    return reads(target, name) ? Fate::Read : Fate::Untouched;
  }
  Fate out = Fate::Untouched;
  for (const Expr *child : target->children) {
    Fate fate = fateOfTarget(child, name);
    if (fate == Fate::Read) {
      return fate;
    }
    out = fate == Fate::Assigned ? fate : out;
  }
  return out;
}

Fate fateIn(std::span<const Stmt *const> statements, const Asked &asked);

Fate fateOf(const Stmt &stmt, const Asked &asked) {
  if (!(stmt.mentions & asked.mask)) {
    return Fate::Untouched;
  }
  std::string_view name = asked.name;
  if (reads(stmt.value, name)) {
    return Fate::Read;
  }
  Fate bound = Fate::Untouched;
  for (const syntax::WithItem &item : stmt.items) {
    if (reads(item.value, name)) {
      return Fate::Read;
    }
    Fate fate = fateOfTarget(item.target, name);
    bound = fate == Fate::Untouched ? bound : fate;
  }
  for (const Expr *target : stmt.targets) {
    Fate fate = stmt.kind == Stmt::Kind::AugAssign && reads(target, name) ? Fate::Read : fateOfTarget(target, name);
    if (fate == Fate::Read) {
      return fate;
    }
    bound = fate == Fate::Assigned ? fate : bound;
  }
  switch (stmt.kind) {
  case Stmt::Kind::If: {
    Fate onThen = fateIn(stmt.body, asked);
    Fate onElse = fateIn(stmt.orelse, asked);
    if (onThen == Fate::Read || onElse == Fate::Read) {
      return Fate::Read;
    }
    return onThen == onElse ? onThen : Fate::Untouched;
  }
  case Stmt::Kind::For:
  case Stmt::Kind::While:
  case Stmt::Kind::Other: {
    // May not run at all: what it assigns does not count, what it reads does.
    Fate inside = bound == Fate::Assigned ? Fate::Untouched : fateIn(stmt.body, asked);
    Fate after = fateIn(stmt.orelse, asked);
    return inside == Fate::Read || after == Fate::Read ? Fate::Read : Fate::Untouched;
  }
  case Stmt::Kind::With:
    return bound != Fate::Untouched ? bound : fateIn(stmt.body, asked);
  case Stmt::Kind::Return:
    return Fate::Assigned; // nothing follows
  default:
    return bound;
  }
}

Fate fateIn(std::span<const Stmt *const> statements, const Asked &asked) {
  for (const Stmt *stmt : statements) {
    Fate fate = fateOf(*stmt, asked);
    if (fate != Fate::Untouched) {
      return fate;
    }
  }
  return Fate::Untouched;
}

} // namespace

bool Continuation::isLive(std::string_view name) const {
  Asked asked{name, syntax::nameMask(name)};
  for (size_t i = blocks_.size(); i-- > 0;) {
    const Block &block = blocks_[i];
    std::span<const Stmt *const> all(*block.statements);
    Fate rest = fateIn(all.subspan(block.index + 1), asked);
    if (rest != Fate::Untouched) {
      return rest == Fate::Read;
    }
    if (block.loop && fateIn(all, asked) == Fate::Read) {
      return true;
    }
  }
  return false;
}

bool Continuation::endsPath() const {
  bool loop = std::any_of(blocks_.begin(), blocks_.end(), [](const Block &block) { return block.loop; });
  return !loop && !blocks_.empty() && blocks_.back().index + 1 == blocks_.back().statements->size();
}

bool Continuation::isLast() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const Block &block) { return !block.loop && block.index + 1 == block.statements->size(); });
}

} // namespace placid::frontend
