// SPDX-License-Identifier: Apache-2.0
// The seam behind which actions are run: here, or on other machines. What a tool answered and what went wrong around it
// are different types, so that nobody takes one for the other. An executor keeps nothing and decides nothing: caching,
// sharing, retrying and deadlines of requests stand in front of it. Implementations may be called from many threads.
#pragma once

#include "server/build/executor/action.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace placid::server {

/// 0 in a limit: none.
struct ActionLimits {
  std::chrono::milliseconds queue{0};    ///< Waiting for a place to run.
  std::chrono::milliseconds run{0};      ///< From start to end.
  std::chrono::milliseconds silence{0};  ///< Without a byte of output.
  std::chrono::milliseconds grace{2000}; ///< Between being asked to end and being killed.
  uint64_t memoryBytes = 0;              ///< Of the tool and all that it starts; where that cannot be, of each process.
  uint64_t fileBytes = uint64_t{1} << 30; ///< Of each file written.
  uint64_t logBytes = uint64_t{64} << 20; ///< Written to one stream; beyond it the tool is ended.
};

enum class Stream : uint8_t { Out, Err };

/// What was written to one stream: its head and its tail, as much as is kept.
class StreamText {
public:
  static constexpr size_t kKeep = size_t{1} << 20; ///< Of each end.
  void add(std::string_view bytes);
  uint64_t total() const { return total_; }
  /// The whole, or head and tail with a line between that says how much is missing.
  std::string text() const;

private:
  std::string head_, tail_;
  uint64_t total_ = 0;
};

/// The tool ran and ended by itself.
struct ToolRun {
  int exitCode = 0; ///< Of no meaning when `signal` is set.
  int signal = 0;
  std::map<std::string, Digest> outputs; ///< In the store. Those that the tool did not write are absent.
  std::string out, err;                  ///< As far as kept.
  int64_t queueMs = 0, runMs = 0;
  uint64_t peakBytes = 0;
  std::string worker; ///< The machine that ran it, where the executor knows more than one.
};

/// The tool did not keep a limit and was ended.
struct ToolStopped {
  enum class Clock : uint8_t { Run, Silence, Log };
  Clock clock = Clock::Run;
  std::string out, err;
  int64_t runMs = 0;
};

/// Nothing is known of the tool's answer.
struct InfraFailure {
  enum class Code : uint8_t {
    NoProgram,    ///< It cannot be started at all.
    MissingInput, ///< An input is not in the store (any more).
    Space,        ///< No room for its files.
    QueueTimeout, ///< No place to run came free in time.
    Killed,       ///< Ended by SIGKILL, which nobody here sent: the machine ran out of memory, or somebody did.
    Memory,       ///< It needed more than there was, or than `memoryBytes`.
    System,       ///< Anything else that the operating system refused.
    Remote        ///< The server of another machine cannot be reached, refuses, or answers nonsense.
  };
  Code code = Code::System;
  std::string detail;
  bool retryable = false;
};

struct Cancelled {};

using Outcome = std::variant<ToolRun, ToolStopped, InfraFailure, Cancelled>;

/// What happens meanwhile; called on the thread that runs the action.
struct ActionWatcher {
  std::function<void()> started;
  std::function<void(Stream, uint64_t offset, std::string_view bytes)> log;
};

struct ExecutorCaps {
  std::string name; ///< "local".
  bool liveLogs = false;
  bool cancelKills = false; ///< A cancelled action runs no more when run() has returned.
  size_t slots = 1;         ///< How many actions it makes sense to hand over at once.
  /// The tool is a process under the executor's own hand: its memory is measured, its clocks are kept to the moment,
  /// what it leaves behind ends with it.
  bool ownProcesses = true;
};

class Executor {
public:
  virtual ~Executor() = default;
  virtual ExecutorCaps caps() const = 0;
  /// Blocks until the action has an outcome: exactly one, also when `stop` is requested.
  virtual Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
                      std::stop_token stop) = 0;
};

std::string_view codeName(InfraFailure::Code code);

} // namespace placid::server
