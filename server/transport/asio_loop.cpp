// SPDX-License-Identifier: Apache-2.0
#include "server/transport/asio_loop.h"

#include "server/support/process.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <unistd.h>

#include <memory>
#include <utility>

namespace placid::server {

void AsioLoop::post(std::function<void()> event) { boost::asio::post(io_, std::move(event)); }

void AsioLoop::after(std::chrono::milliseconds delay, std::function<void()> event) {
  auto timer = std::make_shared<boost::asio::steady_timer>(io_, delay);
  timer->async_wait([timer, event = std::move(event)](const boost::system::error_code &failed) {
    if (!failed) {
      event();
    }
  });
}

void ProcessWatch::start(int64_t pid, std::function<void()> onEnd) {
  if (pid <= 0 || pid > INT32_MAX || descriptor_.is_open()) {
    return;
  }
  int fd = openPidFd(static_cast<pid_t>(pid));
  if (fd < 0) {
    return;
  }
  boost::system::error_code error;
  descriptor_.assign(fd, error);
  if (error) {
    ::close(fd);
    return;
  }
  descriptor_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [onEnd = std::move(onEnd)](const boost::system::error_code &failed) {
                           if (!failed) {
                             onEnd();
                           }
                         });
}

} // namespace placid::server
