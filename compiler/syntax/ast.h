// SPDX-License-Identifier: Apache-2.0
// The part of Python that PL is written in, as plain nodes with byte ranges. Made by the direct reader, or from the
// tree-sitter tree where that gives up; whatever the subset lacks is kept as an Other node with its kind, never
// dropped. Nodes live in the parts of their Module. Immutable while a Module has them: any thread may read them.
#pragma once

#include "compiler/source/text.h"

#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace placid::syntax {

using source::ByteRange;

struct Expr;
struct Stmt;
struct PythonExpr;

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
    String, ///< text: the contents, escapes decoded
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
    Other,   ///< text: what it is, in words ("a lambda"); `python` has its parts
    Error,   ///< the text did not parse here; already reported
  };
  Kind kind = Kind::Error;
  ByteRange range;
  ByteRange nameRange; ///< Attribute: the range of the attribute's name.
  std::string_view text;
  std::vector<const Expr *> children;
  std::vector<Keyword> keywords;
  std::vector<std::string_view> operators;
  const PythonExpr *python = nullptr; ///< Set for most Other expressions, for whoever evaluates Python.
};

struct Parameter {
  std::string_view name;
  ByteRange nameRange;
  const Expr *annotation = nullptr;
  const Expr *defaultValue = nullptr;
  bool variadic = false; ///< *args, **kw, or a bare `*` / `/` separator.
};

/// `for target in iterable if conditions…` of a comprehension.
struct ComprehensionClause {
  const Expr *target = nullptr;
  const Expr *iterable = nullptr;
  std::vector<const Expr *> conditions;
};

/// A piece of an f-string: text, or a value with its `!r` and `:spec`.
struct FormatPiece {
  std::string_view text; ///< Escapes decoded.
  const Expr *value = nullptr;
  char conversion = 0;        ///< 'r', 's', 'a' or 0.
  const Expr *spec = nullptr; ///< An f-string of its own; null without one.
  bool named = false;         ///< `{value=}`: `text` is what stands before the value.
};

/// The parts of an expression that PL itself does not have. Apart from Expr, whose `children` are what PL reads.
struct PythonExpr {
  enum class Kind : uint8_t {
    Conditional,       ///< parts: then, condition, else
    Lambda,            ///< parts: body; parameters
    ListComprehension, ///< parts: element; clauses; so are the set's and the generator's
    SetComprehension,
    Generator,
    DictComprehension, ///< parts: key, value; clauses
    Dict,              ///< parts: key, value, key, value…; a null key for `**mapping`
    Set,               ///< parts: items
    FString,           ///< pieces
    Concatenated,      ///< parts: strings
    Walrus,            ///< parts: target, value
    Splat,             ///< parts: mapping, of `**mapping` in a call
    Bytes,             ///< text
    Yield,             ///< parts: value, or none; text "from" for `yield from`
    Ellipsis,
  };
  Kind kind = Kind::Ellipsis;
  std::string_view text;
  std::vector<const Expr *> parts;
  std::vector<ComprehensionClause> clauses;
  std::vector<Parameter> parameters;
  std::vector<FormatPiece> pieces;
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
    Class,      ///< name, body, decorators; value: its keyword arguments as `keywords` of an Other, or null
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
  /// What is read: the bases of a class; of Other the condition and message of `assert`, the exception of `raise`, the
  /// names of `global` and `nonlocal`, what `del` deletes.
  std::vector<const syntax::Expr *> operands;
};

/// `text` of the expression that holds the keyword arguments of a class.
inline constexpr std::string_view kClassKeywords = "the arguments of a class";

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

/// The nodes of whole top-level statements that follow each other. Modules of texts that differ elsewhere share it.
struct Part {
  std::shared_ptr<const void> text; ///< Holds what the views of the nodes point into, besides `decoded`.
  uint32_t begin = 0;               ///< In the module's text: of the first statement, of the first part 0.
  std::vector<const Stmt *> body;
  std::deque<Expr> exprs; ///< Storage; stable addresses.
  std::deque<Stmt> stmts;
  std::deque<PythonExpr> pythonExprs;
  std::deque<std::string> decoded; ///< Texts with escapes; `text` views point here.
};

/// The nodes of one kind of all parts, in order.
template <class Node, std::deque<Node> Part::*kNodes> class NodesOf {
public:
  class Iterator {
  public:
    using value_type = Node;
    using difference_type = std::ptrdiff_t;
    using pointer = const Node *;
    using reference = const Node &;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(const std::vector<std::shared_ptr<Part>> &parts, size_t part) : parts_(&parts), part_(part) { settle(); }
    const Node &operator*() const { return *at_; }
    const Node *operator->() const { return &*at_; }
    Iterator &operator++() {
      ++at_;
      if (at_ == nodes().end()) {
        ++part_;
        settle();
      }
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator &other) const {
      return part_ == other.part_ && (part_ == parts_->size() || at_ == other.at_);
    }

  private:
    const std::deque<Node> &nodes() const { return (*parts_)[part_].get()->*kNodes; }
    void settle() {
      while (part_ < parts_->size() && nodes().empty()) {
        ++part_;
      }
      if (part_ < parts_->size()) {
        at_ = nodes().begin();
      }
    }

    const std::vector<std::shared_ptr<Part>> *parts_ = nullptr;
    size_t part_ = 0;
    typename std::deque<Node>::const_iterator at_;
  };

  explicit NodesOf(const std::vector<std::shared_ptr<Part>> &parts) : parts_(&parts) {}
  Iterator begin() const { return {*parts_, 0}; }
  Iterator end() const { return {*parts_, parts_->size()}; }

private:
  const std::vector<std::shared_ptr<Part>> *parts_;
};

/// One parsed text.
struct Module {
  source::SourcePtr source;
  std::vector<const Stmt *> body;
  std::vector<SyntaxFault> faults; ///< In source order, at most kMaxFaults.

  std::vector<std::shared_ptr<Part>> parts; ///< What holds the nodes, in order of the text.

  NodesOf<Expr, &Part::exprs> exprs() const { return NodesOf<Expr, &Part::exprs>(parts); }
  NodesOf<Stmt, &Part::stmts> stmts() const { return NodesOf<Stmt, &Part::stmts>(parts); }
  NodesOf<PythonExpr, &Part::pythonExprs> pythonExprs() const { return NodesOf<PythonExpr, &Part::pythonExprs>(parts); }
};

inline constexpr size_t kMaxFaults = 50;
/// Expressions and blocks nested deeper are reported and skipped, so that no walk can exhaust the stack.
inline constexpr unsigned kMaxDepth = 400;

/// The expression as the source spells it, in one line with single spaces: `lane * 48`, `w[0:16, k0]`.
std::string spell(const Expr &expr);

} // namespace placid::syntax
