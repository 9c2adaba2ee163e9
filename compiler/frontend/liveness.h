// SPDX-License-Identifier: Apache-2.0
// Whether a name's value is still wanted: what a branch, loop or scope must hand out. A question about one name,
// answered by the statements that run next, up to the first that reads it or surely assigns it. Purely syntactic.
#pragma once

#include "compiler/syntax/ast.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placid::frontend {

/// What happens to a name first.
enum class Fate : uint8_t { Untouched, Read, Assigned };

/// What the statements of blocks do to names, found once for each block, which is told by where it is: none may go, nor
/// the syntax, while this is there.
class NameFates {
public:
  using Statements = std::vector<const syntax::Stmt *>;
  NameFates();
  ~NameFates();
  NameFates(const NameFates &) = delete;
  NameFates &operator=(const NameFates &) = delete;

  /// What the statements from the one at `from` on do to `name`.
  Fate in(const Statements &block, size_t from, std::string_view name);

private:
  struct Block;
  struct Touched;
  const Block &blockOf(const Statements &statements);
  void addStatement(const syntax::Stmt &stmt, Touched &out);

  std::unordered_map<const Statements *, std::unique_ptr<Block>> blocks_; ///< Looked up, never listed.
};

/// The statements that are being built, outermost block first.
class Continuation {
public:
  explicit Continuation(NameFates &fates) : fates_(&fates) {}
  /// `loop`: after the last statement the first one may follow.
  void enter(const NameFates::Statements &statements, bool loop) { blocks_.push_back({&statements, 0, loop}); }
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
    const NameFates::Statements *statements;
    size_t index;
    bool loop;
  };
  NameFates *fates_;
  std::vector<Block> blocks_;
};

} // namespace placid::frontend
