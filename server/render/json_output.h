// SPDX-License-Identifier: Apache-2.0
// The JSON that `check` and `inspect` print and `build` writes: member names and order as the outside contract has
// them. Apart from the LSP rendering in publish, which is another format of the same facts. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace placid::server {

using TextLookup = std::function<source::SourcePtr(const std::string &path)>;

/// One line without its end. Ranges in a file that cannot be read stand at its start.
std::string diagnosticJson(const diag::Diagnostic &diagnostic, const TextLookup &lookup);

struct CheckSummary {
  uint32_t files = 0;
  uint32_t kernels = 0;
  uint32_t errors = 0;
  uint32_t warnings = 0;
  std::optional<int64_t> milliseconds;
};
std::string summaryJson(const CheckSummary &summary);

/// The whole object on one line, without its end.
std::string inspectJson(const compiler::InspectResult &result, const source::SourceText &text);

/// One built kernel in `manifest.json`.
struct ManifestEntry {
  std::string path; ///< Of its source, as given.
  std::string arch;
  const compiler::LoweredKernel *kernel = nullptr;
  std::string toolchain;                                  ///< Empty when no tool was used.
  std::vector<std::pair<std::string, std::string>> files; ///< Names and SHA-256, in the order in which they were made.
};
/// A kernel that was asked for and has another route to the chip than PTO IR: that of its own dialect.
struct ElsewhereEntry {
  std::string path;
  std::string entry; ///< Qualified source name.
  std::string why;
};
std::string manifestJson(const std::vector<ManifestEntry> &entries, const std::string &version,
                         const std::vector<ElsewhereEntry> &elsewhere = {});

} // namespace placid::server
