// SPDX-License-Identifier: Apache-2.0
// What `build/submit` asks for, read from JSON with every field checked: paths are relative and stay below one folder,
// content comes by digest, numbers and lists are bounded. A request never names a place on this machine. Any thread.
#pragma once

#include "protocol/json.h"
#include "protocol/jsonrpc/error.h"
#include "server/build/jobs/labels.h"
#include "server/build/store/digest.h"
#include "server/build/store/store_limits.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace placid::server {

struct BuildRequest {
  struct Source {
    std::string path; ///< Relative.
    Digest digest;
  };
  std::vector<Source> sources;      ///< Every file that the build reads.
  std::vector<std::string> paths;   ///< What of them is built; files or folders. Empty: all.
  std::vector<std::string> entries; ///< `--entry`.
  std::map<std::string, std::string> defines;
  std::string arch, planner, until, toolchain; ///< Empty: not said.
  std::string out = "placid-out";              ///< As it is shown in places and events; relative.
  bool textless = false;                       ///< Diagnostics as events alone, not as text in the result too.
  Labels labels;
  int priority = 0;           ///< -100 to 100, among one client's builds.
  int64_t deadlineMs = 0;     ///< Of the whole request; 0: none.
  int64_t leaseMs = 60000;    ///< Not renewed for so long, it is cancelled; 0: only in the machine's own socket.
  std::string idempotencyKey; ///< Of the client's choice.
};

struct RequestLimits {
  static constexpr size_t kSources = 4096;
  static constexpr size_t kBytes = size_t{1} << 20; ///< Of the whole, as JSON.
  static constexpr size_t kWords = 1000;            ///< Of one list.
  static constexpr size_t kWordBytes = 4096;        ///< Of one text.
  static constexpr uint64_t kArtifact = kMaxBlob;   ///< Of one file that a build made.
  static constexpr int64_t kMostMs = int64_t{7} * 24 * 3600 * 1000;
};

protocol::Result<BuildRequest> buildRequestFromJson(const protocol::Json &params);
/// The same for equal requests; buildRequestFromJson() reads it.
protocol::Json toJson(const BuildRequest &request);

/// The command line that carries it out in a folder that holds the sources.
std::vector<std::string> commandLine(const BuildRequest &request);

} // namespace placid::server
