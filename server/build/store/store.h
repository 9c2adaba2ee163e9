// SPDX-License-Identifier: Apache-2.0
// Content by its SHA-256, a file a blob, in a folder that several daemons share; and results by key, which name blobs.
// Written to a temporary file and renamed, the digest checked on every read, the least recently used removed beyond a
// budget. A full disk, a flipped bit, a damaged index are values here, never the end of the process. Blocking; any
// thread.
#pragma once

#include "server/build/store/digest.h"
#include "server/build/store/store_index.h"
#include "server/build/store/store_limits.h"
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
  uint64_t maxBlob = kMaxBlob;
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
  /// From this size on, content goes in pieces: nobody holds the whole in memory.
  static constexpr uint64_t kLarge = uint64_t{8} << 20;
  class Writer;
  class Reader;
  /// A blob of `size` bytes that comes in pieces. Room for it is made now.
  StoreResult<std::unique_ptr<Writer>> begin(uint64_t size);
  StoreResult<std::unique_ptr<Reader>> open(const Digest &digest);
  /// Its size when it is here and whole: every byte is looked at, whatever the size in little memory.
  StoreResult<uint64_t> check(const Digest &digest);
  /// A file's content, in pieces. `most` bytes at most.
  StoreResult<Digest> putFile(int fd, uint64_t most, uint64_t *size = nullptr);
  /// The same of a file that nobody else writes to any more: where it lies on the store's own disk it becomes the blob,
  /// by another name, and may be removed under its own. It cannot be written to afterwards.
  StoreResult<Digest> takeFile(int fd, uint64_t most);
  /// A blob into an open file, in pieces. On a fault, what was written is to be thrown away.
  StoreResult<uint64_t> copyTo(const Digest &digest, int fd);
  /// Whether there is a file of that name; what is in it shows when it is read.
  bool has(const Digest &digest) const;

  /// Tells other processes, which go by the last use, that what is pinned here is in use. Now and then, while pins
  /// live.
  void renewPins();

  /// How often a blob is pinned, by digest.
  using Pins = std::map<std::string, int>;

  /// While it lives, its blobs are not evicted by this process, and by others not before what was used longer ago.
  class Pin {
  public:
    Pin(Store &store, const std::vector<Digest> &digests);
    ~Pin();
    Pin(const Pin &) = delete;
    Pin &operator=(const Pin &) = delete;

  private:
    Store &store_;
    std::vector<Pins::iterator> pins_;
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
  StoreResult<bool> makeRoom(uint64_t size);
  /// A temporary file as the blob; it is gone afterwards, whatever happens.
  StoreResult<Digest> publish(int fd, const std::string &temporary, const Digest &digest, uint64_t size);
  /// It is here under its name: tells the index.
  void added(const Digest &digest, uint64_t size);
  /// It does not fit its digest, and is never served.
  StoreFault damaged(const Digest &digest);
  StoreFault unreadable(const Digest &digest, int error);
  void used(const Digest &digest);
  void see(const std::string &path, const FileStamp &stamp, const Digest &digest) PLACID_REQUIRES(mutex_);
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
  Pins pins_ PLACID_GUARDED_BY(mutex_);
  std::unordered_map<std::string, int64_t> told_ PLACID_GUARDED_BY(mutex_); ///< Uses, by digest, in the index.
  std::unordered_map<std::string, std::pair<FileStamp, Digest>> files_ PLACID_GUARDED_BY(mutex_); ///< Outside, as seen.
  uint64_t total_ PLACID_GUARDED_BY(mutex_) = 0; ///< As far as known; other processes put too.
  uint64_t begun_ PLACID_GUARDED_BY(mutex_) = 0; ///< Announced by writers that live.
  size_t puts_ PLACID_GUARDED_BY(mutex_) = 0;
};

/// One blob on its way into the store. One thread at a time; the store outlives it. Not kept, it leaves nothing.
class Store::Writer {
public:
  ~Writer();
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;
  /// False: it cannot be written, or is more than was announced; keep() says what it was.
  bool add(std::string_view bytes);
  uint64_t size() const { return size_; }
  const std::optional<StoreFault> &fault() const { return fault_; }
  /// Of what has come; nothing may be added any more.
  const Digest &digest();
  /// Names it.
  StoreResult<Digest> keep();

private:
  friend class Store;
  Writer(Store &store, int fd, std::string path, uint64_t announced)
      : store_(store), fd_(fd), path_(std::move(path)), announced_(announced) {}

  Store &store_;
  int fd_;
  std::string path_;
  const uint64_t announced_;
  uint64_t size_ = 0;
  Hasher hasher_;
  std::optional<Digest> digest_;
  std::optional<StoreFault> fault_;
};

/// One blob piece by piece. To who reads in order the last byte is given only when all of them fit the digest; who does
/// not has to look for himself. One thread at a time; the store outlives it.
class Store::Reader {
public:
  ~Reader();
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;
  uint64_t size() const { return size_; }
  /// From `offset`, at most `most`; empty at the end.
  StoreResult<std::string> read(uint64_t offset, size_t most);

private:
  friend class Store;
  Reader(Store &store, int fd, Digest digest, uint64_t size)
      : store_(store), fd_(fd), name_(std::move(digest)), size_(size) {}
  StoreResult<std::string> piece(uint64_t offset, size_t most);

  Store &store_;
  int fd_;
  const Digest name_;
  const uint64_t size_;
  uint64_t hashed_ = 0; ///< Up to here everything was looked at.
  Hasher hasher_;
  bool inOrder_ = true;
  std::optional<StoreFault> fault_;
};

} // namespace placid::server
