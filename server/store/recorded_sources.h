// SPDX-License-Identifier: Apache-2.0
// What the compiler asked for while it made an answer, found or not: whether the answer still holds, and which
// documents a file concerns, also one that is not there yet. Apart from the cache of results, which keeps digests for
// other processes. Asked on a compile thread, read on any.
#pragma once

#include "compiler/source/provider.h"
#include "server/support/sync.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace placid::server {

class SourceLog {
public:
  void loaded(const std::string &path, source::SourcePtr text);
  void looked(const std::string &path, bool found);
  bool asks(const std::string &path) const;
  /// Sorted, each once.
  std::vector<std::string> paths() const;
  /// Whether `sources` would answer the same today. Without sources nothing was asked.
  bool holds(source::SourceProvider *sources) const;
  void clear();

private:
  mutable Mutex mutex_;
  std::map<std::string, source::SourcePtr> texts_ PLACID_GUARDED_BY(mutex_); ///< Null: there was none.
  std::map<std::string, bool> found_ PLACID_GUARDED_BY(mutex_);
};

/// Hands through what `behind` answers, and notes it.
class RecordedSources final : public source::SourceProvider {
public:
  RecordedSources(std::shared_ptr<source::SourceProvider> behind, std::shared_ptr<SourceLog> log)
      : behind_(std::move(behind)), log_(std::move(log)) {}
  source::SourcePtr load(const std::string &path) override;
  bool exists(const std::string &path) override;

private:
  const std::shared_ptr<source::SourceProvider> behind_;
  const std::shared_ptr<SourceLog> log_;
};

} // namespace placid::server
