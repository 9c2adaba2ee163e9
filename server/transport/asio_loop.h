// SPDX-License-Identifier: Apache-2.0
// The io thread's queue on Boost.Asio, and the watch on a process that belongs to a client. Shared by the transports.
#pragma once

#include "server/scheduler/event_loop.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <cstdint>

namespace placid::server {

class AsioLoop final : public EventLoop {
public:
  explicit AsioLoop(boost::asio::io_context &io) : io_(io) {}
  void post(std::function<void()> event) override;
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  void after(std::chrono::milliseconds delay, std::function<void()> event) override;

private:
  boost::asio::io_context &io_;
};

/// Tells when a process ends, without polling. A pid that is not visible here (another container) is not watched.
class ProcessWatch {
public:
  explicit ProcessWatch(boost::asio::io_context &io) : descriptor_(io) {}
  /// `onEnd` on the io thread, at most once, and not after this object is gone. Only the first call counts.
  void start(int64_t pid, std::function<void()> onEnd);

private:
  boost::asio::posix::stream_descriptor descriptor_;
};

} // namespace placid::server
