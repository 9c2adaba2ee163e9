// SPDX-License-Identifier: Apache-2.0
#include "server/support/log.h"

#include <nlohmann/json.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <chrono>
#include <memory>

namespace placid::server {

namespace {

spdlog::logger &logger() {
  static auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("placid", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *instance;
}

/// One JSON object a line. Set before the first line.
bool &structured() {
  static bool is = false;
  return is;
}

constexpr const char *kLevelNames[] = {"debug", "info", "warning", "error"};

spdlog::level::level_enum level(LogLevel value) {
  switch (value) {
  case LogLevel::Debug:
    return spdlog::level::debug;
  case LogLevel::Info:
    return spdlog::level::info;
  case LogLevel::Warning:
    return spdlog::level::warn;
  case LogLevel::Error:
    return spdlog::level::err;
  }
  return spdlog::level::err;
}

} // namespace

void setLogLevel(std::string_view name) {
  size_t comma = name.find(',');
  if (comma != std::string_view::npos && name.substr(comma + 1) == "json") {
    name = name.substr(0, comma);
    structured() = true;
    logger().set_pattern("%v"); // the line is a whole one
  }
  if (name == "off") {
    logger().set_level(spdlog::level::off);
  }
  for (auto [known, value] : {std::pair{"debug", LogLevel::Debug},
                              {"info", LogLevel::Info},
                              {"warning", LogLevel::Warning},
                              {"error", LogLevel::Error}}) {
    if (name == known) {
      logger().set_level(level(value));
    }
  }
}

void log(LogLevel at, std::string_view topic, const std::string &text) {
  if (!logger().should_log(level(at))) {
    return;
  }
  if (!structured()) {
    logger().log(level(at), "{}: {}", topic, text);
    return;
  }
  auto now = std::chrono::system_clock::now().time_since_epoch();
  nlohmann::ordered_json line = {{"t", std::chrono::duration_cast<std::chrono::milliseconds>(now).count()},
                                 {"level", kLevelNames[static_cast<size_t>(at)]},
                                 {"pid", ::getpid()},
                                 {"topic", topic},
                                 {"message", text}};
  logger().log(level(at), "{}", line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

} // namespace placid::server
