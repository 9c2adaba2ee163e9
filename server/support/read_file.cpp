// SPDX-License-Identifier: Apache-2.0
#include "server/support/read_file.h"

#include "server/support/slow_disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace placid::server {

namespace {

constexpr size_t kChunk = size_t{256} << 10;

int readAll(int fd, uint64_t maxBytes, std::string &out) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) {
    return errno;
  }
  if (S_ISDIR(info.st_mode)) {
    return EISDIR;
  }
  if (!S_ISREG(info.st_mode)) {
    return EINVAL;
  }
  std::string chunk(std::min<size_t>(kChunk, static_cast<size_t>(std::max<off_t>(info.st_size, 0)) + 1), '\0');
  while (out.size() <= maxBytes) {
    ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return errno;
    }
    if (got == 0) {
      break;
    }
    out.append(chunk, 0, static_cast<size_t>(got));
  }
  return 0;
}

} // namespace

namespace {

FileContent readNow(const std::string &path, uint64_t maxBytes) {
  FileContent out;
  // A pipe without a writer opens at once, and what is no file is not read from.
  int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    out.error = errno;
    return out;
  }
  out.error = readAll(fd, maxBytes, out.text);
  struct stat info{};
  if (out.text.size() > maxBytes) {
    out.tooLarge = true;
    out.size = out.text.size();
    if (::fstat(fd, &info) == 0) {
      out.size = std::max<uint64_t>(out.size, static_cast<uint64_t>(info.st_size));
    }
    out.text.clear();
  } else {
    out.size = out.text.size();
  }
  ::close(fd);
  return out;
}

} // namespace

FileContent readFile(const std::string &path, uint64_t maxBytes) {
  std::optional<FileContent> read = SlowDisk::shared().ask(path, [path, maxBytes] { return readNow(path, maxBytes); });
  FileContent silent;
  silent.error = ETIMEDOUT;
  return read ? std::move(*read) : silent;
}

std::optional<std::string> readRegularFile(const std::string &path, uint64_t maxBytes) {
  FileContent read = readFile(path, maxBytes);
  return read.error == 0 && !read.tooLarge ? std::optional(std::move(read.text)) : std::nullopt;
}

} // namespace placid::server
