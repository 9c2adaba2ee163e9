// SPDX-License-Identifier: Apache-2.0
#include "server/store/disk_sources.h"

#include "server/commands/sources.h"

#include <sys/stat.h>

#include <mutex>

namespace placid::server {

namespace {

/// What is kept of the disk; beyond it everything is read anew.
constexpr size_t kMaxKeptBytes = size_t{64} << 20;

} // namespace

std::string DiskSources::full(const std::string &path) const {
  return folder_.empty() || path.starts_with('/') ? path : folder_ + "/" + path;
}

DiskSources::Stamp DiskSources::stampOf(const std::string &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return {};
  }
  return {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

source::SourcePtr DiskSources::load(const std::string &path) {
  std::string file = full(path);
  Stamp stamp = stampOf(file);
  MutexLock lock(mutex_);
  auto found = entries_.find(path);
  if (found != entries_.end() && found->second.stamp == stamp) {
    return found->second.text;
  }
  if (found != entries_.end()) {
    bytes_ -= found->second.text ? found->second.text->text.size() : 0;
    entries_.erase(found);
  }
  if (stamp.size < 0) {
    return nullptr;
  }
  source::SourcePtr read = readSource(file);
  source::SourcePtr text = read && file != path ? std::make_shared<source::SourceText>(path, read->text) : read;
  if (text && bytes_ + text->text.size() > kMaxKeptBytes) {
    entries_.clear();
    bytes_ = 0;
  }
  bytes_ += text ? text->text.size() : 0;
  entries_[path] = {stamp, text};
  return text;
}

bool DiskSources::exists(const std::string &path) { return stampOf(full(path)).size >= 0; }

source::SourcePtr OpenSources::load(const std::string &path) {
  auto found = open_.find(path);
  return found != open_.end() ? found->second : behind_ ? behind_->load(path) : nullptr;
}

bool OpenSources::exists(const std::string &path) { return open_.contains(path) || (behind_ && behind_->exists(path)); }

} // namespace placid::server
