// SPDX-License-Identifier: Apache-2.0
// The texts that imports find: files below one folder's view of the disk, and the open documents of an editor over
// them. The compiler gets these through source::SourceProvider and reads nothing itself. Any thread.
#pragma once

#include "compiler/source/provider.h"
#include "server/support/sync.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace placid::server {

/// Files, kept while their size and time of change stay the same. Relative paths are relative to `folder`; empty: to
/// the process's working folder.
class DiskSources final : public source::SourceProvider {
public:
  explicit DiskSources(std::string folder = {}) : folder_(std::move(folder)) {}
  source::SourcePtr load(const std::string &path) override;
  bool exists(const std::string &path) override;

private:
  struct Stamp {
    int64_t size = -1;
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
    bool operator==(const Stamp &) const = default;
  };
  struct Entry {
    Stamp stamp;
    source::SourcePtr text;
  };
  std::string full(const std::string &path) const;
  static Stamp stampOf(const std::string &path);

  const std::string folder_;
  Mutex mutex_;
  std::map<std::string, Entry> entries_ PLACID_GUARDED_BY(mutex_);
  size_t bytes_ PLACID_GUARDED_BY(mutex_) = 0;
};

/// Open documents, by path, in front of what is saved. Immutable: one for each check.
class OpenSources final : public source::SourceProvider {
public:
  OpenSources(std::map<std::string, source::SourcePtr> open, std::shared_ptr<source::SourceProvider> behind)
      : open_(std::move(open)), behind_(std::move(behind)) {}
  source::SourcePtr load(const std::string &path) override;
  bool exists(const std::string &path) override;

private:
  const std::map<std::string, source::SourcePtr> open_;
  const std::shared_ptr<source::SourceProvider> behind_;
};

} // namespace placid::server
