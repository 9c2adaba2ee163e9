// SPDX-License-Identifier: Apache-2.0
#include "server/worker/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace placid::server {

namespace {

constexpr size_t kHeader = sizeof(uint64_t) + 1;
constexpr size_t kChunk = size_t{64} << 10;

std::string header(FrameKind kind, uint64_t size) {
  std::string out(kHeader, '\0');
  std::memcpy(out.data(), &size, sizeof size);
  out[sizeof size] = static_cast<char>(kind);
  return out;
}

bool sendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

} // namespace

Channel::~Channel() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

bool Channel::send(FrameKind kind, std::string_view payload) {
  MutexLock lock(sending_);
  std::string head = header(kind, payload.size());
  if (payload.size() < 4096) {
    head.append(payload); // one write for what is small
    return sendAll(fd_, head);
  }
  return sendAll(fd_, head) && sendAll(fd_, payload);
}

bool Channel::extract(WorkerFrame &frame) {
  if (buffer_.size() < kHeader) {
    return false;
  }
  uint64_t size = 0;
  std::memcpy(&size, buffer_.data(), sizeof size);
  if (size > kMaxFrame) {
    broken_ = true;
    return false;
  }
  if (buffer_.size() - kHeader < size) {
    return false;
  }
  frame.kind = static_cast<FrameKind>(buffer_[sizeof size]);
  if (buffer_.size() == kHeader + size && size > kChunk) {
    frame.payload = std::exchange(buffer_, {}); // a large one takes its memory along
    frame.payload.erase(0, kHeader);
    return true;
  }
  frame.payload = buffer_.substr(kHeader, size);
  buffer_.erase(0, kHeader + size);
  return true;
}

Channel::Wait Channel::receive(WorkerFrame &frame, int interrupt,
                               std::optional<std::chrono::steady_clock::time_point> deadline) {
  while (true) {
    if (extract(frame)) {
      return Wait::Frame;
    }
    if (broken_) {
      return Wait::Closed;
    }
    int timeout = -1;
    if (deadline) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now()).count();
      timeout = static_cast<int>(std::clamp<int64_t>(left, 0, INT32_MAX));
    }
    pollfd fds[] = {{fd_, POLLIN, 0}, {interrupt, POLLIN, 0}};
    int ready = ::poll(fds, interrupt >= 0 ? 2 : 1, timeout);
    if (ready < 0 && errno != EINTR) {
      return Wait::Closed;
    }
    if (ready == 0) {
      return Wait::TimedOut;
    }
    if (ready < 0) {
      continue;
    }
    if (fds[0].revents != 0) {
      size_t before = buffer_.size();
      buffer_.resize(before + kChunk);
      ssize_t got = ::recv(fd_, buffer_.data() + before, kChunk, MSG_DONTWAIT);
      buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
      if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        return Wait::Closed;
      }
      continue;
    }
    if (interrupt >= 0 && fds[1].revents != 0) {
      return Wait::Interrupted;
    }
  }
}

std::string crashedFrame() { return header(FrameKind::Crashed, 0); }

} // namespace placid::server
