// SPDX-License-Identifier: Apache-2.0
#include "server/store/saved_text.h"

#include "compiler/source/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace placid::server {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";
constexpr size_t kAround = 16; ///< A mark, a last line's end.

struct Descriptor {
  explicit Descriptor(int given) : fd(given) {}
  ~Descriptor() {
    if (fd >= 0) {
      ::close(fd);
    }
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  int fd;
};

/// Both as they go on from there, without carriage returns before the end of a line.
bool skipReturn(std::string_view text, size_t &at) {
  if (at + 1 < text.size() && text[at] == '\r' && text[at + 1] == '\n') {
    ++at;
  }
  return at < text.size();
}

} // namespace

bool sameText(std::string_view content, std::string_view text) {
  for (std::string_view *one : {&content, &text}) {
    one->remove_prefix(one->starts_with(kMark) ? kMark.size() : 0);
  }
  size_t i = 0;
  size_t j = 0;
  while (true) {
    bool left = skipReturn(content, i);
    bool right = skipReturn(text, j);
    if (!left || !right) {
      return left == right || source::findTextFault(content).kind == source::TextFault::Kind::InvalidUtf8;
    }
    if (content[i++] != text[j++]) {
      return source::findTextFault(content).kind == source::TextFault::Kind::InvalidUtf8;
    }
  }
}

SavedText savedText(const std::string &path, const std::string *text) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat info{};
  if (file.fd < 0 || ::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return SavedText::NoFile;
  }
  if (!text) {
    return SavedText::Same;
  }
  // At most a return more for each line; whatever is longer need not be read to be another one.
  size_t most = 2 * text->size() + kAround;
  std::string content;
  std::array<char, 65536> chunk{};
  ssize_t got = 0;
  while ((got = ::read(file.fd, chunk.data(), chunk.size())) > 0 || (got < 0 && errno == EINTR)) {
    content.append(chunk.data(), static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (content.size() > most) {
      return SavedText::Other;
    }
  }
  return got < 0 || !sameText(content, *text) ? SavedText::Other : SavedText::Same;
}

} // namespace placid::server
