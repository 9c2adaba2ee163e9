// SPDX-License-Identifier: Apache-2.0
// Whether a rename is safe: no use that is missed, and no name that means something else afterwards. Apart from the
// request, because each rule is about names and none about the protocol. A rule that cannot tell refuses. Compile
// thread.
#pragma once

#include "server/handlers/modules.h"

namespace placid::server {

/// Why `name` cannot be a new name; empty for one that can. Python's rule is the parser's.
std::string nameFault(compiler::CompilerService &compiler, const std::string &name);

struct RenamePlan {
  Target target;
  std::string from, to;
  Modules::Found found;
  /// Ranges to change, ascending, by module.
  std::map<const ModuleView *, std::vector<source::ByteRange>> edits;
};

/// Uses that the search may have missed, as a reason to refuse; empty when there are none.
std::string missedUse(Modules &modules, const RenamePlan &plan);

/// A name that would mean something else in the edited texts, as a reason to refuse; empty when there is none.
std::string changedMeaning(compiler::CompilerService &compiler, const RenamePlan &plan);

} // namespace placid::server
