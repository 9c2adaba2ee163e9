// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/rename_checks.h"

#include "compiler/source/words.h"

#include <algorithm>
#include <set>

namespace placid::server {

namespace {

using source::ByteRange;
using source::Word;

std::string lineOf(const ModuleView &module, uint32_t offset) {
  return module.text->path + ":" + std::to_string(module.text->lines.lineColumn(offset).line + 1);
}

bool isClass(index::SymbolKind kind) { return kind == index::SymbolKind::Class || kind == index::SymbolKind::Program; }
bool isFunction(index::SymbolKind kind) {
  return kind == index::SymbolKind::Function || kind == index::SymbolKind::Kernel;
}

/// `pkg.config` may be the module at `pkg/config.py`, wherever that is looked up.
bool mayBe(const std::string &module, const std::string &path) {
  std::string last = module.substr(module.rfind('.') == std::string::npos ? 0 : module.rfind('.') + 1);
  std::string file =
      path.ends_with("/__init__.py") ? path.substr(0, path.size() - 12) : path.substr(0, path.size() - 3);
  return !last.empty() && file.substr(file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1) == last;
}

/// The rules about one module in which the name stands.
class Missed {
public:
  Missed(Modules &modules, const RenamePlan &plan, const ModuleView &module)
      : modules_(modules), plan_(plan), module_(module), text_(module.text->text), index_(*module.index),
        symbol_(plan.target.module->index->symbols[plan.target.symbol]),
        words_(source::wordsOf(text_, {0, static_cast<uint32_t>(text_.size())})) {
    auto found = plan.edits.find(&module);
    if (found != plan.edits.end()) {
      edits_.insert(found->second.begin(), found->second.end());
    }
    const index::Symbol *parent =
        symbol_.parent == index::kNone ? nullptr : &plan.target.module->index->symbols[symbol_.parent];
    inClass_ = parent && isClass(parent->kind);
    function_ = symbol_.kind == index::SymbolKind::Parameter ? parent : nullptr;
  }

  std::string run() {
    std::string why = brokenLines();
    for (auto rule : {&Missed::stars, &Missed::bindings, &Missed::imports, &Missed::attributes, &Missed::strings,
                      &Missed::keywords, &Missed::classes}) {
      why = why.empty() ? (this->*rule)() : why;
    }
    return why;
  }

private:
  bool own() const { return &module_ == plan_.target.module; }
  bool named(const Word &word) const {
    return word.kind == Word::Kind::Name && source::slice(text_, word.range) == plan_.from;
  }
  std::string_view at(size_t word) const {
    return word < words_.size() ? source::slice(text_, words_[word].range) : std::string_view();
  }

  /// Whether an import statement binds it. No expression stands inside one, so that it is the innermost node.
  bool imported(const index::Occurrence &one) const {
    ByteRange innermost;
    for (ByteRange node : index_.nodes) {
      bool around = node.begin <= one.range.begin && one.range.end <= node.end;
      innermost = one.write && around ? node : innermost;
    }
    std::string_view statement = source::slice(text_, innermost);
    return statement.starts_with("from ") || statement.starts_with("import ");
  }

  std::string brokenLines() const {
    if (source::findTextFault(text_).kind != source::TextFault::Kind::None) {
      return module_.text->path + " cannot be read as text, and `" + plan_.from + "` stands in it";
    }
    bool stands = std::any_of(words_.begin(), words_.end(), [&](const Word &word) { return named(word); });
    bool missed = !index_.whole && (own() || stands);
    return missed ? module_.text->path + " has lines that do not parse: uses in them would be missed" : "";
  }

  /// Names that come by `from m import *` are not known, neither old ones nor new ones.
  std::string stars() {
    if (own() || symbol_.parent != index::kNone) {
      return {};
    }
    for (size_t i = 0; i + 1 < words_.size(); ++i) {
      if (at(i) != "import" || at(i + 1) != "*") {
        continue;
      }
      for (const index::Import &import : index_.imports) {
        bool here = import.range.end <= words_[i].range.begin &&
                    text_.find_first_not_of(" \t\\\r\n", import.range.end) == words_[i].range.begin;
        const ModuleView *from = here ? modules_.imported(import.module, module_) : nullptr;
        bool used = from == plan_.target.module || plan_.edits.contains(from);
        if (here && (used || (!from && mayBe(import.module, plan_.target.module->text->path)))) {
          return lineOf(module_, words_[i].range.begin) + " imports everything from `" + import.module +
                 "`: uses there would be missed";
        }
      }
    }
    return {};
  }

  /// A name that an import binds beside something else: which of them a use means is known at run time only.
  std::string bindings() {
    std::map<uint32_t, int> writes;
    for (const index::Occurrence &one : index_.occurrences) {
      writes[one.symbol] += one.write ? 1 : 0;
    }
    for (const index::Occurrence &one : index_.occurrences) {
      if (edits_.contains(one.range) && writes[one.symbol] > 1 && byImport(one.symbol)) {
        return "`" + index_.symbols[one.symbol].name + "` is bound more than once in " + module_.text->path +
               ", by an import too";
      }
    }
    return {};
  }
  bool byImport(uint32_t symbol) const {
    return std::any_of(index_.occurrences.begin(), index_.occurrences.end(),
                       [&](const index::Occurrence &one) { return one.symbol == symbol && imported(one); });
  }

  /// `from somewhere.config import NAME`, where that module is not found from here.
  std::string imports() {
    for (const index::Occurrence &one : index_.occurrences) {
      const index::Symbol &symbol = index_.symbols[one.symbol];
      bool unsure = symbol.member == plan_.from && !edits_.contains(one.range) && !own() && imported(one) &&
                    !modules_.imported(symbol.module, module_) && mayBe(symbol.module, plan_.target.module->text->path);
      if (unsure) {
        return lineOf(module_, one.range.begin) + " imports it from `" + symbol.module + "`, which is not found";
      }
    }
    return {};
  }

  /// Names of classes are reached through objects, whose class is not known.
  std::string attributes() {
    if (!inClass_) {
      return {};
    }
    for (size_t i = 1; i < words_.size(); ++i) {
      if (!named(words_[i]) || at(i - 1) != "." || edits_.contains(words_[i].range)) {
        continue;
      }
      auto has = [&](const auto &all) {
        return std::any_of(all.begin(), all.end(), [&](const auto &one) { return one.range == words_[i].range; });
      };
      if (!has(index_.occurrences) && !has(index_.members)) {
        return "`." + plan_.from + "` in " + lineOf(module_, words_[i].range.begin) + " may be a use";
      }
    }
    return {};
  }

  /// `__all__ = ['NAME']`, `getattr(module, 'NAME')`.
  std::string strings() {
    auto imports = [&](const index::Import &import) {
      return modules_.imported(import.module, module_) == plan_.target.module;
    };
    bool knows = own() || !edits_.empty() || std::any_of(index_.imports.begin(), index_.imports.end(), imports);
    if (!knows || !Modules::reachable(*plan_.target.module->index, plan_.target.symbol)) {
      return {};
    }
    for (const Word &word : words_) {
      ByteRange inside =
          word.kind == Word::Kind::String && word.closed ? source::insideQuotes(text_, word.range) : ByteRange();
      if (inside.begin < inside.end && source::slice(text_, inside) == plan_.from && !edits_.contains(inside)) {
        return "the string in " + lineOf(module_, word.range.begin) + " may be a use";
      }
    }
    return {};
  }

  /// `g(rows=3)` where g may be the function whose parameter is renamed.
  std::string keywords() {
    if (!function_) {
      return {};
    }
    for (const index::Call &call : index_.calls) {
      std::vector<ByteRange> given = keywordsOf(text_, call);
      bool open = std::any_of(given.begin(), given.end(), [&](ByteRange keyword) {
        return source::slice(text_, keyword) == plan_.from && !edits_.contains(keyword);
      });
      if (open && mayCall(call)) {
        return "`" + plan_.from + "=` in " + lineOf(module_, call.range.begin) + " may name this parameter";
      }
    }
    return {};
  }

  bool mayCall(const index::Call &call) {
    // Handed over, as to functools.partial: whoever gets it may name its parameters.
    for (const index::Occurrence &one : index_.occurrences) {
      bool argument = one.range.begin >= call.callee.end && one.range.end <= call.range.end;
      if (argument && index_.symbols[one.symbol].name == function_->name) {
        return true;
      }
    }
    std::string_view callee = source::slice(text_, call.callee);
    std::string_view last = callee.substr(callee.rfind('.') == std::string_view::npos ? 0 : callee.rfind('.') + 1);
    bool special = function_->name.starts_with("__");
    if (std::optional<Target> found = modules_.called(module_, call); found && found->symbol != index::kNone) {
      index::SymbolKind kind = found->module->index->symbols[found->symbol].kind;
      return isClass(kind) ? special : !isFunction(kind);
    }
    if (call.symbol != index::kNone || !call.path.empty()) {
      return plPath(call.path).empty() && last == function_->name; // what leads out of the workspace
    }
    bool name = callee.find_first_of("([{\"' \t\n") == std::string_view::npos;
    return !name || special || last == function_->name;
  }

  /// A method that stands in for another one has its name: none of them can change alone.
  std::string classes() {
    if (!inClass_) {
      return {};
    }
    const index::Symbol &mine = plan_.target.module->index->symbols[symbol_.parent];
    for (const index::Symbol &one : index_.symbols) {
      if (!isClass(one.kind)) {
        continue;
      }
      size_t behind = text_.find_first_not_of(" \t", one.nameRange.end);
      bool bases = behind != std::string::npos && text_[behind] == '(';
      std::string_view head =
          bases ? std::string_view(text_).substr(behind, text_.find(')', behind) - behind) : std::string_view();
      bool itself = own() && &one == &mine;
      bool defines = std::any_of(index_.symbols.begin(), index_.symbols.end(), [&](const index::Symbol &inner) {
        return inner.name == plan_.from && inner.parent != index::kNone && &index_.symbols[inner.parent] == &one;
      });
      if (bases && head != "()" && head.size() > 1 && (itself || (defines && !itself))) {
        return "`" + one.name + "` in " + lineOf(module_, one.nameRange.begin) +
               " has a base, and the two may share the name";
      }
    }
    return {};
  }

  Modules &modules_;
  const RenamePlan &plan_;
  const ModuleView &module_;
  const std::string &text_;
  const index::Index &index_;
  const index::Symbol &symbol_;
  std::vector<Word> words_;
  std::set<ByteRange> edits_;
  bool inClass_ = false;
  const index::Symbol *function_ = nullptr; ///< Of a parameter.
};

/// One text before and after its edits: the same names must mean the same things.
class Compared {
public:
  Compared(const ModuleView &module, const std::vector<ByteRange> &edits, const RenamePlan &plan)
      : module_(module), edits_(edits), plan_(plan) {
    std::string text = module.text->text;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      text.replace(edit->begin, edit->end - edit->begin, plan.to);
    }
    after_ = std::make_shared<source::SourceText>(module.text->path, std::move(text));
  }

  std::string run(compiler::CompilerService &compiler) const {
    const index::Index &before = *module_.index;
    index::Index after = compiler.index(after_);
    auto symbols = [&](const index::Symbol &a, const index::Symbol &b) {
      bool name = a.name == b.name || (a.name == plan_.from && b.name == plan_.to);
      return name && a.kind == b.kind && a.parent == b.parent && moved(a.nameRange) == b.nameRange;
    };
    auto occurrences = [&](const index::Occurrence &a, const index::Occurrence &b) {
      return moved(a.range) == b.range && a.symbol == b.symbol && a.write == b.write;
    };
    auto members = [&](const index::Member &a, const index::Member &b) { return moved(a.range) == b.range; };
    auto place = [](const auto &one) { return one.range.begin; };
    auto name = [](const index::Symbol &one) { return one.nameRange.begin; };
    if (!after.whole) {
      return "`" + plan_.to + "` does not parse in " + module_.text->path;
    }
    for (uint32_t line : {differ(before.occurrences, after.occurrences, occurrences, place),
                          differ(before.members, after.members, members, place),
                          differ(before.symbols, after.symbols, symbols, name)}) {
      if (line != UINT32_MAX) {
        return "a name in " + module_.text->path + ":" + std::to_string(line + 1) + " would mean something else: `" +
               plan_.to + "` is taken";
      }
    }
    return {};
  }

private:
  ByteRange moved(ByteRange range) const {
    auto shift = [&](uint32_t offset) {
      auto before = std::lower_bound(edits_.begin(), edits_.end(), offset,
                                     [](ByteRange edit, uint32_t at) { return edit.begin < at; });
      auto count = static_cast<size_t>(before - edits_.begin());
      return static_cast<uint32_t>(offset + count * plan_.to.size() - count * plan_.from.size());
    };
    return {shift(range.begin), shift(range.end)};
  }

  /// The first line in which they differ; edits add no lines.
  template <class T, class Same, class Place>
  uint32_t differ(const std::vector<T> &before, const std::vector<T> &after, Same same, Place place) const {
    size_t i = 0;
    while (i < before.size() && i < after.size() && same(before[i], after[i])) {
      ++i;
    }
    uint32_t line = UINT32_MAX;
    if (i < before.size()) {
      line = module_.text->lines.lineColumn(place(before[i])).line;
    }
    if (i < after.size()) {
      line = std::min(line, after_->lines.lineColumn(place(after[i])).line);
    }
    return line;
  }

  const ModuleView &module_;
  const std::vector<ByteRange> &edits_;
  const RenamePlan &plan_;
  source::SourcePtr after_;
};

} // namespace

std::string nameFault(compiler::CompilerService &compiler, const std::string &name) {
  auto line = std::make_shared<source::SourceText>("", name + " = 0\n");
  index::Index made = compiler.index(line);
  bool good = made.whole && made.symbols.size() == 1 && made.symbols[0].name == name &&
              made.symbols[0].nameRange == ByteRange{0, static_cast<uint32_t>(name.size())};
  if (!good) {
    return "`" + name + "` is no name";
  }
  return name.starts_with("__") ? "names that begin with two underscores are special" : "";
}

std::string missedUse(Modules &modules, const RenamePlan &plan) {
  const Modules::Found &found = plan.found;
  if (!found.whole) {
    return "the workspace has more files than are looked at: uses would be missed";
  }
  if (!found.unread.empty()) {
    return found.unread.front() + " cannot be read as text, and `" + plan.from + "` stands in it";
  }
  for (const ModuleView *module : found.modules) {
    if (std::string why = Missed(modules, plan, *module).run(); !why.empty()) {
      return why;
    }
  }
  return {};
}

std::string changedMeaning(compiler::CompilerService &compiler, const RenamePlan &plan) {
  for (const ModuleView *module : plan.found.modules) {
    auto edits = plan.edits.find(module);
    std::string why = edits == plan.edits.end() ? "" : Compared(*module, edits->second, plan).run(compiler);
    if (!why.empty()) {
      return why;
    }
  }
  return {};
}

} // namespace placid::server
