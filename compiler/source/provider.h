// SPDX-License-Identifier: Apache-2.0
// Where the compiler gets the texts of imported modules: an interface that whoever calls the compiler implements (files
// of a disk, open documents over them, blobs of a build). Apart, so that the compiler itself reads no file. Called on
// the thread that compiles, possibly by several compilers at once; it neither throws nor blocks for long.
#pragma once

#include "compiler/source/text.h"

#include <map>
#include <string>

namespace placid::source {

class SourceProvider {
public:
  virtual ~SourceProvider() = default;
  /// The text at `path`, or null when there is none or it cannot be read. The same object for the same content, as far
  /// as possible: what was learnt from a text is kept by it. Its `path` is the given one.
  virtual SourcePtr load(const std::string &path) = 0;
  /// True when load() would find a file. Cheaper than loading.
  virtual bool exists(const std::string &path) = 0;
};

/// Texts that are all at hand: for tests, and for callers that send every text along.
class FixedSources final : public SourceProvider {
public:
  void add(const std::string &path, std::string text) {
    texts_[path] = std::make_shared<SourceText>(path, std::move(text));
  }
  SourcePtr load(const std::string &path) override {
    auto found = texts_.find(path);
    return found == texts_.end() ? nullptr : found->second;
  }
  bool exists(const std::string &path) override { return texts_.contains(path); }

private:
  std::map<std::string, SourcePtr> texts_;
};

} // namespace placid::source
