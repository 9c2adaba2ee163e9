// SPDX-License-Identifier: Apache-2.0
// A command line run by the daemon, and what administers the daemon: output to the standard streams, an exit code.
#pragma once

#include "protocol/daemon/hello.h"

#include <string>
#include <vector>

namespace placid::cli {

inline constexpr int kNoDaemon = 4;

/// `words` begin with the command. Starts a daemon when none runs.
int runInDaemon(const std::string &server, const std::vector<std::string> &words);
/// `status [--json]` and `stop`.
int runStatus(const std::string &server, const std::vector<std::string> &arguments);
int runStop(const std::string &server, const std::vector<std::string> &arguments);

/// Of this process.
protocol::Surroundings ownSurroundings();

/// False when the reader is gone or the disk is full.
bool writeAll(int fd, std::string_view text);

} // namespace placid::cli
