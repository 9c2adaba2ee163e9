// SPDX-License-Identifier: Apache-2.0
#include "server/cache/blob_store.h"

#include "compiler/support/sha256.h"
#include "server/support/write_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr size_t kDigest = 64;
constexpr uint64_t kMaxFile = uint64_t{64} << 20;

std::optional<std::string> readFile(const std::string &path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return std::nullopt;
  }
  std::string out;
  std::string chunk(size_t{64} << 10, '\0');
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 || out.size() > kMaxFile) {
      break;
    }
    out.append(chunk, 0, static_cast<size_t>(got));
  }
  ::close(fd);
  return got == 0 ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

BlobStore::BlobStore(std::string folder, uint64_t maxBytes) : folder_(std::move(folder)), maxBytes_(maxBytes) {
  std::error_code error;
  if (!folder_.empty() && !fs::create_directories(folder_, error) && !fs::is_directory(folder_, error)) {
    folder_.clear();
  }
}

// In 256 folders: none of them becomes large.
std::string BlobStore::pathOf(const std::string &name) const {
  return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2);
}

std::optional<std::string> BlobStore::get(const std::string &name) {
  if (folder_.empty() || name.size() < 3) {
    return std::nullopt;
  }
  std::string path = pathOf(name);
  std::optional<std::string> file = readFile(path);
  if (!file) {
    return std::nullopt;
  }
  // The name says what was asked, the digest in front says that the answer is whole.
  std::string_view bytes = *file;
  if (bytes.size() < kDigest || support::sha256Hex(bytes.substr(kDigest)) != bytes.substr(0, kDigest)) {
    ::unlink(path.c_str());
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // used now: among the last to go
  file->erase(0, kDigest);
  return file;
}

void BlobStore::put(const std::string &name, std::string_view bytes) {
  if (folder_.empty() || name.size() < 3 || bytes.size() > kMaxFile) {
    return;
  }
  std::string path = pathOf(name);
  std::error_code error;
  fs::create_directories(folder_ + "/" + name.substr(0, 2), error); // also after somebody has emptied the cache
  std::string temporary = path + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  bool whole = writeAll(fd, support::sha256Hex(bytes)) == 0 && writeAll(fd, bytes) == 0;
  whole = ::close(fd) == 0 && whole;
  if (!whole || ::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
    return;
  }
  bool over = false;
  {
    MutexLock lock(mutex_);
    if (bytes_) {
      *bytes_ += bytes.size() + kDigest;
    }
    over = !bytes_ || *bytes_ > maxBytes_;
  }
  if (over) {
    trim();
  }
}

void BlobStore::trim() {
  MutexLock lock(mutex_);
  struct File {
    int64_t seconds, nanoseconds;
    std::string path;
    uint64_t size;
    bool operator<(const File &other) const {
      return std::tie(seconds, nanoseconds, path) < std::tie(other.seconds, other.nanoseconds, other.path);
    }
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder_, fs::directory_options::skip_permission_denied, error);
  for (fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    struct stat info{};
    if (::lstat(entries->path().c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
      files.push_back(
          {info.st_mtim.tv_sec, info.st_mtim.tv_nsec, entries->path().string(), static_cast<uint64_t>(info.st_size)});
      total += files.back().size;
    }
  }
  if (total > maxBytes_) {
    std::sort(files.begin(), files.end());
    // A tenth more than needed, so that the next entries do not come here again.
    for (const File &file : files) {
      if (total <= maxBytes_ - maxBytes_ / 10) {
        break;
      }
      if (::unlink(file.path.c_str()) == 0) {
        total -= file.size;
      }
    }
  }
  bytes_ = total;
}

} // namespace placid::server
