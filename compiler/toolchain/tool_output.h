// SPDX-License-Identifier: Apache-2.0
// What the assembler and C++ compilers say on standard error, taken apart: severity, place, text, notes. Two forms:
// MLIR's `loc("file":l:c): error: text`, and `file:l:c: error: text` of clang and its kind. What has neither form is
// kept as text. Total: any bytes give some result, of bounded size. Pure; any thread.
#pragma once

#include "compiler/toolchain/pto_places.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placid::toolchain {

enum class ToolSeverity : uint8_t { Error, Warning, Note };

struct ToolMessage {
  ToolSeverity severity = ToolSeverity::Error;
  Place place; ///< As the tool wrote it; line 0 when it named none.
  std::string text;
  std::vector<ToolMessage> notes; ///< Have no notes of their own.
};

inline constexpr size_t kMaxToolMessages = 200;

/// In the order of the output. Lines that only announce the end ("Error: Pass execution failed.") are left out where
/// another error was found.
std::vector<ToolMessage> parseToolOutput(std::string_view output);

/// The message's place when it lies in the file `unit`, else that of the first note that does: a fault in a header of
/// the tool is shown where the unit asked for it. Line 0 when nothing leads there.
Place placeInUnit(const ToolMessage &message, std::string_view unit);

} // namespace placid::toolchain
