// SPDX-License-Identifier: Apache-2.0
// The mark of UTF-8 at the beginning of a file. It belongs to the file, not to its text: editors show, count and send
// the text without it. Pure; any thread.
#pragma once

#include <string_view>

namespace placid::source {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

} // namespace placid::source
