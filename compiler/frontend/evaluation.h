// SPDX-License-Identifier: Apache-2.0
// One entry's evaluated Python behind a Program: the interpreter, and its values and environments as the front end sees
// them (ConstValue, Scope, KernelDecl). Private to compiler/frontend; lives as long as its Program; one thread.
#pragma once

#include "compiler/evaluator/interpreter.h"
#include "compiler/frontend/module_cache.h"
#include "compiler/frontend/pl_dialect.h"
#include "compiler/frontend/program.h"

#include <map>
#include <memory>

namespace placid::frontend {

class Evaluation {
public:
  Evaluation(Program &program, const ProgramOptions &options);
  ~Evaluation();
  Evaluation(const Evaluation &) = delete;
  Evaluation &operator=(const Evaluation &) = delete;

  /// Runs the entry; fills the program's kernels, calls, diagnostics.
  void run();

  ConstValue toConst(py::Value value);
  py::Value toPython(const ConstValue &value);
  /// The scope of an environment, made once. A class's names are not visible in its methods: its parent stands for it.
  const Scope *scopeOf(py::Env *env);
  Binding bindingOf(const py::Slot &slot);
  /// `scope` may hold names over an environment's.
  ConstValue evaluate(const syntax::Expr &expr, const Scope &scope);
  const KernelDecl *kernelOf(const py::KernelObject *object);
  py::Interpreter &interpreter() { return interpreter_; }

private:
  ConstValue toConst(py::Value value, unsigned depth, size_t &room);
  void define(const std::map<std::string, std::string> &defines);
  py::Value definedValue(const std::string &text);
  KernelDecl declare(const py::KernelObject &object);
  void declareKernels();
  bool wantsCalls() const;
  void recordCalls();
  void reportFaults();
  std::string placeText(py::Place at) const;

  Program &program_;
  const std::map<std::string, std::string> defines_;
  PlDialect dialect_;
  ImportedModules modules_;
  py::Interpreter interpreter_;
  std::map<const py::Env *, Scope *> scopes_;
  std::map<const py::KernelObject *, const KernelDecl *> kernels_;
  std::vector<std::shared_ptr<const syntax::Module>> definitions_;
};

} // namespace placid::frontend
