// SPDX-License-Identifier: Apache-2.0
// Whether a name's value is still wanted: what a branch, loop or scope must hand out. A question about one name,
// answered by walking the statements that run next, up to the first that reads it or surely assigns it. Purely
// syntactic.
#pragma once

#include "compiler/syntax/ast.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// The statements that are being built, outermost block first.
class Continuation {
public:
  /// `loop`: after the last statement the first one may follow.
  void enter(const std::vector<const syntax::Stmt *> &statements, bool loop) {
    blocks_.push_back({&statements, 0, loop});
  }
  void leave() { blocks_.pop_back(); }
  /// The statement at `index` of the innermost block is being built.
  void at(size_t index) { blocks_.back().index = index; }
  /// True when the value that `name` has after the current statement may be read.
  bool isLive(std::string_view name) const;
  /// True when no statement follows the current one: it is the last of every block around it, and in no loop.
  bool isLast() const;
  /// True when the current statement is the last of its own block, and no loop is around.
  bool endsPath() const;

private:
  struct Block {
    const std::vector<const syntax::Stmt *> *statements;
    size_t index;
    bool loop;
  };
  std::vector<Block> blocks_;
};

} // namespace placid::frontend
