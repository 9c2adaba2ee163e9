// SPDX-License-Identifier: Apache-2.0
// The Ascend architectures by name: the one list that options, settings, verifiers and the target table share. Standard
// library only and without a source file, so that the server reads it without linking the compiler. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace placid::target {

enum class Arch : uint8_t { A2, A3, A5 };

/// In the order of `Arch`: what `pto.target_arch` holds and `--arch` takes.
inline constexpr std::array<std::string_view, 3> kArchNames = {"a2", "a3", "a5"};
/// The same for messages to users.
inline constexpr std::string_view kArchChoices = "a2, a3 or a5";
inline constexpr Arch kDefaultArch = Arch::A3;

constexpr std::string_view archName(Arch arch) { return kArchNames[static_cast<size_t>(arch)]; }

/// Also "a2a3", which users write for both and which means a3. Nothing for any other name.
constexpr std::optional<Arch> parseArch(std::string_view name) {
  if (name == "a2a3") {
    return Arch::A3;
  }
  for (size_t i = 0; i < kArchNames.size(); ++i) {
    if (kArchNames[i] == name) {
      return static_cast<Arch>(i);
    }
  }
  return std::nullopt;
}

} // namespace placid::target
