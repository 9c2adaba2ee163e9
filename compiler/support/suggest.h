// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the nearest of a list of names. Standard library only; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace placid::support {

/// The candidate that is nearest to `name`, or "" when none is near enough: letters put in, left out, changed or
/// swapped with their neighbour, one and one more for every four letters. Of dotted names with one path the last parts
/// are compared. Another case of the same letters, and `name_…`, are near. Ties go to the one of the same letters, to
/// the one that begins alike for longer, then to the first in `candidates`.
std::string nearestName(std::string_view name, std::span<const std::string> candidates);

/// ": did you mean `x`?" or "".
std::string didYouMean(std::string_view name, std::span<const std::string> candidates);

} // namespace placid::support
