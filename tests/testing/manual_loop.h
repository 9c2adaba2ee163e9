// SPDX-License-Identifier: Apache-2.0
// The scheduler's seams by hand: an event loop that runs when told, with a clock that moves when told, and a runner
// whose jobs run when told. With them every interleaving is a plain sequence of calls. One thread.
#pragma once

#include "server/scheduler/event_loop.h"
#include "server/session/outbox.h"

#include <nlohmann/json.hpp>

#include <deque>
#include <string>
#include <vector>

namespace placid::testing {

class ManualLoop final : public server::EventLoop {
public:
  void post(std::function<void()> event) override { events_.push_back(std::move(event)); }
  server::TimePoint now() const override { return now_; }
  void after(std::chrono::milliseconds delay, std::function<void()> event) override {
    timers_.push_back({now_ + delay, std::move(event)});
  }
  void advance(std::chrono::milliseconds by) {
    now_ += by;
    for (Timer &timer : std::exchange(timers_, {})) {
      if (timer.due <= now_) {
        post(std::move(timer.event));
      } else {
        timers_.push_back(std::move(timer));
      }
    }
  }
  bool runOne() {
    if (events_.empty()) {
      return false;
    }
    std::function<void()> event = std::move(events_.front());
    events_.pop_front();
    event();
    return true;
  }
  void run() {
    while (runOne()) {
    }
  }

private:
  struct Timer {
    server::TimePoint due;
    std::function<void()> event;
  };
  std::deque<std::function<void()>> events_;
  std::vector<Timer> timers_;
  server::TimePoint now_{};
};

class ManualRunner final : public server::JobRunner {
public:
  void run(std::function<void()> job) override { jobs_.push_back(std::move(job)); }
  bool runOne() {
    if (jobs_.empty()) {
      return false;
    }
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    job();
    return true;
  }
  size_t waiting() const { return jobs_.size(); }

private:
  std::deque<std::function<void()>> jobs_;
};

/// Keeps every message, parsed.
class RecordingOutbox final : public server::Outbox {
public:
  void send(std::string body, std::string_view) override { messages.push_back(nlohmann::json::parse(body)); }
  std::vector<nlohmann::json> take() { return std::exchange(messages, {}); }
  std::vector<nlohmann::json> messages;
};

} // namespace placid::testing
