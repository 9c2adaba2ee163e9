// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace placid::support {

namespace {

/// Levenshtein distance, two rows.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

} // namespace

std::string nearestName(std::string_view name, std::span<const std::string> candidates) {
  constexpr size_t kLongestName = 64;
  if (name.empty() || name.size() > kLongestName) {
    return "";
  }
  size_t best = name.size() / 3 + 1;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    if (candidate.size() > name.size() + best || name.size() > candidate.size() + best || candidate == name) {
      continue;
    }
    size_t distance = editDistance(name, candidate);
    if (distance < best || (distance == best && nearest.empty())) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string didYouMean(std::string_view name, std::span<const std::string> candidates) {
  std::string nearest = nearestName(name, candidates);
  return nearest.empty() ? "" : ": did you mean `" + nearest + "`?";
}

} // namespace placid::support
