// SPDX-License-Identifier: Apache-2.0
// What happens in a build, as one JSON object a line: for programs that follow it. Every build that has begun ends with
// exactly one `buildFinished`, which is the last line. Any thread.
#pragma once

#include "server/support/sync.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

class BuildEvents {
public:
  /// Writes a line with its end; false when nobody reads any more.
  using Sink = std::function<bool(std::string_view line)>;
  /// Without a sink everything is dropped.
  explicit BuildEvents(Sink sink = {}, std::string id = {});
  /// Says `buildFinished` with the status "internal" when nobody has.
  ~BuildEvents();
  BuildEvents(const BuildEvents &) = delete;
  BuildEvents &operator=(const BuildEvents &) = delete;

  /// Tells `watcher` everything too, from now on, one event at a time and before its line is written. One that throws
  /// hears nothing more.
  using Watcher = std::function<void(std::string_view type, const nlohmann::ordered_json &fields)>;
  void watch(Watcher watcher);

  /// `fields` is an object; its members follow the common ones.
  void emit(std::string_view type, const nlohmann::ordered_json &fields);
  /// The last line.
  void finish(std::string_view status, const nlohmann::ordered_json &fields);
  /// Somebody reads the lines: what costs time to find out is worth it.
  bool wanted() const { return static_cast<bool>(sink_); }

private:
  void write(std::string_view type, const nlohmann::ordered_json &fields) PLACID_REQUIRES(mutex_);

  Sink sink_;
  std::string id_;
  Mutex mutex_;
  std::vector<Watcher> watchers_ PLACID_GUARDED_BY(mutex_);
  uint64_t next_ PLACID_GUARDED_BY(mutex_) = 0;
  bool finished_ PLACID_GUARDED_BY(mutex_) = false;
};

/// The sink of `--events TARGET`: a file's path, `fd:N`, or `-` for `standardOut`. Null and `error` set when there is
/// none. A pipe that nobody reads is waited for until `stop`.
BuildEvents::Sink openEvents(const std::string &target, BuildEvents::Sink standardOut, const std::stop_token &stop,
                             std::string &error);

} // namespace placid::server
