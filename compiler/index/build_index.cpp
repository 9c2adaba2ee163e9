// SPDX-License-Identifier: Apache-2.0
#include "compiler/index/build_index.h"

#include "compiler/index/folds.h"
#include "compiler/index/words.h"

#include <algorithm>
#include <deque>
#include <map>

namespace placid::index {

namespace {

using source::ByteRange;
using syntax::Expr;
using syntax::Stmt;

/// Names bound in one module, class or function body.
struct Scope {
  uint32_t owner = kNone; ///< Symbol of the function or class; kNone for the module.
  Scope *parent = nullptr;
  bool isClass = false;
  uint32_t self = kNone; ///< Methods: the symbol of the first parameter.
  std::map<std::string_view, uint32_t> names;
};

class Indexer {
public:
  explicit Indexer(const syntax::Module &module) : module_(module), text_(module.source->text) {}

  Index run() {
    Scope &top = scopes_.emplace_back();
    bindBlock(module_.body, top);
    visitBlock(module_.body, top);
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

  // ---- binding: which names a block binds, before anything is looked up

  uint32_t bind(Scope &scope, std::string_view name, Symbol symbol) {
    if (name.empty()) {
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
      for (const Expr *target : stmt.targets) {
        bindTarget(target, stmt, scope);
      }
      for (const syntax::WithItem &item : stmt.items) {
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
      uint32_t root = at && at->kind == Expr::Kind::Name ? lookUp(at->text, scope) : kNone;
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
    Scope &inner = scopes_.emplace_back();
    inner.owner = id;
    inner.parent = &scope;
    inner.isClass = isClass;
    inside_[&stmt] = &inner;
    if (id != kNone && !members_.contains(id)) {
      members_[id] = &inner;
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
    uint32_t at = stmt.range.begin;
    auto place = [&](std::string_view word) -> ByteRange {
      // The statement's own words in order: the tree keeps their text and not where it stands.
      size_t found = word.empty() ? std::string_view::npos : text_.find(word, at);
      if (found == std::string_view::npos || found + word.size() > stmt.range.end) {
        return {stmt.range.begin, stmt.range.begin};
      }
      at = static_cast<uint32_t>(found + word.size());
      return {static_cast<uint32_t>(found), at};
    };
    if (from) {
      place("from");
      out_.imports.push_back({place(stmt.text), std::string(stmt.text)});
      place("import");
    } else {
      place("import");
    }
    for (const syntax::ImportedName &imported : stmt.imports) {
      ByteRange name = place(imported.name);
      ByteRange bound = imported.asName == imported.name ? name : place(imported.asName);
      Symbol made;
      made.kind = SymbolKind::Import;
      made.range = stmt.range;
      made.nameRange = bound;
      made.module = from ? stmt.text : imported.name;
      made.member = from ? imported.name : std::string_view();
      std::string_view local = imported.asName;
      if (!from) {
        out_.imports.push_back({name, std::string(imported.name)});
        if (imported.asName == imported.name) {
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

  // ---- looking up

  uint32_t lookUp(std::string_view name, const Scope &from) const {
    for (const Scope *scope = &from; scope; scope = scope->parent) {
      if (scope->isClass && scope != &from) {
        continue; // functions do not see the names of the class around them
      }
      auto found = scope->names.find(name);
      if (found != scope->names.end()) {
        return found->second;
      }
    }
    return kNone;
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
      occurrence(target->range, lookUp(target->text, scope), true);
    } else if (target && (target->kind == Expr::Kind::Tuple || target->kind == Expr::Kind::List ||
                          target->kind == Expr::Kind::Starred)) {
      for (const Expr *child : target->children) {
        visitTarget(child, scope);
      }
    } else {
      visit(target, scope);
    }
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
      for (const syntax::ImportedName &imported : stmt.imports) {
        std::string_view local = imported.asName;
        if (stmt.kind == Stmt::Kind::Import && imported.asName == imported.name) {
          local = local.substr(0, local.find('.'));
        }
        uint32_t symbol = lookUp(local, scope);
        if (symbol != kNone && out_.symbols[symbol].range == stmt.range) {
          occurrence(out_.symbols[symbol].nameRange, symbol, true);
        }
      }
      return;
    }
    if (stmt.kind == Stmt::Kind::Error || (stmt.kind == Stmt::Kind::Other && stmt.body.empty())) {
      words(stmt.range, scope);
    }
    visit(stmt.value, scope);
    visit(stmt.annotation, scope);
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
    occurrence(stmt.nameRange, lookUp(stmt.name, scope), true);
    auto found = inside_.find(&stmt);
    if (found == inside_.end()) {
      return;
    }
    Scope &inner = *found->second;
    for (const syntax::Parameter &parameter : stmt.parameters) {
      visit(parameter.annotation, scope);
      visit(parameter.defaultValue, scope);
      auto symbol = inner.names.find(parameter.name);
      occurrence(parameter.nameRange, symbol == inner.names.end() ? kNone : symbol->second, true);
    }
    visit(stmt.annotation, scope);
    visitBlock(stmt.body, inner);
  }

  /// Resolves what a dotted expression stands for. `path` is set when it leads out of this text.
  uint32_t resolve(const Expr &expr, Scope &scope, std::string &path) {
    if (expr.kind == Expr::Kind::Name) {
      uint32_t symbol = lookUp(expr.text, scope);
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
    auto members = members_.find(classSymbol);
    if (classSymbol == kNone || members == members_.end() || !members->second->isClass) {
      return kNone;
    }
    auto found = members->second->names.find(expr.text);
    return found == members->second->names.end() ? kNone : found->second;
  }

  void visit(const Expr *expr, Scope &scope) {
    if (!expr) {
      return;
    }
    switch (expr->kind) {
    case Expr::Kind::Name:
      occurrence(expr->range, lookUp(expr->text, scope), false);
      return;
    case Expr::Kind::Other:
    case Expr::Kind::Error:
      words(expr->range, scope);
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
    auto callee = members_.find(made.symbol);
    if (made.symbol != kNone && callee != members_.end() && !callee->second->isClass) {
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

  /// A comprehension, a lambda, a broken line: its names mean what they mean around it. Names that it binds itself and
  /// that mean nothing around it are not seen.
  void words(ByteRange range, Scope &scope) {
    for (ByteRange name : namesIn(text_, range)) {
      occurrence(name, lookUp(slice(name), scope), false);
    }
  }

  const syntax::Module &module_;
  std::string_view text_;
  Index out_;
  std::deque<Scope> scopes_; ///< Stable addresses.
  std::map<const Stmt *, Scope *> inside_;
  std::map<uint32_t, Scope *> members_; ///< By symbol of a class or function.
};

} // namespace

Index buildIndex(const syntax::Module &module) { return Indexer(module).run(); }

} // namespace placid::index
