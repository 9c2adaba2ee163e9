// SPDX-License-Identifier: Apache-2.0
// Where the names of an import statement stand: the tree keeps their text only. Apart from the index, which asks for
// them twice. Reads words, not characters, so that no name is found inside another one, a comment or `as`. Pure; any
// thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <string_view>
#include <vector>

namespace placid::index {

struct ImportPlace {
  source::ByteRange name;  ///< What is imported, `a.b` with its dots; empty where it cannot be told.
  source::ByteRange bound; ///< The name behind `as`, or `name` without one.
};

struct ImportPlaces {
  source::ByteRange module;       ///< Of `from`, leading dots included.
  std::vector<ImportPlace> names; ///< One for each of Stmt::imports.
};

ImportPlaces importPlaces(std::string_view text, const syntax::Stmt &stmt);

} // namespace placid::index
