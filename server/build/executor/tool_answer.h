// SPDX-License-Identifier: Apache-2.0
// What a tool's status and words say of the machine that ran it and not of its input, the same for every executor.
// Pure; any thread.
#pragma once

#include "server/build/executor/executor.h"

#include <optional>
#include <string_view>

namespace placid::server {

/// A shell between us and a tool says with 128 + N that a signal ended it, with 126 and 127 that it could not start it.
inline constexpr int kShellSignal = 128;

/// Whether a tool says that it found no memory; what it quotes of its input is not taken for that.
bool saysNoMemory(std::string_view err);

/// Nothing when `exitCode`, with what was written to the error stream, is the tool's own answer.
std::optional<InfraFailure> aroundTheTool(int exitCode, std::string_view err);

} // namespace placid::server
