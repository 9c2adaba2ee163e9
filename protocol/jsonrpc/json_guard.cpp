// SPDX-License-Identifier: Apache-2.0
#include "protocol/jsonrpc/json_guard.h"

namespace placid::protocol {

JsonFault guardJson(std::string_view text, const JsonLimits &limits) {
  uint32_t depth = 0;
  size_t values = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      // To the closing quote, or to the end: the parser reports an unfinished string.
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') {
          ++i;
        }
      }
      break;
    case '[':
    case '{':
      if (++depth > limits.depth) {
        return JsonFault::TooDeep;
      }
      ++values;
      break;
    case ']':
    case '}':
      depth -= depth > 0 ? 1 : 0; // a surplus closer is the parser's to report
      break;
    case ',':
      ++values;
      break;
    default:
      break;
    }
    if (values > limits.values) {
      return JsonFault::TooManyValues;
    }
  }
  return JsonFault::None;
}

} // namespace placid::protocol
