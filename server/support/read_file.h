// SPDX-License-Identifier: Apache-2.0
// Reads a file that somebody's folder holds under a name that we look for. What stands there may be anything: a pipe,
// which would block whoever opens it, a device without an end, a folder. Apart, so that every reader is as careful.
// Any thread; never throws, waits for no other process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace placid::server {

struct FileContent {
  std::string text;
  uint64_t size = 0;     ///< In bytes.
  bool tooLarge = false; ///< More than was allowed: `text` is empty.
  int error = 0;         ///< An errno; EINVAL for what is neither a regular file nor a folder, EISDIR for a folder.
};

FileContent readFile(const std::string &path, uint64_t maxBytes);

/// Its content; nothing when it cannot be read, is no regular file or is longer.
std::optional<std::string> readRegularFile(const std::string &path, uint64_t maxBytes);

} // namespace placid::server
