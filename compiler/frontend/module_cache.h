// SPDX-License-Identifier: Apache-2.0
// Parsed texts, kept between checks and shared by all entries that import them, within a budget of bytes. A text that
// changes is parsed again; what is in use stays alive whatever leaves the cache. One thread at a time.
#pragma once

#include "compiler/evaluator/host.h"
#include "compiler/source/provider.h"

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace placid::frontend {

class ModuleCache {
public:
  ModuleCache();
  ~ModuleCache();
  std::shared_ptr<const syntax::Module> parse(const source::SourcePtr &text);

private:
  struct Entry {
    std::string path;
    std::shared_ptr<const syntax::Module> module;
    size_t bytes = 0;
  };
  std::list<Entry> entries_; ///< The most recently used first.
  std::map<std::string, std::list<Entry>::iterator> byPath_;
  size_t bytes_ = 0;
};

/// Imported modules of one check. `sources` and `cache` may be null: then there are none.
class ImportedModules final : public py::ModuleSource {
public:
  ImportedModules(std::shared_ptr<source::SourceProvider> sources, ModuleCache *cache)
      : sources_(std::move(sources)), cache_(cache) {}
  std::shared_ptr<const syntax::Module> load(const std::string &path) override;
  bool exists(const std::string &path) override;
  bool available() const override { return sources_ && cache_; }

  /// Paths that load() gave.
  const std::set<std::string> &read() const { return read_; }

private:
  std::shared_ptr<source::SourceProvider> sources_;
  ModuleCache *cache_;
  std::map<std::string, bool> exists_; ///< Asked once a check.
  std::set<std::string> read_;
};

} // namespace placid::frontend
