// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the nearest of a list of names. Standard library only; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace placid::support {

/// The candidate with the smallest edit distance to `name`, or "" when none is near enough (a third of its length).
/// Ties go to the first in `candidates`.
std::string nearestName(std::string_view name, std::span<const std::string> candidates);

/// ": did you mean `x`?" or "".
std::string didYouMean(std::string_view name, std::span<const std::string> candidates);

} // namespace placid::support
