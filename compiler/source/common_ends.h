// SPDX-License-Identifier: Apache-2.0
// How much two texts have in common at their beginnings and ends: what an edit has left. Compared in blocks, since
// texts are long and edits short. Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace placid::source {

struct CommonEnds {
  size_t prefix = 0;
  size_t suffix = 0; ///< Of what is behind the prefix in both: the two never overlap.
};

inline CommonEnds commonEnds(std::string_view a, std::string_view b) {
  constexpr size_t kBlock = 512;
  const size_t limit = std::min(a.size(), b.size());
  CommonEnds out;
  while (limit - out.prefix >= kBlock && std::memcmp(a.data() + out.prefix, b.data() + out.prefix, kBlock) == 0) {
    out.prefix += kBlock;
  }
  while (out.prefix < limit && a[out.prefix] == b[out.prefix]) {
    ++out.prefix;
  }
  const size_t rest = limit - out.prefix;
  const char *endA = a.data() + a.size();
  const char *endB = b.data() + b.size();
  while (rest - out.suffix >= kBlock &&
         std::memcmp(endA - out.suffix - kBlock, endB - out.suffix - kBlock, kBlock) == 0) {
    out.suffix += kBlock;
  }
  while (out.suffix < rest && *(endA - out.suffix - 1) == *(endB - out.suffix - 1)) {
    ++out.suffix;
  }
  return out;
}

} // namespace placid::source
