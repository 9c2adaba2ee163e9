// SPDX-License-Identifier: Apache-2.0
#include "server/support/wake_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace placid::server {

WakeFd::WakeFd() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
WakeFd::~WakeFd() { ::close(fd_); }

void WakeFd::signal() const {
  uint64_t one = 1;
  // Full means signalled already; there is nothing else that can go wrong with it.
  [[maybe_unused]] ssize_t written = ::write(fd_, &one, sizeof one);
}

void WakeFd::clear() const {
  uint64_t count = 0;
  [[maybe_unused]] ssize_t got = ::read(fd_, &count, sizeof count);
}

} // namespace placid::server
