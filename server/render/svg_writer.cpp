// SPDX-License-Identifier: Apache-2.0
#include "server/render/svg_writer.h"

#include "server/support/markup.h"

#include <cmath>
#include <cstdint>

namespace placid::server {

std::string SvgWriter::number(double value) {
  int64_t hundredths = std::llround(value * 100);
  bool negative = hundredths < 0;
  hundredths = negative ? -hundredths : hundredths;
  std::string out = (negative ? "-" : "") + std::to_string(hundredths / 100);
  int64_t rest = hundredths % 100;
  if (rest != 0) {
    out += rest % 10 == 0 ? "." + std::to_string(rest / 10) : (rest < 10 ? ".0" : ".") + std::to_string(rest);
  }
  return out;
}

void SvgWriter::rect(const Box &box, std::string_view classes, std::string_view tip) {
  out_ += "<rect class=\"" + std::string(classes) + "\" x=\"" + number(box.x) + "\" y=\"" + number(box.y) +
          "\" width=\"" + number(box.width) + "\" height=\"" + number(box.height) + "\"";
  out_ += tip.empty() ? "/>\n" : "><title>" + escapeMarkup(tip) + "</title></rect>\n";
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view classes) {
  out_ += "<line class=\"" + std::string(classes) + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
          number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

void SvgWriter::path(const std::string &path, std::string_view classes) {
  out_ += "<path class=\"" + std::string(classes) + "\" d=\"" + path + "\"/>\n";
}

void SvgWriter::text(double x, double y, std::string_view words, std::string_view classes) {
  out_ += "<text class=\"" + std::string(classes) + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" +
          escapeMarkup(words) + "</text>\n";
}

} // namespace placid::server
