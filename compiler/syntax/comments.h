// SPDX-License-Identifier: Apache-2.0
// Comments out of the parser's way: they carry no meaning here, a parser keeps each as a node of its own (and
// tree-sitter 0.20 corrupts its tree past 65,535 in a row), and an edit inside one should re-parse nothing. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::syntax {

/// The text with every comment replaced by blanks: line ends and every offset stay.
std::string blankComments(std::string_view text);

} // namespace placid::syntax
