// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/module_cache.h"

#include "compiler/syntax/parse.h"

namespace placid::frontend {

namespace {

/// Of trees that nobody uses at the moment.
constexpr size_t kMaxBytes = size_t{64} << 20;
/// Larger files hold no configuration; the entry itself is not bound by this.
constexpr size_t kMaxImportBytes = size_t{4} << 20;

size_t sizeOf(const syntax::Module &module) {
  size_t out = module.source->text.size();
  for (const std::shared_ptr<syntax::Part> &part : module.parts) {
    out += part->exprs.size() * (sizeof(syntax::Expr) + 24) + part->stmts.size() * (sizeof(syntax::Stmt) + 64);
  }
  return out;
}

} // namespace

ModuleCache::ModuleCache() = default;
ModuleCache::~ModuleCache() = default;

std::shared_ptr<const syntax::Module> ModuleCache::parse(const source::SourcePtr &text) {
  auto known = byPath_.find(text->path);
  if (known != byPath_.end()) {
    const source::SourceText &kept = *known->second->module->source;
    if (&kept == text.get() || kept.text == text->text) {
      entries_.splice(entries_.begin(), entries_, known->second);
      return entries_.front().module;
    }
    bytes_ -= known->second->bytes;
    entries_.erase(known->second);
    byPath_.erase(known);
  }
  std::shared_ptr<const syntax::Module> module = syntax::Parser().parse(text);
  size_t size = sizeOf(*module);
  entries_.push_front({text->path, module, size});
  byPath_[text->path] = entries_.begin();
  bytes_ += size;
  while (bytes_ > kMaxBytes && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes;
    byPath_.erase(entries_.back().path);
    entries_.pop_back();
  }
  return module;
}

std::shared_ptr<const syntax::Module> ImportedModules::load(const std::string &path) {
  source::SourcePtr text = available() ? sources_->load(path) : nullptr;
  if (!text) {
    return nullptr;
  }
  read_.insert(path);
  bool unreadable =
      text->text.size() > kMaxImportBytes || source::findTextFault(text->text).kind != source::TextFault::Kind::None;
  return unreadable ? nullptr : cache_->parse(text);
}

bool ImportedModules::exists(const std::string &path) {
  if (!available()) {
    return false;
  }
  auto [known, added] = exists_.try_emplace(path, false);
  if (added) {
    known->second = sources_->exists(path);
  }
  return known->second;
}

} // namespace placid::frontend
