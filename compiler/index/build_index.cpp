// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/build_index.h"

#include "compiler/index/bind_names.h"
#include "compiler/index/folds.h"
#include "compiler/index/import_places.h"
#include "compiler/index/words.h"
#include "compiler/source/words.h"

#include <algorithm>

namespace placid::index {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::PythonExpr;
using syntax::Stmt;

class Indexer {
public:
  explicit Indexer(const syntax::Module &module) : module_(module), text_(module.source->text) {}

  Index run() {
    names_ = bindNames(module_, out_);
    visitBlock(module_.body, names_.scopes.front());
    out_.whole = module_.faults.empty();
    auto byRange = [](const auto &a, const auto &b) { return a.range < b.range; };
    std::sort(out_.occurrences.begin(), out_.occurrences.end(), [](const Occurrence &a, const Occurrence &b) {
      return a.range != b.range ? a.range < b.range : a.symbol != b.symbol ? a.symbol < b.symbol : a.write > b.write;
    });
    auto same = [](const Occurrence &a, const Occurrence &b) { return a.range == b.range; };
    out_.occurrences.erase(std::unique(out_.occurrences.begin(), out_.occurrences.end(), same), out_.occurrences.end());
    std::sort(out_.members.begin(), out_.members.end(), byRange);
    std::sort(out_.calls.begin(), out_.calls.end(), byRange);
    std::sort(out_.imports.begin(), out_.imports.end(), byRange);
    addRanges(module_, out_);
    return std::move(out_);
  }

private:
  std::string_view slice(ByteRange range) const {
    return range.begin <= range.end && range.end <= text_.size() ? text_.substr(range.begin, range.end - range.begin)
                                                                 : std::string_view();
  }

  void occurrence(ByteRange range, uint32_t symbol, bool write) {
    if (symbol != kNone && range.begin < range.end) {
      out_.occurrences.push_back({range, symbol, write});
    }
  }

  void visitBlock(const std::vector<const Stmt *> &body, Scope &scope) {
    for (const Stmt *stmt : body) {
      visitStatement(*stmt, scope);
    }
  }

  void visitTarget(const Expr *target, Scope &scope) {
    if (target && target->kind == Expr::Kind::Name) {
      occurrence(target->range, names_.lookUp(target->text, scope), true);
    } else if (target && (target->kind == Expr::Kind::Tuple || target->kind == Expr::Kind::List ||
                          target->kind == Expr::Kind::Starred)) {
      for (const Expr *child : target->children) {
        visitTarget(child, scope);
      }
    } else {
      visit(target, scope);
    }
  }

  void visitImport(const Stmt &stmt, Scope &scope) {
    bool from = stmt.kind == Stmt::Kind::ImportFrom;
    ImportPlaces places = importPlaces(text_, stmt);
    for (size_t i = 0; i < stmt.imports.size(); ++i) {
      std::string_view local = stmt.imports[i].asName;
      auto [name, bound] = places.names[i];
      if (!from && name == bound) {
        local = local.substr(0, local.find('.'));
        bound.end = std::min(bound.end, bound.begin + static_cast<uint32_t>(local.size()));
      }
      occurrence(bound, names_.lookUp(local, scope), true);
      if (from && name != bound) {
        out_.members.push_back({name, std::string(stmt.text) + "." + std::string(stmt.imports[i].name)});
      }
    }
  }

  /// Of what a name is declared to be: in strings stand expressions as well.
  void visitAnnotation(const Expr *expr, Scope &scope) {
    quoted_ = true;
    visit(expr, scope);
    quoted_ = false;
  }

  void visitStatement(const Stmt &stmt, Scope &scope) {
    for (const Expr *decorator : stmt.decorators) {
      visit(decorator, scope);
    }
    if (stmt.kind == Stmt::Kind::Function || stmt.kind == Stmt::Kind::Class) {
      visitDefinition(stmt, scope);
      return;
    }
    if (stmt.kind == Stmt::Kind::Import || stmt.kind == Stmt::Kind::ImportFrom) {
      visitImport(stmt, scope);
      return;
    }
    if (stmt.kind == Stmt::Kind::Error || stmt.kind == Stmt::Kind::Other) {
      const std::vector<const Stmt *> &block = stmt.body.empty() ? stmt.orelse : stmt.body;
      // What `raise` says behind `from` is not kept, and patterns of `case` are not: they are read as words.
      bool kept = block.empty() && !stmt.operands.empty() && stmt.text != "`raise`";
      if (!kept) {
        words({stmt.range.begin, block.empty() ? stmt.range.end : block.front()->range.begin}, scope);
      }
    }
    for (const Expr *operand : stmt.operands) {
      visit(operand, scope);
    }
    visit(stmt.value, scope);
    visitAnnotation(stmt.annotation, scope);
    for (const Expr *target : stmt.targets) {
      visitTarget(target, scope);
    }
    for (const syntax::WithItem &item : stmt.items) {
      visit(item.value, scope);
      visitTarget(item.target, scope);
    }
    visitBlock(stmt.body, scope);
    visitBlock(stmt.orelse, scope);
  }

  void visitDefinition(const Stmt &stmt, Scope &scope) {
    occurrence(stmt.nameRange, names_.lookUp(stmt.name, scope), true);
    auto found = names_.inside.find(&stmt);
    if (found == names_.inside.end()) {
      return;
    }
    Scope &inner = *found->second;
    for (const syntax::Parameter &parameter : stmt.parameters) {
      visitAnnotation(parameter.annotation, scope);
      visit(parameter.defaultValue, scope);
      auto symbol = inner.names.find(parameter.name);
      occurrence(parameter.nameRange, symbol == inner.names.end() ? kNone : symbol->second, true);
    }
    visitAnnotation(stmt.annotation, scope);
    for (const Expr *base : stmt.operands) {
      visit(base, scope);
    }
    visit(stmt.value, scope);
    visitBlock(stmt.body, inner);
  }

  /// Resolves what a dotted expression stands for. `path` is set when it leads out of this text.
  uint32_t resolve(const Expr &expr, Scope &scope, std::string &path) {
    if (expr.kind == Expr::Kind::Name) {
      uint32_t symbol = names_.lookUp(expr.text, scope);
      if (symbol != kNone && out_.symbols[symbol].kind == SymbolKind::Import) {
        const Symbol &import = out_.symbols[symbol];
        path = import.module + (import.member.empty() ? "" : "." + import.member);
      }
      return symbol;
    }
    if (expr.kind != Expr::Kind::Attribute || expr.children.empty()) {
      return kNone;
    }
    uint32_t base = resolve(*expr.children[0], scope, path);
    if (!path.empty()) {
      path += "." + std::string(expr.text);
      return kNone;
    }
    if (base == kNone) {
      return kNone;
    }
    uint32_t classSymbol = base;
    if (out_.symbols[base].kind == SymbolKind::Parameter) { // self.helper
      Scope *inner = &scope;
      while (inner && inner->self != base) {
        inner = inner->parent;
      }
      classSymbol = inner && inner->parent ? inner->parent->owner : kNone;
    }
    return memberOf(classSymbol, expr.text, 0);
  }

  /// A name of a class or of what it is derived from, as far as that is in this text.
  uint32_t memberOf(uint32_t classSymbol, std::string_view name, int depth) {
    constexpr int kMaxBases = 8;
    auto members = names_.members.find(classSymbol);
    if (classSymbol == kNone || depth > kMaxBases || members == names_.members.end() || !members->second->isClass) {
      return kNone;
    }
    Scope &inner = *members->second;
    auto found = inner.names.find(name);
    if (found != inner.names.end()) {
      return found->second;
    }
    for (const Expr *base : *inner.bases) {
      std::string path;
      uint32_t symbol = base ? resolve(*base, *inner.parent, path) : kNone;
      if (uint32_t inherited = memberOf(symbol, name, depth + 1); inherited != kNone) {
        return inherited;
      }
    }
    return kNone;
  }

  void visit(const Expr *expr, Scope &scope) {
    if (!expr) {
      return;
    }
    switch (expr->kind) {
    case Expr::Kind::Name:
      occurrence(expr->range, names_.lookUp(expr->text, scope), false);
      return;
    case Expr::Kind::Other:
      if (expr->python) {
        visitPython(*expr->python, scope);
        break;
      }
      [[fallthrough]];
    case Expr::Kind::Error:
      words(expr->range, scope);
      return;
    case Expr::Kind::String:
      if (quoted_) {
        words(source::insideQuotes(text_, expr->range), scope);
      }
      return;
    case Expr::Kind::Attribute: {
      std::string path;
      uint32_t symbol = resolve(*expr, scope, path);
      occurrence(expr->nameRange, symbol, false);
      if (!path.empty()) {
        out_.members.push_back({expr->nameRange, std::move(path)});
      }
      break;
    }
    case Expr::Kind::Call:
      call(*expr, scope);
      break;
    default:
      break;
    }
    for (const Expr *child : expr->children) {
      visit(child, scope);
    }
    for (const syntax::Keyword &keyword : expr->keywords) {
      visit(keyword.value, scope);
    }
  }

  /// What Python has beyond PL. The names that a comprehension or a lambda binds hide others and are no symbols: they
  /// mean nothing to whoever reads the text a line further down.
  void visitPython(const PythonExpr &python, Scope &scope) {
    Scope *inner = &scope;
    if (!python.clauses.empty() || !python.parameters.empty()) {
      inner = &names_.scopes.emplace_back();
      inner->owner = scope.owner;
      inner->parent = &scope;
      for (const syntax::Parameter &parameter : python.parameters) {
        visit(parameter.defaultValue, scope);
        inner->names.emplace(parameter.name, kNone);
      }
      for (const syntax::ComprehensionClause &clause : python.clauses) {
        hide(clause.target, *inner);
      }
    }
    for (size_t i = 0; i < python.clauses.size(); ++i) {
      visit(python.clauses[i].iterable, i == 0 ? scope : *inner);
      visit(python.clauses[i].target, *inner); // `for a[n] in …`
      for (const Expr *condition : python.clauses[i].conditions) {
        visit(condition, *inner);
      }
    }
    for (size_t i = 0; i < python.parts.size(); ++i) {
      bool bound = python.kind == PythonExpr::Kind::Walrus && i == 0;
      bound ? visitTarget(python.parts[i], scope) : visit(python.parts[i], *inner);
    }
    for (const syntax::FormatPiece &piece : python.pieces) {
      visit(piece.value, scope);
      visit(piece.spec, scope);
    }
  }

  static void hide(const Expr *target, Scope &scope) {
    if (target && target->kind == Expr::Kind::Name) {
      scope.names.emplace(target->text, kNone);
    } else if (target && target->kind != Expr::Kind::Subscript && target->kind != Expr::Kind::Attribute) {
      for (const Expr *child : target->children) {
        hide(child, scope);
      }
    }
  }

  void call(const Expr &expr, Scope &scope) {
    if (expr.children.empty()) {
      return;
    }
    Call made;
    made.range = expr.range;
    made.callee = expr.children[0]->range;
    made.symbol = resolve(*expr.children[0], scope, made.path);
    made.arguments = static_cast<uint32_t>(expr.children.size() - 1 + expr.keywords.size());
    const Scope *around = &scope;
    while (around && around->isClass) {
      around = around->parent;
    }
    made.caller = around ? around->owner : kNone;
    auto callee = names_.members.find(made.symbol);
    if (made.symbol != kNone && callee != names_.members.end() && !callee->second->isClass) {
      // f(x=…) names a parameter of f.
      for (const syntax::Keyword &keyword : expr.keywords) {
        auto found = callee->second->names.find(keyword.name);
        if (found != callee->second->names.end() && out_.symbols[found->second].kind == SymbolKind::Parameter) {
          occurrence(keyword.nameRange, found->second, false);
        }
      }
    }
    out_.calls.push_back(std::move(made));
  }

  /// A broken line, a pattern: its names mean what they mean around it.
  void words(ByteRange range, Scope &scope) {
    for (ByteRange name : namesIn(text_, range)) {
      occurrence(name, names_.lookUp(slice(name), scope), false);
    }
  }

  const syntax::Module &module_;
  std::string_view text_;
  Index out_;
  Bindings names_;
  bool quoted_ = false; ///< In an annotation.
};

} // namespace

Index buildIndex(const syntax::Module &module) { return Indexer(module).run(); }

} // namespace placid::index
