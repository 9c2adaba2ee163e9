// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/modules.h"

#include "compiler/source/words.h"
#include "protocol/lsp/uri.h"
#include "server/store/module_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace placid::server {

namespace {

constexpr int kMaxReexports = 8;
constexpr size_t kMaxFiles = 4000;

bool isClass(const index::Symbol &symbol) {
  return symbol.kind == index::SymbolKind::Class || symbol.kind == index::SymbolKind::Program;
}

bool holds(const std::string &text, const std::vector<std::string> &words) {
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string &word) { return text.find(word) != std::string::npos; });
}

} // namespace

std::vector<source::ByteRange> keywordsOf(std::string_view text, const index::Call &call) {
  std::vector<source::ByteRange> out;
  std::vector<source::Word> words = source::wordsOf(text, {call.callee.end, call.range.end});
  std::erase_if(words, [](const source::Word &word) { return word.kind == source::Word::Kind::Comment; });
  int depth = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view word = source::slice(text, words[i].range);
    bool mark = words[i].kind == source::Word::Kind::Mark;
    depth += mark && (word == "(" || word == "[" || word == "{") ? 1 : 0;
    depth -= mark && (word == ")" || word == "]" || word == "}") ? 1 : 0;
    std::string_view before = i > 0 ? source::slice(text, words[i - 1].range) : std::string_view();
    bool first = words[i].kind == source::Word::Kind::Name && depth == 1 && (before == "(" || before == ",");
    bool equals = first && i + 1 < words.size() && source::slice(text, words[i + 1].range) == "=" &&
                  text.substr(words[i + 1].range.end, 1) != "=";
    if (equals) {
      out.push_back(words[i].range);
    }
  }
  return out;
}

Modules::Modules(const Snapshot &snapshot) : snapshot_(snapshot) {
  for (const OpenDocument &document : snapshot.open) {
    modules_[document.text->path] = {document.uri, document.text, &indexOf(snapshot, document)};
  }
  if (snapshot.text) {
    ModuleView &here = modules_[snapshot.text->path];
    here = {snapshot.uri, snapshot.text, &indexOf(snapshot)};
    here_ = &here;
  }
}

const index::Index &Modules::indexed(const source::SourcePtr &text) {
  std::shared_ptr<const index::Index> &out = read_[text->path];
  ModuleShelf *shelf = snapshot_.shelf.get();
  auto known = shelf ? shelf->entries.find(text->path) : std::map<std::string, ModuleShelf::Entry>::iterator();
  if (shelf && known != shelf->entries.end()) {
    if (known->second.text->text == text->text) {
      out = known->second.index;
      return *out;
    }
    shelf->bytes -= known->second.text->text.size();
    shelf->entries.erase(known);
  }
  out = std::make_shared<const index::Index>(snapshot_.compiler->index(text));
  bool lost = !out->whole && out->symbols.empty() && out->occurrences.empty(); // perhaps the machine's fault
  if (shelf && !lost) {
    if (shelf->bytes + text->text.size() > ModuleShelf::kMaxBytes) {
      shelf->entries.clear();
      shelf->bytes = 0;
    }
    shelf->entries[text->path] = {text, out};
    shelf->bytes += text->text.size();
  }
  return *out;
}

source::SourcePtr Modules::textAt(const std::string &path) {
  auto found = modules_.find(path);
  return found != modules_.end()     ? found->second.text
         : snapshot_.options.sources ? snapshot_.options.sources->load(path)
                                     : nullptr;
}

const ModuleView *Modules::withWord(const std::string &path, std::string_view word) {
  auto found = modules_.find(path);
  if (found == modules_.end()) {
    ModuleView made;
    made.text = snapshot_.options.sources ? snapshot_.options.sources->load(path) : nullptr;
    if (made.text && made.text->text.find(word) == std::string::npos) {
      return nullptr;
    }
    if (made.text) {
      made.uri = lsp::fileUri(path);
      made.index = &indexed(made.text);
    }
    found = modules_.emplace(path, std::move(made)).first;
  }
  return found->second.text ? &found->second : nullptr;
}

const ModuleView *Modules::imported(const std::string &module, const ModuleView &importer) {
  if (!snapshot_.options.sources) {
    return nullptr;
  }
  std::optional<std::string> path =
      findModule(module, importer.text->path, snapshot_.options.roots, *snapshot_.options.sources);
  return path ? at(*path) : nullptr;
}

std::optional<Target> Modules::namedIn(const ModuleView &module, const std::string &name) const {
  const std::vector<index::Symbol> &symbols = module.index->symbols;
  auto named = std::find_if(symbols.begin(), symbols.end(),
                            [&](const index::Symbol &one) { return one.parent == index::kNone && one.name == name; });
  bool found = named != symbols.end();
  return found ? std::optional(Target{&module, static_cast<uint32_t>(named - symbols.begin())}) : std::nullopt;
}

std::optional<Target> Modules::step(const Target &import) {
  const index::Symbol &found = import.module->index->symbols[import.symbol];
  const ModuleView *next = imported(found.module, *import.module);
  if (!next || found.member.empty()) {
    return next ? std::optional(Target{next, index::kNone}) : std::nullopt;
  }
  if (std::optional<Target> named = namedIn(*next, found.member)) {
    return named;
  }
  // `from package import module`.
  std::string path = found.module + (found.module.ends_with('.') ? "" : ".") + found.member;
  const ModuleView *inner = imported(path, *import.module);
  return inner ? std::optional(Target{inner, index::kNone}) : std::nullopt;
}

std::optional<Target> Modules::follow(const ModuleView &module, uint32_t symbol) {
  Target at{&module, symbol};
  for (int count = 0; count < kMaxReexports; ++count) {
    const index::Symbol &found = at.module->index->symbols[at.symbol];
    if (found.kind != index::SymbolKind::Import) {
      return at;
    }
    std::optional<Target> next = step(at);
    if (!next) {
      // An import that leads out of what is known ends a chain; a name that is missing where it should be is none.
      bool known = imported(found.module, *at.module) != nullptr;
      return count == 0 || known ? std::nullopt : std::optional(at);
    }
    if (next->symbol == index::kNone) {
      return next;
    }
    at = *next;
  }
  return at;
}

bool Modules::leadsTo(const ModuleView &module, uint32_t symbol, const Target &target) {
  std::optional<Target> at = Target{&module, symbol};
  for (int count = 0; count <= kMaxReexports && at; ++count) {
    if (at->module == target.module && at->symbol == target.symbol) {
      return true;
    }
    if (at->symbol == index::kNone || at->module->index->symbols[at->symbol].kind != index::SymbolKind::Import) {
      return false;
    }
    at = step(*at);
  }
  return false;
}

std::optional<Target> Modules::memberTarget(const std::string &path, const ModuleView &importer) {
  for (size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0; dot = path.rfind('.', dot - 1)) {
    const ModuleView *module = imported(path.substr(0, dot), importer);
    if (!module) {
      continue;
    }
    std::optional<Target> at;
    for (size_t begin = dot + 1; begin < path.size();) {
      size_t end = std::min(path.find('.', begin), path.size());
      std::string name = path.substr(begin, end - begin);
      if (begin == dot + 1) {
        at = namedIn(*module, name);
      } else {
        at = follow(*at->module, at->symbol);
        bool inClass = at && at->symbol != index::kNone && isClass(at->module->index->symbols[at->symbol]);
        std::optional<Target> inner;
        for (uint32_t id = 0; inClass && !inner && id < at->module->index->symbols.size(); ++id) {
          const index::Symbol &one = at->module->index->symbols[id];
          inner = one.parent == at->symbol && one.name == name ? std::optional(Target{at->module, id}) : inner;
        }
        at = inner;
      }
      if (!at) {
        return std::nullopt;
      }
      begin = end + 1;
    }
    return at;
  }
  return std::nullopt;
}

std::optional<Target> Modules::called(const ModuleView &module, const index::Call &call) {
  if (call.symbol != index::kNone) {
    return follow(module, call.symbol);
  }
  bool ours = !call.path.empty() && plPath(call.path).empty();
  std::optional<Target> member = ours ? memberTarget(call.path, module) : std::nullopt;
  return member ? follow(*member->module, member->symbol) : std::nullopt;
}

std::optional<Target> Modules::targetAt(uint32_t offset) {
  const index::Occurrence *occurrence = occurrenceAt(*here_->index, offset);
  if (occurrence) {
    return follow(*here_, occurrence->symbol);
  }
  const index::Member *at = memberAt(*here_->index, offset);
  std::optional<Target> member = at ? memberTarget(at->path, *here_) : std::nullopt;
  return member ? follow(*member->module, member->symbol) : std::nullopt;
}

void Modules::usesIn(const ModuleView &module, const Target &target, std::vector<Use> &out) {
  const index::Index &index = *module.index;
  const index::Symbol &wanted = target.module->index->symbols[target.symbol];
  const std::string &name = wanted.name;
  for (const index::Occurrence &occurrence : index.occurrences) {
    const index::Symbol &symbol = index.symbols[occurrence.symbol];
    bool here = &module == target.module && occurrence.symbol == target.symbol;
    bool imports = symbol.kind == index::SymbolKind::Import && symbol.member == name;
    if (here || (imports && leadsTo(module, occurrence.symbol, target))) {
      out.push_back({&module, occurrence});
    }
  }
  for (const index::Member &member : index.members) {
    bool named = member.path.size() > name.size() && member.path.ends_with("." + name);
    std::optional<Target> found =
        named && plPath(member.path).empty() ? memberTarget(member.path, module) : std::nullopt;
    if (found && leadsTo(*found->module, found->symbol, target)) {
      out.push_back({&module, {member.range, target.symbol, false}});
    }
  }
  if (wanted.kind != index::SymbolKind::Parameter) {
    return;
  }
  for (const index::Call &call : index.calls) {
    bool stands = source::slice(module.text->text, call.range).find(name) != std::string_view::npos;
    for (source::ByteRange keyword : stands ? keywordsOf(module.text->text, call) : std::vector<source::ByteRange>()) {
      if (source::slice(module.text->text, keyword) != name) {
        continue;
      }
      std::optional<Target> function = called(module, call);
      if (function && function->module == target.module && function->symbol == wanted.parent) {
        out.push_back({&module, {keyword, target.symbol, false}});
      }
    }
  }
}

std::vector<std::string> Modules::workspace() const {
  std::vector<std::string> paths = pythonFiles(snapshot_.options.roots, kMaxFiles);
  for (const OpenDocument &document : snapshot_.open) {
    // One that is open through a link stands for its file.
    std::error_code error;
    std::string file = std::filesystem::canonical(document.text->path, error).string();
    if (!error && file != document.text->path) {
      std::erase(paths, file);
    }
    paths.push_back(document.text->path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

std::vector<std::string> Modules::searched(const std::string &around, bool &whole) const {
  std::vector<std::string> roots = snapshot_.options.roots;
  bool below = std::any_of(roots.begin(), roots.end(), [&](const std::string &root) {
    return around.starts_with(root.ends_with('/') ? root : root + "/");
  });
  if (!below && around.starts_with('/')) {
    roots.push_back(importFolder(around));
  }
  std::vector<std::string> paths = pythonFiles(roots, kMaxFiles, &whole);
  for (const OpenDocument &document : snapshot_.open) {
    paths.push_back(document.text->path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

bool Modules::reachable(const index::Index &index, uint32_t symbol) {
  uint32_t at = index.symbols[symbol].kind == index::SymbolKind::Parameter ? index.symbols[symbol].parent : symbol;
  while (at != index::kNone && index.symbols[at].parent != index::kNone) {
    at = index.symbols[at].parent;
    if (!isClass(index.symbols[at])) {
      return false;
    }
  }
  return at != index::kNone;
}

Modules::Found Modules::search(const Target &target, const std::stop_token &stop, const std::string &other) {
  Found out;
  usesIn(*target.module, target, out.uses);
  out.modules.push_back(target.module);
  const index::Index &index = *target.module->index;
  if (reachable(index, target.symbol)) {
    const index::Symbol &symbol = index.symbols[target.symbol];
    std::vector<std::string> words{symbol.name};
    if (symbol.kind == index::SymbolKind::Parameter) {
      words.push_back(index.symbols[symbol.parent].name);
    }
    for (const std::string &path : searched(target.module->text->path, out.whole)) {
      if (stop.stop_requested()) {
        break;
      }
      if (path == target.module->text->path) {
        continue;
      }
      source::SourcePtr text = textAt(path);
      bool named = text && holds(text->text, words);
      bool star = !named && text && !other.empty() && holds(text->text, {"import", "*", other});
      if (!text && fileHolds(path, words)) {
        out.unread.push_back(path);
      }
      const ModuleView *module = named || star ? at(path) : nullptr;
      if (module) {
        usesIn(*module, target, out.uses);
        out.modules.push_back(module);
      }
    }
  }
  // A keyword argument is seen by the index and by its call.
  auto place = [](const Use &use) { return std::pair(use.module->text->path, use.occurrence.range); };
  std::set<std::pair<std::string, source::ByteRange>> seen;
  std::erase_if(out.uses, [&](const Use &use) { return !seen.insert(place(use)).second; });
  return out;
}

} // namespace placid::server
