// SPDX-License-Identifier: Apache-2.0
// Tells a client that documents are still being checked, once that takes long: asks for a token, begins, ends. Knows
// neither documents nor the scheduler: what is pending is asked for. Io thread.
#pragma once

#include "protocol/jsonrpc/message.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace placid::server {

class Progress {
public:
  /// What takes longer is told.
  static constexpr std::chrono::milliseconds kPatience{300};

  struct Pending {
    std::string what; ///< "checking k.py"
    std::chrono::milliseconds age{};
  };
  struct Wiring {
    std::function<std::optional<Pending>()> pending; ///< What has waited the longest.
    std::function<void(protocol::Json)> send;
    std::function<void(std::chrono::milliseconds, std::function<void()>)> after;
  };

  explicit Progress(Wiring wiring) : wiring_(std::move(wiring)) {}
  /// Of a client that shows progress which the server begins; without this nothing is ever told.
  void enable() { state_ = State::Idle; }
  /// Work has begun.
  void started();
  /// Work has ended; other work may go on.
  void finished();
  /// An answer of the client; false when it is not to a request from here.
  bool answered(const protocol::Response &response);

private:
  enum class State : uint8_t { Off, Idle, Armed, Asked, Shown };
  void due();

  Wiring wiring_;
  State state_ = State::Off;
  int64_t number_ = 0; ///< Of the token; a new one each time.
};

/// The `$/progress` notification: begin, report or end.
protocol::Json progressMessage(protocol::Json token, const char *kind, const std::string &what = {},
                               std::optional<size_t> percent = {});

} // namespace placid::server
