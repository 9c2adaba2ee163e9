// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/store.h"

#include "server/build/store/store_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kSecond = 1000000000;
/// Other processes put into the same folder: the total is counted anew after this many puts.
constexpr size_t kRecount = 256;
constexpr size_t kEvictBatch = 256;
constexpr size_t kRenewBatch = 256;
/// A temporary file that old belongs to nobody.
constexpr int64_t kStaleSeconds = 3600;

} // namespace

StoreFault storeFaultOf(int error, const std::string &what) {
  bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return {full ? StoreFault::Kind::Full : StoreFault::Kind::Io, what + ": " + std::strerror(error)};
}

namespace {

/// The whole file, or nothing; `error` says why.
std::optional<std::string> readWhole(const std::string &path, uint64_t most, int &error) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    error = errno;
    return std::nullopt;
  }
  struct stat info{};
  std::string out;
  bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) <= most;
  size_t have = 0;
  error = regular ? 0 : EINVAL;
  if (regular) {
    out.resize(static_cast<size_t>(info.st_size));
    while (have < out.size()) {
      ssize_t got = ::read(fd, out.data() + have, out.size() - have);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0) {
        error = got < 0 ? errno : 0;
        break;
      }
      have += static_cast<size_t>(got);
    }
    out.resize(have);
  }
  ::close(fd);
  return error == 0 ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

Store::Store(std::string folder, StoreOptions options) : folder_(std::move(folder)), options_(std::move(options)) {
  std::error_code error;
  if (folder_.empty()) {
    return;
  }
  fs::create_directories(folder_ + "/cas", error);
  if (!fs::is_directory(folder_ + "/cas", error)) {
    folder_.clear();
    return;
  }
  ::chmod(folder_.c_str(), 0700);
  sweep();
  MutexLock lock(mutex_);
  index_ = std::make_unique<StoreIndex>(folder_ + "/index.sqlite");
  if (index_->fresh()) {
    rescan();
  }
  total_ = index_->totalBytes();
}

Store::~Store() = default;

int64_t Store::now() const {
  if (options_.now) {
    return options_.now();
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// In 256 folders: none of them becomes large.
std::string Store::pathOf(const Digest &digest) const {
  return folder_ + "/cas/" + digest.hex.substr(0, 2) + "/" + digest.hex;
}

uint64_t Store::lackingBytes(uint64_t size) const {
  struct statvfs space{};
  uint64_t wanted = options_.freeFloor + size;
  if (::statvfs(folder_.c_str(), &space) != 0) {
    return 0;
  }
  uint64_t available = options_.freeSpace ? options_.freeSpace() : uint64_t{space.f_bavail} * space.f_frsize;
  return wanted > available ? wanted - available : 0;
}

// What a writer that was killed has left: nothing of ours is written for so long.
void Store::sweep() {
  std::error_code error;
  fs::directory_iterator entries(folder_ + "/cas", error);
  for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    struct stat info{};
    std::string path = entries->path().string();
    bool temporary = entries->path().filename().string().starts_with("tmp.");
    if (temporary && ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        std::time(nullptr) - info.st_mtim.tv_sec > kStaleSeconds) {
      ::unlink(path.c_str());
    }
  }
}

void Store::rescan() {
  std::error_code error;
  fs::recursive_directory_iterator entries(folder_ + "/cas", fs::directory_options::skip_permission_denied, error);
  std::vector<std::pair<std::string, uint64_t>> found;
  for (fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    std::error_code ignored;
    if (entries->is_regular_file(ignored) && parseDigest(entries->path().filename().string())) {
      found.emplace_back(entries->path().filename().string(), entries->file_size(ignored));
    }
  }
  std::sort(found.begin(), found.end());
  for (const auto &[name, size] : found) {
    index_->blobAdded({name}, size, 0); // older than whatever is used from now on
  }
}

StoreResult<Digest> Store::put(std::string_view bytes) {
  if (folder_.empty()) {
    return StoreFault{StoreFault::Kind::Io, "there is no folder to keep anything in"};
  }
  if (bytes.size() > options_.maxBlob || bytes.size() > options_.maxBytes) {
    return StoreFault{StoreFault::Kind::Full, std::to_string(bytes.size()) + " bytes are more than one blob may have"};
  }
  Digest digest = digestOf(bytes);
  std::string path = pathOf(digest);
  struct stat info{};
  bool there =
      ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && static_cast<uint64_t>(info.st_size) == bytes.size();
  int ignored = 0;
  if (there && readWhole(path, options_.maxBlob, ignored) == bytes) {
    MutexLock lock(mutex_);
    if (!toldLately(digest)) {
      index_->blobAdded(digest, bytes.size(), now());
    }
    return digest;
  }
  if (StoreResult<bool> room = makeRoom(bytes.size()); !room) {
    return room.error();
  }
  std::string temporary = folder_ + "/cas/tmp.XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) {
    return storeFaultOf(errno, "cannot write to " + folder_);
  }
  if (int wrong = writeAll(fd, bytes); wrong != 0) {
    ::close(fd);
    ::unlink(temporary.c_str());
    return storeFaultOf(wrong, "cannot write " + path);
  }
  return publish(fd, temporary, digest, bytes.size());
}

StoreResult<bool> Store::makeRoom(uint64_t size) {
  MutexLock lock(mutex_);
  if (total_ + size > options_.maxBytes || ++puts_ % kRecount == 0) {
    total_ = index_->totalBytes();
    if (total_ + size > options_.maxBytes) {
      // A tenth more than needed, so that the next blobs do not come here again.
      uint64_t room = options_.maxBytes - options_.maxBytes / 10;
      evict(room > size ? room - size : 0);
    }
  }
  uint64_t lacking = lackingBytes(size);
  // Only what is lacking is removed, and only when that can be enough: a disk that others have filled is not made
  // free by forgetting everything.
  if (lacking != 0 && lacking <= index_->totalBytes()) {
    total_ = index_->totalBytes();
    evict(total_ - lacking);
    lacking = lackingBytes(size);
  }
  if (lacking != 0) {
    return StoreFault{StoreFault::Kind::Full, "the disk of " + folder_ + " has too little space left"};
  }
  return true;
}

StoreResult<Digest> Store::publish(int fd, const std::string &temporary, const Digest &digest, uint64_t size) {
  std::string path = pathOf(digest);
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error); // also after somebody has emptied the cache
  int wrong = options_.sync && ::fsync(fd) != 0 ? errno : 0;
  if (wrong == 0 && ::fchmod(fd, 0444) != 0) {
    wrong = errno;
  }
  if (::close(fd) != 0 && wrong == 0) {
    wrong = errno;
  }
  if (wrong == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    wrong = errno;
  }
  if (wrong != 0) {
    ::unlink(temporary.c_str());
    return storeFaultOf(wrong, "cannot write " + path);
  }
  if (options_.sync) {
    int folder = ::open(fs::path(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }
  added(digest, size);
  return digest;
}

void Store::added(const Digest &digest, uint64_t size) {
  MutexLock lock(mutex_);
  told_.erase(digest.hex);
  toldLately(digest);
  index_->blobAdded(digest, size, now());
  total_ += size;
}

StoreResult<std::string> Store::get(const Digest &digest) {
  if (folder_.empty() || !parseDigest(digest.hex)) {
    return StoreFault{StoreFault::Kind::Missing, "no blob " + digest.hex};
  }
  std::string path = pathOf(digest);
  int error = 0;
  std::optional<std::string> bytes = readWhole(path, options_.maxBlob, error);
  if (!bytes) {
    return unreadable(digest, error);
  }
  if (digestOf(*bytes) != digest) {
    return damaged(digest);
  }
  used(digest);
  return std::move(*bytes);
}

StoreFault Store::unreadable(const Digest &digest, int error) {
  if (error != ENOENT) {
    return storeFaultOf(error, "cannot read " + pathOf(digest));
  }
  MutexLock lock(mutex_);
  told_.erase(digest.hex);
  index_->blobGone(digest);
  return StoreFault{StoreFault::Kind::Missing, "no blob " + digest.hex};
}

StoreFault Store::damaged(const Digest &digest) {
  MutexLock lock(mutex_);
  // Kept beside for whoever wants to know why; it is never served.
  ::rename(pathOf(digest).c_str(), (folder_ + "/damaged").c_str());
  told_.erase(digest.hex);
  index_->blobGone(digest);
  return StoreFault{StoreFault::Kind::Missing, "blob " + digest.hex + " was damaged and has been removed"};
}

void Store::used(const Digest &digest) {
  MutexLock lock(mutex_);
  if (!toldLately(digest)) {
    index_->blobUsed(digest, now());
  }
}

bool Store::has(const Digest &digest) const {
  struct stat info{};
  return !folder_.empty() && parseDigest(digest.hex) && ::lstat(pathOf(digest).c_str(), &info) == 0 &&
         S_ISREG(info.st_mode);
}

bool Store::toldLately(const Digest &digest) {
  constexpr size_t kMost = 65536;
  int64_t time = now();
  auto [known, added] = told_.try_emplace(digest.hex, time);
  if (!added && time - known->second < options_.useGrain) {
    return true;
  }
  known->second = time;
  if (told_.size() > kMost) {
    told_.clear();
  }
  return false;
}

void Store::evict(uint64_t target) {
  total_ = index_->totalBytes();
  while (total_ > target) {
    bool progress = false;
    for (const StoreIndex::Old &old : index_->oldest(kEvictBatch + pins_.size())) {
      if (total_ <= target) {
        break;
      }
      if (pins_.count(old.digest.hex) != 0) {
        continue;
      }
      if (::unlink(pathOf(old.digest).c_str()) == 0 || errno == ENOENT) {
        told_.erase(old.digest.hex);
        index_->blobGone(old.digest);
        total_ -= std::min(total_, old.size);
        progress = true;
      }
    }
    if (!progress) {
      return; // the rest is pinned, or cannot be removed
    }
  }
}

void Store::renewPins() {
  std::vector<Digest> due;
  if (folder_.empty()) {
    return;
  }
  {
    MutexLock lock(mutex_);
    for (const auto &[digest, count] : pins_) {
      if (!toldLately({digest})) {
        due.push_back({digest});
      }
    }
  }
  // In between others get at the store.
  for (std::span<const Digest> left = due; !left.empty(); left = left.subspan(std::min(left.size(), kRenewBatch))) {
    MutexLock lock(mutex_);
    index_->blobsUsed(left.first(std::min(left.size(), kRenewBatch)), now());
  }
}

Store::Pin::Pin(Store &store, const std::vector<Digest> &digests) : store_(store) {
  pins_.reserve(digests.size());
  MutexLock lock(store_.mutex_);
  for (const Digest &digest : digests) {
    pins_.push_back(store_.pins_.try_emplace(digest.hex).first);
    ++pins_.back()->second;
    if (!store_.folder_.empty() && !store_.toldLately(digest)) {
      store_.index_->blobUsed(digest, store_.now()); // what other processes go by
    }
  }
}

Store::Pin::~Pin() {
  MutexLock lock(store_.mutex_);
  for (Pins::iterator pin : pins_) {
    if (--pin->second == 0) {
      store_.pins_.erase(pin);
    }
  }
}

bool Store::remember(const std::string &key, std::string_view value, int64_t lifetime) {
  if (folder_.empty()) {
    return false;
  }
  MutexLock lock(mutex_);
  int64_t at = now();
  if (++puts_ % kRecount == 0) {
    index_->trimResults(options_.maxResults);
  }
  return index_->setResult(key, value, lifetime == 0 ? 0 : at + lifetime * kSecond, at);
}

std::optional<std::string> Store::recall(const std::string &key) {
  if (folder_.empty()) {
    return std::nullopt;
  }
  MutexLock lock(mutex_);
  std::optional<StoreIndex::Result> found = index_->result(key, now(), options_.useGrain);
  return found ? std::optional(std::move(found->value)) : std::nullopt;
}

void Store::forget(const std::string &key) {
  if (!folder_.empty()) {
    MutexLock lock(mutex_);
    index_->forgetResult(key);
  }
}

std::optional<Digest> Store::fileDigest(const std::string &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return std::nullopt;
  }
  FileStamp stamp{info.st_dev, info.st_ino, static_cast<uint64_t>(info.st_size),
                  info.st_mtim.tv_sec * kSecond + info.st_mtim.tv_nsec,
                  info.st_ctim.tv_sec * kSecond + info.st_ctim.tv_nsec};
  if (!folder_.empty()) {
    MutexLock lock(mutex_);
    auto seen = files_.find(path);
    if (seen != files_.end() && seen->second.first == stamp) {
      return seen->second.second;
    }
    if (std::optional<Digest> known = index_->fileDigest(path, stamp)) {
      see(path, stamp, *known);
      return known;
    }
  }
  std::optional<Digest> digest = digestOfFile(path);
  // A file that was changed a moment ago may change again within one tick of the clock: not remembered yet.
  if (digest && !folder_.empty() && now() - stamp.changed > 2 * kSecond) {
    MutexLock lock(mutex_);
    index_->setFileDigest(path, stamp, *digest);
    see(path, stamp, *digest);
  }
  return digest;
}

void Store::see(const std::string &path, const FileStamp &stamp, const Digest &digest) {
  constexpr size_t kMost = 32768; // a toolchain and its headers
  if (files_.size() >= kMost) {
    files_.clear();
  }
  files_[path] = {stamp, digest};
}

uint64_t Store::bytes() {
  if (folder_.empty()) {
    return 0;
  }
  MutexLock lock(mutex_);
  return index_->totalBytes();
}

} // namespace placid::server
