// SPDX-License-Identifier: Apache-2.0
// Applies `contentChanges` to a text by the protocol's rules for lines and UTF-16 characters, for a client side that
// keeps what an editor has open. The server has a text store of its own over the compiler's line index; a test holds
// the two together. Pure; any thread.
#pragma once

#include "protocol/lsp/types.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::lsp {

/// Nothing when a range is reversed or begins beyond the line after the last. Where it ends beyond that, it ends with
/// the text: editors replace a whole text so. Many changes cost hardly more than their text.
std::optional<std::string> applyContentChanges(std::string text, const std::vector<ContentChange> &changes);

} // namespace placid::lsp
