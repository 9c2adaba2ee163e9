// SPDX-License-Identifier: Apache-2.0
// The part of Python that PL is written in, as plain nodes with byte ranges. Built from the tree-sitter tree by
// syntax/parse.cpp; whatever the subset lacks is kept as an Other node with its kind, never dropped.
// Nodes live in their Module and hold views into its text. Immutable after parsing: any thread may read them.
#pragma once

#include "compiler/source/text.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace placid::syntax {

using source::ByteRange;

struct Expr;
struct Stmt;

struct Keyword {
  std::string_view name; ///< Empty for `**mapping`.
  ByteRange nameRange;
  const Expr *value = nullptr;
};

struct Expr {
  enum class Kind : uint8_t {
    Name,   ///< text
    Int,    ///< text as written
    Float,  ///< text as written
    String, ///< text: the contents, escapes not decoded
    Bool,   ///< text "True" or "False"
    None,
    Attribute, ///< children[0] . text
    Call,      ///< children[0] ( children[1…], keywords )
    Subscript, ///< children[0] [ children[1…] ]
    Slice,     ///< lower, upper, step in children; null where absent
    List,
    Tuple,
    Binary,  ///< children[0] text children[1]
    Unary,   ///< text ("-", "+", "~", "not") children[0]
    Compare, ///< children[0] operators[0] children[1] …
    Bool2,   ///< children[0] text ("and", "or") children[1]
    Starred, ///< * children[0]
    Other,   ///< text: what it is, in words ("a lambda")
    Error,   ///< the text did not parse here; already reported
  };
  Kind kind = Kind::Error;
  ByteRange range;
  ByteRange nameRange; ///< Attribute: the range of the attribute's name.
  std::string_view text;
  std::vector<const Expr *> children;
  std::vector<Keyword> keywords;
  std::vector<std::string_view> operators;
};

struct Parameter {
  std::string_view name;
  ByteRange nameRange;
  const Expr *annotation = nullptr;
  const Expr *defaultValue = nullptr;
  bool variadic = false; ///< *args, **kw, or a bare `*` / `/` separator.
};

struct ImportedName {
  std::string_view name;
  std::string_view asName; ///< Equal to `name` when there is no `as`.
};

struct WithItem {
  const Expr *value = nullptr;
  const Expr *target = nullptr; ///< Null without `as`.
};

struct Stmt {
  enum class Kind : uint8_t {
    Assign,     ///< targets = value; annotation for `x: T = v` (value may be null)
    AugAssign,  ///< targets[0] text value
    Expr,       ///< value
    Return,     ///< value or null
    If,         ///< value: condition; body; orelse (an `elif` is an If inside)
    For,        ///< targets[0] in value: body; orelse
    While,      ///< value: condition; body; orelse
    With,       ///< items: body
    Function,   ///< name, parameters, annotation (return), body, decorators
    Class,      ///< name, body, decorators
    Import,     ///< imports: dotted names
    ImportFrom, ///< from text import imports ("*" for all)
    Pass,
    Break,
    Continue,
    Other, ///< text: what it is, in words; a `try` keeps its body, and its clauses as Other statements in orelse; a
           ///< `match` its cases in orelse; a clause has its body, and the names it binds as targets
    Error, ///< did not parse; already reported
  };
  Kind kind = Kind::Error;
  ByteRange range;
  ByteRange nameRange;
  std::string_view name;
  std::string_view text;
  std::vector<const syntax::Expr *> targets;
  const syntax::Expr *value = nullptr;
  const syntax::Expr *annotation = nullptr;
  std::vector<const Stmt *> body;
  std::vector<const Stmt *> orelse;
  std::vector<const syntax::Expr *> decorators;
  std::vector<Parameter> parameters;
  std::vector<ImportedName> imports;
  std::vector<WithItem> items;
};

// `text` of the Other statements that have blocks.
inline constexpr std::string_view kTry = "`try`";
inline constexpr std::string_view kExcept = "`except`";
inline constexpr std::string_view kElse = "`else`";
inline constexpr std::string_view kFinally = "`finally`";
inline constexpr std::string_view kMatch = "`match`";
inline constexpr std::string_view kCase = "`case`";

struct SyntaxFault {
  ByteRange range;
  std::string message;
  bool tooDeep = false;
};

/// One parsed text. Owns its nodes.
struct Module {
  source::SourcePtr source;
  std::vector<const Stmt *> body;
  std::vector<SyntaxFault> faults; ///< In source order, at most kMaxFaults.

  std::deque<Expr> exprs; ///< Storage; stable addresses.
  std::deque<Stmt> stmts;
};

inline constexpr size_t kMaxFaults = 50;
/// Expressions and blocks nested deeper are reported and skipped, so that no walk can exhaust the stack.
inline constexpr unsigned kMaxDepth = 400;

/// The expression as the source spells it, in one line with single spaces: `lane * 48`, `w[0:16, k0]`.
std::string spell(const Expr &expr);

} // namespace placid::syntax
