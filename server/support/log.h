// SPDX-License-Identifier: Apache-2.0
// Log lines on standard error: time, level, topic and a sentence. Behind a function so that one file pays for the
// logging library's headers. Standard output belongs to the protocol and is never logged to. Source text is not logged.
// Any thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

enum class LogLevel { Debug, Info, Warning, Error };

/// Sets what is written: "debug", "info", "warning" (the start value), "error" or "off"; with ",json" behind it as one
/// JSON object a line. Other names are ignored. Before there are threads.
void setLogLevel(std::string_view name);
/// `topic` is the folder that speaks, such as "session".
void log(LogLevel level, std::string_view topic, const std::string &text);

} // namespace placid::server
