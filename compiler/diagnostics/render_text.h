// SPDX-License-Identifier: Apache-2.0
// Diagnostics as people read them in a terminal: headline, source lines, marks under the ranges, labels, help. Apart
// from the diagnostic itself because JSON and LSP outputs are other renderings of the same value. Knows no files: texts
// come through a lookup. Standard library only; pure functions, any thread; nothing throws or fails.
#pragma once

#include "compiler/diagnostics/diagnostic.h"

#include <functional>

namespace placid::diag {

struct RenderOptions {
  bool color = false;    ///< ANSI colours.
  uint32_t tabWidth = 4; ///< Columns between tab stops, at least 1.
};

/// Answers a path with its text, or null when it is not at hand: the place is then named without a line.
using SourceLookup = std::function<source::SourcePtr(const std::string &path)>;

/// One diagnostic, several lines, ending in a newline. Related places in the primary file share its snippet, in line
/// order; other files follow as snippets of their own. Columns after `path:line:` count characters from 1.
std::string renderText(const Diagnostic &diagnostic, const SourceLookup &lookup, const RenderOptions &options = {});

/// Numbers of one run, for the closing line.
struct Totals {
  uint32_t files = 0;
  uint32_t kernels = 0;
  uint32_t errors = 0;
  uint32_t warnings = 0;
};

/// The closing line of a run, ending in a newline; names one code to `explain` when there were diagnostics.
std::string renderSummary(const Totals &totals, std::span<const Diagnostic> diagnostics,
                          const RenderOptions &options = {});

} // namespace placid::diag
