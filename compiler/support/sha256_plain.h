// SPDX-License-Identifier: Apache-2.0
// SHA-256 without the instructions that a processor may have for it: what sha256Hex() is where it has none, for tests
// to compare. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::support {

std::string sha256HexPlainly(std::string_view bytes);

} // namespace placid::support
