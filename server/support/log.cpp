// SPDX-License-Identifier: Apache-2.0
#include "server/support/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

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
  logger().log(level(at), "{}: {}", topic, text);
}

} // namespace placid::server
