// SPDX-License-Identifier: Apache-2.0
// `--watch`: a command done again whenever one of the files that it reads changes, until it is interrupted. Looks at
// the file system now and then; knows nothing of what the command does. Blocking; the command's thread.
#pragma once

#include "server/commands/command.h"

#include <functional>
#include <string>
#include <vector>

namespace placid::server {

struct WatchRound {
  CommandResult result;
  std::vector<std::string> modules; ///< That it read, besides the files that were named.
  size_t errors = 0, warnings = 0;
  bool hopeless = false; ///< Nothing that a changed file would mend.
};

CommandResult watchFiles(std::string_view command, const Arguments &arguments, const CommandContext &context,
                         const std::function<WatchRound()> &once);

} // namespace placid::server
