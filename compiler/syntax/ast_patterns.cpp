// SPDX-License-Identifier: Apache-2.0
// The patterns of `match`, as Other expressions whose text says which kind they are (patterns.h). Apart from
// expressions because the same text means something else here: a name binds. Knows no values.
#include "compiler/syntax/ast_builder.h"
#include "compiler/syntax/patterns.h"

namespace placid::syntax {

Expr &AstBuilder::newPattern(std::string_view kind, ByteRange at) {
  Expr &made = newExpr(Expr::Kind::Other, at);
  made.text = kind;
  return made;
}

/// A name that binds: kept as an operator, so that nobody takes it for one that is read.
const Expr *AstBuilder::capture(std::string_view kind, TSNode name) {
  bool any = ts_node_is_null(name) || text(name) == "_";
  Expr &made = newPattern(any && kind == kPatternCapture ? kPatternAny : kind,
                          ts_node_is_null(name) ? ByteRange() : range(name));
  if (!any) {
    made.operators.push_back(text(name));
    made.nameRange = range(name);
  }
  return &made;
}

const Expr *AstBuilder::literalPattern(TSNode node, bool negative, ByteRange at) {
  std::string_view kind = type(node);
  const Expr *value = expression(node);
  if (negative) {
    Expr &minus = newExpr(Expr::Kind::Unary, at);
    minus.text = "-";
    minus.children = {value};
    value = &minus;
  }
  bool same = kind == "none" || kind == "true" || kind == "false";
  Expr &made = newPattern(same ? kPatternIs : kPatternValue, at);
  made.children = {value};
  return &made;
}

/// The patterns below `node`, which commas or bars part; a minus belongs to the number behind it.
std::vector<const Expr *> AstBuilder::patternsIn(TSNode node) {
  std::vector<const Expr *> out;
  bool negative = false;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
    TSNode child = ts_node_child(node, i);
    if (!ts_node_is_named(child)) {
      if (type(child) == "_") {
        out.push_back(&newPattern(kPatternAny, range(child)));
      }
      negative = type(child) == "-";
      begin = ts_node_start_byte(child);
    } else if (type(child) != "comment") {
      out.push_back(pattern(child, negative, negative ? begin : ts_node_start_byte(child)));
      negative = false;
    }
  }
  return out;
}

const Expr *AstBuilder::pattern(TSNode node, bool negative, uint32_t begin) {
  ByteRange at{begin, ts_node_end_byte(node)};
  if (depth_ >= kMaxDepth) {
    addFault(at, "", /*tooDeep=*/true);
    return &newPattern(kPatternUnknown, at);
  }
  ++depth_;
  const Expr *made = patternInner(node, negative, at);
  --depth_;
  return made;
}

const Expr *AstBuilder::patternInner(TSNode node, bool negative, ByteRange at) {
  std::string_view kind = type(node);
  if (kind == "integer" || kind == "float" || kind == "string" || kind == "concatenated_string" || kind == "none" ||
      kind == "true" || kind == "false") {
    return literalPattern(node, negative, at);
  }
  if (kind == "case_pattern") {
    std::vector<const Expr *> inner = patternsIn(node);
    if (inner.size() == 1) {
      return inner.front();
    }
    // `_` alone has no node of its own.
    return &newPattern(inner.empty() && text(node) == "_" ? kPatternAny : kPatternUnknown, at);
  }
  if (kind == "dotted_name") {
    std::vector<TSNode> parts = namedChildren(node);
    if (parts.size() == 1) {
      return capture(kPatternCapture, parts.front());
    }
    Expr &made = newPattern(kPatternValue, at);
    made.children = {dotted(node)};
    return &made;
  }
  if (kind == "identifier") {
    return capture(kPatternCapture, node);
  }
  if (kind == "splat_pattern") {
    std::vector<TSNode> parts = namedChildren(node);
    return capture(kPatternStar, parts.empty() ? TSNode{} : parts.front());
  }
  if (kind == "union_pattern") {
    Expr &made = newPattern(kPatternOr, at);
    made.children = patternsIn(node);
    return &made;
  }
  if (kind == "as_pattern") {
    std::vector<TSNode> parts = namedChildren(node);
    if (parts.size() != 2) {
      return &newPattern(kPatternUnknown, at);
    }
    Expr &made = newPattern(kPatternAs, at);
    made.children = {pattern(parts[0], false, ts_node_start_byte(parts[0])), capture(kPatternCapture, parts[1])};
    return &made;
  }
  if (kind == "list_pattern" || kind == "tuple_pattern") {
    std::vector<const Expr *> inner = patternsIn(node);
    // Parentheses around one pattern without a comma are only parentheses.
    bool comma = kind == "list_pattern" || inner.size() != 1 || inner.front()->text == kPatternStar;
    for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
      comma |= type(ts_node_child(node, i)) == ",";
    }
    if (!comma) {
      return inner.front();
    }
    Expr &made = newPattern(kPatternSequence, at);
    made.children = std::move(inner);
    return &made;
  }
  if (kind == "dict_pattern") {
    return mappingPattern(node, at);
  }
  if (kind == "class_pattern") {
    return classPattern(node, at);
  }
  return &newPattern(kPatternUnknown, at);
}

const Expr *AstBuilder::mappingPattern(TSNode node, ByteRange at) {
  Expr &made = newPattern(kPatternMapping, at);
  const Expr *key = nullptr;
  bool negative = false;
  for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
    TSNode child = ts_node_child(node, i);
    if (!ts_node_is_named(child)) {
      negative = type(child) == "-";
    } else if (type(child) == "splat_pattern") {
      made.children.push_back(pattern(child, false, ts_node_start_byte(child)));
    } else if (type(child) == "case_pattern" && key) {
      made.children.push_back(key);
      made.children.push_back(pattern(child, false, ts_node_start_byte(child)));
      key = nullptr;
    } else if (type(child) != "comment") {
      key = negative ? nullptr : type(child) == "dotted_name" ? dotted(child) : expression(child);
      made.text = key ? made.text : kPatternUnknown;
    }
  }
  return &made;
}

const Expr *AstBuilder::classPattern(TSNode node, ByteRange at) {
  Expr &made = newPattern(kPatternClass, at);
  for (TSNode child : namedChildren(node)) {
    if (made.children.empty()) {
      made.children.push_back(dotted(child));
      continue;
    }
    std::vector<TSNode> inner = namedChildren(child);
    if (inner.size() == 1 && type(inner.front()) == "keyword_pattern") {
      TSNode keyword = inner.front();
      TSNode word = namedChildren(keyword).front();
      std::vector<const Expr *> value = patternsIn(keyword);
      // The word itself was read as a capture.
      made.keywords.push_back(
          {text(word), range(word), value.size() == 2 ? value[1] : &newPattern(kPatternAny, range(keyword))});
    } else {
      made.children.push_back(pattern(child, false, ts_node_start_byte(child)));
    }
  }
  return &made;
}

/// `a.b.c` as the expression that it is elsewhere.
const Expr *AstBuilder::dotted(TSNode node) {
  const Expr *out = nullptr;
  for (TSNode part : type(node) == "identifier" ? std::vector<TSNode>{node} : namedChildren(node)) {
    Expr &made = newExpr(out ? Expr::Kind::Attribute : Expr::Kind::Name,
                         out ? ByteRange{out->range.begin, ts_node_end_byte(part)} : range(part));
    made.text = text(part);
    if (out) {
      made.nameRange = range(part);
      made.children = {out};
    }
    out = &made;
  }
  return out ? out : &newExpr(Expr::Kind::Error, range(node));
}

} // namespace placid::syntax
