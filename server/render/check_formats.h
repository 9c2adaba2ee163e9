// SPDX-License-Identifier: Apache-2.0
// What `check` and `build` print for machines other than placid's own JSON lines: SARIF 2.1.0, GitHub's workflow
// commands, JUnit XML. Each is one function from diagnostics to text. Pure; any thread.
#pragma once

#include "server/render/json_output.h"

#include <string>
#include <vector>

namespace placid::server {

struct CheckReport {
  const std::vector<diag::Diagnostic> &diagnostics; ///< Sorted.
  const std::vector<std::string> &files;            ///< Checked, sorted.
  const TextLookup &lookup;
  CheckSummary summary;
  std::string version;
  std::string fault{}; ///< Not empty: why there may be more than the diagnostics say, such as a tool that is missing.
};

std::string checkSarif(const CheckReport &report);
std::string checkGithub(const CheckReport &report);
std::string checkJunit(const CheckReport &report);

} // namespace placid::server
