// SPDX-License-Identifier: Apache-2.0
// Marks in the IR after a pass what the pass has changed. Lines are compared without the numbers of SSA values, which
// change with every operation before them. Text in, text out; knows no IR. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

/// `after` with ` // +` behind every line that `before` does not have at its place. A comment of the IR, so the text
/// still parses. `changed` counts those lines.
std::string markChanges(std::string_view before, std::string_view after, size_t &changed);

} // namespace placid::server
