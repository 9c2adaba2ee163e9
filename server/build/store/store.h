// SPDX-License-Identifier: Apache-2.0
// Content by its SHA-256, a file a blob, in a folder that several daemons share; and results by key, which name blobs.
// Written to a temporary file and renamed, the digest checked on every read, the least recently used removed beyond a
// budget. A full disk, a flipped bit, a damaged index are values here, never the end of the process. Blocking; any
// thread.
#pragma once

#include "server/build/store/digest.h"
#include "server/build/store/store_index.h"
#include "server/support/sync.h"

#include <boost/system/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placid::server {

struct StoreFault {
  enum class Kind : uint8_t {
    Missing, ///< There is no such blob, or it was damaged and has been removed.
    Full,    ///< No space, or too large for the budget.
    Io       ///< The folder cannot be used.
  };
  Kind kind = Kind::Io;
  std::string detail;
};
template <class T> using StoreResult = boost::system::result<T, StoreFault>;

struct StoreOptions {
  uint64_t maxBytes = uint64_t{2} << 30;
  uint64_t maxBlob = uint64_t{256} << 20;
  /// Space that is left to others: below it nothing is put.
  uint64_t freeFloor = uint64_t{64} << 20;
  size_t maxResults = 200000;
  /// A use is told to the index so often at most: what goes first is decided to within this time (nanoseconds).
  int64_t useGrain = int64_t{30} * 1000 * 1000 * 1000;
  /// Waits for the disk before a blob is named. Off, a blob that a power failure cut short is a miss: reads check.
  bool sync = false;
  std::function<uint64_t()> freeSpace; ///< Of the disk; not set: asked.
  std::function<int64_t()> now;        ///< Nanoseconds that only grow in effect; not set: the system's clock.
};

class Store {
public:
  /// An empty folder makes a store that keeps nothing: every put is a fault of kind Io.
  explicit Store(std::string folder, StoreOptions options = {});
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  StoreResult<Digest> put(std::string_view bytes);
  StoreResult<std::string> get(const Digest &digest);
  /// Whether there is a file of that name; what is in it shows when it is read.
  bool has(const Digest &digest) const;

  /// Tells other processes, which go by the last use, that what is pinned here is in use. Now and then, while pins
  /// live.
  void renewPins();

  /// While it lives, its blobs are not evicted by this process, and by others not before what was used longer ago.
  class Pin {
  public:
    Pin(Store &store, std::vector<Digest> digests);
    ~Pin();
    Pin(const Pin &) = delete;
    Pin &operator=(const Pin &) = delete;

  private:
    Store &store_;
    std::vector<Digest> digests_;
  };

  /// `lifetime` in seconds, 0: for ever. False when it could not be kept.
  bool remember(const std::string &key, std::string_view value, int64_t lifetime = 0);
  std::optional<std::string> recall(const std::string &key);
  void forget(const std::string &key);

  /// Of a file outside, read again only when it has changed.
  std::optional<Digest> fileDigest(const std::string &path);

  uint64_t bytes();
  const std::string &folder() const { return folder_; }

private:
  int64_t now() const;
  std::string pathOf(const Digest &digest) const;
  /// Whether its use was told lately; if not, it is to be told now.
  bool toldLately(const Digest &digest) PLACID_REQUIRES(mutex_);
  void evict(uint64_t target) PLACID_REQUIRES(mutex_);
  void rescan() PLACID_REQUIRES(mutex_);
  void sweep();
  /// Bytes that have to become free before `size` more may be written.
  uint64_t lackingBytes(uint64_t size) const;

  std::string folder_;
  StoreOptions options_;
  Mutex mutex_;
  std::unique_ptr<StoreIndex> index_ PLACID_GUARDED_BY(mutex_);
  std::map<std::string, int> pins_ PLACID_GUARDED_BY(mutex_);
  std::unordered_map<std::string, int64_t> told_ PLACID_GUARDED_BY(mutex_); ///< Uses, by digest, in the index.
  uint64_t total_ PLACID_GUARDED_BY(mutex_) = 0; ///< As far as known; other processes put too.
  size_t puts_ PLACID_GUARDED_BY(mutex_) = 0;
};

} // namespace placid::server
