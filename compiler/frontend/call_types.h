// SPDX-License-Identifier: Apache-2.0
// The argument types that calls give to kernels whose parameters do not say them (a bare `pl.Tensor`). Filled while
// callers are built, read when the callee is; lives as long as the MLIRContext of one compile. One thread.
#pragma once

#include "compiler/frontend/program.h"

#include "mlir/IR/Types.h"

#include <map>
#include <vector>

namespace placid::frontend {

class CallTypes {
public:
  /// The first call decides, as in the reference; null entries are filled by later ones.
  void record(const KernelDecl &callee, const std::vector<mlir::Type> &arguments) {
    std::vector<mlir::Type> &known = types_[&callee];
    known.resize(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      known[i] = known[i] ? known[i] : arguments[i];
    }
  }
  /// The type of the argument at `position`, `self` not counted; null when no call says it.
  mlir::Type find(const KernelDecl &callee, size_t position) const {
    auto known = types_.find(&callee);
    return known != types_.end() && position < known->second.size() ? known->second[position] : mlir::Type();
  }
  bool knows(const KernelDecl &callee) const { return types_.contains(&callee); }

private:
  std::map<const KernelDecl *, std::vector<mlir::Type>> types_; ///< Looked up, never listed.
};

} // namespace placid::frontend
