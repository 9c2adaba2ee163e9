// SPDX-License-Identifier: Apache-2.0
// Statement nodes.
#include "compiler/syntax/ast_builder.h"
#include "compiler/syntax/patterns.h"

namespace placid::syntax {

namespace {

struct OtherStatement {
  std::string_view type;
  std::string_view words;
};
constexpr OtherStatement kOtherStatements[] = {
    {"assert_statement", "`assert`"},         {"raise_statement", "`raise`"},
    {"global_statement", "`global`"},         {"delete_statement", "`del`"},
    {"nonlocal_statement", "`nonlocal`"},     {"exec_statement", "`exec`"},
    {"print_statement", "a print statement"}, {"type_alias_statement", "`type`"},
};

} // namespace

std::vector<const Stmt *> AstBuilder::block(TSNode node) {
  std::vector<const Stmt *> out;
  if (ts_node_is_null(node)) {
    return out;
  }
  if (depth_ >= kMaxDepth) {
    addFault(range(node), "", /*tooDeep=*/true);
    return out;
  }
  ++depth_;
  for (TSNode child : namedChildren(node)) {
    statement(child, out);
  }
  --depth_;
  return out;
}

void AstBuilder::statement(TSNode node, std::vector<const Stmt *> &out) {
  std::string_view kind = type(node);
  if (kind == "expression_statement") {
    expressionStatement(node, out);
  } else if (kind == "return_statement") {
    Stmt &made = newStmt(Stmt::Kind::Return, range(node));
    std::vector<TSNode> children = namedChildren(node);
    made.value = children.empty() ? nullptr : expression(children.front());
    out.push_back(&made);
  } else if (kind == "if_statement") {
    out.push_back(ifStatement(node));
  } else if (kind == "for_statement") {
    Stmt &made = newStmt(Stmt::Kind::For, range(node));
    made.targets = {expression(field(node, "left"))};
    made.value = expression(field(node, "right"));
    made.body = block(field(node, "body"));
    TSNode alternative = field(node, "alternative");
    made.orelse = ts_node_is_null(alternative) ? std::vector<const Stmt *>{} : block(field(alternative, "body"));
    out.push_back(&made);
  } else if (kind == "while_statement") {
    Stmt &made = newStmt(Stmt::Kind::While, range(node));
    made.value = expression(field(node, "condition"));
    made.body = block(field(node, "body"));
    TSNode alternative = field(node, "alternative");
    made.orelse = ts_node_is_null(alternative) ? std::vector<const Stmt *>{} : block(field(alternative, "body"));
    out.push_back(&made);
  } else if (kind == "try_statement") {
    out.push_back(tryStatement(node));
  } else if (kind == "match_statement") {
    out.push_back(matchStatement(node));
  } else if (kind == "with_statement") {
    out.push_back(withStatement(node));
  } else if (kind == "function_definition" || kind == "class_definition") {
    out.push_back(definition(node, {}, range(node)));
  } else if (kind == "decorated_definition") {
    std::vector<const Expr *> decorators;
    for (TSNode child : namedChildren(node)) {
      if (type(child) == "decorator") {
        std::vector<TSNode> parts = namedChildren(child);
        if (!parts.empty()) {
          decorators.push_back(expression(parts.front()));
        }
      }
    }
    TSNode inner = field(node, "definition");
    if (!ts_node_is_null(inner)) {
      out.push_back(definition(inner, std::move(decorators), range(node)));
    }
  } else if (kind == "import_statement" || kind == "import_from_statement" || kind == "future_import_statement") {
    out.push_back(importStatement(node));
  } else if (kind == "pass_statement") {
    out.push_back(&newStmt(Stmt::Kind::Pass, range(node)));
  } else if (kind == "break_statement") {
    out.push_back(&newStmt(Stmt::Kind::Break, range(node)));
  } else if (kind == "continue_statement") {
    out.push_back(&newStmt(Stmt::Kind::Continue, range(node)));
  } else if (kind == "ERROR") {
    // Recovery may have found whole definitions inside what it could not place: they are still worth checking.
    out.push_back(&newStmt(Stmt::Kind::Error, range(node)));
    for (TSNode child : namedChildren(node)) {
      std::string_view inner = type(child);
      if (inner == "decorated_definition" || inner == "function_definition" || inner == "class_definition" ||
          inner == "import_statement" || inner == "import_from_statement") {
        statement(child, out);
      }
    }
  } else {
    Stmt &made = newStmt(Stmt::Kind::Other, range(node));
    made.text = "this statement";
    for (const OtherStatement &row : kOtherStatements) {
      if (kind == row.type) {
        made.text = row.words;
      }
    }
    if (kind == "assert_statement" || kind == "raise_statement" || kind == "delete_statement" ||
        kind == "global_statement" || kind == "nonlocal_statement") {
      for (TSNode child : namedChildren(node)) {
        made.operands.push_back(expression(child));
      }
    }
    out.push_back(&made);
  }
}

void AstBuilder::expressionStatement(TSNode node, std::vector<const Stmt *> &out) {
  std::vector<TSNode> children = namedChildren(node);
  if (children.size() != 1) {
    // `a, b` as a statement.
    Stmt &made = newStmt(Stmt::Kind::Expr, range(node));
    made.value = sequence(node, Expr::Kind::Tuple);
    out.push_back(&made);
    return;
  }
  TSNode inner = children.front();
  if (type(inner) == "assignment") {
    Stmt &made = newStmt(Stmt::Kind::Assign, range(node));
    TSNode current = inner;
    while (true) {
      made.targets.push_back(expression(field(current, "left")));
      TSNode annotated = field(current, "type");
      if (!ts_node_is_null(annotated)) {
        made.annotation = annotation(annotated);
      }
      TSNode right = field(current, "right");
      if (!ts_node_is_null(right) && type(right) == "assignment") {
        current = right; // a = b = c
        continue;
      }
      made.value = optional(right);
      break;
    }
    out.push_back(&made);
  } else if (type(inner) == "augmented_assignment") {
    Stmt &made = newStmt(Stmt::Kind::AugAssign, range(node));
    made.targets = {expression(field(inner, "left"))};
    made.text = text(field(inner, "operator"));
    made.value = expression(field(inner, "right"));
    out.push_back(&made);
  } else {
    Stmt &made = newStmt(Stmt::Kind::Expr, range(node));
    made.value = expression(inner);
    out.push_back(&made);
  }
}

const Stmt *AstBuilder::ifStatement(TSNode node) {
  std::vector<TSNode> alternatives;
  for (TSNode child : namedChildren(node)) {
    if (type(child) == "elif_clause" || type(child) == "else_clause") {
      alternatives.push_back(child);
    }
  }
  return ifChain(node, alternatives, 0);
}

const Stmt *AstBuilder::ifChain(TSNode node, const std::vector<TSNode> &alternatives, size_t next) {
  Stmt &made = newStmt(Stmt::Kind::If, range(node));
  made.value = expression(field(node, "condition"));
  made.body = block(field(node, "consequence"));
  if (next < alternatives.size()) {
    TSNode alternative = alternatives[next];
    if (type(alternative) == "else_clause") {
      made.orelse = block(field(alternative, "body"));
    } else if (depth_ < kMaxDepth) {
      ++depth_;
      made.orelse = {ifChain(alternative, alternatives, next + 1)};
      --depth_;
    } else {
      addFault(range(alternative), "", /*tooDeep=*/true);
    }
  }
  return &made;
}

const Stmt *AstBuilder::withStatement(TSNode node) {
  Stmt &made = newStmt(Stmt::Kind::With, range(node));
  made.body = block(field(node, "body"));
  for (TSNode clause : namedChildren(node)) {
    if (type(clause) != "with_clause") {
      continue;
    }
    for (TSNode item : namedChildren(clause)) {
      TSNode value = type(item) == "with_item" ? field(item, "value") : item;
      WithItem entry;
      if (type(value) == "as_pattern") {
        std::vector<TSNode> parts = namedChildren(value);
        entry.value = parts.empty() ? nullptr : expression(parts.front());
        if (parts.size() > 1) {
          std::vector<TSNode> target = namedChildren(parts[1]);
          entry.target = target.empty() ? nullptr : expression(target.front());
        }
      } else {
        entry.value = expression(value);
      }
      made.items.push_back(entry);
    }
  }
  return &made;
}

const Stmt *AstBuilder::tryStatement(TSNode node) {
  Stmt &made = newStmt(Stmt::Kind::Other, range(node));
  made.text = kTry;
  made.body = block(field(node, "body"));
  for (TSNode clause : namedChildren(node)) {
    std::string_view kind = type(clause);
    bool handler = kind == "except_clause" || kind == "except_group_clause";
    if (!handler && kind != "else_clause" && kind != "finally_clause") {
      continue;
    }
    Stmt &part = newStmt(Stmt::Kind::Other, range(clause));
    part.text = handler ? kExcept : kind == "else_clause" ? kElse : kFinally;
    for (TSNode child : namedChildren(clause)) {
      std::string_view inner = type(child);
      if (inner == "block") {
        part.body = block(child);
      } else if (inner == "as_pattern") {
        std::vector<TSNode> sides = namedChildren(child);
        part.value = sides.empty() ? nullptr : expression(sides.front());
        std::vector<TSNode> target = sides.size() > 1 ? namedChildren(sides[1]) : std::vector<TSNode>{};
        if (!target.empty()) {
          part.targets = {expression(target.front())};
        }
      } else if (handler && !part.value) {
        part.value = expression(child);
      } else if (handler) {
        part.targets = {expression(child)};
      }
    }
    made.orelse.push_back(&part);
  }
  return &made;
}

const Stmt *AstBuilder::matchStatement(TSNode node) {
  Stmt &made = newStmt(Stmt::Kind::Other, range(node));
  made.text = kMatch;
  TSNode cases = field(node, "body");
  TSNode subject = field(node, "subject");
  made.value = optional(subject);
  for (TSNode clause : namedChildren(ts_node_is_null(cases) ? node : cases)) {
    if (type(clause) != "case_clause") {
      continue;
    }
    Stmt &part = newStmt(Stmt::Kind::Other, range(clause));
    part.text = kCase;
    std::vector<const Expr *> patterns;
    bool comma = false;
    for (uint32_t i = 0; i < ts_node_child_count(clause); ++i) {
      TSNode child = ts_node_child(clause, i);
      comma |= type(child) == ",";
      if (type(child) == "case_pattern") {
        patternNames(child, part.targets);
        patterns.push_back(pattern(child, false, ts_node_start_byte(child)));
      }
    }
    if (patterns.size() == 1 && !comma && patterns.front()->text != kPatternStar) {
      part.value = patterns.front();
    } else if (!patterns.empty()) {
      Expr &all = newPattern(kPatternSequence, {patterns.front()->range.begin, patterns.back()->range.end});
      all.children = std::move(patterns);
      part.value = &all;
    }
    if (TSNode guard = field(clause, "guard"); !ts_node_is_null(guard)) {
      std::vector<TSNode> condition = namedChildren(guard);
      part.operands = {condition.empty() ? &newPattern(kPatternUnknown, range(guard)) : expression(condition.front())};
    }
    part.body = block(field(clause, "consequence"));
    made.orelse.push_back(&part);
  }
  return &made;
}

/// The names a pattern binds: single words, apart from `_` and the classes of `Class(…)`.
void AstBuilder::patternNames(TSNode pattern, std::vector<const Expr *> &out) {
  if (depth_ >= kMaxDepth) {
    addFault(range(pattern), "", /*tooDeep=*/true);
    return;
  }
  ++depth_;
  bool skipFirst = type(pattern) == "class_pattern" || type(pattern) == "keyword_pattern";
  for (TSNode child : namedChildren(pattern)) {
    bool name = type(child) == "dotted_name" || type(child) == "identifier";
    if (name && !skipFirst && text(child).find('.') == std::string_view::npos && text(child) != "_") {
      Expr &made = newExpr(Expr::Kind::Name, range(child));
      made.text = text(child);
      out.push_back(&made);
    } else if (!name) {
      patternNames(child, out);
    }
    skipFirst = false;
  }
  --depth_;
}

const Stmt *AstBuilder::definition(TSNode node, std::vector<const Expr *> decorators, ByteRange whole) {
  bool function = type(node) == "function_definition";
  Stmt &made = newStmt(function ? Stmt::Kind::Function : Stmt::Kind::Class, whole);
  made.decorators = std::move(decorators);
  TSNode name = field(node, "name");
  made.name = ts_node_is_null(name) ? std::string_view() : text(name);
  made.nameRange = ts_node_is_null(name) ? whole : range(name);
  if (function) {
    parameters(field(node, "parameters"), made.parameters);
    made.annotation = annotation(field(node, "return_type"));
  } else if (TSNode bases = field(node, "superclasses"); !ts_node_is_null(bases)) {
    std::vector<Keyword> keywords;
    for (TSNode base : namedChildren(bases)) {
      if (type(base) != "keyword_argument") {
        made.operands.push_back(expression(base));
      } else {
        TSNode key = field(base, "name");
        keywords.push_back({text(key), range(key), expression(field(base, "value"))});
      }
    }
    if (!keywords.empty()) {
      Expr &all = newExpr(Expr::Kind::Other, {keywords.front().nameRange.begin, keywords.back().value->range.end});
      all.text = kClassKeywords;
      all.keywords = std::move(keywords);
      made.value = &all;
    }
  }
  made.body = block(field(node, "body"));
  return &made;
}

void AstBuilder::parameters(TSNode node, std::vector<Parameter> &out) {
  if (ts_node_is_null(node)) {
    return;
  }
  for (TSNode child : namedChildren(node)) {
    std::string_view kind = type(child);
    Parameter made;
    made.nameRange = range(child);
    if (kind == "identifier") {
      made.name = text(child);
    } else if (kind == "typed_parameter" || kind == "typed_default_parameter" || kind == "default_parameter") {
      TSNode name = field(child, "name");
      if (ts_node_is_null(name)) {
        std::vector<TSNode> parts = namedChildren(child);
        if (parts.empty()) {
          continue;
        }
        name = parts.front();
      }
      made.variadic = type(name) != "identifier";
      made.name = text(name);
      made.nameRange = range(name);
      made.annotation = annotation(field(child, "type"));
      made.defaultValue = optional(field(child, "value"));
    } else if (kind == "ERROR") {
      continue;
    } else {
      made.variadic = true;
      made.name = text(child);
    }
    out.push_back(made);
  }
}

const Stmt *AstBuilder::importStatement(TSNode node) {
  bool from = type(node) != "import_statement";
  Stmt &made = newStmt(from ? Stmt::Kind::ImportFrom : Stmt::Kind::Import, range(node));
  TSNode module = field(node, "module_name");
  if (from) {
    made.text = ts_node_is_null(module) ? std::string_view("__future__") : text(module);
  }
  for (TSNode child : namedChildren(node)) {
    if (!ts_node_is_null(module) && ts_node_eq(child, module)) {
      continue;
    }
    std::string_view kind = type(child);
    if (kind == "aliased_import") {
      made.imports.push_back({text(field(child, "name")), text(field(child, "alias"))});
    } else if (kind == "dotted_name") {
      made.imports.push_back({text(child), text(child)});
    } else if (kind == "wildcard_import") {
      made.imports.push_back({"*", "*"});
    }
  }
  return &made;
}

} // namespace placid::syntax
