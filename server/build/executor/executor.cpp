// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/executor.h"

#include <algorithm>

namespace placid::server {

void StreamText::add(std::string_view bytes) {
  total_ += bytes.size();
  size_t room = kKeep - std::min(kKeep, head_.size());
  head_ += bytes.substr(0, room);
  bytes.remove_prefix(std::min(room, bytes.size()));
  tail_ += bytes;
  if (tail_.size() > 2 * kKeep) {
    tail_.erase(0, tail_.size() - kKeep);
  }
}

std::string StreamText::text() const {
  std::string_view tail = tail_;
  if (tail.size() > kKeep) {
    tail.remove_prefix(tail.size() - kKeep);
  }
  uint64_t missing = total_ - head_.size() - tail.size();
  std::string out = head_;
  if (missing != 0) {
    out += "\n[" + std::to_string(missing) + " bytes left out]\n";
  }
  out += tail;
  return out;
}

std::string_view codeName(InfraFailure::Code code) {
  switch (code) {
  case InfraFailure::Code::NoProgram:
    return "no-program";
  case InfraFailure::Code::MissingInput:
    return "missing-input";
  case InfraFailure::Code::Space:
    return "no-space";
  case InfraFailure::Code::QueueTimeout:
    return "queue-timeout";
  case InfraFailure::Code::Killed:
    return "killed";
  case InfraFailure::Code::Memory:
    return "no-memory";
  case InfraFailure::Code::Remote:
    return "remote";
  case InfraFailure::Code::System:
    break;
  }
  return "system";
}

} // namespace placid::server
