// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/tool_answer.h"

#include <csignal>

namespace placid::server {

std::optional<InfraFailure> aroundTheTool(int exitCode, std::string_view err) {
  if (exitCode == 0) {
    return std::nullopt;
  }
  if (exitCode == 126 || exitCode == 127) {
    return InfraFailure{InfraFailure::Code::NoProgram,
                        "the program it hands over to cannot be started (exit " + std::to_string(exitCode) + ")"};
  }
  if (exitCode == kShellSignal + SIGKILL) {
    return InfraFailure{InfraFailure::Code::Killed, "it was killed (exit 137), as happens when memory runs out", true};
  }
  auto says = [&](std::string_view words) { return err.find(words) != std::string_view::npos; };
  if (says("No space left on device") || says("Disk quota exceeded")) {
    return InfraFailure{InfraFailure::Code::Space, "there was no room for its files"};
  }
  if (says("Cannot allocate memory") || says("unable to execute command: Killed")) {
    return InfraFailure{InfraFailure::Code::Killed, "there was no memory left for it", true};
  }
  return std::nullopt;
}

} // namespace placid::server
