// SPDX-License-Identifier: Apache-2.0
// What the pattern of a `case` is: an Other expression without `python`, whose text is one of these. It stands as the
// `value` of the clause, its guard as the clause's only operand.
#pragma once

#include <string_view>

namespace placid::syntax {

inline constexpr std::string_view kPatternAny = "the pattern `_`";
inline constexpr std::string_view kPatternValue = "a value pattern";       ///< equal to children[0]
inline constexpr std::string_view kPatternIs = "a singleton pattern";      ///< children[0] itself
inline constexpr std::string_view kPatternCapture = "a capture pattern";   ///< binds operators[0]
inline constexpr std::string_view kPatternStar = "a star pattern";         ///< the rest; binds operators[0] if any
inline constexpr std::string_view kPatternSequence = "a sequence pattern"; ///< children
inline constexpr std::string_view kPatternMapping = "a mapping pattern";   ///< key, pattern, …; perhaps a star last
inline constexpr std::string_view kPatternClass = "a class pattern";       ///< class, patterns…; keywords
inline constexpr std::string_view kPatternOr = "an or pattern";            ///< children
inline constexpr std::string_view kPatternAs = "an as pattern";            ///< pattern, capture
inline constexpr std::string_view kPatternUnknown = "a pattern";           ///< of another kind: nothing is known

} // namespace placid::syntax
