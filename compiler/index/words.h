// SPDX-License-Identifier: Apache-2.0
// Names and comments in a range of Python text. For the parts of a text that the syntax tree keeps as one piece, and
// for comments, which it drops. Pure; any thread.
#pragma once

#include "compiler/source/text.h"

#include <string_view>
#include <vector>

namespace placid::index {

/// Names in `range` that can stand for a variable: no attribute after a dot, no keyword argument, no Python keyword.
std::vector<source::ByteRange> namesIn(std::string_view text, source::ByteRange range);

/// Comments, from `#` to the end of the line.
std::vector<source::ByteRange> commentsIn(std::string_view text);

} // namespace placid::index
