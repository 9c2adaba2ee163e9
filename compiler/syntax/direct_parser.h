// SPDX-License-Identifier: Apache-2.0
// Sound Python straight to the nodes of a Module, many times faster than through the grammar's tree. It gives up on
// everything that is broken or unusual, and then says nothing: such texts are the grammar's (parse.cpp), which mends
// them. Where it does not give up, its nodes are those that the grammar's tree leads to; a test compares them.
// Private to compiler/syntax; one thread.
#pragma once

#include "compiler/syntax/ast.h"
#include "compiler/syntax/direct_lexer.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace placid::syntax {

class DirectParser {
public:
  /// `holder` keeps `text` alive: the nodes have views of it.
  DirectParser(std::string_view text, std::shared_ptr<const void> holder)
      : text_(text), holder_(std::move(holder)), lexer_(text_) {}

  /// Whole top-level statements into new parts. False: given up, and `out` holds rubbish.
  bool run(std::vector<std::shared_ptr<Part>> &out);

private:
  /// A part begins with the first statement behind so many bytes: each costs some memory of its own.
  static constexpr uint32_t kPartBytes = 1024;
  /// Deeper texts are the grammar's, which has a message for them.
  static constexpr unsigned kMaxDirectDepth = 100;
  /// A chain such as `a + b + c` is as tall a tree as it is long.
  static constexpr unsigned kMaxDirectHeight = 200;

  /// An expression with the extent that it has in what it is part of: its parentheses are no part of its own range.
  struct Read {
    const Expr *expr = nullptr;
    uint32_t begin = 0;
    uint32_t end = 0;
    bool wrapped = false; ///< It, or a part of a tuple or list that it is, stands in parentheses of its own.
  };

  // direct_parser.cpp: tokens and statements; direct_definitions.cpp: imports, functions, classes, annotations.
  void advance();
  bool isOperator(std::string_view text) const;
  bool isKeyword(std::string_view text) const;
  bool takeOperator(std::string_view text);
  bool takeKeyword(std::string_view text);
  void expectOperator(std::string_view text);
  void expectKeyword(std::string_view text);
  /// Every loop asks whether this has happened.
  void giveUp() { good_ = false; }
  std::string_view text(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
  Expr &newExpr(Expr::Kind kind, uint32_t begin, uint32_t end);
  Stmt &newStmt(Stmt::Kind kind, uint32_t begin);
  PythonExpr &newPython(Expr &of, PythonExpr::Kind kind);
  Read fail();

  void statement(std::vector<const Stmt *> &out);
  void simpleLine(std::vector<const Stmt *> &out);
  const Stmt *simple();
  const Stmt *expressionStatement();
  const Stmt *importStatement();
  const Stmt *fromImport();
  std::string_view dottedName();
  void importedNames(std::vector<ImportedName> &out, bool wrapped);
  const Stmt *listedNames(Stmt &made);
  std::vector<const Stmt *> suite();
  const Stmt *ifStatement();
  const Stmt *loop();
  const Stmt *tryStatement();
  const Stmt *withStatement();
  const Stmt *definition(std::vector<const Expr *> decorators, uint32_t begin);
  const Stmt *decorated();
  void parameters(std::vector<Parameter> &out, std::string_view close, bool annotations);
  const Expr *annotation();

  // direct_expressions.cpp
  Read expression();
  Read namedExpression();
  Read starredOrNamed();
  Read expressionList(bool mayStar);
  Read target();
  Read targetList();
  bool isTarget(const Read &part) const;
  Read lambda();
  Read orTest();
  Read andTest();
  Read notTest();
  Read comparison();
  Read binary(unsigned level);
  Read unary();
  Read primary();
  Read atom();
  Read parenthesized();
  Read list();
  Read braced();
  Read call(Read callee);
  Read subscript(Read base);
  const Expr *subscriptItem();
  Read pair(Expr::Kind kind, std::string_view op, const Read &left, const Read &right);
  void comprehension(PythonExpr &out);

  // direct_strings.cpp
  Read strings();
  const Expr *string(const Token &token);
  const Expr *formatted(const Token &token, uint32_t begin, uint32_t end, bool raw);
  uint32_t interpolation(uint32_t at, uint32_t limit, FormatPiece &out);
  const Expr *formatSpecifier(uint32_t colon, uint32_t limit, uint32_t &end);
  std::string_view contents(uint32_t begin, uint32_t end, bool raw, bool bytes);

  Part *part_ = nullptr; ///< That takes what is made.
  std::string_view text_;
  std::shared_ptr<const void> holder_;
  DirectLexer lexer_;
  Token token_;         ///< The one that is looked at.
  uint32_t end_ = 0;    ///< Of the last one that was taken, ends of lines and indents apart.
  unsigned depth_ = 0;  ///< Of expressions and blocks within each other.
  unsigned height_ = 0; ///< At least that of the tree of any part of the expression that is being read.
  bool good_ = true;
};

} // namespace placid::syntax
