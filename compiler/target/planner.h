// SPDX-License-Identifier: Apache-2.0
// Who gives tiles their addresses, by name: placid, or the assembler. The one list that options, settings and command
// lines share. Standard library only and without a source file, like arch.h. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace placid::target {

enum class Planner : uint8_t {
  Placid, ///< PTO IR holds every address; assembled at level 3.
  Ptoas   ///< PTO IR holds none, one name for each buffer; assembled at level 2.
};

/// In the order of `Planner`: what `--planner` takes.
inline constexpr std::array<std::string_view, 2> kPlannerNames = {"placid", "ptoas"};
/// The same for messages to users.
inline constexpr std::string_view kPlannerChoices = "placid or ptoas";
inline constexpr Planner kDefaultPlanner = Planner::Placid;

constexpr std::string_view plannerName(Planner planner) { return kPlannerNames[static_cast<size_t>(planner)]; }

/// The word behind the assembler's `--pto-level=`.
constexpr std::string_view ptoLevel(Planner planner) { return planner == Planner::Placid ? "level3" : "level2"; }

/// Nothing for any other name.
constexpr std::optional<Planner> parsePlanner(std::string_view name) {
  for (size_t i = 0; i < kPlannerNames.size(); ++i) {
    if (kPlannerNames[i] == name) {
      return static_cast<Planner>(i);
    }
  }
  return std::nullopt;
}

} // namespace placid::target
