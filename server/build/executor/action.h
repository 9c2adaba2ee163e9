// SPDX-License-Identifier: Apache-2.0
// One step of a build as data: a command line, the content of everything it reads, and what it writes. Its key is a
// digest of all that can change the answer and of nothing else: no path of this machine, no time, no client. Plain
// values; any thread.
#pragma once

#include "server/build/store/digest.h"

#include <map>
#include <string>
#include <vector>

namespace placid::server {

struct ActionInput {
  std::string path; ///< Relative, below the folder that the tool runs in.
  Digest digest;
  bool operator==(const ActionInput &) const = default;
};

struct Action {
  std::string step;                       ///< "ptoas", "compile", "link".
  std::vector<std::string> argv;          ///< The first word is the program. `@NAME@` stands for what `tools` names.
  std::map<std::string, std::string> env; ///< The whole environment of the tool.
  std::vector<ActionInput> inputs;
  std::vector<std::string> outputs; ///< Relative. Each must be there, or the tool did not do its work.
  std::string depFile;              ///< One more output: the make rule of what was read; empty where there is none.
  /// What each NAME is, by the content of everything that it may read.
  std::map<std::string, Digest> tools;
  /// Where each NAME is on this machine; not part of the key, and of no use to an executor elsewhere.
  std::map<std::string, std::string> hostPaths;
  std::string platform; ///< Of the machine that runs it: "linux-x86_64".
  std::string salt;     ///< Results of one salt are not given to another.
};

/// Byte for byte the same for equal actions, different for different ones.
std::string canonicalBytes(const Action &action);
Digest keyOf(const Action &action);

/// Relative, without "..", empty parts or control characters: safe below any folder.
bool isSafeRelativePath(const std::string &path);

} // namespace placid::server
