// SPDX-License-Identifier: Apache-2.0
// The texts that imports find: files below one folder's view of the disk, and the open documents of an editor over
// them. The compiler gets these through source::SourceProvider and reads nothing itself. Any thread.
#pragma once

#include "compiler/source/provider.h"
#include "server/support/sync.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace placid::server {

/// Files, kept while they stay the same as far as the file system tells. Relative paths are relative to `folder`;
/// empty: to the process's working folder.
class DiskSources final : public source::SourceProvider {
public:
  explicit DiskSources(std::string folder = {}) : folder_(std::move(folder)) {}
  source::SourcePtr load(const std::string &path) override;
  bool exists(const std::string &path) override;

private:
  /// Times alone do not tell a file from the one that took its place: tools set them back.
  struct Stamp {
    int64_t size = -1;
    uint64_t device = 0;
    uint64_t inode = 0;
    int64_t changed = 0;  ///< Of the content, in nanoseconds.
    int64_t anything = 0; ///< Of content, name or time: nobody can set it.
    bool operator==(const Stamp &) const = default;
  };
  struct Entry {
    Stamp stamp;
    bool young = false; ///< Read so soon after a change that another one may bear the same stamp.
    source::SourcePtr text;
  };
  std::string full(const std::string &path) const;
  static Stamp stampOf(const std::string &path);

  const std::string folder_;
  Mutex mutex_;
  std::map<std::string, Entry> entries_ PLACID_GUARDED_BY(mutex_);
  size_t bytes_ PLACID_GUARDED_BY(mutex_) = 0;
};

/// Open documents, by path, in front of what is saved; also under another path of the same file. One for each check.
class OpenSources final : public source::SourceProvider {
public:
  OpenSources(std::map<std::string, source::SourcePtr> open, std::shared_ptr<source::SourceProvider> behind)
      : open_(std::move(open)), behind_(std::move(behind)) {}
  source::SourcePtr load(const std::string &path) override;
  bool exists(const std::string &path) override;
  /// Paths of open documents that were asked for under another one; sorted.
  std::vector<std::string> askedElsewhere() const;

private:
  using File = std::pair<uint64_t, uint64_t>; ///< Device, inode.
  source::SourcePtr sameFile(const std::string &path);

  const std::map<std::string, source::SourcePtr> open_;
  const std::shared_ptr<source::SourceProvider> behind_;
  mutable Mutex mutex_;
  bool lookedAt_ PLACID_GUARDED_BY(mutex_) = false;
  std::map<File, source::SourcePtr> files_ PLACID_GUARDED_BY(mutex_);            ///< Of the open documents.
  std::map<std::string, source::SourcePtr> elsewhere_ PLACID_GUARDED_BY(mutex_); ///< By the path that was asked for.
  std::set<std::string> asked_ PLACID_GUARDED_BY(mutex_);
};

} // namespace placid::server
