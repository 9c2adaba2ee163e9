// SPDX-License-Identifier: Apache-2.0
#include "server/store/recorded_sources.h"

#include <algorithm>
#include <utility>

namespace placid::server {

void SourceLog::loaded(const std::string &path, source::SourcePtr text) {
  MutexLock lock(mutex_);
  texts_[path] = std::move(text);
}

void SourceLog::looked(const std::string &path, bool found) {
  MutexLock lock(mutex_);
  found_[path] = found;
}

bool SourceLog::asks(const std::string &path) const {
  MutexLock lock(mutex_);
  return texts_.contains(path) || found_.contains(path);
}

std::vector<std::string> SourceLog::paths() const {
  std::vector<std::string> out;
  {
    MutexLock lock(mutex_);
    for (const auto &[path, text] : texts_) {
      out.push_back(path);
    }
    for (const auto &[path, found] : found_) {
      out.push_back(path);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool SourceLog::holds(source::SourceProvider *sources) const {
  std::map<std::string, source::SourcePtr> texts;
  std::map<std::string, bool> found;
  {
    MutexLock lock(mutex_);
    texts = texts_;
    found = found_;
  }
  return std::all_of(texts.begin(), texts.end(),
                     [&](const auto &one) {
                       source::SourcePtr now = sources ? sources->load(one.first) : nullptr;
                       // The same object for the same content, mostly.
                       return now == one.second || (now && one.second && now->text == one.second->text);
                     }) &&
         std::all_of(found.begin(), found.end(),
                     [&](const auto &one) { return (sources && sources->exists(one.first)) == one.second; });
}

void SourceLog::clear() {
  MutexLock lock(mutex_);
  texts_.clear();
  found_.clear();
}

source::SourcePtr RecordedSources::load(const std::string &path) {
  source::SourcePtr text = behind_ ? behind_->load(path) : nullptr;
  log_->loaded(path, text);
  return text;
}

bool RecordedSources::exists(const std::string &path) {
  bool found = behind_ && behind_->exists(path);
  log_->looked(path, found);
  return found;
}

} // namespace placid::server
