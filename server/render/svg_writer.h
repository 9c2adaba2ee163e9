// SPDX-License-Identifier: Apache-2.0
// Shapes to SVG text: numbers with at most two decimals whatever the locale, text escaped, colours by class. Knows
// nothing of what is drawn. One thread at a time.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
};

class SvgWriter {
public:
  void rect(const Box &box, std::string_view classes, std::string_view tip = {});
  void line(double x1, double y1, double x2, double y2, std::string_view classes);
  /// `path` is in SVG's own words, made with number().
  void path(const std::string &path, std::string_view classes);
  void text(double x, double y, std::string_view words, std::string_view classes);
  void raw(std::string_view markup) { out_ += markup; }

  static std::string number(double value);
  std::string take() { return std::move(out_); }

private:
  std::string out_;
};

} // namespace placid::server
