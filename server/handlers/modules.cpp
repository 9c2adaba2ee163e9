// SPDX-License-Identifier: Apache-2.0
#include "server/handlers/modules.h"

#include "protocol/lsp/uri.h"
#include "server/store/module_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace placid::server {

namespace {

constexpr int kMaxReexports = 8;
constexpr size_t kMaxFiles = 4000;

/// A name that another module can import.
bool exported(const index::Index &index, uint32_t symbol) { return index.symbols[symbol].parent == index::kNone; }

} // namespace

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

std::optional<Target> Modules::follow(const ModuleView &module, uint32_t symbol) {
  Target at{&module, symbol};
  for (int step = 0; step < kMaxReexports; ++step) {
    const index::Symbol &found = at.module->index->symbols[at.symbol];
    if (found.kind != index::SymbolKind::Import) {
      return at;
    }
    const ModuleView *next = imported(found.module, *at.module);
    if (!next) {
      return step == 0 ? std::nullopt : std::optional(at);
    }
    if (found.member.empty()) {
      return Target{next, index::kNone};
    }
    const std::vector<index::Symbol> &symbols = next->index->symbols;
    auto named = std::find_if(symbols.begin(), symbols.end(), [&](const index::Symbol &one) {
      return one.parent == index::kNone && one.name == found.member;
    });
    if (named == symbols.end()) {
      // `from package import module`.
      std::string path = found.module + (found.module.ends_with('.') ? "" : ".") + found.member;
      const ModuleView *inner = imported(path, *at.module);
      return inner ? std::optional(Target{inner, index::kNone}) : std::nullopt;
    }
    at = {next, static_cast<uint32_t>(named - symbols.begin())};
  }
  return at;
}

std::optional<Target> Modules::memberTarget(const std::string &path, const ModuleView &importer) {
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot + 1 == path.size()) {
    return std::nullopt;
  }
  const ModuleView *module = imported(path.substr(0, dot), importer);
  if (!module) {
    return std::nullopt;
  }
  std::string name = path.substr(dot + 1);
  for (uint32_t id = 0; id < module->index->symbols.size(); ++id) {
    if (exported(*module->index, id) && module->index->symbols[id].name == name) {
      return follow(*module, id);
    }
  }
  return std::nullopt;
}

std::optional<Target> Modules::called(const ModuleView &module, const index::Call &call) {
  if (call.symbol != index::kNone) {
    return follow(module, call.symbol);
  }
  bool ours = !call.path.empty() && plPath(call.path).empty();
  return ours ? memberTarget(call.path, module) : std::nullopt;
}

std::optional<Target> Modules::targetAt(uint32_t offset) {
  const index::Occurrence *occurrence = occurrenceAt(*here_->index, offset);
  if (occurrence) {
    return follow(*here_, occurrence->symbol);
  }
  const index::Member *member = memberAt(*here_->index, offset);
  return member ? memberTarget(member->path, *here_) : std::nullopt;
}

void Modules::usesIn(const ModuleView &module, const Target &target, std::vector<Use> &out) {
  const index::Index &index = *module.index;
  const std::string &name = target.module->index->symbols[target.symbol].name;
  auto isTarget = [&](std::optional<Target> found) {
    return found && found->module == target.module && found->symbol == target.symbol;
  };
  for (const index::Occurrence &occurrence : index.occurrences) {
    const index::Symbol &symbol = index.symbols[occurrence.symbol];
    bool here = &module == target.module && occurrence.symbol == target.symbol;
    bool imports = symbol.kind == index::SymbolKind::Import && symbol.member == name;
    if (here || (imports && isTarget(follow(module, occurrence.symbol)))) {
      out.push_back({&module, occurrence});
    }
  }
  for (const index::Member &member : index.members) {
    bool named = member.path.size() > name.size() && member.path.ends_with("." + name);
    if (named && plPath(member.path).empty() && isTarget(memberTarget(member.path, module))) {
      out.push_back({&module, {member.range, target.symbol, false}});
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

std::vector<Modules::Use> Modules::usesOf(const Target &target, const std::stop_token &stop) {
  std::vector<Use> out;
  usesIn(*target.module, target, out);
  if (!exported(*target.module->index, target.symbol)) {
    return out;
  }
  const std::string name = target.module->index->symbols[target.symbol].name;
  for (const std::string &path : workspace()) {
    if (stop.stop_requested()) {
      break;
    }
    const ModuleView *module = path == target.module->text->path ? nullptr : withWord(path, name);
    if (module) {
      usesIn(*module, target, out);
    }
  }
  return out;
}

} // namespace placid::server
