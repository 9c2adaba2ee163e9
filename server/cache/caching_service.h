// SPDX-License-Identifier: Apache-2.0
// A CompilerService that remembers: the answer to a text is kept with everything that the compiler asked for while it
// was made (module texts, files that exist or do not), and given again while all of that is the same. In memory for all
// lanes of a daemon, and on disk for the next one. Keys are digests of content and of the build, never names or times.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/cache/blob_store.h"
#include "server/support/sync.h"

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace placid::server {

/// Shared by the services of a daemon. Any thread.
class ResultCache {
public:
  /// `build` separates what different builds of placid say of one text.
  ResultCache(std::string build, std::string folder, size_t maxBytes = size_t{64} << 20);

  std::optional<std::string> get(const std::string &key);
  void put(const std::string &key, const std::string &bytes, bool toDisk);
  const std::string &build() const { return build_; }
  uint64_t hits() const { return hits_; }
  void hit() { ++hits_; }
  size_t bytes() const;

private:
  void keep(const std::string &key, const std::string &bytes) PLACID_REQUIRES(mutex_);

  std::string build_;
  size_t maxBytes_;
  BlobStore disk_;
  std::atomic<uint64_t> hits_ = 0;
  mutable Mutex mutex_;
  struct Entry {
    std::string key;
    std::string bytes;
  };
  std::list<Entry> entries_ PLACID_GUARDED_BY(mutex_); ///< Newest first.
  std::map<std::string, std::list<Entry>::iterator> byKey_ PLACID_GUARDED_BY(mutex_);
  size_t bytes_ PLACID_GUARDED_BY(mutex_) = 0;
};

/// Same thread rules as the service behind.
class CachingService final : public compiler::CompilerService {
public:
  /// What typing makes is not worth the disk; what commands ask for is.
  enum class Keep : uint8_t { Memory, Disk };
  CachingService(compiler::CompilerService &behind, ResultCache &cache, Keep keep)
      : behind_(behind), cache_(cache), keep_(keep) {}

  compiler::CheckResult check(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  compiler::InspectResult inspect(const source::SourcePtr &text, const compiler::Options &options,
                                  std::stop_token stop) override;
  compiler::IrResult ir(const source::SourcePtr &text, const compiler::Options &options,
                        const compiler::IrRequest &request, std::stop_token stop) override;
  compiler::LowerResult lower(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  index::Index index(const source::SourcePtr &text) override { return behind_.index(text); }
  std::vector<index::OpInfo> ops() const override { return behind_.ops(); }
  std::vector<std::string> passNames() const override { return behind_.passNames(); }
  compiler::Counters counters() const override { return behind_.counters(); }

private:
  template <class R, class Make>
  R remembered(std::string_view kind, const source::SourcePtr &text, const compiler::Options &options,
               const std::string &more, Make make);

  compiler::CompilerService &behind_;
  ResultCache &cache_;
  Keep keep_;
};

} // namespace placid::server
