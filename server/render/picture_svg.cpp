// SPDX-License-Identifier: Apache-2.0
#include "server/render/picture_svg.h"

#include "server/render/svg_writer.h"
#include "server/support/markup.h"

#include <algorithm>
#include <array>

namespace placid::server {

namespace {

constexpr double kWidth = 960;
constexpr double kMargin = 24;
constexpr double kTop = 84;        ///< Where plane and bytes begin, below title and captions.
constexpr double kPlaneSide = 320; ///< Longest side of the plane.
constexpr double kPlaneX = 72;
constexpr double kBytesX = 480;
constexpr double kBytesWidth = 440;
constexpr double kBarHeight = 18;
constexpr double kBarStep = 26;
constexpr int64_t kMaxBars = 10;
constexpr int64_t kMaxLines = 64; ///< Of a grid; beyond it a line stands for several fractals.
constexpr int64_t kMaxNumbered = 144;
constexpr double kLegendStep = 20;
constexpr size_t kColours = 6;

/// The one place for colours: name, on light ground, on dark ground. Windows are told apart by letter as well.
struct Colour {
  const char *name, *light, *dark;
};
constexpr std::array kPalette = std::to_array<Colour>({
    {"ink", "#1f2328", "#e6edf3"},
    {"faint", "#59636e", "#9198a1"},
    {"rule", "#c3ccd5", "#454c56"},
    {"even", "#f6f8fa", "#21262d"},
    {"odd", "#e6ebf1", "#2d333b"},
    {"paper", "#ffffff", "#0d1117"},
    {"w0", "#0550ae", "#79c0ff"},
    {"w1", "#953800", "#ffa657"},
    {"w2", "#116329", "#7ee787"},
    {"w3", "#8250df", "#d2a8ff"},
    {"w4", "#a40e26", "#ff7b72"},
    {"w5", "#4d6a00", "#d4e157"},
});

std::string variables(const char *Colour::*ground) {
  std::string out;
  for (const Colour &colour : kPalette) {
    out += std::string("--") + colour.name + ":" + colour.*ground + ";";
  }
  return out;
}

std::string styleSheet() {
  std::string light = variables(&Colour::light);
  std::string dark = variables(&Colour::dark);
  std::string out = "<style>\n"
                    ".placid-nz{" +
                    light +
                    "font:13px system-ui,sans-serif;color:var(--ink);background:var(--paper)}\n"
                    "@media (prefers-color-scheme:dark){.placid-nz{" +
                    dark + "}}\n.vscode-light .placid-nz{" + light + "}\n.vscode-dark .placid-nz{" + dark + "}\n";
  out += ".placid-nz text{fill:var(--ink)}.placid-nz .ground{fill:var(--paper)}"
         ".placid-nz .title{font-size:16px;font-weight:600}.placid-nz .faint{fill:var(--faint);font-size:12px}"
         ".placid-nz .middle{text-anchor:middle}.placid-nz .end{text-anchor:end}"
         ".placid-nz .tiny{font-size:10px;fill:var(--faint)}"
         ".placid-nz .even{fill:var(--even)}.placid-nz .odd{fill:var(--odd)}"
         ".placid-nz .behind{fill:var(--paper);stroke:var(--rule)}"
         ".placid-nz .grid{stroke:var(--rule);stroke-width:1}.placid-nz "
         ".frame{fill:none;stroke:var(--faint);stroke-width:1.5}"
         ".placid-nz .order{fill:none;stroke:var(--faint);stroke-width:1.2}"
         ".placid-nz .window{fill-opacity:.22;stroke-width:2}.placid-nz "
         ".ghost{fill:none;stroke-width:1.5;stroke-dasharray:4 3}"
         ".placid-nz .run{fill-opacity:.6}.placid-nz .gap{fill:none;stroke-width:1.2;stroke-dasharray:2 3}"
         ".placid-nz .chunk{stroke-width:2;stroke-dasharray:6 2}.placid-nz .letter{font-weight:700}\n";
  for (size_t i = 0; i < kColours; ++i) {
    std::string name = "w" + std::to_string(i);
    out += ".placid-nz ." + name + "{fill:var(--" + name + ");stroke:var(--" + name + ")}.placid-nz text." + name +
           "{fill:var(--" + name + ");stroke:none}.placid-nz .ghost." + name + ",.placid-nz .gap." + name +
           "{fill:none}\n";
  }
  return out + "</style>\n";
}

std::string letter(size_t index) {
  return index < 26 ? std::string(1, static_cast<char>('a' + index)) : std::to_string(index + 1);
}
std::string colour(size_t index) { return "w" + std::to_string(index % kColours); }

/// Draws one picture below `top`.
class Drawing {
public:
  Drawing(const Picture &picture, SvgWriter &out, double top) : picture_(picture), out_(out), top_(top) {}

  /// Returns the height taken.
  double draw() {
    head();
    if (picture_.rowFractals < 1 || picture_.columnFractals < 1) {
      return refused();
    }
    // Fractals are 16 lines of 32 bytes; they are drawn wider than high so that the numbers fit.
    cellWidth_ = std::min(40.0, kPlaneSide / static_cast<double>(picture_.columnFractals));
    cellHeight_ = std::min(24.0, kPlaneSide / static_cast<double>(picture_.rowFractals));
    plane();
    double left = planeY() + planeHeight() + 44;
    double right = fractal(bytes());
    return legend(std::max(left, right)) - top_ + kMargin;
  }

private:
  double planeY() const { return top_ + kTop; }
  double planeWidth() const { return cellWidth_ * static_cast<double>(picture_.columnFractals); }
  double planeHeight() const { return cellHeight_ * static_cast<double>(picture_.rowFractals); }

  void head() {
    out_.text(kMargin, top_ + 30, picture_.tensor + ": " + picture_.dtype + " " + picture_.logical + ", NZ", "title");
    std::string where =
        picture_.kernel + (picture_.line == 0 ? "" : ", declared at line " + std::to_string(picture_.line));
    if (!picture_.blocked.empty()) {
      where += "; in memory " + picture_.blocked + " = panels, column blocks, fractals, 16 rows, c0";
    }
    out_.text(kMargin, top_ + 50, where, "faint");
  }

  double refused() {
    std::string why =
        picture_.rejected.empty() ? "nothing to draw" : "the declaration is refused: " + picture_.rejected;
    out_.text(kMargin, top_ + 78, why, "w4");
    return 104;
  }

  void plane() {
    double y = planeY();
    bool stacked = picture_.panels != "1";
    std::string caption = "logical plane; " + std::string(numbered() ? "numbers" : "path") + ": order in memory";
    if (stacked) {
      caption = "one of " + picture_.panels + " panels; " + (numbered() ? "numbers" : "path") + ": order in memory";
      for (int behind = 2; behind > 0; --behind) {
        double shift = 5.0 * behind;
        out_.rect({kPlaneX + shift, y - shift, planeWidth(), planeHeight()}, "behind");
      }
    }
    out_.text(kPlaneX, y - 16, caption, "faint");
    for (int64_t column = 0; column < picture_.columnFractals; column += columnStep()) {
      double x = kPlaneX + static_cast<double>(column) * cellWidth_;
      int64_t width = std::min(columnStep(), picture_.columnFractals - column);
      out_.rect({x, y, static_cast<double>(width) * cellWidth_, planeHeight()},
                (column / columnStep()) % 2 == 0 ? "even" : "odd");
    }
    for (int64_t row = rowStep(); row < picture_.rowFractals; row += rowStep()) {
      double at = y + static_cast<double>(row) * cellHeight_;
      out_.line(kPlaneX, at, kPlaneX + planeWidth(), at, "grid");
    }
    for (int64_t column = columnStep(); column < picture_.columnFractals; column += columnStep()) {
      double at = kPlaneX + static_cast<double>(column) * cellWidth_;
      out_.line(at, y, at, y + planeHeight(), "grid");
    }
    order();
    out_.rect({kPlaneX, y, planeWidth(), planeHeight()}, "frame");
    for (size_t i = 0; i < picture_.windows.size(); ++i) {
      window(picture_.windows[i], i);
    }
    axes();
  }

  bool numbered() const {
    return picture_.rowFractals * picture_.columnFractals <= kMaxNumbered && cellWidth_ >= 20 && cellHeight_ >= 12;
  }
  int64_t rowStep() const { return (picture_.rowFractals + kMaxLines - 1) / kMaxLines; }
  int64_t columnStep() const { return (picture_.columnFractals + kMaxLines - 1) / kMaxLines; }

  /// Where each fractal lies in memory: numbers where they fit, else the path that the bytes take.
  void order() {
    if (numbered()) {
      for (int64_t column = 0; column < picture_.columnFractals; ++column) {
        for (int64_t row = 0; row < picture_.rowFractals; ++row) {
          out_.text(kPlaneX + (static_cast<double>(column) + 0.5) * cellWidth_,
                    planeY() + (static_cast<double>(row) + 0.5) * cellHeight_ + 3.5,
                    std::to_string(column * picture_.rowFractals + row), "tiny middle");
        }
      }
      return;
    }
    int64_t shown = std::min<int64_t>(picture_.columnFractals, 4);
    double step = planeWidth() / static_cast<double>(shown);
    std::string d;
    for (int64_t i = 0; i < shown; ++i) {
      double x = kPlaneX + (static_cast<double>(i) + 0.5) * step;
      d += (i == 0 ? "M" : "L") + SvgWriter::number(x) + " " + SvgWriter::number(planeY() + 6) + "L" +
           SvgWriter::number(x) + " " + SvgWriter::number(planeY() + planeHeight() - 6);
    }
    out_.path(d, "order");
  }

  void axes() {
    double y = planeY();
    std::string rows = std::to_string(picture_.rowFractals * 16);
    std::string columns = std::to_string(picture_.columnFractals * picture_.c0);
    out_.text(kPlaneX - 8, y + 10, "0", "faint end");
    out_.text(kPlaneX - 8, y + planeHeight(), rows, "faint end");
    out_.text(kPlaneX - 8, y + planeHeight() / 2 + 4, "rows", "faint end");
    double below = y + planeHeight() + 16;
    out_.text(kPlaneX, below, "0", "faint");
    out_.text(kPlaneX + planeWidth(), below, columns, "faint end");
    out_.text(kPlaneX + planeWidth() / 2, below, "columns", "faint middle");
    std::string cell = "one cell: 16 rows x " + std::to_string(picture_.c0) + " columns, 512 bytes";
    if (rowStep() > 1 || columnStep() > 1) {
      cell = "one cell: " + std::to_string(16 * rowStep()) + " rows x " + std::to_string(picture_.c0 * columnStep()) +
             " columns";
    }
    out_.text(kPlaneX, below + 16, cell, "faint");
  }

  /// A start that is not constant is drawn at 0, with a dashed twin where it may go.
  void window(const PictureWindow &window, size_t index) {
    if (!window.rows.size || !window.columns.size || !window.rejected.empty()) {
      return;
    }
    int64_t height = std::min(*window.rows.size, picture_.rowFractals);
    int64_t width = std::min(*window.columns.size, picture_.columnFractals);
    int64_t row = std::clamp<int64_t>(window.rows.start.value_or(0), 0, picture_.rowFractals - height);
    int64_t column = std::clamp<int64_t>(window.columns.start.value_or(0), 0, picture_.columnFractals - width);
    auto box = [&](int64_t atRow, int64_t atColumn) {
      // Windows that share an edge stay apart.
      double inset = 1.5 + static_cast<double>(index % 4) * 1.5;
      return Box{kPlaneX + static_cast<double>(atColumn) * cellWidth_ + inset,
                 planeY() + static_cast<double>(atRow) * cellHeight_ + inset,
                 std::max(2.0, static_cast<double>(width) * cellWidth_ - 2 * inset),
                 std::max(2.0, static_cast<double>(height) * cellHeight_ - 2 * inset)};
    };
    out_.rect(box(row, column), "window " + colour(index), letter(index) + ": " + windowWords(window));
    Box whole = box(row, column);
    for (int64_t chunk : window.chunks) {
      double x = kPlaneX + static_cast<double>(chunk) * cellWidth_;
      if (x > whole.x && x < whole.x + whole.width) {
        out_.line(x, whole.y, x, whole.y + whole.height, "chunk " + colour(index));
      }
    }
    int64_t nextRow = row + (window.rows.start ? 0 : height);
    int64_t nextColumn = column + (window.columns.start ? 0 : width);
    bool moves = nextRow != row || nextColumn != column;
    if (moves && nextRow + height <= picture_.rowFractals && nextColumn + width <= picture_.columnFractals) {
      out_.rect(box(nextRow, nextColumn), "ghost " + colour(index));
    }
    Box at = box(row, column);
    double x = at.x + 4 + static_cast<double>(index % 8) * 11;
    out_.text(std::min(x, at.x + at.width), at.y + 12, letter(index), "letter " + colour(index));
  }

  /// One bar a column block, in the order of addresses. Returns where it ends.
  double bytes() {
    int64_t blockBytes = picture_.rowFractals * 512;
    out_.text(kBytesX, planeY() - 16,
              "bytes of a panel: " + std::to_string(picture_.columnFractals) + " column blocks of " +
                  std::to_string(blockBytes) + " bytes",
              "faint");
    std::vector<int64_t> shown;
    bool all = picture_.columnFractals <= kMaxBars;
    int64_t head = all ? picture_.columnFractals : kMaxBars - 3;
    for (int64_t i = 0; i < head; ++i) {
      shown.push_back(i);
    }
    if (!all) {
      shown.push_back(-1);
      shown.push_back(picture_.columnFractals - 2);
      shown.push_back(picture_.columnFractals - 1);
    }
    constexpr double kLabel = 74;
    double y = planeY();
    for (int64_t block : shown) {
      if (block < 0) {
        out_.text(kBytesX + kLabel, y + 12, "…", "faint");
        y += kBarStep;
        continue;
      }
      Box bar{kBytesX + kLabel, y, kBytesWidth - kLabel, kBarHeight};
      out_.text(bar.x - 8, y + 13, "+" + std::to_string(block * blockBytes), "faint end");
      out_.rect(bar, block % 2 == 0 ? "even" : "odd");
      for (size_t i = 0; i < picture_.windows.size(); ++i) {
        run(picture_.windows[i], i, block, bar);
      }
      out_.rect(bar, "frame");
      y += kBarStep;
    }
    return y + 8;
  }

  /// The part of a column block that a window takes, and the gap until its next run.
  void run(const PictureWindow &window, size_t index, int64_t block, const Box &bar) {
    if (!window.rows.size || !window.columns.size || !window.rejected.empty()) {
      return;
    }
    int64_t first = window.columns.start.value_or(0);
    int64_t end = first + *window.columns.size;
    if (block < first || block >= end) {
      return;
    }
    double scale = bar.width / static_cast<double>(picture_.rowFractals);
    auto count = static_cast<double>(std::max<size_t>(1, picture_.windows.size()));
    double lane = bar.height / count;
    double y = bar.y + lane * static_cast<double>(index);
    int64_t height = std::min(*window.rows.size, picture_.rowFractals);
    int64_t row = std::clamp<int64_t>(window.rows.start.value_or(0), 0, picture_.rowFractals - height);
    double begin = bar.x + static_cast<double>(row) * scale;
    double stop = begin + static_cast<double>(height) * scale;
    std::string words = letter(index) + ": " + std::to_string(height * 512) + " bytes in one run";
    out_.rect({begin, y, stop - begin, lane}, "run " + colour(index), words);
    if (window.gapBlocks && *window.gapBlocks > 0) {
      double middle = y + lane / 2;
      bool lastRun = block + 1 == end;
      if (!lastRun && stop < bar.x + bar.width) {
        out_.line(stop, middle, bar.x + bar.width, middle, "gap " + colour(index));
      }
      if (block > first && begin > bar.x) {
        out_.line(bar.x, middle, begin, middle, "gap " + colour(index));
      }
    }
  }

  /// What one cell is made of. Returns where it ends.
  double fractal(double y) {
    constexpr double kHigh = 5;
    constexpr double kWide = 160;
    double x = kBytesX + 74;
    out_.text(x, y + 12,
              "one fractal: 16 rows, each " + std::to_string(picture_.c0) + " elements of " +
                  (picture_.elementBytes == 0   ? std::string("half a byte")
                   : picture_.elementBytes == 1 ? std::string("1 byte")
                                                : std::to_string(picture_.elementBytes) + " bytes") +
                  " = 32 bytes",
              "faint");
    for (int row = 0; row < 16; ++row) {
      out_.rect({x, y + 20 + row * kHigh, kWide, kHigh}, row % 2 == 0 ? "even" : "odd");
    }
    out_.rect({x, y + 20, kWide, 16 * kHigh}, "frame");
    out_.text(x + kWide + 8, y + 28, "row 0: bytes 0 … 31", "faint");
    out_.text(x + kWide + 8, y + 20 + 16 * kHigh, "row 15: bytes 480 … 511", "faint");
    return y + 20 + 16 * kHigh + 16;
  }

  double legend(double y) {
    for (size_t i = 0; i < picture_.windows.size(); ++i) {
      const PictureWindow &window = picture_.windows[i];
      out_.text(kMargin, y + 14, letter(i), "letter " + colour(i));
      std::string words = "line " + std::to_string(window.line) + ", " + window.op;
      if (!window.result.empty()) {
        words += (window.op == "store" ? " from " : " to ") + window.result;
      }
      words += ": " + windowWords(window);
      out_.text(kMargin + 20, y + 14, words, "");
      y += kLegendStep;
      std::string more;
      if (window.gapBlocks) {
        more = "row gap " + std::to_string(*window.gapBlocks) + " of at most 65535 blocks of 32 bytes";
      }
      if (window.rejected.empty() && (!window.rows.start || !window.columns.start)) {
        more += (more.empty() ? "" : "; ") + std::string("drawn at 0, dashed: the next place");
      }
      if (!window.chunks.empty()) {
        more +=
            (more.empty() ? "" : "; ") + std::string("emitted in ") + std::to_string(window.chunks.size()) + " chunks";
      }
      if (!more.empty()) {
        out_.text(kMargin + 20, y + 12, more, "faint");
        y += kLegendStep;
      }
    }
    if (picture_.windows.empty() && picture_.windowsKnown) {
      out_.text(kMargin, y + 14, "no access of this kernel reads or writes it", "faint");
      y += kLegendStep;
    }
    return y;
  }

  const Picture &picture_;
  SvgWriter &out_;
  double top_;
  double cellWidth_ = 0;
  double cellHeight_ = 0;
};

std::string svgElement(const std::vector<Picture> &pictures, bool withStyle) {
  SvgWriter body;
  double height = 0;
  std::string names;
  for (const Picture &picture : pictures) {
    height += Drawing(picture, body, height).draw();
    names += (names.empty() ? "" : ", ") + picture.tensor;
  }
  if (pictures.empty()) {
    body.text(kMargin, 40, "no NZ tensors", "title");
    height = 64;
  }
  std::string size = SvgWriter::number(kWidth) + " " + SvgWriter::number(height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"placid-nz\" role=\"img\" viewBox=\"0 0 " + size +
                    "\" width=\"" + SvgWriter::number(kWidth) + "\" height=\"" + SvgWriter::number(height) + "\">\n";
  out += "<title>NZ layout" + escapeMarkup(names.empty() ? "" : " of " + names) + "</title>\n";
  if (withStyle) {
    out += styleSheet();
  }
  SvgWriter ground;
  ground.rect({0, 0, kWidth, height}, "ground");
  return out + ground.take() + body.take() + "</svg>\n";
}

} // namespace

std::string pictureSvg(const std::vector<Picture> &pictures) { return svgElement(pictures, true); }

std::string pictureHtml(const std::vector<Picture> &pictures, const std::string &title) {
  std::string name = escapeMarkup(title);
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>" +
      name + "</title>\n" + styleSheet() +
      "<style>body.placid-nz{margin:0 auto;max-width:1000px;padding:16px}figure{margin:0 0 24px}"
      "svg{max-width:100%;height:auto}</style>\n</head>\n<body class=\"placid-nz\">\n<h1>" +
      name + "</h1>\n";
  if (pictures.empty()) {
    out += "<p>There are no NZ tensors.</p>\n";
  }
  for (const Picture &picture : pictures) {
    out += "<figure>\n" + svgElement({picture}, false) + "</figure>\n";
  }
  return out + "</body>\n</html>\n";
}

} // namespace placid::server
