// SPDX-License-Identifier: Apache-2.0
// Blobs in pieces: what is large goes in and out without ever being whole in memory.
#include "server/build/store/store_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace placid::server {

namespace {

constexpr size_t kPiece = size_t{256} << 10;

} // namespace

StoreResult<std::unique_ptr<Store::Writer>> Store::begin(uint64_t size) {
  if (folder_.empty()) {
    return StoreFault{StoreFault::Kind::Io, "there is no folder to keep anything in"};
  }
  if (size > options_.maxBlob || size > options_.maxBytes) {
    return StoreFault{StoreFault::Kind::Full, std::to_string(size) + " bytes are more than one blob may have"};
  }
  {
    MutexLock lock(mutex_);
    // What is only announced and may never come does not push out what is there.
    if (begun_ != 0 && begun_ + size > options_.maxBytes / 2) {
      return StoreFault{StoreFault::Kind::Full, "there are too many bytes on their way already"};
    }
    begun_ += size;
  }
  std::string temporary = folder_ + "/cas/tmp.XXXXXX";
  StoreResult<bool> room = makeRoom(size);
  int fd = room ? ::mkostemp(temporary.data(), O_CLOEXEC) : -1;
  int wrong = errno;
  std::unique_ptr<Writer> writer(new Writer(*this, fd, fd < 0 ? std::string() : std::move(temporary), size));
  if (!room) {
    return room.error();
  }
  if (fd < 0) {
    return storeFaultOf(wrong, "cannot write to " + folder_);
  }
  return writer;
}

Store::Writer::~Writer() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(path_.c_str());
  }
  MutexLock lock(store_.mutex_);
  store_.begun_ -= announced_;
}

bool Store::Writer::add(std::string_view bytes) {
  if (fault_) {
    return false;
  }
  if (bytes.size() > announced_ - size_) {
    fault_ = StoreFault{StoreFault::Kind::Full, "more than the announced " + std::to_string(announced_) + " bytes"};
    return false;
  }
  hasher_.add(bytes);
  size_ += bytes.size();
  if (int wrong = writeAll(fd_, bytes); wrong != 0) {
    fault_ = storeFaultOf(wrong, "cannot write to " + store_.folder_);
  }
  return !fault_;
}

const Digest &Store::Writer::digest() {
  if (!digest_) {
    digest_ = hasher_.finish();
  }
  return *digest_;
}

StoreResult<Digest> Store::Writer::keep() {
  if (fault_) {
    return *fault_;
  }
  struct stat info{};
  bool there = ::lstat(store_.pathOf(digest()).c_str(), &info) == 0 && static_cast<uint64_t>(info.st_size) == size_;
  if (there && store_.check(digest())) {
    return digest();
  }
  return store_.publish(std::exchange(fd_, -1), path_, digest(), size_);
}

StoreResult<std::unique_ptr<Store::Reader>> Store::open(const Digest &digest) {
  if (folder_.empty() || !parseDigest(digest.hex)) {
    return StoreFault{StoreFault::Kind::Missing, "no blob " + digest.hex};
  }
  int fd = ::open(pathOf(digest).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return unreadable(digest, errno);
  }
  struct stat info{};
  bool usable = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  std::unique_ptr<Reader> reader(new Reader(*this, fd, digest, static_cast<uint64_t>(usable ? info.st_size : 0)));
  if (!usable) {
    return storeFaultOf(EINVAL, "cannot read " + pathOf(digest));
  }
  used(digest);
  return reader;
}

Store::Reader::~Reader() { ::close(fd_); }

StoreResult<std::string> Store::Reader::piece(uint64_t offset, size_t most) {
  std::string out(static_cast<size_t>(std::min<uint64_t>(most, size_ - offset)), '\0');
  size_t have = 0;
  while (have < out.size()) {
    ssize_t got = ::pread(fd_, out.data() + have, out.size() - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return storeFaultOf(errno, "cannot read blob " + name_.hex);
    }
    if (got == 0) {
      return store_.damaged(name_); // somebody has cut it short
    }
    have += static_cast<size_t>(got);
  }
  return out;
}

StoreResult<std::string> Store::Reader::read(uint64_t offset, size_t most) {
  if (fault_) {
    return *fault_;
  }
  offset = std::min(offset, size_);
  StoreResult<std::string> out = piece(offset, most);
  inOrder_ = inOrder_ && offset == hashed_;
  if (!out || !inOrder_) {
    return out;
  }
  hasher_.add(*out);
  hashed_ += out->size();
  if (hashed_ == size_) {
    inOrder_ = false; // there is nothing more to be looked at
    if (hasher_.finish() != name_) {
      fault_ = store_.damaged(name_);
      return *fault_;
    }
  }
  return out;
}

StoreResult<uint64_t> Store::check(const Digest &digest) {
  StoreResult<std::unique_ptr<Reader>> reader = open(digest);
  if (!reader) {
    return reader.error();
  }
  uint64_t at = 0;
  do {
    StoreResult<std::string> got = (*reader)->read(at, kPiece);
    if (!got) {
      return got.error();
    }
    at += got->size();
  } while (at < (*reader)->size());
  return at;
}

StoreResult<Digest> Store::putFile(int fd, uint64_t most, uint64_t *size) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) {
    return storeFaultOf(errno, "cannot read it");
  }
  auto length = static_cast<uint64_t>(info.st_size);
  if (length > most) {
    return StoreFault{StoreFault::Kind::Full, "more than " + std::to_string(most >> 20) + " MiB"};
  }
  StoreResult<std::unique_ptr<Writer>> writer = begin(length);
  if (!writer) {
    return writer.error();
  }
  std::string chunk(kPiece, '\0');
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return storeFaultOf(errno, "cannot read it");
    }
    if (!(*writer)->add(std::string_view(chunk).substr(0, static_cast<size_t>(got)))) {
      break; // keep() says why; also when somebody still writes to it
    }
  }
  if (size) {
    *size = (*writer)->size();
  }
  return (*writer)->keep();
}

StoreResult<Digest> Store::takeFile(int fd, uint64_t most) {
  struct stat info{};
  auto copied = [&]() -> StoreResult<Digest> {
    return ::lseek(fd, 0, SEEK_SET) == 0 ? putFile(fd, most) : storeFaultOf(errno, "cannot read it");
  };
  if (::fstat(fd, &info) != 0) {
    return storeFaultOf(errno, "cannot read it");
  }
  auto size = static_cast<uint64_t>(info.st_size);
  // One of several names may be written to under another. What is too large is refused in one place.
  if (folder_.empty() || options_.sync || info.st_nlink != 1 || size > most || size > options_.maxBlob ||
      ::fchmod(fd, 0444) != 0) {
    return copied();
  }
  Hasher hasher;
  std::string chunk(std::min<size_t>(kPiece, size + 1), '\0');
  uint64_t have = 0;
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) > 0 || (got < 0 && errno == EINTR)) {
    hasher.add(std::string_view(chunk).substr(0, static_cast<size_t>(std::max<ssize_t>(got, 0))));
    have += static_cast<uint64_t>(std::max<ssize_t>(got, 0));
  }
  Digest digest = hasher.finish();
  if (got < 0 || have != size || !makeRoom(size)) {
    return copied(); // which says what is wrong
  }
  std::string path = pathOf(digest);
  struct stat there{};
  if (::lstat(path.c_str(), &there) == 0 && static_cast<uint64_t>(there.st_size) == size && check(digest)) {
    return digest;
  }
  // By its descriptor: whoever has taken its place meanwhile is not meant.
  std::string self = "/proc/self/fd/" + std::to_string(fd);
  bool linked = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  if (!linked && errno == ENOENT) {
    ::mkdir(path.substr(0, path.rfind('/')).c_str(), 0777);
    linked = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  if (!linked) {
    return copied(); // it came there meanwhile, or is damaged, or this is another disk
  }
  added(digest, size);
  return digest;
}

StoreResult<uint64_t> Store::copyTo(const Digest &digest, int fd) {
  StoreResult<std::unique_ptr<Reader>> reader = open(digest);
  if (!reader) {
    return reader.error();
  }
  uint64_t at = 0;
  do {
    StoreResult<std::string> got = (*reader)->read(at, kPiece);
    if (!got) {
      return got.error();
    }
    if (int wrong = writeAll(fd, *got); wrong != 0) {
      return storeFaultOf(wrong, "cannot write");
    }
    at += got->size();
  } while (at < (*reader)->size());
  return at;
}

} // namespace placid::server
