// SPDX-License-Identifier: Apache-2.0
// What a cursor stands in while a line is typed: code or prose, which name, which argument of which call. Reads words,
// because at that moment the text hardly ever parses. Apart from completion and signature help, which both ask. Pure;
// any thread.
#pragma once

#include "compiler/source/words.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::server {

struct CallAround {
  std::string callee;             ///< `pl.load`.
  uint32_t argument = 0;          ///< Commas in front of the cursor.
  uint32_t positional = 0;        ///< Arguments in front of the cursor's that have no name.
  std::string keyword;            ///< Of the argument under the cursor, when it is named in front of the cursor.
  std::vector<std::string> given; ///< Names of the other arguments, those behind the cursor too.
};

struct CursorContext {
  enum class Kind : uint8_t {
    Code,
    Prose,      ///< In a comment or a string.
    Definition, ///< Where a name is made: behind `def`, `class` and `as`, in the parameters.
    Import,     ///< In an import statement.
  };
  Kind kind = Kind::Code;
  std::string chain;              ///< The dotted name that ends at the cursor: `pl.tile.lo`.
  bool named = false;             ///< An `=` follows the name: it is the name of an argument already.
  std::optional<CallAround> call; ///< The innermost one whose bracket is open.
};

CursorContext contextAt(std::string_view text, uint32_t cursor);

} // namespace placid::server
