// SPDX-License-Identifier: Apache-2.0
// Which way a text goes. The tree-sitter side: parsing, re-parsing after an edit, and the search for broken places.
#include "compiler/syntax/parse.h"

#include "compiler/source/common_ends.h"
#include "compiler/syntax/ast_builder.h"
#include "compiler/syntax/comments.h"
#include "compiler/syntax/direct_parser.h"
#include "compiler/syntax/guards.h"
#include "compiler/syntax/python_rules.h"
#include "compiler/syntax/repair.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <iterator>
#include <optional>

extern "C" const TSLanguage *tree_sitter_python();

namespace placid::syntax {

namespace {

/// Column of a tree-sitter point: bytes since the last line feed. The grammar counts "\n" only.
TSPoint pointAt(std::string_view text, uint32_t offset) {
  auto before = text.substr(0, offset);
  auto row = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  size_t start = before.rfind('\n');
  return {row, offset - (start == std::string_view::npos ? 0 : static_cast<uint32_t>(start + 1))};
}

/// The one replaced range between two texts: common prefix and suffix cut away.
TSInputEdit editBetween(std::string_view before, std::string_view after) {
  auto [prefix, suffix] = source::commonEnds(before, after);
  auto start = static_cast<uint32_t>(prefix);
  auto oldEnd = static_cast<uint32_t>(before.size() - suffix);
  auto newEnd = static_cast<uint32_t>(after.size() - suffix);
  return {start, oldEnd, newEnd, pointAt(before, start), pointAt(before, oldEnd), pointAt(after, newEnd)};
}

/// The first block deeper than the grammar's scanner counts, as a fault; nullopt without one. Lines inside brackets and
/// texts do not begin blocks: the line before a block ends in a colon.
std::optional<SyntaxFault> tooFarIndented(std::string_view text) {
  constexpr size_t kMaxColumns = 255;
  char last = 0; // of the line before, blank ones not counted
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    size_t first = line.find_first_not_of(" \t\r\f");
    if (first != std::string_view::npos) {
      size_t columns = 0;
      for (char c : line.substr(0, first)) {
        columns += c == '\t' ? 8 : 1;
      }
      if (columns > kMaxColumns && last == ':') {
        return SyntaxFault{{static_cast<uint32_t>(begin + first), static_cast<uint32_t>(end)},
                           "a block that is indented by " + std::to_string(columns) + " columns: no more than " +
                               std::to_string(kMaxColumns) + " are followed"};
      }
      last = line[line.find_last_not_of(" \t\r\f")];
    }
    begin = end + 1;
  }
  return std::nullopt;
}

/// A carriage return alone ends a line, in Python and in the protocol of editors; the grammar takes it for a blank.
void endLinesAtReturns(std::string &text) {
  for (size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') {
      text[at] = '\n'; // as long as before: places stay what they are
    }
  }
}

} // namespace

void Parser::Cached::forget() {
  if (tree) {
    ts_tree_delete(tree);
  }
  tree = nullptr;
  text.clear();
}

Parser::Parser() = default;

Parser::~Parser() {
  plain_.forget();
  repaired_.forget();
  if (parser_) {
    ts_parser_delete(parser_);
  }
}

void Parser::renew() {
  if (parser_) {
    ts_parser_delete(parser_);
  }
  parser_ = ts_parser_new();
  ts_parser_set_language(parser_, tree_sitter_python());
}

TSTree *Parser::reparse(Cached &cached, std::string_view text) {
  TSTree *old = cached.tree;
  if (old && cached.text == text) {
    return old;
  }
  // The grammar's scanner does not forget that it was inside an f-string when a text ends there.
  renew();
  if (old) {
    TSInputEdit edit = editBetween(cached.text, text);
    ts_tree_edit(old, &edit);
  }
  cached.tree = ts_parser_parse_string(parser_, old, text.data(), static_cast<uint32_t>(text.size()));
  if (old) {
    ts_tree_delete(old);
    // Error recovery depends on what it could reuse: a text that does not parse is read without its history.
    if (cached.tree && ts_node_has_error(ts_tree_root_node(cached.tree))) {
      ts_tree_delete(cached.tree);
      renew();
      cached.tree = ts_parser_parse_string(parser_, nullptr, text.data(), static_cast<uint32_t>(text.size()));
    }
  }
  cached.text = std::string(text);
  return cached.tree;
}

std::shared_ptr<const Module> Parser::parse(source::SourcePtr source) {
  if (std::shared_ptr<const Module> known = kept_.parse(source)) {
    return known;
  }
  auto module = std::make_shared<Module>();
  module->source = source;
  if (DirectParser(source->text, source).run(module->parts)) {
    module->body = bodyOf(module->parts);
    module->faults = brokenRules(*module, source->text);
    if (module->faults.empty()) {
      kept_.keep(module);
    }
    return module;
  }
  return parseByGrammar(std::move(source));
}

std::shared_ptr<const Module> Parser::parseByGrammar(source::SourcePtr source) {
  auto module = std::make_shared<Module>();
  module->source = std::move(source);
  std::string text = blankComments(module->source->text);
  endLinesAtReturns(text);
  std::vector<SyntaxFault> faults = guardGrammar(text);
  TSTree *tree = reparse(plain_, text);
  bool broken = tree && ts_node_has_error(ts_tree_root_node(tree));
  RepairScope scope = broken ? RepairScope::AllFaults : RepairScope::CertainFaults;
  if (std::optional<Repair> repair = repairStatements(text, scope)) {
    module->faults = std::move(repair->faults);
    tree = reparse(repaired_, repair->text);
  }
  if (tree) {
    AstBuilder(*module).build(ts_tree_root_node(tree));
  }
  if (module->faults.empty() && faults.empty()) {
    faults = badIndentation(text); // where more is wrong, it follows from that
    if (faults.empty()) {
      faults = brokenRules(*module, text);
    }
  }
  if (!faults.empty()) {
    module->faults.insert(module->faults.end(), std::make_move_iterator(faults.begin()),
                          std::make_move_iterator(faults.end()));
    std::sort(module->faults.begin(), module->faults.end(),
              [](const SyntaxFault &a, const SyntaxFault &b) { return a.range < b.range; });
  }
  if (!module->faults.empty()) {
    if (std::optional<SyntaxFault> deep = tooFarIndented(text)) {
      module->faults = {std::move(*deep)}; // what else is said follows from it
    }
  }
  return module;
}

} // namespace placid::syntax
