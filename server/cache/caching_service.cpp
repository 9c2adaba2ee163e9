// SPDX-License-Identifier: Apache-2.0
#include "server/cache/caching_service.h"

#include "compiler/support/sha256.h"
#include "server/worker/calls.h"
#include "server/worker/wire.h"

#include <algorithm>
#include <utility>

namespace placid::server {

namespace {

/// One thing that the compiler asked, and what it was told: nothing, or the digest of a text ("" for mere existence).
struct Dependency {
  SourceQuestion question;
  bool found = false;
  std::string digest;
  bool operator==(const Dependency &) const = default;
};

/// Notes what is asked of the provider behind. The thread of one call.
class RecordingSources final : public source::SourceProvider {
public:
  explicit RecordingSources(std::shared_ptr<source::SourceProvider> behind) : behind_(std::move(behind)) {}

  source::SourcePtr load(const std::string &path) override {
    source::SourcePtr text = behind_ ? behind_->load(path) : nullptr;
    asked_[{path, true}] = text;
    return text;
  }
  bool exists(const std::string &path) override {
    bool found = behind_ && behind_->exists(path);
    existing_[path] = found;
    return found;
  }
  std::vector<Dependency> dependencies() const {
    std::vector<Dependency> out;
    for (const auto &[question, text] : asked_) {
      out.push_back({question, text != nullptr, text ? support::sha256Hex(text->text) : ""});
    }
    for (const auto &[path, found] : existing_) {
      out.push_back({{path, false}, found, ""});
    }
    return out;
  }

private:
  std::shared_ptr<source::SourceProvider> behind_;
  std::map<SourceQuestion, source::SourcePtr> asked_;
  std::map<std::string, bool> existing_;
};

bool holds(const Dependency &dependency, source::SourceProvider *sources) {
  const std::string &path = dependency.question.path;
  if (!dependency.question.load) {
    return (sources && sources->exists(path)) == dependency.found;
  }
  source::SourcePtr text = sources ? sources->load(path) : nullptr;
  return (text != nullptr) == dependency.found && (!text || support::sha256Hex(text->text) == dependency.digest);
}

const compiler::CheckResult &checkOf(const compiler::CheckResult &result) { return result; }
template <class R> const compiler::CheckResult &checkOf(const R &result) { return result.check; }

/// A stopped result is no answer, and what brought a worker down may be the machine's fault.
bool worthKeeping(const compiler::CheckResult &check) {
  return !check.stopped && std::none_of(check.diagnostics.begin(), check.diagnostics.end(),
                                        [](const diag::Diagnostic &d) { return d.code == diag::InternalError.code; });
}

} // namespace

ResultCache::ResultCache(std::string build, std::string folder, size_t maxBytes)
    : build_(std::move(build)), maxBytes_(maxBytes), disk_(std::move(folder)) {}

size_t ResultCache::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

void ResultCache::keep(const std::string &key, const std::string &bytes) {
  if (auto known = byKey_.find(key); known != byKey_.end()) {
    bytes_ -= known->second->bytes.size();
    entries_.erase(known->second);
    byKey_.erase(known);
  }
  entries_.push_front({key, bytes});
  byKey_[key] = entries_.begin();
  bytes_ += bytes.size();
  while (bytes_ > maxBytes_ && entries_.size() > 1) {
    bytes_ -= entries_.back().bytes.size();
    byKey_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

std::optional<std::string> ResultCache::get(const std::string &key) {
  {
    MutexLock lock(mutex_);
    auto known = byKey_.find(key);
    if (known != byKey_.end()) {
      entries_.splice(entries_.begin(), entries_, known->second);
      return known->second->bytes;
    }
  }
  std::optional<std::string> stored = disk_.get(key);
  if (stored) {
    MutexLock lock(mutex_);
    keep(key, *stored);
  }
  return stored;
}

void ResultCache::put(const std::string &key, const std::string &bytes, bool toDisk) {
  {
    MutexLock lock(mutex_);
    keep(key, bytes);
  }
  if (toDisk) {
    disk_.put(key, bytes);
  }
}

template <class R, class Make>
R CachingService::remembered(std::string_view kind, const source::SourcePtr &text, const compiler::Options &options,
                             const std::string &more, Make make) {
  std::string key = support::sha256Hex(wireBytes(cache_.build(), std::string(kind), options, more, text->path) +
                                       support::sha256Hex(text->text));
  if (std::optional<std::string> stored = cache_.get(key)) {
    std::vector<Dependency> dependencies;
    R result;
    if (fromWire(*stored, dependencies, result) &&
        std::all_of(dependencies.begin(), dependencies.end(),
                    [&](const Dependency &one) { return holds(one, options.sources.get()); })) {
      cache_.hit();
      return result;
    }
  }
  auto recording = std::make_shared<RecordingSources>(options.sources);
  compiler::Options watched = options;
  watched.sources = options.sources ? recording : nullptr;
  R result = make(watched);
  if (worthKeeping(checkOf(result))) {
    cache_.put(key, wireBytes(recording->dependencies(), result), keep_ == Keep::Disk);
  }
  return result;
}

compiler::CheckResult CachingService::check(const source::SourcePtr &text, const compiler::Options &options,
                                            std::stop_token stop) {
  return remembered<compiler::CheckResult>(
      "check", text, options, {}, [&](const compiler::Options &watched) { return behind_.check(text, watched, stop); });
}

compiler::InspectResult CachingService::inspect(const source::SourcePtr &text, const compiler::Options &options,
                                                std::stop_token stop) {
  return remembered<compiler::InspectResult>("inspect", text, options, {}, [&](const compiler::Options &watched) {
    return behind_.inspect(text, watched, stop);
  });
}

compiler::IrResult CachingService::ir(const source::SourcePtr &text, const compiler::Options &options,
                                      const compiler::IrRequest &request, std::stop_token stop) {
  return remembered<compiler::IrResult>("ir", text, options, wireBytes(request), [&](const compiler::Options &watched) {
    return behind_.ir(text, watched, request, stop);
  });
}

compiler::LowerResult CachingService::lower(const source::SourcePtr &text, const compiler::Options &options,
                                            std::stop_token stop) {
  return remembered<compiler::LowerResult>(
      "lower", text, options, {}, [&](const compiler::Options &watched) { return behind_.lower(text, watched, stop); });
}

} // namespace placid::server
