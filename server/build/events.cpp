// SPDX-License-Identifier: Apache-2.0
#include "server/build/events.h"

#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstring>
#include <ctime>
#include <exception>
#include <thread>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

std::string timeText() {
  auto now = std::chrono::system_clock::now();
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::time_t seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[40];
  size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
  return std::string(text, length) + "." + fraction + "Z";
}

constexpr int kLookMs = 50;
constexpr std::chrono::milliseconds kPatience{1000};

/// Closes what it has opened.
struct EventFile {
  EventFile(int given, bool own, std::stop_token token) : fd(given), owned(own), stop(std::move(token)) {}
  ~EventFile() {
    if (owned) {
      ::close(fd);
    }
  }
  EventFile(const EventFile &) = delete;
  EventFile &operator=(const EventFile &) = delete;
  bool write(std::string_view line) {
    while (!line.empty() && !given_up) {
      // A pipe that is ready takes this much without waiting: who does not read it holds nobody beyond the build's end.
      if (!ready()) {
        given_up = true;
        return false;
      }
      ssize_t wrote = ::write(fd, line.data(), std::min<size_t>(line.size(), PIPE_BUF));
      if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) {
        continue;
      }
      if (wrote <= 0) {
        return false;
      }
      line.remove_prefix(static_cast<size_t>(wrote));
    }
    return !given_up;
  }
  /// Waits until somebody reads; no longer than kPatience after the build was told to stop.
  bool ready() const {
    pollfd poll{fd, POLLOUT, 0};
    for (auto patience = kPatience;;) {
      int got = ::poll(&poll, 1, kLookMs);
      if (got > 0 || (got < 0 && errno != EINTR)) {
        return got > 0;
      }
      if (stop.stop_requested() && (patience -= std::chrono::milliseconds(kLookMs)).count() <= 0) {
        return false;
      }
    }
  }
  int fd;
  bool owned;
  std::stop_token stop;
  bool given_up = false;
};

/// Opens for writing without waiting for ever: a named pipe has no reader yet, or never.
int openTarget(const std::string &path, const std::stop_token &stop) {
  for (;;) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0 || errno != ENXIO || stop.stop_requested()) {
      return fd;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookMs));
  }
}

} // namespace

BuildEvents::BuildEvents(Sink sink, std::string id) : sink_(std::move(sink)), id_(std::move(id)) {}

BuildEvents::~BuildEvents() {
  try {
    finish("internal", {{"exitCode", 3}, {"kernels", 0}, {"built", 0}, {"errors", 0}, {"warnings", 0}});
  } catch (const std::exception &fault) { // there is nobody left to tell
    log(LogLevel::Error, "build", std::string("the end of a build could not be told: ") + fault.what());
  }
}

void BuildEvents::watch(Watcher watcher) {
  MutexLock lock(mutex_);
  watchers_.push_back(std::move(watcher));
}

void BuildEvents::write(std::string_view type, const Ordered &fields) {
  for (Watcher &watcher : watchers_) {
    try {
      if (watcher) {
        watcher(type, fields);
      }
    } catch (const std::exception &fault) { // a picture of the build is not worth the build
      log(LogLevel::Error, "build", std::string("what followed a build has failed: ") + fault.what());
      watcher = nullptr;
    }
  }
  if (!sink_) {
    return;
  }
  Ordered line = {{"v", 1}, {"seq", next_++}, {"t", timeText()}, {"id", id_}, {"type", type}};
  line.update(fields);
  sink_(line.dump(-1, ' ', false, Ordered::error_handler_t::replace) + "\n");
}

void BuildEvents::emit(std::string_view type, const Ordered &fields) {
  MutexLock lock(mutex_);
  if (!finished_) {
    write(type, fields);
  }
}

void BuildEvents::finish(std::string_view status, const Ordered &fields) {
  MutexLock lock(mutex_);
  if (!finished_) {
    Ordered whole = {{"status", status}};
    whole.update(fields);
    write("buildFinished", whole);
    finished_ = true;
  }
}

BuildEvents::Sink openEvents(const std::string &target, BuildEvents::Sink standardOut, const std::stop_token &stop,
                             std::string &error) {
  if (target == "-") {
    return standardOut;
  }
  constexpr std::string_view kDescriptor = "fd:";
  std::shared_ptr<EventFile> file;
  if (target.starts_with(kDescriptor)) {
    int fd = -1;
    auto [end, wrong] = std::from_chars(target.data() + kDescriptor.size(), target.data() + target.size(), fd);
    if (wrong != std::errc() || end != target.data() + target.size() || fd < 0 || ::fcntl(fd, F_GETFD) < 0) {
      error = "--events " + target + ": there is no such descriptor";
      return {};
    }
    file = std::make_shared<EventFile>(fd, false, stop);
  } else {
    int fd = openTarget(target, stop);
    if (fd < 0) {
      error = "cannot write " + target + ": " + std::strerror(errno);
      return {};
    }
    file = std::make_shared<EventFile>(fd, true, stop);
  }
  return [file](std::string_view line) { return file->write(line); };
}

} // namespace placid::server
