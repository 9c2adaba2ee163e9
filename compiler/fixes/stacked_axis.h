// SPDX-License-Identifier: Apache-2.0
// "Declare the stacked axis as a leading axis": `[LAYERS * R, C]` becomes `[LAYERS, R, C]`, and with it every load of
// the tensor in its kernel. Apart from the fixes of one place, because it is right only when all uses follow. Pure; any
// thread.
#pragma once

#include "compiler/fixes/place.h"

#include <optional>
#include <utility>
#include <vector>

namespace placid::fixes {

using TextEdit = std::pair<source::ByteRange, std::string>;

/// The edits, or nothing where the tensor is declared or used in a form that this does not know.
std::optional<std::vector<TextEdit>> unstack(const syntax::Module &module, const Place &annotation);

} // namespace placid::fixes
