// SPDX-License-Identifier: Apache-2.0
// Functions that hold kernels and that nothing called: they run with their defaults, and whatever happens on the way,
// every kernel in them is made.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Stmt;

bool Interpreter::holdsNewKernel(const Block &statements) const {
  return std::any_of(statements.begin(), statements.end(), [&](const Stmt *stmt) {
    bool definition = stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class;
    bool decorated = stmt->kind == Stmt::Kind::Function && !stmt->decorators.empty() && !instances_.contains(stmt);
    return (decorated && !ran_.contains(stmt)) || ((!definition || !instances_.contains(stmt)) &&
                                                   (holdsNewKernel(stmt->body) || holdsNewKernel(stmt->orelse)));
  });
}

void Interpreter::findBuilders(const Block &statements, std::vector<const Stmt *> &out) const {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Function) {
      if (!instances_.contains(stmt) && holdsNewKernel(stmt->body)) {
        out.push_back(stmt);
      }
    } else if (stmt->kind != Stmt::Kind::Class) {
      findBuilders(stmt->body, out);
      findBuilders(stmt->orelse, out);
    }
  }
}

bool Interpreter::hasBuilders() const {
  std::vector<const Stmt *> builders;
  findBuilders(entry_->tree->body, builders);
  return !builders.empty();
}

/// The body of a builder, statement by statement: one that raises or returns does not end it.
void Interpreter::runBuilder(const Stmt &stmt, Env *around, unsigned depth) {
  Env *env = heap_.make<Env>();
  env->parent = around;
  env->module = entry_;
  Frame frame;
  frame.env = env;
  frame_ = &frame;
  for (const syntax::Parameter &parameter : stmt.parameters) {
    std::string_view name = parameter.name;
    while (name.starts_with('*')) {
      name.remove_prefix(1);
    }
    Frame outer;
    outer.env = around;
    Value value = parameter.defaultValue ? eval(*parameter.defaultValue, outer) : Value::raised();
    if (value.isRaised()) {
      value = unknown(std::string(kParameterReason) + " `" + std::string(stmt.name) + "`");
    }
    bind(frame, name, value, parameter.nameRange);
  }
  for (const Stmt *part : stmt.body) {
    beginUnit(limits_.unit / 4);
    if (statement(*part, frame) == Flow::Raise) {
      forget({part}, frame, unknown("the statement that sets it raises an exception"));
    }
  }
  std::vector<const Stmt *> inner;
  findBuilders(stmt.body, inner);
  for (const Stmt *part : depth < 8 ? inner : std::vector<const Stmt *>()) {
    runBuilder(*part, env, depth + 1);
  }
}

void Interpreter::runBuilders() {
  std::vector<const Stmt *> builders;
  findBuilders(entry_->tree->body, builders);
  ++uncertain_;
  for (const Stmt *stmt : builders) {
    exhausted_ = false;
    runBuilder(*stmt, entry_->env, 0);
  }
  frame_ = nullptr;
  --uncertain_;
}

} // namespace placid::py
