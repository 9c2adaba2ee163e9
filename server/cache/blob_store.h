// SPDX-License-Identifier: Apache-2.0
// Bytes by name in a folder that several daemons may share: written to a temporary file and renamed, the digest checked
// on every read, the oldest removed beyond a budget. Whatever goes wrong is a miss; a full disk costs the entry.
// Blocking file access; any thread.
#pragma once

#include "server/support/sync.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

class BlobStore {
public:
  /// An empty folder makes a store that keeps nothing.
  explicit BlobStore(std::string folder, uint64_t maxBytes = uint64_t{256} << 20);

  /// `name` is made of hexadecimal digits.
  std::optional<std::string> get(const std::string &name);
  void put(const std::string &name, std::string_view bytes);

private:
  std::string pathOf(const std::string &name) const;
  void trim();

  std::string folder_;
  uint64_t maxBytes_;
  Mutex mutex_;
  /// Bytes in the folder as far as known; nothing until it was counted.
  std::optional<uint64_t> bytes_ PLACID_GUARDED_BY(mutex_);
};

} // namespace placid::server
