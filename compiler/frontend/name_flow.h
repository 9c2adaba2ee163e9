// SPDX-License-Identifier: Apache-2.0
// Which names a block of statements assigns, and where a function reads each name: what turning assignments into SSA
// needs to know. Purely syntactic.
#pragma once

#include "compiler/syntax/ast.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// Names that the statements may assign, in order of first assignment; nested blocks included.
std::vector<std::string> assignedNames(const std::vector<const syntax::Stmt *> &statements);

/// Names read before the statements have surely assigned them.
std::set<std::string, std::less<>> exposedReads(const std::vector<const syntax::Stmt *> &statements);

/// Where names are read in one function.
class ReadIndex {
public:
  explicit ReadIndex(const std::vector<const syntax::Stmt *> &body);
  /// True when `name` is read after `range`, or elsewhere in a loop that encloses it.
  bool readOutside(std::string_view name, source::ByteRange range, const std::vector<source::ByteRange> &loops) const;

private:
  std::map<std::string, std::vector<uint32_t>, std::less<>> reads_; ///< Sorted offsets.
};

} // namespace placid::frontend
