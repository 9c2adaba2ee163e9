// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/tool_answer.h"

#include <algorithm>
#include <csignal>

namespace placid::server {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A line about a place in the input, or the input itself.
bool isOfInput(std::string_view line) {
  if (line.empty() || line.front() == ' ' || isDigit(line.front())) {
    return true;
  }
  for (std::string_view what : {": error:", ": fatal error:", ": warning:", ": note:"}) {
    size_t at = line.find(what);
    if (at != std::string_view::npos && at > 0 && isDigit(line[at - 1])) {
      return true;
    }
  }
  return false;
}

} // namespace

bool saysNoMemory(std::string_view err) {
  for (size_t begin = 0; begin < err.size();) {
    size_t end = std::min(err.find('\n', begin), err.size());
    std::string_view line = err.substr(begin, end - begin);
    begin = end + 1;
    if (isOfInput(line)) {
      continue;
    }
    bool says = line.starts_with("LLVM ERROR: out of memory") || line.starts_with("MemoryError") ||
                line.starts_with("terminate called after throwing an instance of 'std::bad_alloc'") ||
                line.ends_with("memory exhausted") || line.ends_with("Cannot allocate memory") ||
                line.find("out of memory allocating ") != std::string_view::npos;
    if (says) {
      return true;
    }
  }
  return false;
}

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
  if (saysNoMemory(err)) {
    return InfraFailure{InfraFailure::Code::Memory, "there was no memory left for it", true};
  }
  if (says("unable to execute command: Killed")) {
    return InfraFailure{InfraFailure::Code::Killed, "what it had started was killed, as happens when memory runs out",
                        true};
  }
  return std::nullopt;
}

} // namespace placid::server
