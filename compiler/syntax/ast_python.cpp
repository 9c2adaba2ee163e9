// SPDX-License-Identifier: Apache-2.0
// Expression nodes that PL does not have but the Python around kernels does: conditional expressions, lambdas,
// comprehensions, dicts, f-strings. They stay Other expressions to PL, and carry their parts beside.
#include "compiler/syntax/ast_builder.h"
#include "compiler/syntax/escapes.h"

namespace placid::syntax {

PythonExpr &AstBuilder::newPython(Expr &of, PythonExpr::Kind kind) {
  PythonExpr &made = part_.pythonExprs.emplace_back();
  made.kind = kind;
  of.python = &made;
  return made;
}

std::string_view AstBuilder::contents(TSNode part, bool raw, bool bytes) {
  std::string_view seen = text(part);
  if (raw || seen.find('\\') == std::string_view::npos) {
    return seen;
  }
  return part_.decoded.emplace_back(decodeEscapes(seen, bytes));
}

/// A string without values in it, or what python() makes of one that has them.
const Expr *AstBuilder::string(TSNode node) {
  std::string_view start;
  std::string_view all;
  size_t parts = 0;
  bool interpolated = false;
  for (TSNode child : namedChildren(node)) {
    if (type(child) == "string_start") {
      start = text(child);
    } else if (type(child) == "string_content") {
      all = text(child);
      ++parts;
    } else {
      interpolated |= type(child) == "interpolation";
    }
  }
  auto has = [&](char c) {
    return start.find(c) != std::string_view::npos || start.find(static_cast<char>(c - 32)) != std::string_view::npos;
  };
  if (interpolated || (has('f') && parts > 1)) {
    return fString(node, "an f-string");
  }
  bool bytes = has('b');
  for (TSNode child : namedChildren(node)) {
    if (type(child) == "string_content") {
      all = contents(child, has('r'), bytes);
    }
  }
  if (has('f') && all.find_first_of("{}") != std::string_view::npos) {
    return fString(node, "an f-string");
  }
  Expr &out = newExpr(bytes ? Expr::Kind::Other : Expr::Kind::String, range(node));
  out.text = bytes ? std::string_view("a bytes literal") : all;
  if (bytes) {
    newPython(out, PythonExpr::Kind::Bytes).text = all;
  }
  return &out;
}

const Expr *AstBuilder::fString(TSNode node, std::string_view words) {
  Expr &out = newExpr(Expr::Kind::Other, range(node));
  out.text = words;
  Deeper deeper(*this, node); // specifiers hold values, and values specifiers
  if (!deeper) {
    out.kind = Expr::Kind::Error;
    return &out;
  }
  PythonExpr &made = newPython(out, PythonExpr::Kind::FString);
  std::vector<FormatPiece> pieces; // `made` may move nothing, but its vector would while parts are built
  bool raw = false;
  auto addText = [&](std::string_view seen) {
    // `{{` and `}}` stand for one brace.
    if (seen.find("{{") == std::string_view::npos && seen.find("}}") == std::string_view::npos) {
      pieces.push_back({.text = seen});
      return;
    }
    std::string plain;
    for (size_t i = 0; i < seen.size(); ++i) {
      plain += seen[i];
      i += (seen[i] == '{' || seen[i] == '}') && i + 1 < seen.size() && seen[i + 1] == seen[i] ? 1 : 0;
    }
    pieces.push_back({.text = part_.decoded.emplace_back(std::move(plain))});
  };
  uint32_t count = ts_node_child_count(node);
  uint32_t end = ts_node_start_byte(node);
  bool spec = type(node) == "format_specifier";
  for (uint32_t i = 0; i < count; ++i) {
    TSNode child = ts_node_child(node, i);
    std::string_view kind = type(child);
    if (spec && ts_node_start_byte(child) > end && i > 0) {
      addText(text_.substr(end, ts_node_start_byte(child) - end)); // the text of a specifier has no node
    }
    end = ts_node_end_byte(child);
    if (kind == "string_start") {
      std::string_view start = text(child);
      raw = start.find('r') != std::string_view::npos || start.find('R') != std::string_view::npos;
    } else if (kind == "string_content") {
      addText(contents(child, raw, false));
    } else if (kind == "interpolation" || kind == "format_expression") {
      FormatPiece piece;
      piece.value = expression(field(child, "expression"));
      uint32_t inner = ts_node_child_count(child);
      for (uint32_t k = 0; k < inner; ++k) {
        TSNode part = ts_node_child(child, k);
        if (type(part) == "type_conversion") {
          piece.conversion = text(part).size() > 1 ? text(part)[1] : '\0';
        } else if (type(part) == "format_specifier") {
          piece.spec = fString(part, "a format specifier");
        } else if (type(part) == "=") {
          piece.named = true;
          const uint32_t begin = ts_node_start_byte(child) + 1; // after the brace, blanks and all
          uint32_t after = ts_node_end_byte(part);
          while (after < text_.size() && text_[after] == ' ') {
            ++after;
          }
          piece.text = text_.substr(begin, after - begin);
        }
      }
      pieces.push_back(piece);
    }
  }
  if (spec && end < ts_node_end_byte(node)) {
    addText(text_.substr(end, ts_node_end_byte(node) - end));
  }
  made.pieces = std::move(pieces);
  return &out;
}

void AstBuilder::comprehension(TSNode node, PythonExpr &out) {
  std::vector<ComprehensionClause> clauses;
  for (TSNode child : namedChildren(node)) {
    if (type(child) == "for_in_clause") {
      clauses.push_back({expression(field(child, "left")), expression(field(child, "right")), {}});
    } else if (type(child) == "if_clause" && !clauses.empty()) {
      for (TSNode condition : namedChildren(child)) {
        clauses.back().conditions.push_back(expression(condition));
      }
    }
  }
  out.clauses = std::move(clauses);
}

const Expr *AstBuilder::python(TSNode node, std::string_view words) {
  std::string_view kind = type(node);
  Expr &out = newExpr(Expr::Kind::Other, range(node));
  out.text = words;
  std::vector<const Expr *> parts;
  std::vector<TSNode> children = namedChildren(node);
  auto all = [&] {
    for (TSNode child : children) {
      parts.push_back(expression(child));
    }
  };
  using Kind = PythonExpr::Kind;
  if (kind == "conditional_expression" && children.size() == 3) {
    all();
    newPython(out, Kind::Conditional).parts = std::move(parts);
  } else if (kind == "lambda") {
    std::vector<Parameter> made;
    parameters(field(node, "parameters"), made);
    parts.push_back(expression(field(node, "body")));
    PythonExpr &lambda = newPython(out, Kind::Lambda);
    lambda.parameters = std::move(made);
    lambda.parts = std::move(parts);
  } else if (kind == "list_comprehension" || kind == "set_comprehension" || kind == "generator_expression" ||
             kind == "dictionary_comprehension") {
    bool dict = kind == "dictionary_comprehension";
    TSNode body = field(node, "body");
    if (dict && !ts_node_is_null(body)) {
      parts = {expression(field(body, "key")), expression(field(body, "value"))};
    } else {
      parts = {expression(body)};
    }
    PythonExpr &made = newPython(out, dict                           ? Kind::DictComprehension
                                      : kind == "list_comprehension" ? Kind::ListComprehension
                                      : kind == "set_comprehension"  ? Kind::SetComprehension
                                                                     : Kind::Generator);
    made.parts = std::move(parts);
    comprehension(node, made);
  } else if (kind == "dictionary") {
    for (TSNode child : children) {
      if (type(child) == "pair") {
        parts.push_back(expression(field(child, "key")));
        parts.push_back(expression(field(child, "value")));
      } else {
        std::vector<TSNode> inner = namedChildren(child);
        parts.push_back(nullptr);
        parts.push_back(inner.empty() ? &newExpr(Expr::Kind::Error, range(child)) : expression(inner.front()));
      }
    }
    newPython(out, Kind::Dict).parts = std::move(parts);
  } else if (kind == "set") {
    all();
    newPython(out, Kind::Set).parts = std::move(parts);
  } else if (kind == "concatenated_string") {
    all();
    newPython(out, Kind::Concatenated).parts = std::move(parts);
  } else if (kind == "named_expression" && children.size() == 2) {
    all();
    newPython(out, Kind::Walrus).parts = std::move(parts);
  } else if (kind == "dictionary_splat" && !children.empty()) {
    parts.push_back(expression(children.front()));
    newPython(out, Kind::Splat).parts = std::move(parts);
  } else if (kind == "yield") {
    all();
    PythonExpr &made = newPython(out, Kind::Yield);
    made.parts = std::move(parts);
    made.text = ts_node_child_count(node) > 1 && type(ts_node_child(node, 1)) == "from" ? "from" : "";
  } else if (kind == "ellipsis") {
    newPython(out, Kind::Ellipsis);
  }
  return &out;
}

} // namespace placid::syntax
