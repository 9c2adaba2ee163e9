// SPDX-License-Identifier: Apache-2.0
// For the NZ tests only: one-tensor kernels written as IR text, run through BlockNzTensorViews, and what came of them
// as comparable strings.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/dialect/pl/analysis/nz_report.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::pl::testing {

/// A kernel over `%w`, an NZ tensor called `w`.
struct Kernel {
  std::string type; ///< What stands in !pl.tensor<…>, e.g. "[64, 64] x f16, nz".
  std::string
      body; ///< Ops before the return; may use %w, %lane (block index), %num (block count), %s (index parameter).
  std::string arch = "a3";
  std::string arguments = {}; ///< More function arguments, e.g. "%out: !pl.tensor<[16] x f32>".
  std::string kind = "incore";
};

struct Outcome {
  std::vector<diag::Diagnostic> diagnostics; ///< In source order of emission.
  NzReport report;
  std::string ir;          ///< Of the module afterwards.
  bool roundTrips = false; ///< The printed module parses back to the same text.
  /// "nz-rows-align" …, errors only, in order.
  std::vector<std::string> errors() const;
  std::vector<std::string> warnings() const;
  /// The message of diagnostic `index` and of all its related places.
  std::string text(size_t index = 0) const;
};

/// Runs the pass `times` times.
Outcome run(const Kernel &kernel, int times = 1);
/// The same on a whole module's text.
Outcome runModule(const std::string &module, int times = 1);

/// "[1, 4, floordiv(r0, 16), 0, 0]".
std::string show(const std::vector<NzExpr> &list);

/// `%t = pl.tile.load %w …` into a Mat tile (or `mem`) whose shape is the trailing pair of `sizes`.
std::string load(const Kernel &kernel, const std::string &offsets, std::vector<int64_t> sizes,
                 const std::string &valid = "", const std::string &mem = "mat");

} // namespace placid::pl::testing
