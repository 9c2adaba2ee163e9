// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/liveness.h"

#include <algorithm>
#include <utility>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

/// What one statement does, to each name that it touches and to all others: a `return` settles the fate of every name.
struct NameFates::Touched {
  std::unordered_map<std::string_view, Fate> names; ///< Looked up, or listed to fill another one.
  Fate others = Fate::Untouched;

  Fate of(std::string_view name) const {
    auto known = names.find(name);
    return known != names.end() ? known->second : others;
  }
};

struct NameFates::Block {
  /// Where in the block each name is touched, in order.
  std::unordered_map<std::string_view, std::vector<std::pair<uint32_t, Fate>>> touches;
  std::vector<uint32_t> ends; ///< Statements that settle all other names: as if they assigned them.

  Fate from(size_t index, std::string_view name) const {
    auto end = std::lower_bound(ends.begin(), ends.end(), index);
    auto known = touches.find(name);
    if (known != touches.end()) {
      auto first = std::lower_bound(known->second.begin(), known->second.end(), index,
                                    [](const auto &touch, size_t wanted) { return touch.first < wanted; });
      if (first != known->second.end() && (end == ends.end() || first->first <= *end)) {
        return first->second;
      }
    }
    return end != ends.end() ? Fate::Assigned : Fate::Untouched;
  }
  Fate others() const { return ends.empty() ? Fate::Untouched : Fate::Assigned; }
};

NameFates::NameFates() = default;
NameFates::~NameFates() = default;

namespace {

template <class OnName> void visitReads(const Expr *expr, const OnName &onName) {
  if (!expr) {
    return;
  }
  if (expr->kind == Expr::Kind::Name) {
    onName(expr->text);
  }
  for (const Expr *child : expr->children) {
    visitReads(child, onName);
  }
  for (const syntax::Keyword &keyword : expr->keywords) {
    visitReads(keyword.value, onName);
  }
}

/// A target that is a plain name is bound, all others read what they are made of (`out[a:b] = e` reads `out`).
template <class OnBind, class OnRead> void visitTarget(const Expr *target, const OnBind &onBind, const OnRead &onRead) {
  if (!target) {
    return;
  }
  if (target->kind == Expr::Kind::Name) {
    onBind(target->text);
  } else if (target->kind == Expr::Kind::Tuple || target->kind == Expr::Kind::List ||
             target->kind == Expr::Kind::Starred) {
    for (const Expr *child : target->children) {
      visitTarget(child, onBind, onRead);
    }
  } else {
    visitReads(target, onRead);
  }
}

} // namespace

void NameFates::addStatement(const Stmt &stmt, Touched &out) {
  // What it reads goes before what it binds; a name that a target's parts read is read, whatever else they bind.
  auto read = [&](std::string_view name) { out.names[name] = Fate::Read; };
  visitReads(stmt.value, read);
  std::vector<std::string_view> bound;
  auto bind = [&](std::string_view name) { bound.push_back(name); };
  for (const syntax::WithItem &item : stmt.items) {
    visitReads(item.value, read);
    visitTarget(item.target, bind, read);
  }
  for (const Expr *target : stmt.targets) {
    if (stmt.kind == Stmt::Kind::AugAssign) {
      visitReads(target, read);
    }
    visitTarget(target, bind, read);
  }
  for (std::string_view name : bound) {
    out.names.try_emplace(name, Fate::Assigned);
  }
  if (stmt.kind == Stmt::Kind::Return) {
    out.others = Fate::Assigned; // nothing follows
    return;
  }
  bool blocks = stmt.kind == Stmt::Kind::If || stmt.kind == Stmt::Kind::For || stmt.kind == Stmt::Kind::While ||
                stmt.kind == Stmt::Kind::Other || stmt.kind == Stmt::Kind::With;
  if (!blocks) {
    return;
  }
  const Block &body = blockOf(stmt.body);
  const Block &orelse = blockOf(stmt.orelse);
  auto inside = [&](Fate own, Fate onBody, Fate onElse) {
    if (own == Fate::Read) {
      return Fate::Read;
    }
    switch (stmt.kind) {
    case Stmt::Kind::If:
      return onBody == Fate::Read || onElse == Fate::Read ? Fate::Read : onBody == onElse ? onBody : Fate::Untouched;
    case Stmt::Kind::With:
      return own != Fate::Untouched ? own : onBody;
    default: // may not run at all: what it assigns does not count, what it reads does
      return (onBody == Fate::Read && own != Fate::Assigned) || onElse == Fate::Read ? Fate::Read : Fate::Untouched;
    }
  };
  Touched whole;
  whole.others = inside(Fate::Untouched, body.others(), orelse.others());
  auto add = [&](std::string_view name) {
    if (!whole.names.contains(name)) {
      auto own = out.names.find(name);
      whole.names[name] =
          inside(own != out.names.end() ? own->second : Fate::Untouched, body.from(0, name), orelse.from(0, name));
    }
  };
  for (const auto &[name, fate] : out.names) {
    add(name);
  }
  for (const auto &[name, touches] : body.touches) {
    add(name);
  }
  for (const auto &[name, touches] : orelse.touches) {
    add(name);
  }
  out = std::move(whole);
}

const NameFates::Block &NameFates::blockOf(const Statements &statements) {
  std::unique_ptr<Block> &known = blocks_[&statements];
  if (!known) {
    auto made = std::make_unique<Block>();
    for (uint32_t i = 0; i < statements.size(); ++i) {
      Touched touched;
      addStatement(*statements[i], touched); // may move `known` away
      for (const auto &[name, fate] : touched.names) {
        if (fate != Fate::Untouched) { // where all others are settled, none is untouched
          made->touches[name].emplace_back(i, fate);
        }
      }
      if (touched.others == Fate::Assigned) {
        made->ends.push_back(i);
      }
    }
    std::unique_ptr<Block> &place = blocks_[&statements];
    place = std::move(made);
    return *place;
  }
  return *known;
}

Fate NameFates::in(const Statements &block, size_t from, std::string_view name) {
  return blockOf(block).from(from, name);
}

bool Continuation::isLive(std::string_view name) const {
  for (size_t i = blocks_.size(); i-- > 0;) {
    const Block &block = blocks_[i];
    Fate rest = fates_->in(*block.statements, block.index + 1, name);
    if (rest != Fate::Untouched) {
      return rest == Fate::Read;
    }
    if (block.loop && fates_->in(*block.statements, 0, name) == Fate::Read) {
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
