// SPDX-License-Identifier: Apache-2.0
// PTO IR text to a Program. Reads the spellings of the assembler's text form, not only placid's own: both tile_buf
// forms, statements over several lines, aliases, any attribute. What it cannot read is a fault with a line. Total. Any
// thread.
#pragma once

#include "compiler/interpreter/program.h"

#include <string_view>
#include <variant>

namespace placid::interp {

std::variant<Program, Fault> parseProgram(std::string_view text);

/// `!pto.tile_buf<…>`, `!pto.ptr<f16>`, `index` … A type that is not modelled has kind Other.
Type parseType(const std::string &text);

} // namespace placid::interp
