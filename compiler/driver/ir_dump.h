// SPDX-License-Identifier: Apache-2.0
// The IR of a unit after each pass, as text: what `placid ir --after` and `--all` show. A pass over functions is shown
// function by function, because the functions of a module reach it one after the other.
#pragma once

#include "compiler/driver/compiler_service.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace placid::compiler {

class IrDump {
public:
  /// Null `out` makes every member a no-op.
  IrDump(std::vector<IrUnit> *out, std::string kernel) : out_(out), kernel_(std::move(kernel)) {}
  void add(std::string_view pass, mlir::Operation *op);
  void attach(mlir::PassManager &pm);

private:
  std::vector<IrUnit> *out_;
  std::string kernel_;
};

} // namespace placid::compiler
