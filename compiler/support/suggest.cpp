// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/suggest.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace placid::support {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool sameLetters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Letters put in, left out, changed or swapped with their neighbour, three rows.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before; // of a[i - 2]
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last[b.size()];
}

size_t commonPrefix(std::string_view a, std::string_view b) {
  size_t out = 0;
  while (out < a.size() && out < b.size() && lower(a[out]) == lower(b[out])) {
    ++out;
  }
  return out;
}

bool anagrams(std::string a, std::string b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

/// What is compared: the last names, where what stands in front of them is the same.
size_t sharedPath(std::string_view a, std::string_view b) {
  size_t dot = a.rfind('.');
  bool same = dot != std::string_view::npos && b.rfind('.') == dot && a.substr(0, dot) == b.substr(0, dot);
  return same ? dot + 1 : 0;
}

} // namespace

std::string nearestName(std::string_view name, std::span<const std::string> candidates) {
  constexpr size_t kLongestName = 64;
  constexpr size_t kShortestBeginning = 3;
  if (name.empty() || name.size() > kLongestName) {
    return "";
  }
  size_t best = SIZE_MAX;
  size_t bestPrefix = 0;
  std::string nearest;
  for (const std::string &candidate : candidates) {
    size_t shared = sharedPath(name, candidate);
    std::string_view wanted = name.substr(shared);
    std::string_view offered = std::string_view(candidate).substr(shared);
    size_t bound = wanted.size() / 4 + 1;
    bool begins = wanted.size() >= kShortestBeginning && offered.size() > wanted.size() &&
                  sameLetters(offered.substr(0, wanted.size()), wanted) && offered[wanted.size()] == '_';
    if (candidate == name ||
        (!begins && (offered.size() > wanted.size() + bound || wanted.size() > offered.size() + bound))) {
      continue;
    }
    size_t distance = begins || sameLetters(wanted, offered) ? 1 : editDistance(wanted, offered);
    // All letters changed: nothing was meant.
    if (distance > bound || distance >= std::max(wanted.size(), offered.size())) {
      continue;
    }
    size_t prefix = anagrams(std::string(wanted), std::string(offered)) ? SIZE_MAX : commonPrefix(wanted, offered);
    if (distance < best || (distance == best && prefix > bestPrefix)) {
      best = distance;
      bestPrefix = prefix;
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
