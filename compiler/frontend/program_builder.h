// SPDX-License-Identifier: Apache-2.0
// Builds a Program: walks a module's statements in order, binds names to static values, and collects kernels, wherever
// they stand. Where control flow is not known, every way is walked from the same start and a name keeps a value on
// which the ways agree (program_ways.cpp). What cannot be followed makes its targets unknown; that alone is never an
// error. Private to compiler/frontend; one thread.
#pragma once

#include "compiler/frontend/evaluate.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

/// What one way through a statement binds.
using Changes = std::map<std::string, Binding, std::less<>>;
using Block = std::vector<const Stmt *>;

/// Where a statement stands.
struct Place {
  std::string prefix;       ///< Of qualified names: `P.`
  std::string programClass; ///< Empty outside @pl.program.
};

class ProgramBuilder {
public:
  ProgramBuilder(Program &program, const std::map<std::string, std::string> &defines);
  void run();

private:
  void block(const Block &statements, Scope &scope, const Place &place);
  void statement(const Stmt &stmt, Scope &scope, const Place &place);
  void assign(const Stmt &stmt, Scope &scope);
  void augment(const Stmt &stmt, Scope &scope);
  void mutate(const Stmt &stmt, Scope &scope);
  void ifChain(const Stmt &first, Scope &scope, const Place &place);
  void loop(const Stmt &stmt, Scope &scope, const Place &place);
  void with(const Stmt &stmt, Scope &scope, const Place &place);
  void tryStatement(const Stmt &stmt, Scope &scope, const Place &place);
  void match(const Stmt &stmt, Scope &scope, const Place &place);

  /// Runs one way and takes its bindings back.
  template <class Run> Changes way(Scope &scope, Run run);
  void merge(Scope &scope, const std::vector<Changes> &ways, const std::string &why, bool preferPl = false);

  void bind(Scope &scope, std::string_view name, ConstValue value, source::ByteRange range);
  void bindTarget(Scope &scope, const Expr &target, const ConstValue &value);
  void forget(const Block &statements, Scope &scope, const std::string &why);
  void import(const Stmt &stmt, Scope &scope);
  void importFrom(const Stmt &stmt, const syntax::ImportedName &name, Scope &scope);
  void importAll(const Stmt &stmt, Scope &scope);
  void sisterDialect(const Stmt &stmt);
  void function(const Stmt &stmt, Scope &scope, const Place &place);
  bool kernel(const Stmt &stmt, Scope &scope, const Place &place);
  bool functionType(const Expr &call, const std::string &kernelName, Scope &scope, KernelKind &kind);
  void classStatement(const Stmt &stmt, Scope &scope, const Place &place);
  std::string decoratorPath(const Expr &expr, const Scope &scope);
  ConstValue evaluate(const Expr &expr, const Scope &scope) { return frontend::evaluate(expr, scope, budget_); }
  void report(const diag::CatalogRow &row, source::ByteRange at, std::string message, std::string kernel = {});

  Program &program_;
  std::map<std::string, ConstValue, std::less<>> defines_;
  std::set<std::string, std::less<>> usedDefines_;
  EvalBudget budget_{kProgramBudget};
  /// The bindings that the ways being walked replaced, innermost last.
  struct Journal {
    const Scope *scope;
    std::map<std::string, std::optional<Binding>, std::less<>> before;
  };
  std::vector<Journal> journals_;
  unsigned depth_ = 0;
  bool sisterReported_ = false;
  bool depthReported_ = false;
};

} // namespace placid::frontend
