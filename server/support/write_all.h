// SPDX-License-Identifier: Apache-2.0
// Writes bytes to a descriptor to the last one, over interrupted and short writes. Any thread; blocking where the
// descriptor is.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace placid::server {

/// 0, or the error; ENOSPC for what takes nothing and says nothing.
inline int writeAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      return wrote < 0 ? errno : ENOSPC;
    }
    bytes.remove_prefix(static_cast<size_t>(wrote));
  }
  return 0;
}

} // namespace placid::server
