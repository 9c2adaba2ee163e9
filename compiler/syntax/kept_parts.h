// SPDX-License-Identifier: Apache-2.0
// The nodes of the last sound text, so that the next one reads only the top-level statements around its edit; those
// behind it are moved. Where that cannot be, nothing is made, and the text is to be read as a whole. Private to
// compiler/syntax; one thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <memory>

namespace placid::syntax {

class KeptParts {
public:
  /// What reading `source` as a whole makes, or null. A module that was given out keeps what it says: while somebody
  /// holds it, nothing that it has is moved.
  std::shared_ptr<const Module> parse(const source::SourcePtr &source);
  /// `module` was read directly, and has no faults.
  void keep(std::shared_ptr<Module> module) { known_ = std::move(module); }

private:
  std::shared_ptr<Module> known_;
};

/// Of the statements of the parts, in order.
std::vector<const Stmt *> bodyOf(const std::vector<std::shared_ptr<Part>> &parts);

} // namespace placid::syntax
