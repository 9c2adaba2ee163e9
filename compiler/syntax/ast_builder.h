// SPDX-License-Identifier: Apache-2.0
// Turns one tree-sitter tree into the nodes of a Module. Private to compiler/syntax.
#pragma once

#include "compiler/syntax/ast.h"

#include <tree_sitter/api.h>

#include <memory>
#include <string_view>
#include <vector>

namespace placid::syntax {

class AstBuilder {
public:
  explicit AstBuilder(Module &module)
      : module_(module), part_(*module.parts.emplace_back(std::make_shared<Part>())), text_(module.source->text) {
    part_.text = module.source;
  }
  void build(TSNode root);

private:
  /// One level deeper while it lives. False, and a fault at `node`, where that is too deep.
  class Deeper {
  public:
    Deeper(AstBuilder &builder, TSNode node) : depth_(builder.depth_), fits_(builder.depth_ < kMaxDepth) {
      ++depth_;
      if (!fits_) {
        builder.addFault(range(node), "", /*tooDeep=*/true);
      }
    }
    ~Deeper() { --depth_; }
    Deeper(const Deeper &) = delete;
    Deeper &operator=(const Deeper &) = delete;
    explicit operator bool() const { return fits_; }

  private:
    unsigned &depth_;
    bool fits_;
  };

  // Nodes.
  static std::string_view type(TSNode node) { return ts_node_type(node); }
  static ByteRange range(TSNode node) { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }
  std::string_view text(TSNode node) const;
  static std::vector<TSNode> namedChildren(TSNode node);
  static TSNode field(TSNode node, const char *name);

  // Statements (ast_statements.cpp).
  std::vector<const Stmt *> block(TSNode node);
  void statement(TSNode node, std::vector<const Stmt *> &out);
  void expressionStatement(TSNode node, std::vector<const Stmt *> &out);
  const Stmt *ifStatement(TSNode node);
  const Stmt *ifChain(TSNode node, const std::vector<TSNode> &alternatives, size_t next);
  const Stmt *withStatement(TSNode node);
  const Stmt *tryStatement(TSNode node);
  const Stmt *matchStatement(TSNode node);
  void patternNames(TSNode pattern, std::vector<const Expr *> &out);

  // Patterns of `match` (ast_patterns.cpp).
  const Expr *pattern(TSNode node, bool negative, uint32_t begin);
  const Expr *patternInner(TSNode node, bool negative, ByteRange at);
  std::vector<const Expr *> patternsIn(TSNode node);
  const Expr *literalPattern(TSNode node, bool negative, ByteRange at);
  const Expr *mappingPattern(TSNode node, ByteRange at);
  const Expr *classPattern(TSNode node, ByteRange at);
  const Expr *capture(std::string_view kind, TSNode name);
  const Expr *dotted(TSNode node);
  Expr &newPattern(std::string_view kind, ByteRange at);

  const Stmt *definition(TSNode node, std::vector<const Expr *> decorators, ByteRange whole);
  void parameters(TSNode node, std::vector<Parameter> &out);
  const Stmt *importStatement(TSNode node);
  Stmt &newStmt(Stmt::Kind kind, ByteRange range);

  // Expressions (ast_expressions.cpp).
  const Expr *expression(TSNode node); ///< Never null.
  const Expr *optional(TSNode node);   ///< Null for a null node.
  const Expr *expressionInner(TSNode node);
  const Expr *call(TSNode node);
  const Expr *subscript(TSNode node);
  const Expr *slice(TSNode node);
  const Expr *comparison(TSNode node);
  const Expr *sequence(TSNode node, Expr::Kind kind);
  const Expr *annotation(TSNode node);
  Expr &newExpr(Expr::Kind kind, ByteRange range);
  const Expr *other(TSNode node, std::string_view words);

  // Expressions that PL does not have (ast_python.cpp).
  const Expr *string(TSNode node);
  const Expr *python(TSNode node, std::string_view words);
  const Expr *fString(TSNode node, std::string_view words);
  void comprehension(TSNode node, PythonExpr &out);
  PythonExpr &newPython(Expr &of, PythonExpr::Kind kind);
  std::string_view contents(TSNode string, bool raw, bool bytes);

  // Faults (ast_builder.cpp).
  void collectFaults(TSNode root);
  void addFault(ByteRange range, std::string message, bool tooDeep = false);

  Module &module_;
  Part &part_; ///< Of the whole module.
  std::string_view text_;
  unsigned depth_ = 0;
};

} // namespace placid::syntax
