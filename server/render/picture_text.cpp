// SPDX-License-Identifier: Apache-2.0
#include "server/render/picture_text.h"

#include <algorithm>

namespace placid::server {

namespace {

constexpr int64_t kMaxRows = 8;
constexpr int64_t kMaxColumns = 6;

std::string padded(const std::string &text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// Which of `count` lines are shown: all, or the first ones, a gap (-1) and the last.
std::vector<int64_t> shownOf(int64_t count, int64_t most) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < count; ++i) {
    if (count <= most || i < most - 2 || i == count - 1) {
      out.push_back(i);
    } else if (out.back() != -1) {
      out.push_back(-1);
    }
  }
  return out;
}

bool inside(int64_t at, const PictureSpan &along) {
  int64_t start = along.start.value_or(0);
  return along.size && at >= start && at < start + *along.size;
}

} // namespace

std::string pictureText(const Picture &picture, const PictureWindow *window) {
  if (picture.rowFractals < 1 || picture.columnFractals < 1) {
    return {};
  }
  size_t width = std::to_string(picture.rowFractals * picture.columnFractals).size() + 2;
  size_t label = std::max<size_t>(4, std::to_string(picture.rowFractals * 16).size());
  std::vector<int64_t> columns = shownOf(picture.columnFractals, kMaxColumns);
  width = std::max(width, std::to_string(picture.columnFractals * picture.c0).size() + 1);
  std::string out = padded("", label) + " ";
  for (int64_t column : columns) {
    out += column < 0 ? "  …" : padded(std::to_string(column * picture.c0), width);
  }
  out += "  columns\n";
  bool drawn = window && window->rejected.empty() && window->rows.size && window->columns.size;
  for (int64_t row : shownOf(picture.rowFractals, kMaxRows)) {
    if (row < 0) {
      out += padded("…", label + 2) + "\n";
      continue;
    }
    out += padded(std::to_string(row * 16), label) + " ";
    for (int64_t column : columns) {
      if (column < 0) {
        out += "  …";
        continue;
      }
      std::string number = std::to_string(column * picture.rowFractals + row);
      bool taken = drawn && inside(row, window->rows) && inside(column, window->columns);
      out += padded(taken ? "[" + number + "]" : number + " ", width);
    }
    out += row == 0 ? "  number: the fractal's place in memory\n" : "\n";
  }
  out += padded("rows", label) + "\n";
  bool moves = drawn && (!window->rows.start || !window->columns.start);
  return moves ? out + "the window is drawn at 0; it starts at row " + window->rows.startText + ", column " +
                     window->columns.startText + "\n"
               : out;
}

} // namespace placid::server
