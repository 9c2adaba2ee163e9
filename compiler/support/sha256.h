// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of bytes in memory: names what is stored by what it is. Not for secrets. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::support {

/// 64 lower-case hexadecimal digits.
std::string sha256Hex(std::string_view bytes);

} // namespace placid::support
