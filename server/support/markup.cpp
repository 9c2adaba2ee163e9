// SPDX-License-Identifier: Apache-2.0
#include "server/support/markup.h"

namespace placid::server {

std::string escapeMarkup(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    case '\n':
      out += "&#10;"; // as it stands it would be a space in an attribute
      break;
    case '\t':
      out += "&#9;";
      break;
    default:
      // Control characters are no XML, escaped or not.
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

} // namespace placid::server
