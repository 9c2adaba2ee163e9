// SPDX-License-Identifier: Apache-2.0
// `build --remote NAME`: sends what a build reads to a build service elsewhere, follows it, and brings back what was
// made, checked by digest. Blocking; the command's thread.
#pragma once

#include "server/build/events.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace placid::server {

struct RemoteBuild {
  const Arguments &arguments;
  const CommandContext &context;
  const compiler::Options &options; ///< With what imports need.
  const Sources &sources;
  BuildEvents &events;
  Texts &texts;
  std::string folder; ///< `--out`.
  std::string format; ///< `--format`: only for text the service writes diagnostics as text.
};

/// What a build elsewhere made: at hand, or where it is large in a file that has no name.
struct RemoteFile {
  std::string name;
  std::string bytes;
  std::shared_ptr<const int> large; ///< A descriptor, closed with the last holder; null: `bytes`.
  std::string digest;
};

struct RemoteResult {
  std::string usage;       ///< Not empty: it cannot be asked for like this.
  std::string unreachable; ///< Not empty: nothing was built, and why.
  std::string status;      ///< As in the last event.
  int exitCode = 0;
  std::string err;
  std::vector<std::string> modules;          ///< That were sent besides the sources.
  std::vector<diag::Diagnostic> diagnostics; ///< As they were found there, with the paths of here; not for text.
  size_t kernels = 0, errors = 0, warnings = 0;
  std::vector<RemoteFile> files; ///< Digests checked; the manifest last.
};

RemoteResult buildRemotely(const RemoteBuild &build);

} // namespace placid::server
