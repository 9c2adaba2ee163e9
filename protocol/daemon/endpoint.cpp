// SPDX-License-Identifier: Apache-2.0
#include "protocol/daemon/endpoint.h"

namespace placid::protocol {

namespace {

/// FNV-1a. Two daemons with one name by accident meet at the handshake, which compares what is behind the name.
class Hash {
public:
  void add(std::string_view text) {
    for (char c : text) {
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    value_ = (value_ ^ 0xffU) * 0x100000001b3U; // parts do not run together
  }
  void add(uint64_t number) { add(std::to_string(number)); }
  std::string hex() const {
    std::string out;
    for (int shift = 60; shift >= 0; shift -= 4) {
      out += "0123456789abcdef"[(value_ >> shift) & 15];
    }
    return out;
  }

private:
  uint64_t value_ = 0xcbf29ce484222325U;
};

void addProgram(Hash &hash, const DaemonFacts &facts) {
  hash.add(facts.program);
  hash.add(facts.device);
  hash.add(facts.inode);
  hash.add(facts.size);
  hash.add(static_cast<uint64_t>(facts.modifiedSeconds));
  hash.add(static_cast<uint64_t>(facts.modifiedNanoseconds));
}

} // namespace

std::string buildId(const DaemonFacts &facts) {
  Hash hash;
  addProgram(hash, facts);
  return hash.hex();
}

std::string daemonKey(const DaemonFacts &facts) {
  Hash hash;
  hash.add(static_cast<uint64_t>(kDaemonProtocol));
  hash.add(uint64_t{facts.uid});
  addProgram(hash, facts);
  for (const std::string &value : facts.environment) {
    hash.add(value);
  }
  return hash.hex();
}

std::string socketFolder(std::string_view xdgRuntimeDir, uint32_t uid) {
  if (!xdgRuntimeDir.empty() && xdgRuntimeDir[0] == '/') {
    return std::string(xdgRuntimeDir) + "/placid";
  }
  return "/tmp/placid-" + std::to_string(uid);
}

} // namespace placid::protocol
