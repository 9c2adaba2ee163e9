// SPDX-License-Identifier: Apache-2.0
// How many terminal columns a character takes, and which characters must not reach a terminal as they are.
// Apart from the renderer because its tables are long and because any terminal output needs them. Standard library
// only; pure functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace placid::diag {

struct DecodedChar {
  uint32_t codePoint; ///< U+FFFD when not valid.
  uint32_t length;    ///< Bytes to advance: 1 for a byte that starts no sequence.
  bool valid;
};

/// The character that starts at byte `at`, which must be inside `text`.
DecodedChar decodeUtf8(std::string_view text, size_t at);

/// 0, 1 or 2 columns. Tabs and control characters are the caller's business.
uint32_t displayWidth(uint32_t codePoint);

/// Control characters (an escape sequence would drive the terminal) and bidirectional overrides (code would read as
/// what it is not).
bool isUnsafeToShow(uint32_t codePoint);

/// `text` with every unsafe character and every invalid byte replaced by U+FFFD. Newlines stay.
std::string sanitize(std::string_view text);

} // namespace placid::diag
