// SPDX-License-Identifier: Apache-2.0
// One child process: started in a process group, folder and environment of its own, its output read, its clocks kept,
// and when it is over everything that it had started ended with it. Knows no action and no store. Linux. Any thread;
// the calling thread waits.
#pragma once

#include "server/build/executor/executor.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::server {

struct ChildSpec {
  std::string program;           ///< A path.
  std::vector<std::string> argv; ///< With the program's name as its first word.
  std::vector<std::string> env;  ///< "NAME=value".
  std::string folder;
  int group = -1; ///< The door of a MemoryGroup that it is to be in; below 0: of none.
};

struct ChildEnd {
  int startError = 0; ///< errno, when it could not be started; then nothing else holds.
  int exitCode = 0;
  int signal = 0;
  bool cancelled = false;
  bool lost = false; ///< Its end was not seen: nobody knows how it went.
  std::optional<ToolStopped::Clock> stopped;
  StreamText out, err;
  int64_t runMs = 0;
  uint64_t peakBytes = 0;
};

ChildEnd runChild(const ChildSpec &spec, const ActionLimits &limits, const ActionWatcher &watcher,
                  const std::stop_token &stop);

/// Ends what was started by processes of this machine that are gone, killed themselves, and has outlived them.
void killOrphans();

} // namespace placid::server
