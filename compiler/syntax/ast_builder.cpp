// SPDX-License-Identifier: Apache-2.0
// Entry of the tree walk, node helpers, and the broken places of a tree.
#include "compiler/syntax/ast_builder.h"

#include <algorithm>
#include <initializer_list>

namespace placid::syntax {

namespace {

/// Letters and digits of full width are those of plain width in a name of Python: what an input method leaves behind.
std::string plainWidth(std::string_view name) {
  std::string out;
  for (size_t at = 0; at < name.size(); ++at) {
    auto byte = [&](size_t i) { return i < name.size() ? static_cast<unsigned char>(name[i]) : 0U; };
    const unsigned point = byte(at) == 0xEF ? 0xF000 | (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F) : 0;
    if (point > 0xFF00 && point < 0xFF5F) {
      out += static_cast<char>(point - 0xFEE0);
      at += 2;
    } else {
      out += name[at];
    }
  }
  return out;
}

} // namespace

std::string_view AstBuilder::text(TSNode node) const {
  ByteRange at = range(node);
  std::string_view out = text_.substr(at.begin, at.end - at.begin);
  if (out.find('\xEF') == std::string_view::npos || type(node) != "identifier") {
    return out;
  }
  return part_.decoded.emplace_back(plainWidth(out));
}

std::vector<TSNode> AstBuilder::namedChildren(TSNode node) {
  std::vector<TSNode> out;
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      TSNode child = ts_tree_cursor_current_node(&cursor);
      if (ts_node_is_named(child) && type(child) != "comment" && type(child) != "line_continuation") {
        out.push_back(child);
      }
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  return out;
}

TSNode AstBuilder::field(TSNode node, const char *name) {
  return ts_node_child_by_field_name(node, name, static_cast<uint32_t>(std::string_view(name).size()));
}

Expr &AstBuilder::newExpr(Expr::Kind kind, ByteRange range) {
  Expr &out = part_.exprs.emplace_back();
  out.kind = kind;
  out.range = range;
  return out;
}

Stmt &AstBuilder::newStmt(Stmt::Kind kind, ByteRange range) {
  Stmt &out = part_.stmts.emplace_back();
  out.kind = kind;
  out.range = range;
  return out;
}

void AstBuilder::addFault(ByteRange range, std::string message, bool tooDeep) {
  if (module_.faults.size() < kMaxFaults) {
    module_.faults.push_back({range, std::move(message), tooDeep});
  }
}

void AstBuilder::build(TSNode root) {
  if (type(root) == "ERROR") {
    // Nothing but recovery: keep the statements it found.
    for (TSNode child : namedChildren(root)) {
      statement(child, module_.body);
    }
  } else {
    module_.body = block(root);
  }
  part_.body = module_.body;
  if (ts_node_has_error(root)) {
    collectFaults(root);
  }
  std::sort(module_.faults.begin(), module_.faults.end(),
            [](const SyntaxFault &a, const SyntaxFault &b) { return a.range < b.range; });
}

void AstBuilder::collectFaults(TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool down = true;
  for (bool more = true; more;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    if (down) {
      bool missing = ts_node_is_missing(node);
      bool error = type(node) == "ERROR";
      if (missing || error) {
        ByteRange at = range(node);
        if (missing) {
          addFault({at.begin, at.begin}, "expected `" + std::string(type(node)) + "`");
        } else {
          // The first line of what could not be read is enough to point at.
          std::string_view seen = text(node);
          seen = seen.substr(0, std::min({seen.find('\n'), seen.find('\r'), size_t{40}}));
          ByteRange shown{at.begin, at.begin + static_cast<uint32_t>(seen.size())};
          addFault(shown, seen.empty() ? "unexpected end" : "unexpected `" + std::string(seen) + "`");
        }
      }
      bool descend = !error && ts_node_has_error(node);
      if (descend && ts_tree_cursor_goto_first_child(&cursor)) {
        continue;
      }
    }
    if (ts_tree_cursor_goto_next_sibling(&cursor)) {
      down = true;
    } else {
      down = false;
      more = ts_tree_cursor_goto_parent(&cursor);
    }
    more = more && module_.faults.size() < kMaxFaults;
  }
  ts_tree_cursor_delete(&cursor);
}

} // namespace placid::syntax
