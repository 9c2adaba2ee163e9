// SPDX-License-Identifier: Apache-2.0
// Statements whose ways are not known: `if`, loops, `with`, `try`, `match`. Every way starts from the same bindings;
// afterwards a name keeps the value that the ways agree on. The cost is that of what the ways bind.
#include "compiler/frontend/program_builder.h"

#include <algorithm>

namespace placid::frontend {

using Kind = ConstValue::Kind;

namespace {

/// True when nothing after the block runs.
bool leaves(const Block &statements) {
  if (statements.empty()) {
    return false;
  }
  const Stmt &last = *statements.back();
  return last.kind == Stmt::Kind::Return || last.kind == Stmt::Kind::Break || last.kind == Stmt::Kind::Continue ||
         (last.kind == Stmt::Kind::Other && last.text == "`raise`");
}

/// How much a value counts when ways disagree: a module that is only sometimes PL is PL wherever there are kernels.
bool isPl(const ConstValue &value, bool any) {
  bool dialect = value.isPath("pl") || value.isPath("pld");
  return dialect || (any && (value.kind == Kind::PlPath || value.kind == Kind::DType || value.kind == Kind::Layout ||
                             value.kind == Kind::Mem));
}

bool isStandIn(const ConstValue &value) {
  return value.kind == Kind::None || value.kind == Kind::Foreign || value.isUnknown();
}

} // namespace

template <class Run> Changes ProgramBuilder::way(Scope &scope, Run run) {
  journals_.push_back({&scope, {}});
  run();
  Journal journal = std::move(journals_.back());
  journals_.pop_back();
  Changes out;
  for (auto &[name, before] : journal.before) {
    auto now = scope.names.find(name);
    out.emplace(name, std::move(now->second));
    if (before) {
      now->second = std::move(*before);
    } else {
      scope.names.erase(now);
    }
  }
  return out;
}

void ProgramBuilder::merge(Scope &scope, const std::vector<Changes> &ways, const std::string &why, bool preferPl) {
  std::set<std::string_view> names;
  for (const Changes &changes : ways) {
    for (const auto &[name, binding] : changes) {
      names.insert(name);
    }
  }
  for (std::string_view name : names) {
    auto outside = scope.names.find(name);
    const Binding *chosen = nullptr;
    bool agree = true;
    for (const Changes &changes : ways) {
      auto found = changes.find(name);
      const Binding *candidate = found != changes.end()         ? &found->second
                                 : outside != scope.names.end() ? &outside->second
                                                                : nullptr;
      if (!candidate || (chosen && sameValue(chosen->value, candidate->value))) {
        continue; // a way that leaves the name unbound is not the one its users come from
      }
      if (!chosen || (isStandIn(chosen->value) && isPl(candidate->value, preferPl))) {
        chosen = candidate;
      } else if (!(isStandIn(candidate->value) && isPl(chosen->value, preferPl))) {
        agree = false;
      }
    }
    bind(scope, name, agree ? chosen->value : ConstValue::unknown(why), source::ByteRange(chosen->range));
  }
}

void ProgramBuilder::ifChain(const Stmt &first, Scope &scope, const Place &place) {
  std::vector<Changes> ways;
  std::string why;
  auto walk = [&](const Block &statements) {
    Changes changes = way(scope, [&] { block(statements, scope, place); });
    if (!leaves(statements)) {
      ways.push_back(std::move(changes));
    }
  };
  const Block *rest = nullptr;
  for (const Stmt *branch = &first; branch;) {
    const Expr &condition = *branch->value;
    const Block &orelse = branch->orelse;
    bool isMain = condition.kind == Expr::Kind::Compare && syntax::spell(condition).starts_with("__name__ ==");
    ConstValue value = isMain ? ConstValue::ofBool(false) : evaluate(condition, scope);
    if (!value.isUnknown() && value.truthy()) {
      rest = &branch->body;
      break;
    }
    if (value.isUnknown()) {
      why = why.empty() ? "it depends on `" + syntax::spell(condition) + "`" : why;
      walk(branch->body);
    }
    bool chained = orelse.size() == 1 && orelse[0]->kind == Stmt::Kind::If;
    rest = &orelse;
    branch = chained && !isMain ? orelse[0] : nullptr;
    if (isMain) {
      static const Block kNothing;
      rest = &kNothing; // what runs as a script does not define kernels' names
    }
  }
  if (why.empty()) {
    block(*rest, scope, place);
    return;
  }
  walk(*rest);
  merge(scope, ways, why);
}

void ProgramBuilder::loop(const Stmt &stmt, Scope &scope, const Place &place) {
  const std::string why = "it is set in a loop";
  std::vector<Changes> ways(2); // the second: no round
  ways[0] = way(scope, [&] {
    if (stmt.kind == Stmt::Kind::For) {
      bindTarget(scope, *stmt.targets[0], ConstValue::unknown("it is a loop variable"));
    }
    forget(stmt.body, scope, why); // a round begins with what the one before left
    block(stmt.body, scope, place);
    forget(stmt.body, scope, why);
  });
  merge(scope, ways, why);
  ways[0] = way(scope, [&] { block(stmt.orelse, scope, place); });
  merge(scope, ways, why);
}

void ProgramBuilder::with(const Stmt &stmt, Scope &scope, const Place &place) {
  std::vector<Changes> ways(2); // the second: an exception that the context swallows
  ways[0] = way(scope, [&] {
    for (const syntax::WithItem &item : stmt.items) {
      if (item.target) {
        bindTarget(scope, *item.target, ConstValue::unknown("it is set by a `with` block"));
      }
    }
    block(stmt.body, scope, place);
  });
  merge(scope, ways, "it is set in a `with` block");
}

void ProgramBuilder::tryStatement(const Stmt &stmt, Scope &scope, const Place &place) {
  std::vector<Changes> ways;
  ways.push_back(way(scope, [&] {
    block(stmt.body, scope, place);
    for (const Stmt *clause : stmt.orelse) {
      if (clause->text == syntax::kElse) {
        block(clause->body, scope, place);
      }
    }
  }));
  for (const Stmt *clause : stmt.orelse) {
    if (clause->text != syntax::kExcept) {
      continue;
    }
    Changes changes = way(scope, [&] {
      for (const Expr *target : clause->targets) {
        bindTarget(scope, *target, ConstValue::unknown("it is an exception"));
      }
      block(clause->body, scope, place);
    });
    if (!leaves(clause->body)) {
      ways.push_back(std::move(changes));
    }
  }
  merge(scope, ways, "it is set in a `try` block", /*preferPl=*/true);
  for (const Stmt *clause : stmt.orelse) {
    if (clause->text == syntax::kFinally) {
      block(clause->body, scope, place);
    }
  }
}

void ProgramBuilder::match(const Stmt &stmt, Scope &scope, const Place &place) {
  std::vector<Changes> ways(1); // no case
  for (const Stmt *clause : stmt.orelse) {
    Changes changes = way(scope, [&] {
      for (const Expr *target : clause->targets) {
        bindTarget(scope, *target, ConstValue::unknown("it is set by a `case`"));
      }
      block(clause->body, scope, place);
    });
    if (!leaves(clause->body)) {
      ways.push_back(std::move(changes));
    }
  }
  merge(scope, ways, "it is set in a `match` block");
}

} // namespace placid::frontend
