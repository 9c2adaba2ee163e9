// SPDX-License-Identifier: Apache-2.0
// A look over JSON text before it is parsed: nesting depth and number of values, in one pass without recursion or
// allocation. Separate from the parser because values made by it are copied, printed and destroyed by library code that
// may recurse. Not a validator: text that passes may still be invalid. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace placid::protocol {

struct JsonLimits {
  uint32_t depth = 200;      ///< Open brackets and braces at one place.
  size_t values = 1'000'000; ///< Roughly: commas plus opening brackets and braces outside strings.
};

enum class JsonFault : uint8_t { None, TooDeep, TooManyValues };

JsonFault guardJson(std::string_view text, const JsonLimits &limits = {});

} // namespace placid::protocol
