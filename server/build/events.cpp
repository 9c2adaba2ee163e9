// SPDX-License-Identifier: Apache-2.0
#include "server/build/events.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <ctime>

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

/// Closes what it has opened.
struct EventFile {
  explicit EventFile(int given, bool own) : fd(given), owned(own) {}
  ~EventFile() {
    if (owned) {
      ::close(fd);
    }
  }
  EventFile(const EventFile &) = delete;
  EventFile &operator=(const EventFile &) = delete;
  bool write(std::string_view line) const {
    while (!line.empty()) {
      ssize_t wrote = ::write(fd, line.data(), line.size());
      if (wrote < 0 && errno == EINTR) {
        continue;
      }
      if (wrote <= 0) {
        return false;
      }
      line.remove_prefix(static_cast<size_t>(wrote));
    }
    return true;
  }
  int fd;
  bool owned;
};

} // namespace

BuildEvents::BuildEvents(Sink sink, std::string id) : sink_(std::move(sink)), id_(std::move(id)) {}

BuildEvents::~BuildEvents() {
  if (sink_) {
    finish("internal", Ordered::object());
  }
}

void BuildEvents::write(std::string_view type, const Ordered &fields) {
  Ordered line = {{"v", 1}, {"seq", next_++}, {"t", timeText()}, {"id", id_}, {"type", type}};
  line.update(fields);
  sink_(line.dump(-1, ' ', false, Ordered::error_handler_t::replace) + "\n");
}

void BuildEvents::emit(std::string_view type, const Ordered &fields) {
  if (!sink_) {
    return;
  }
  MutexLock lock(mutex_);
  if (!finished_) {
    write(type, fields);
  }
}

void BuildEvents::finish(std::string_view status, const Ordered &fields) {
  if (!sink_) {
    return;
  }
  MutexLock lock(mutex_);
  if (!finished_) {
    Ordered whole = {{"status", status}};
    whole.update(fields);
    write("buildFinished", whole);
    finished_ = true;
  }
}

BuildEvents::Sink openEvents(const std::string &target, BuildEvents::Sink standardOut, std::string &error) {
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
    file = std::make_shared<EventFile>(fd, false);
  } else {
    int fd = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
      error = "cannot write " + target + ": " + std::strerror(errno);
      return {};
    }
    file = std::make_shared<EventFile>(fd, true);
  }
  return [file](std::string_view line) { return file->write(line); };
}

} // namespace placid::server
