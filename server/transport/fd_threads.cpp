// SPDX-License-Identifier: Apache-2.0
#include "server/transport/fd_threads.h"

#include "protocol/framing/frame_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <utility>

namespace placid::server {

namespace {

constexpr size_t kReadChunk = size_t{64} << 10;
constexpr std::chrono::seconds kFlushTime{2};

} // namespace

FdReader::FdReader(int fd, std::function<void(std::string)> onBytes, std::function<void()> onEnd)
    : fd_(fd), onBytes_(std::move(onBytes)), onEnd_(std::move(onEnd)), thread_([this] { loop(); }) {}

FdReader::~FdReader() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  room_.notifyAll();
  stop_.signal();
  thread_.join();
}

void FdReader::consumed(size_t bytes) {
  {
    MutexLock lock(mutex_);
    unread_ -= bytes;
  }
  room_.notifyAll();
}

bool FdReader::waitForRoom() {
  MutexLock lock(mutex_);
  while (unread_ > kMaxUnread && !stopping_) {
    room_.wait(mutex_);
  }
  return !stopping_;
}

void FdReader::loop() {
  std::string buffer(kReadChunk, '\0');
  while (waitForRoom()) {
    pollfd fds[] = {{fd_, POLLIN, 0}, {stop_.fd(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0 && errno != EINTR) {
      break;
    }
    if (fds[1].revents != 0) {
      return;
    }
    if (fds[0].revents == 0) {
      continue;
    }
    ssize_t got = ::read(fd_, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    {
      MutexLock lock(mutex_);
      unread_ += static_cast<size_t>(got);
    }
    onBytes_(buffer.substr(0, static_cast<size_t>(got)));
  }
  onEnd_();
}

FdWriter::FdWriter(int fd, std::function<void()> onError)
    : fd_(fd), onError_(std::move(onError)), queue_([this] { wake_.signal(); }), thread_([this] { loop(); }) {}

FdWriter::~FdWriter() {
  finishing_ = true;
  wake_.signal();
  thread_.join();
}

bool FdWriter::write(const std::string &bytes) {
  std::chrono::steady_clock::time_point deadline{};
  for (size_t at = 0; at < bytes.size();) {
    // A ready pipe takes PIPE_BUF bytes without blocking; more might block for as long as the client likes.
    pollfd fds[] = {{fd_, POLLOUT, 0}, {wake_.fd(), POLLIN, 0}};
    bool finishing = finishing_;
    if (finishing && deadline == std::chrono::steady_clock::time_point{}) {
      deadline = std::chrono::steady_clock::now() + kFlushTime;
    }
    if (finishing && std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    // While finishing, wake_ stays signalled: it must not be waited on.
    int ready = ::poll(fds, finishing ? 1 : 2, finishing ? 100 : -1);
    if (ready < 0 && errno != EINTR) {
      return false;
    }
    if (ready <= 0) {
      continue;
    }
    if (!finishing && fds[1].revents != 0) {
      wake_.clear();
    }
    if ((fds[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) {
      return false;
    }
    if ((fds[0].revents & POLLOUT) == 0) {
      continue;
    }
    ssize_t wrote = ::write(fd_, bytes.data() + at, std::min<size_t>(PIPE_BUF, bytes.size() - at));
    if (wrote < 0 && errno != EINTR && errno != EAGAIN) {
      return false;
    }
    at += wrote > 0 ? static_cast<size_t>(wrote) : 0;
  }
  return true;
}

void FdWriter::loop() {
  while (true) {
    std::optional<std::string> body = queue_.pop();
    if (body) {
      if (!write(protocol::frame(*body))) {
        onError_();
        return;
      }
      continue;
    }
    if (finishing_) {
      return;
    }
    pollfd fd{wake_.fd(), POLLIN, 0};
    ::poll(&fd, 1, -1);
    wake_.clear();
  }
}

} // namespace placid::server
