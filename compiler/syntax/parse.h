// SPDX-License-Identifier: Apache-2.0
// Text to Module through tree-sitter. Never fails: broken places become Error nodes and faults, the rest is kept.
#pragma once

#include "compiler/syntax/ast.h"

#include <memory>

struct TSParser;
struct TSTree;

namespace placid::syntax {

/// Keeps the tree of the last text so that the next one re-parses only what changed.
/// One thread at a time.
class Parser {
public:
  Parser();
  ~Parser();
  Parser(const Parser &) = delete;
  Parser &operator=(const Parser &) = delete;

  std::shared_ptr<const Module> parse(source::SourcePtr source);

private:
  TSParser *parser_;
  TSTree *tree_ = nullptr;
  source::SourcePtr last_;
};

} // namespace placid::syntax
