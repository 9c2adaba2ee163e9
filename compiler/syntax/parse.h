// SPDX-License-Identifier: Apache-2.0
// Text to Module: sound texts directly, all others through tree-sitter. Never fails: broken places become Error nodes
// and faults, the rest is kept. A text that does not parse is tried again without its half-typed statements, so that
// one of them costs itself alone.
#pragma once

#include "compiler/syntax/ast.h"
#include "compiler/syntax/kept_parts.h"

#include <memory>
#include <string>
#include <string_view>

struct TSParser;
struct TSTree;

namespace placid::syntax {

/// Keeps what the last sound text was read to, and the tree of the last one that went through the grammar, so that the
/// next one re-parses only what changed. One thread at a time.
class Parser {
public:
  Parser();
  ~Parser();
  Parser(const Parser &) = delete;
  Parser &operator=(const Parser &) = delete;

  std::shared_ptr<const Module> parse(source::SourcePtr source);
  /// The same, slower: what parse() does with what it cannot read directly.
  std::shared_ptr<const Module> parseByGrammar(source::SourcePtr source);
  /// Gives up what is many times as large as the text.
  void forgetNodes() { kept_.keep(nullptr); }

private:
  /// A tree and the text it stands for, so that the next text re-parses only what differs.
  struct Cached {
    TSTree *tree = nullptr;
    std::string text;
    void forget();
  };
  /// Null when the parser gave up.
  TSTree *reparse(Cached &cached, std::string_view text);

  /// A parser that has read nothing.
  void renew();

  KeptParts kept_;
  TSParser *parser_ = nullptr;
  Cached plain_;
  Cached repaired_; ///< Of the text with half-typed statements blanked, see repair.h.
};

} // namespace placid::syntax
