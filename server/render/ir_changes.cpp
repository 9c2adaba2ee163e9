// SPDX-License-Identifier: Apache-2.0
#include "server/render/ir_changes.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

namespace placid::server {

namespace {

/// Above this many cells the comparison takes lines as a bag: long texts differ everywhere or nowhere.
constexpr size_t kMaxCells = size_t{4} << 20;

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The line with every SSA name as a bare `%`.
std::string plain(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    out += line[i];
    if (line[i] != '%') {
      continue;
    }
    while (i + 1 < line.size() && (std::isalnum(static_cast<unsigned char>(line[i + 1])) || line[i + 1] == '_' ||
                                   line[i + 1] == '#' || line[i + 1] == '$')) {
      ++i;
    }
  }
  return out;
}

using Lines = std::vector<std::string>;

/// For each line of `b` in [from, bEnd), whether it belongs to a longest common subsequence with `a` in [from, aEnd).
void keepCommon(const Lines &a, const Lines &b, size_t from, size_t aEnd, size_t bEnd, std::vector<bool> &kept) {
  const size_t rows = aEnd - from;
  const size_t columns = bEnd - from;
  if (rows == 0 || columns == 0) {
    return;
  }
  if (rows > kMaxCells / columns) {
    std::map<std::string_view, size_t> bag;
    for (size_t i = from; i < aEnd; ++i) {
      ++bag[a[i]];
    }
    for (size_t j = from; j < bEnd; ++j) {
      auto found = bag.find(b[j]);
      kept[j] = found != bag.end() && found->second > 0;
      if (kept[j]) {
        --found->second;
      }
    }
    return;
  }
  // length[i][j]: of the common subsequence of a from i and b from j.
  std::vector<uint32_t> length((rows + 1) * (columns + 1), 0);
  auto at = [&](size_t i, size_t j) -> uint32_t & { return length[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      at(i, j) = a[from + i] == b[from + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    if (a[from + i] == b[from + j]) {
      kept[from + j] = true;
      ++i;
      ++j;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
}

} // namespace

std::string markChanges(std::string_view before, std::string_view after, size_t &changed) {
  Lines a;
  Lines b;
  for (std::string_view line : split(before)) {
    a.push_back(plain(line));
  }
  const std::vector<std::string_view> lines = split(after);
  for (std::string_view line : lines) {
    b.push_back(plain(line));
  }
  std::vector<bool> kept(b.size(), false);
  size_t from = 0;
  while (from < a.size() && from < b.size() && a[from] == b[from]) {
    kept[from++] = true;
  }
  size_t aEnd = a.size();
  size_t bEnd = b.size();
  while (aEnd > from && bEnd > from && a[aEnd - 1] == b[bEnd - 1]) {
    --aEnd;
    kept[--bEnd] = true;
  }
  keepCommon(a, b, from, aEnd, bEnd, kept);
  std::string out;
  changed = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    out += lines[i];
    if (!kept[i]) {
      out += " // +";
      ++changed;
    }
    out += '\n';
  }
  return out;
}

} // namespace placid::server
