// SPDX-License-Identifier: Apache-2.0
// An eventfd: signalled from any thread (not from a signal handler), waited for in poll() beside other descriptors.
#pragma once

namespace placid::server {

class WakeFd {
public:
  WakeFd();
  ~WakeFd();
  WakeFd(const WakeFd &) = delete;
  WakeFd &operator=(const WakeFd &) = delete;
  void signal() const;
  void clear() const;
  int fd() const { return fd_; }

private:
  int fd_;
};

} // namespace placid::server
