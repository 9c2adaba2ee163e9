// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, with padding), for blobs inside JSON. Strict: what is not exactly that form is refused. Pure; any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

std::string toBase64(std::string_view bytes);
std::optional<std::string> fromBase64(std::string_view text);

} // namespace placid::server
