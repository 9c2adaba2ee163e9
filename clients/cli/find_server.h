// SPDX-License-Identifier: Apache-2.0
// Where the server program is: beside this one, else on PATH. Reads the file system and the environment; no other
// effect.
#pragma once

#include <string>
#include <string_view>

namespace placid::cli {

/// Absolute or PATH-found path of an executable `name`; empty when there is none.
std::string findServer(std::string_view name);

} // namespace placid::cli
