// SPDX-License-Identifier: Apache-2.0
// `build --until pl`: the IR of each kernel as it is before it becomes PTO IR, ready to be written. Apart from the rest
// of a build because nothing is lowered to code here: a kernel that PTO IR has no words for yet has its PL IR. Knows no
// folder. One thread.
#pragma once

#include "server/build/events.h"
#include "server/commands/command.h"
#include "server/commands/sources.h"

#include <set>
#include <string>
#include <vector>

namespace placid::server {

struct PlKernel {
  std::string name;   ///< Of its file, without ".mlir": the kernel's entry.
  std::string source; ///< Its path, as given.
  std::string text;
};

struct PlBuild {
  std::vector<PlKernel> kernels;
  std::vector<diag::Diagnostic> diagnostics;
  std::set<std::string> modules; ///< That were read besides the sources.
  std::string unusedDefines;     ///< A line for each that no file binds.
  std::string error;             ///< Why they cannot be written: names that clash, a kernel without PL IR.
};

/// Says of each file that it was lowered.
PlBuild buildPl(const Sources &sources, const compiler::Options &options, const CommandContext &context,
                BuildEvents &events);
/// The manifest of them.
std::string plManifestJson(const std::vector<PlKernel> &kernels, const std::string &version);

} // namespace placid::server
