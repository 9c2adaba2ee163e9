// SPDX-License-Identifier: Apache-2.0
// Python's escapes in string literals. Apart from those who make nodes: there are two. Private to compiler/syntax;
// pure.
#pragma once

#include <string>
#include <string_view>

namespace placid::syntax {

/// What is no escape stays as it is, backslash included. Of `bytes`, `\u` and `\N` are none.
std::string decodeEscapes(std::string_view text, bool bytes);

} // namespace placid::syntax
