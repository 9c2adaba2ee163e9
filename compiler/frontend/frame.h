// SPDX-License-Identifier: Apache-2.0
// The function whose statements a KernelBuilder is building. Private to compiler/frontend.
#pragma once

#include "compiler/frontend/kernel_builder.h"

namespace placid::frontend {

struct KernelBuilder::Frame {
  Frame(const KernelDecl &declIn, NameFates &fates) : decl(declIn), next(fates) {}
  const KernelDecl &decl;
  Continuation next;                        ///< What runs after the statement that is being built.
  std::optional<std::vector<Val>> returned; ///< Set by the `return` at the end of the body.
  mlir::Region *region = nullptr;           ///< Where its body is built: what is inside another one may not run.
  bool attributesAllowed = true;            ///< No statement but pl.func_attr and comments yet.
};

} // namespace placid::frontend
