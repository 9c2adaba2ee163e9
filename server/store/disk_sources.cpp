// SPDX-License-Identifier: Apache-2.0
#include "server/store/disk_sources.h"

#include "server/commands/sources.h"
#include "server/support/slow_disk.h"

#include <sys/stat.h>
#include <time.h>

#include <mutex>
#include <optional>

namespace placid::server {

namespace {

/// What is kept of the disk; beyond it everything is read anew.
constexpr size_t kMaxKeptBytes = size_t{64} << 20;
/// Clocks of file systems go on in steps; two changes within one look like one.
constexpr int64_t kClockStep = 20'000'000;

int64_t nanoseconds(const timespec &time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

/// Nothing where nothing is.
std::optional<struct stat> statOf(const std::string &path) {
  auto look = [path] {
    struct stat info{};
    return ::stat(path.c_str(), &info) == 0 ? std::optional(info) : std::nullopt;
  };
  return SlowDisk::shared().ask(path, look).value_or(std::nullopt);
}

} // namespace

std::string DiskSources::full(const std::string &path) const {
  return folder_.empty() || path.starts_with('/') ? path : folder_ + "/" + path;
}

DiskSources::Stamp DiskSources::stampOf(const std::string &path) {
  std::optional<struct stat> found = statOf(path);
  if (!found || !S_ISREG(found->st_mode)) {
    return {};
  }
  const struct stat &info = *found;
  return {info.st_size, info.st_dev, info.st_ino, nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)};
}

source::SourcePtr DiskSources::load(const std::string &path) {
  std::string file = full(path);
  Stamp stamp = stampOf(file);
  {
    MutexLock lock(mutex_);
    auto found = entries_.find(path);
    if (found != entries_.end() && found->second.stamp == stamp && !found->second.young) {
      return found->second.text;
    }
  }
  int64_t age = now() - stamp.anything;
  bool young = age < kClockStep && age > -kClockStep; // clocks of other machines may be ahead for hours
  // Nobody else waits meanwhile: it may take a while until there is a descriptor.
  source::SourcePtr read = stamp.size < 0 ? nullptr : readSource(file);
  source::SourcePtr text = read && file != path ? std::make_shared<source::SourceText>(path, read->text) : read;
  MutexLock lock(mutex_);
  auto found = entries_.find(path);
  if (found != entries_.end()) {
    source::SourcePtr before = found->second.text;
    bytes_ -= before ? before->text.size() : 0;
    if (before && text && found->second.stamp == stamp && before->text == text->text) {
      text = std::move(before);
    }
    entries_.erase(found);
  }
  if (stamp.size < 0) {
    return nullptr;
  }
  if (text && bytes_ + text->text.size() > kMaxKeptBytes) {
    entries_.clear();
    bytes_ = 0;
  }
  bytes_ += text ? text->text.size() : 0;
  entries_[path] = {stamp, young, text};
  return text;
}

bool DiskSources::exists(const std::string &path) { return stampOf(full(path)).size >= 0; }

source::SourcePtr OpenSources::load(const std::string &path) {
  auto found = open_.find(path);
  if (found != open_.end()) {
    return found->second;
  }
  source::SourcePtr same = sameFile(path);
  return same ? same : behind_ ? behind_->load(path) : nullptr;
}

/// The open document of the file at `path`, which is open under another path: through a link to it or to its folder.
source::SourcePtr OpenSources::sameFile(const std::string &path) {
  std::optional<struct stat> info = open_.empty() || !path.starts_with('/') ? std::nullopt : statOf(path);
  if (!info) {
    return nullptr;
  }
  File file{info->st_dev, info->st_ino};
  MutexLock lock(mutex_);
  if (!std::exchange(lookedAt_, true)) {
    for (const auto &[name, text] : open_) {
      std::optional<struct stat> own = name.starts_with('/') ? statOf(name) : std::nullopt;
      if (own && S_ISREG(own->st_mode)) {
        files_.emplace(File{own->st_dev, own->st_ino}, text);
      }
    }
  }
  auto found = files_.find(file);
  if (found == files_.end()) {
    return nullptr;
  }
  asked_.insert(found->second->path);
  source::SourcePtr &out = elsewhere_[path];
  if (!out) {
    out = std::make_shared<source::SourceText>(path, found->second->text);
  }
  return out;
}

std::vector<std::string> OpenSources::askedElsewhere() const {
  MutexLock lock(mutex_);
  return {asked_.begin(), asked_.end()};
}

bool OpenSources::exists(const std::string &path) { return open_.contains(path) || (behind_ && behind_->exists(path)); }

} // namespace placid::server
