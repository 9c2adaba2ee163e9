// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/bind_names.h"

#include "compiler/index/import_places.h"

#include <algorithm>

namespace placid::index {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::PythonExpr;
using syntax::Stmt;

constexpr std::string_view kGlobal = "`global`";
constexpr std::string_view kNonlocal = "`nonlocal`";

class Binder {
public:
  Binder(const syntax::Module &module, Index &out) : module_(module), text_(module.source->text), out_(out) {}

  Bindings run() {
    Scope &top = names_.scopes.emplace_back();
    bindBlock(module_.body, top);
    for (auto &[name, symbol] : late_) {
      bind(top, name, std::move(symbol));
    }
    return std::move(names_);
  }

private:
  static constexpr size_t kMaxDetail = 80;

  std::string_view slice(ByteRange range) const {
    return range.begin <= range.end && range.end <= text_.size() ? text_.substr(range.begin, range.end - range.begin)
                                                                 : std::string_view();
  }

  /// In one line with single spaces, cut where it grows long.
  std::string oneLine(ByteRange range) const {
    std::string out;
    for (char c : slice(range)) {
      bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!space) {
        out += c;
      } else if (!out.empty() && out.back() != ' ') {
        out += ' ';
      }
      if (out.size() > kMaxDetail) {
        size_t cut = kMaxDetail;
        while (cut > 0 && (out[cut] & '\xC0') == '\x80') {
          --cut; // not inside a character
        }
        return out.substr(0, cut) + "…";
      }
    }
    return out;
  }

  uint32_t bind(Scope &scope, std::string_view name, Symbol symbol) {
    if (name.empty()) {
      return kNone;
    }
    if (auto moved = scope.elsewhere.find(name); moved != scope.elsewhere.end()) {
      if (moved->second) {
        symbol.kind = symbol.kind == SymbolKind::Variable ? SymbolKind::Constant : symbol.kind;
        late_.emplace_back(name, std::move(symbol)); // the module's own binding is the first one, if it has one
      }
      return kNone;
    }
    auto found = scope.names.find(name);
    if (found != scope.names.end()) {
      return found->second;
    }
    auto id = static_cast<uint32_t>(out_.symbols.size());
    symbol.name = name;
    symbol.parent = scope.owner;
    out_.symbols.push_back(std::move(symbol));
    scope.names.emplace(name, id);
    return id;
  }

  void bindTarget(const Expr *target, const Stmt &stmt, Scope &scope) {
    if (!target) {
      return;
    }
    if (target->kind == Expr::Kind::Name) {
      Symbol made;
      bool inFunction = !scope.isClass && scope.owner != kNone;
      made.kind = inFunction ? SymbolKind::Variable : SymbolKind::Constant;
      bool block = !stmt.body.empty();
      made.range = block ? target->range : stmt.range;
      made.nameRange = target->range;
      if (stmt.annotation) {
        made.detail = ": " + oneLine(stmt.annotation->range);
      } else if (stmt.kind == Stmt::Kind::Assign && stmt.value && stmt.targets.size() == 1 &&
                 stmt.targets[0] == target) {
        made.detail = "= " + oneLine(stmt.value->range);
      }
      bind(scope, target->text, std::move(made));
    } else if (target->kind == Expr::Kind::Tuple || target->kind == Expr::Kind::List ||
               target->kind == Expr::Kind::Starred) {
      for (const Expr *child : target->children) {
        bindTarget(child, stmt, scope);
      }
    }
  }

  /// `(n := …)` wherever it stands in an expression; one inside a lambda is the lambda's own.
  void bindWalrus(const Expr *expr, Scope &scope) {
    if (!expr) {
      return;
    }
    if (const PythonExpr *python = expr->python; python && python->kind != PythonExpr::Kind::Lambda) {
      if (python->kind == PythonExpr::Kind::Walrus && !python->parts.empty() && python->parts[0]) {
        Symbol made;
        made.kind = !scope.isClass && scope.owner != kNone ? SymbolKind::Variable : SymbolKind::Constant;
        made.range = made.nameRange = python->parts[0]->range;
        bind(scope, python->parts[0]->text, std::move(made));
      }
      for (const Expr *part : python->parts) {
        bindWalrus(part, scope);
      }
      for (const syntax::ComprehensionClause &clause : python->clauses) {
        bindWalrus(clause.iterable, scope);
        for (const Expr *condition : clause.conditions) {
          bindWalrus(condition, scope);
        }
      }
      for (const syntax::FormatPiece &piece : python->pieces) {
        bindWalrus(piece.value, scope);
      }
    }
    for (const Expr *child : expr->children) {
      bindWalrus(child, scope);
    }
    for (const syntax::Keyword &keyword : expr->keywords) {
      bindWalrus(keyword.value, scope);
    }
  }

  /// The names that a function body says to belong to others, wherever in it that stands.
  static void bindElsewhere(const std::vector<const Stmt *> &body, Scope &scope) {
    for (const Stmt *stmt : body) {
      if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
        continue;
      }
      if (stmt->kind == Stmt::Kind::Other && (stmt->text == kGlobal || stmt->text == kNonlocal)) {
        for (const Expr *name : stmt->operands) {
          scope.elsewhere.emplace(name->text, stmt->text == kGlobal);
        }
      }
      bindElsewhere(stmt->body, scope);
      bindElsewhere(stmt->orelse, scope);
    }
  }

  void bindBlock(const std::vector<const Stmt *> &body, Scope &scope) {
    for (const Stmt *stmt : body) {
      bindStatement(*stmt, scope);
    }
  }

  void bindStatement(const Stmt &stmt, Scope &scope) {
    switch (stmt.kind) {
    case Stmt::Kind::Function:
    case Stmt::Kind::Class:
      bindDefinition(stmt, scope);
      return;
    case Stmt::Kind::Import:
    case Stmt::Kind::ImportFrom:
      bindImport(stmt, scope);
      return;
    default:
      bindWalrus(stmt.value, scope);
      for (const Expr *operand : stmt.operands) {
        bindWalrus(operand, scope);
      }
      for (const Expr *target : stmt.targets) {
        bindTarget(target, stmt, scope);
      }
      for (const syntax::WithItem &item : stmt.items) {
        bindWalrus(item.value, scope);
        bindTarget(item.target, stmt, scope);
      }
      bindBlock(stmt.body, scope);
      bindBlock(stmt.orelse, scope);
    }
  }

  /// Whether a decorator's root is an import of a PL dialect. Imports stand above what they decorate.
  bool isPl(const std::vector<const Expr *> &decorators, const Scope &scope) const {
    for (const Expr *decorator : decorators) {
      const Expr *at = decorator;
      while (at && (at->kind == Expr::Kind::Call || at->kind == Expr::Kind::Attribute) && !at->children.empty()) {
        at = at->children[0];
      }
      uint32_t root = at && at->kind == Expr::Kind::Name ? names_.lookUp(at->text, scope) : kNone;
      if (root != kNone && out_.symbols[root].module.starts_with("pypto")) {
        return true;
      }
    }
    return false;
  }

  void bindDefinition(const Stmt &stmt, Scope &scope) {
    bool isClass = stmt.kind == Stmt::Kind::Class;
    bool pl = isPl(stmt.decorators, scope);
    Symbol made;
    made.kind =
        isClass ? (pl ? SymbolKind::Program : SymbolKind::Class) : (pl ? SymbolKind::Kernel : SymbolKind::Function);
    made.range = stmt.range;
    made.nameRange = stmt.nameRange;
    if (!stmt.body.empty() && stmt.body[0]->kind == Stmt::Kind::Expr && stmt.body[0]->value &&
        stmt.body[0]->value->kind == Expr::Kind::String) {
      made.documentation = stmt.body[0]->value->text;
    }
    if (!isClass) {
      made.detail = signature(stmt);
    }
    uint32_t id = bind(scope, stmt.name, std::move(made));
    Scope &inner = names_.scopes.emplace_back();
    inner.owner = id;
    inner.parent = &scope;
    inner.isClass = isClass;
    names_.inside[&stmt] = &inner;
    inner.bases = isClass ? &stmt.operands : nullptr;
    if (!isClass) {
      bindElsewhere(stmt.body, inner);
    }
    if (id != kNone && !names_.members.contains(id)) {
      names_.members[id] = &inner;
    }
    for (const syntax::Parameter &parameter : stmt.parameters) {
      Symbol symbol;
      symbol.kind = SymbolKind::Parameter;
      symbol.nameRange = parameter.nameRange;
      symbol.range = parameter.nameRange;
      if (parameter.annotation) {
        symbol.range.end = std::max(symbol.range.end, parameter.annotation->range.end);
        symbol.detail = ": " + oneLine(parameter.annotation->range);
      }
      uint32_t made2 = bind(inner, parameter.name, std::move(symbol));
      if (scope.isClass && &parameter == &stmt.parameters.front() && parameter.name == "self") {
        inner.self = made2;
      }
    }
    bindBlock(stmt.body, inner);
  }

  std::string signature(const Stmt &stmt) const {
    std::string out = "(";
    for (const syntax::Parameter &parameter : stmt.parameters) {
      out += (out.size() > 1 ? ", " : "") + std::string(parameter.name);
      if (parameter.annotation) {
        out += ": " + oneLine(parameter.annotation->range);
      }
    }
    return out + ")" + (stmt.annotation ? " -> " + oneLine(stmt.annotation->range) : "");
  }

  void bindImport(const Stmt &stmt, Scope &scope) {
    bool from = stmt.kind == Stmt::Kind::ImportFrom;
    ImportPlaces places = importPlaces(text_, stmt);
    if (from) {
      out_.imports.push_back({places.module, std::string(stmt.text)});
    }
    size_t number = 0;
    for (const syntax::ImportedName &imported : stmt.imports) {
      auto [name, bound] = places.names[number++];
      Symbol made;
      made.kind = SymbolKind::Import;
      made.range = stmt.range;
      made.nameRange = bound;
      made.module = from ? stmt.text : imported.name;
      made.member = from ? imported.name : std::string_view();
      std::string_view local = imported.asName;
      if (!from) {
        out_.imports.push_back({name, std::string(imported.name)});
        if (name == bound) {
          local = local.substr(0, local.find('.')); // `import a.b` binds a
          made.module = local;
          made.nameRange.end = made.nameRange.begin + static_cast<uint32_t>(local.size());
        }
      }
      made.detail = from ? "from " + made.module : made.module;
      if (local != "*") {
        bind(scope, local, std::move(made));
      }
    }
  }

  const syntax::Module &module_;
  std::string_view text_;
  Index &out_;
  Bindings names_;
  std::vector<std::pair<std::string_view, Symbol>> late_; ///< Bound in the module by functions, with `global`.
};

} // namespace

uint32_t Bindings::lookUp(std::string_view name, const Scope &from) const {
  for (const Scope *scope = &from; scope; scope = scope->parent) {
    if (scope->isClass && scope != &from) {
      continue; // functions do not see the names of the class around them
    }
    if (auto moved = scope->elsewhere.find(name); moved != scope->elsewhere.end()) {
      if (!moved->second) {
        continue;
      }
      scope = &scopes.front();
    }
    auto found = scope->names.find(name);
    if (found != scope->names.end()) {
      return found->second;
    }
  }
  return kNone;
}

Bindings bindNames(const syntax::Module &module, Index &out) { return Binder(module, out).run(); }

} // namespace placid::index
