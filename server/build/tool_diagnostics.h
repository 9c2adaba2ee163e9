// SPDX-License-Identifier: Apache-2.0
// What the tools of a build said, as diagnostics on the lines of the PL program. Apart from running them, since the
// same text may come from a cache or from another machine. Any thread; texts are looked up through the caller.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/toolchain/pto_places.h"
#include "server/build/executor/executor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// One kernel's PTO IR, as far as places in it are translated.
struct UnitPlaces {
  std::string ptoName;  ///< As the tools were told.
  std::string shownPto; ///< Where users find that file.
  std::string shownCpp; ///< And the C++ made of it.
  std::string sourcePath;
  std::string kernel; ///< Qualified name.
  const toolchain::PtoPlaces *places = nullptr;
};
using TextOf = std::function<source::SourcePtr(const std::string &path)>;

enum class Tool : uint8_t { Ptoas, Compiler };

/// `name` is the tool's for people. Never empty when the outcome is not a good one: what says nothing useful becomes a
/// diagnostic at the kernel.
std::vector<diag::Diagnostic> toolDiagnostics(Tool tool, const std::string &name, const Outcome &outcome,
                                              const UnitPlaces &unit, const TextOf &text);

/// A diagnostic at a 1-based line of the unit (0: at the kernel).
diag::Diagnostic atUnitLine(diag::Code code, std::string message, uint32_t line, const UnitPlaces &unit,
                            const TextOf &text);

/// "ptoas" or "cce" for what a tool said, else "placid".
std::string_view sourceOf(const diag::Diagnostic &diagnostic);

} // namespace placid::server
