// SPDX-License-Identifier: Apache-2.0
#include "server/support/heap_trim.h"

#include "server/support/process.h"

#include <malloc.h>

#include <algorithm>

namespace placid::server {

namespace {

/// Stacks, and what is not worth a walk.
constexpr uint64_t kSlack = uint64_t{6} << 20;
/// So much more than what stayed the last time.
constexpr uint64_t kStep = uint64_t{4} << 20;

/// Bytes that no allocation uses.
uint64_t unused(uint64_t &used) {
  struct mallinfo2 heap = ::mallinfo2();
  used = heap.uordblks + heap.hblkhd;
  uint64_t own = ownBytes();
  return own > used ? own - used : 0;
}

} // namespace

bool HeapTrim::look() {
  uint64_t used = 0;
  uint64_t now = unused(used);
  left_ = std::min(left_, now);
  if (now <= kSlack + used / 5 || now <= left_ + kStep) {
    return false;
  }
  ::malloc_trim(0);
  left_ = unused(used);
  return true;
}

} // namespace placid::server
