// SPDX-License-Identifier: Apache-2.0
// Expression nodes.
#include "compiler/syntax/ast_builder.h"

namespace placid::syntax {

namespace {

/// What the subset has no node for, in words that a message can use.
struct OtherKind {
  std::string_view type;
  std::string_view words;
};
constexpr OtherKind kOthers[] = {
    {"conditional_expression", "a conditional expression"},
    {"lambda", "a lambda"},
    {"list_comprehension", "a comprehension"},
    {"set_comprehension", "a comprehension"},
    {"dictionary_comprehension", "a comprehension"},
    {"generator_expression", "a generator expression"},
    {"dictionary", "a dict"},
    {"set", "a set"},
    {"named_expression", "an assignment expression"},
    {"await", "`await`"},
    {"yield", "`yield`"},
    {"ellipsis", "`...`"},
    {"dictionary_splat", "`**`"},
};

} // namespace

const Expr *AstBuilder::other(TSNode node, std::string_view words) {
  Expr &out = newExpr(Expr::Kind::Other, range(node));
  out.text = words;
  return &out;
}

const Expr *AstBuilder::optional(TSNode node) { return ts_node_is_null(node) ? nullptr : expression(node); }

const Expr *AstBuilder::expression(TSNode node) {
  if (ts_node_is_null(node)) {
    return &newExpr(Expr::Kind::Error, {}); // a part that a broken tree lacks
  }
  Deeper deeper(*this, node);
  return deeper ? expressionInner(node) : &newExpr(Expr::Kind::Error, range(node));
}

const Expr *AstBuilder::expressionInner(TSNode node) {
  std::string_view kind = type(node);
  if (kind == "identifier") {
    Expr &out = newExpr(Expr::Kind::Name, range(node));
    out.text = text(node);
    return &out;
  }
  if (kind == "integer" || kind == "float") {
    Expr &out = newExpr(kind == "integer" ? Expr::Kind::Int : Expr::Kind::Float, range(node));
    out.text = text(node);
    return &out;
  }
  if (kind == "true" || kind == "false") {
    Expr &out = newExpr(Expr::Kind::Bool, range(node));
    out.text = text(node);
    return &out;
  }
  if (kind == "none") {
    return &newExpr(Expr::Kind::None, range(node));
  }
  if (kind == "string") {
    return string(node);
  }
  if (kind == "concatenated_string") {
    return python(node, "a concatenated string");
  }
  if (kind == "attribute") {
    Expr &out = newExpr(Expr::Kind::Attribute, range(node));
    out.children = {expression(field(node, "object"))};
    TSNode name = field(node, "attribute");
    out.text = ts_node_is_null(name) ? std::string_view() : text(name);
    out.nameRange = ts_node_is_null(name) ? out.range : range(name);
    return &out;
  }
  if (kind == "call") {
    return call(node);
  }
  if (kind == "subscript") {
    return subscript(node);
  }
  if (kind == "slice") {
    return slice(node);
  }
  if (kind == "list" || kind == "list_pattern") {
    return sequence(node, Expr::Kind::List);
  }
  if (kind == "tuple" || kind == "expression_list" || kind == "pattern_list" || kind == "tuple_pattern") {
    return sequence(node, Expr::Kind::Tuple);
  }
  if (kind == "parenthesized_expression") {
    std::vector<TSNode> children = namedChildren(node);
    if (children.size() == 1) {
      return expression(children.front()); // the range without the parentheses: what a user edits
    }
  }
  if (kind == "binary_operator" || kind == "boolean_operator") {
    bool binary = kind == "binary_operator";
    Expr &out = newExpr(binary ? Expr::Kind::Binary : Expr::Kind::Bool2, range(node));
    TSNode op = field(node, "operator");
    out.text = ts_node_is_null(op) ? std::string_view() : text(op);
    const Expr *left = expression(field(node, "left"));
    out.children = {left, expression(field(node, "right"))};
    return &out;
  }
  if (kind == "unary_operator" || kind == "not_operator") {
    Expr &out = newExpr(Expr::Kind::Unary, range(node));
    TSNode op = field(node, "operator");
    out.text = kind == "not_operator" ? std::string_view("not") : ts_node_is_null(op) ? std::string_view() : text(op);
    out.children = {expression(field(node, "argument"))};
    return &out;
  }
  if (kind == "comparison_operator") {
    return comparison(node);
  }
  if (kind == "list_splat" || kind == "list_splat_pattern") {
    Expr &out = newExpr(Expr::Kind::Starred, range(node));
    for (TSNode child : namedChildren(node)) {
      out.children.push_back(expression(child));
    }
    return &out;
  }
  for (const OtherKind &row : kOthers) {
    if (kind == row.type) {
      return python(node, row.words);
    }
  }
  if (kind == "ERROR" || ts_node_is_missing(node)) {
    return &newExpr(Expr::Kind::Error, range(node));
  }
  return other(node, "this expression");
}

const Expr *AstBuilder::call(TSNode node) {
  Expr &out = newExpr(Expr::Kind::Call, range(node));
  out.children = {expression(field(node, "function"))};
  TSNode arguments = field(node, "arguments");
  if (ts_node_is_null(arguments)) {
    return &out;
  }
  if (type(arguments) == "generator_expression") {
    out.children.push_back(python(arguments, "a generator expression"));
    return &out;
  }
  for (TSNode argument : namedChildren(arguments)) {
    if (type(argument) == "keyword_argument") {
      TSNode name = field(argument, "name");
      out.keywords.push_back({text(name), range(name), expression(field(argument, "value"))});
    } else if (type(argument) == "dictionary_splat") {
      out.keywords.push_back({"", range(argument), expression(argument)});
    } else {
      out.children.push_back(expression(argument));
    }
  }
  return &out;
}

const Expr *AstBuilder::subscript(TSNode node) {
  Expr &out = newExpr(Expr::Kind::Subscript, range(node));
  TSNode value = field(node, "value");
  out.children = {expression(value)};
  for (TSNode child : namedChildren(node)) {
    if (!ts_node_eq(child, value)) {
      out.children.push_back(expression(child));
    }
  }
  // `x[(a, b)]` and `x[a, b]` are the same subscript; `x[(a,)]` is not `x[a]`.
  if (out.children.size() == 2 && out.children[1]->kind == Expr::Kind::Tuple && out.children[1]->children.size() > 1) {
    std::vector<const Expr *> items = out.children[1]->children;
    out.children.resize(1);
    out.children.insert(out.children.end(), items.begin(), items.end());
  }
  return &out;
}

const Expr *AstBuilder::slice(TSNode node) {
  Expr &out = newExpr(Expr::Kind::Slice, range(node));
  out.children = {nullptr, nullptr, nullptr};
  size_t part = 0;
  uint32_t count = ts_node_child_count(node);
  for (uint32_t i = 0; i < count; ++i) {
    TSNode child = ts_node_child(node, i);
    if (!ts_node_is_named(child)) {
      part += text(child) == ":" ? 1 : 0;
    } else if (part < 3 && type(child) != "comment" && type(child) != "line_continuation") {
      out.children[part] = expression(child);
    }
  }
  return &out;
}

const Expr *AstBuilder::comparison(TSNode node) {
  Expr &out = newExpr(Expr::Kind::Compare, range(node));
  uint32_t count = ts_node_child_count(node);
  for (uint32_t i = 0; i < count; ++i) {
    TSNode child = ts_node_child(node, i);
    if (type(child) == "comment" || type(child) == "line_continuation") {
      continue;
    }
    // Anonymous children, and the aliased two-word operators, are operators.
    if (ts_node_is_named(child)) {
      out.children.push_back(expression(child));
    } else {
      out.operators.push_back(text(child));
    }
  }
  return &out;
}

const Expr *AstBuilder::sequence(TSNode node, Expr::Kind kind) {
  Expr &out = newExpr(kind, range(node));
  for (TSNode child : namedChildren(node)) {
    out.children.push_back(expression(child));
  }
  return &out;
}

const Expr *AstBuilder::annotation(TSNode node) {
  if (ts_node_is_null(node)) {
    return nullptr;
  }
  if (type(node) != "type") {
    return expression(node);
  }
  std::vector<TSNode> children = namedChildren(node);
  Deeper deeper(*this, node);
  if (children.empty() || !deeper) {
    return &newExpr(Expr::Kind::Error, range(node));
  }
  TSNode inner = children.front();
  if (type(inner) != "generic_type") {
    return expression(inner);
  }
  // `Name[…]` in a type position: the grammar has a node of its own for it.
  Expr &out = newExpr(Expr::Kind::Subscript, range(inner));
  for (TSNode child : namedChildren(inner)) {
    if (type(child) == "type_parameter") {
      for (TSNode item : namedChildren(child)) {
        out.children.push_back(annotation(item));
      }
    } else {
      out.children.push_back(expression(child));
    }
  }
  return &out;
}

} // namespace placid::syntax
