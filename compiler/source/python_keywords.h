// SPDX-License-Identifier: Apache-2.0
// The words that Python keeps for itself. Apart because lexers, rules of names and the index ask the same.
// Pure; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace placid::source {

inline constexpr std::array<std::string_view, 35> kPythonKeywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

constexpr bool isPythonKeyword(std::string_view word) {
  return std::find(kPythonKeywords.begin(), kPythonKeywords.end(), word) != kPythonKeywords.end();
}

} // namespace placid::source
