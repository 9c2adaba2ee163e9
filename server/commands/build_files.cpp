// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_files.h"

#include "server/commands/sources.h"
#include "server/support/write_all.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace placid::server {

namespace {

constexpr std::chrono::milliseconds kFolderLook{20};
constexpr size_t kPiece = size_t{256} << 10;

} // namespace

FolderLock::FolderLock(const std::string &folder, const std::stop_token &stop)
    : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (fd_ >= 0 && !stop.stop_requested() && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 &&
         (errno == EWOULDBLOCK || errno == EINTR)) {
    std::this_thread::sleep_for(kFolderLook);
  }
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

std::string BuildFiles::write(const std::string &kernel, const std::string &name, const std::string &bytes) {
  std::string wrong = writeAtomically(folder_ + "/" + name, bytes);
  if (wrong.empty() && events_.wanted()) {
    say(kernel, name, digestOf(bytes), bytes.size());
  }
  return wrong;
}

std::string BuildFiles::writeKept(Store &store, const std::string &kernel, const std::string &name,
                                  const Digest &digest, bool &lost) {
  uint64_t size = 0;
  std::string wrong = writeAtomically(folder_ + "/" + name, [&](int fd) {
    StoreResult<uint64_t> copied = store.copyTo(digest, fd);
    size = copied ? *copied : 0;
    lost = !copied && copied.error().kind == StoreFault::Kind::Missing;
    return copied ? std::string() : copied.error().detail;
  });
  if (wrong.empty()) {
    say(kernel, name, digest, size);
  }
  return wrong;
}

std::string BuildFiles::writeFetched(const RemoteFile &file) {
  std::string kernel = file.name.substr(0, file.name.rfind('.'));
  if (!file.large) {
    return write(kernel, file.name, file.bytes);
  }
  uint64_t size = 0;
  std::string wrong = writeAtomically(folder_ + "/" + file.name, [&](int fd) -> std::string {
    std::string piece(kPiece, '\0');
    for (ssize_t got = 0; (got = ::pread(*file.large, piece.data(), piece.size(), static_cast<off_t>(size))) != 0;) {
      if (got < 0 || writeAll(fd, std::string_view(piece).substr(0, static_cast<size_t>(got))) != 0) {
        return std::strerror(errno);
      }
      size += static_cast<uint64_t>(got);
    }
    return {};
  });
  if (wrong.empty()) {
    say(kernel, file.name, {file.digest}, size);
  }
  return wrong;
}

void BuildFiles::say(const std::string &kernel, const std::string &name, const Digest &digest, uint64_t size) {
  if (events_.wanted() && told_.emplace(name, digest.hex).second) {
    events_.emit("artifact",
                 {{"kernel", kernel}, {"path", folder_ + "/" + name}, {"digest", digest.hex}, {"size", size}});
  }
}

} // namespace placid::server
