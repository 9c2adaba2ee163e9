// SPDX-License-Identifier: Apache-2.0
// Gives memory that a process has freed back to the system. The allocator keeps it: after a peak a daemon would hold
// for days what it needed for a second. Apart because it is about the allocator alone. One thread at a time.
#pragma once

#include <cstdint>

namespace placid::server {

class HeapTrim {
public:
  /// Gives back what is free, if that is much. Walks the heap and holds its locks meanwhile: for a moment when nobody
  /// waits. True when it did something.
  bool look();

private:
  uint64_t left_ = 0; ///< Bytes beyond those in use, after the last time.
};

} // namespace placid::server
