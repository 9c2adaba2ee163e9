// SPDX-License-Identifier: Apache-2.0
#include "compiler/diagnostics/render_text.h"

#include "compiler/diagnostics/display_width.h"

#include <algorithm>
#include <map>

namespace placid::diag {

namespace {

constexpr uint32_t kMaxLineBytes = 240; ///< Longer lines are cropped around their marks.
constexpr uint32_t kCropMargin = 40;    ///< Bytes kept on either side of the marks when cropping.
constexpr size_t kMaxOwnLabel = 60;     ///< A longer text about the marked place itself reads better as a note below.
constexpr uint32_t kMaxMarkedLines = 6; ///< A longer range is marked on its first two lines and its last.

enum class Style : uint8_t { Plain, Bold, Error, Warning, Information, Hint, Gutter, Secondary };

std::string_view ansi(Style style) {
  switch (style) {
  case Style::Plain:
    return "";
  case Style::Bold:
    return "\x1b[1m";
  case Style::Error:
    return "\x1b[1;31m";
  case Style::Warning:
    return "\x1b[1;33m";
  case Style::Information:
    return "\x1b[1;36m";
  case Style::Hint:
    return "\x1b[1;32m";
  case Style::Gutter:
  case Style::Secondary:
    return "\x1b[1;34m";
  }
  return "";
}

Style styleOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return Style::Error;
  case Severity::Warning:
    return Style::Warning;
  case Severity::Information:
    return Style::Information;
  case Severity::Hint:
    return Style::Hint;
  }
  return Style::Plain;
}

std::string_view wordOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Information:
    return "info";
  case Severity::Hint:
    return "hint";
  }
  return "error";
}

std::string styled(Style style, std::string_view text, const RenderOptions &options) {
  if (!options.color || style == Style::Plain || text.empty()) {
    return std::string(text);
  }
  return std::string(ansi(style)) + std::string(text) + "\x1b[0m";
}

/// A range on one line, in bytes of that line.
struct Mark {
  uint32_t begin;
  uint32_t end;
  bool primary;
  std::string label;
};

/// The part of a line that is shown, and where its bytes land in terminal columns.
class ShownLine {
public:
  ShownLine(std::string_view line, const std::vector<Mark> &marks, uint32_t tabWidth) : tabWidth_(tabWidth) {
    auto end = static_cast<uint32_t>(line.size());
    if (line.size() > kMaxLineBytes && !marks.empty()) {
      uint32_t first = marks.front().begin;
      for (const Mark &mark : marks) {
        first = std::min(first, mark.begin);
      }
      begin_ = boundary(line, first > kCropMargin ? first - kCropMargin : 0);
    }
    if (end - begin_ > kMaxLineBytes) {
      end = boundary(line, begin_ + kMaxLineBytes);
    }
    if (begin_ > 0) {
      append("...", 3);
    }
    for (size_t i = begin_; i < end;) {
      i += show(line, i);
    }
    columns_.push_back(width_);
    if (end < line.size()) {
      append("...", 3);
    }
  }

  const std::string &text() const { return text_; }

  /// Column of a byte of the line; bytes that are not shown take the nearest shown column.
  uint32_t column(uint32_t byte) const {
    byte = byte > begin_ ? byte - begin_ : 0;
    return columns_[std::min<size_t>(byte, columns_.size() - 1)];
  }

private:
  /// The start of the character that byte `at` belongs to.
  static uint32_t boundary(std::string_view line, uint32_t at) {
    while (at > 0 && at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80) {
      --at;
    }
    return at;
  }

  void append(std::string_view text, uint32_t width) {
    text_ += text;
    width_ += width;
  }

  /// Shows the character at byte `at` and returns its length in bytes.
  uint32_t show(std::string_view line, size_t at) {
    DecodedChar c = decodeUtf8(line, at);
    columns_.insert(columns_.end(), c.length, width_);
    if (c.codePoint == '\t') {
      uint32_t width = tabWidth_ - width_ % tabWidth_;
      append(std::string(width, ' '), width);
    } else if (!c.valid || isUnsafeToShow(c.codePoint)) {
      append("\xEF\xBF\xBD", 1);
    } else {
      append(line.substr(at, c.length), displayWidth(c.codePoint));
    }
    return c.length;
  }

  uint32_t tabWidth_;
  uint32_t begin_ = 0;
  uint32_t width_ = 0;
  std::string text_;
  std::vector<uint32_t> columns_;
};

/// A row of marks and labels below a source line: characters with a style each.
class Row {
public:
  void put(uint32_t column, char c, Style style) {
    if (cells_.size() <= column) {
      cells_.resize(column + 1, {' ', Style::Plain});
    }
    cells_[column] = {c, style};
  }

  std::string render(const RenderOptions &options) const {
    std::string out;
    for (size_t i = 0; i < cells_.size();) {
      size_t end = i;
      std::string run;
      while (end < cells_.size() && cells_[end].second == cells_[i].second) {
        run += cells_[end++].first;
      }
      out += styled(cells_[i].second, run, options);
      i = end;
    }
    return out;
  }

  size_t width() const { return cells_.size(); }

private:
  std::vector<std::pair<char, Style>> cells_;
};

/// All marks in one file, by 0-based line.
struct Snippet {
  std::string path;
  source::SourcePtr source;
  uint32_t anchor = 0; ///< Byte that the header line names.
  std::map<uint32_t, std::vector<Mark>> lines;
};

class Renderer {
public:
  Renderer(const Diagnostic &diagnostic, const SourceLookup &lookup, const RenderOptions &options)
      : diagnostic_(diagnostic), lookup_(lookup), options_(options), severity_(styleOf(diagnostic.severity)) {
    options_.tabWidth = std::max<uint32_t>(options_.tabWidth, 1);
  }

  std::string run() {
    headline();
    add(diagnostic_.at, true, "");
    for (const Related &related : diagnostic_.related) {
      if (related.at == diagnostic_.at && related.message.size() > kMaxOwnLabel) {
        unplaced_.push_back(related.message);
      } else {
        add(related.at, false, related.message);
      }
    }
    measureGutter();
    for (size_t i = 0; i < snippets_.size(); ++i) {
      snippet(snippets_[i], i == 0);
    }
    for (const std::string &note : unplaced_) {
      trailer("note", note);
    }
    for (const Fix &fix : diagnostic_.fixes) {
      trailer("help", fix.title);
      edited(fix);
    }
    return std::move(out_);
  }

private:
  void headline() {
    std::string head = std::string(wordOf(diagnostic_.severity)) + "[" + codeName(diagnostic_.code) + "]";
    out_ +=
        styled(severity_, head, options_) + styled(Style::Bold, ": " + sanitize(diagnostic_.message), options_) + "\n";
  }

  Snippet &snippetOf(const Location &at) {
    for (Snippet &existing : snippets_) {
      if (existing.path == at.path) {
        return existing;
      }
    }
    snippets_.push_back({at.path, lookup_ ? lookup_(at.path) : nullptr, at.range.begin, {}});
    return snippets_.back();
  }

  void add(const Location &at, bool primary, const std::string &label) {
    if (at.path.empty()) {
      if (!label.empty()) {
        unplaced_.push_back(label);
      }
      return;
    }
    Snippet &into = snippetOf(at);
    if (into.source) {
      addMarks(into, at.range, primary, sanitize(label));
    } else if (!label.empty()) {
      unplaced_.push_back(label);
    }
  }

  static void addMarks(Snippet &into, source::ByteRange range, bool primary, const std::string &label) {
    const source::SourceText &source = *into.source;
    source::LineColumn first = source.lines.lineColumn(range.begin);
    source::LineColumn last = source.lines.lineColumn(std::max(range.begin, range.end));
    if (last.line > first.line && last.column == 0) {
      --last.line; // the range ends with a line break: nothing of the next line belongs to it
      last.column = static_cast<uint32_t>(source.lines.line(source.text, last.line).size());
    }
    bool cut = last.line - first.line >= kMaxMarkedLines;
    for (uint32_t line = first.line; line <= last.line; ++line) {
      if (cut && line == first.line + 2) {
        line = last.line;
      }
      std::string_view text = source.lines.line(source.text, line);
      auto size = static_cast<uint32_t>(text.size());
      auto blank = static_cast<uint32_t>(std::min(text.find_first_not_of(" \t"), text.size()));
      Mark mark{line == first.line ? std::min(first.column, size) : blank,
                line == last.line ? std::min(last.column, size) : size, primary, line == last.line ? label : ""};
      if (line == first.line || line == last.line || mark.begin < mark.end) {
        mark.end = std::max(mark.begin, mark.end);
        into.lines[line].push_back(std::move(mark));
      }
    }
  }

  void measureGutter() {
    uint32_t highest = 0;
    for (const Snippet &part : snippets_) {
      if (!part.lines.empty()) {
        highest = std::max(highest, part.lines.rbegin()->first + 1);
      }
    }
    for (const Fix &fix : diagnostic_.fixes) {
      for (const Edit &edit : fix.edits) {
        if (source::SourcePtr source = lookup_ ? lookup_(edit.at.path) : nullptr) {
          highest = std::max(highest, source->lines.lineColumn(edit.at.range.begin).line + 1);
        }
      }
    }
    gutter_ = std::to_string(highest).size();
  }

  void snippet(const Snippet &part, bool first) {
    std::string where = sanitize(part.path);
    if (part.source) {
      source::LineColumn at = part.source->lines.lineColumn(part.anchor);
      std::string_view line = part.source->lines.line(part.source->text, at.line);
      where += ":" + std::to_string(at.line + 1) + ":" + std::to_string(characters(line, at.column) + 1);
    }
    out_ += std::string(gutter_, ' ') + styled(Style::Gutter, first ? "--> " : "::: ", options_) + where + "\n";
    if (part.lines.empty()) {
      return;
    }
    emit("", "|", "");
    uint32_t previous = part.lines.begin()->first;
    for (const auto &[line, marks] : part.lines) {
      if (line == previous + 2) {
        sourceLine(part, previous + 1, {});
      } else if (line > previous + 2) {
        out_ += styled(Style::Gutter, "...", options_) + "\n";
      }
      sourceLine(part, line, marks);
      previous = line;
    }
    bool more = !unplaced_.empty() || !diagnostic_.fixes.empty();
    if (&part == &snippets_.back() ? more : true) {
      emit("", "|", "");
    }
  }

  static size_t characters(std::string_view line, uint32_t byte) {
    size_t count = 0;
    for (size_t i = 0; i < byte && i < line.size(); i += decodeUtf8(line, i).length) {
      ++count;
    }
    return count;
  }

  void sourceLine(const Snippet &part, uint32_t line, std::vector<Mark> marks) {
    ShownLine shown(part.source->lines.line(part.source->text, line), marks, options_.tabWidth);
    emit(std::to_string(line + 1), "|", shown.text());
    if (!marks.empty()) {
      markRows(shown, std::move(marks));
    }
  }

  /// Marks in one row; the rightmost label stands behind them, the others hang below from a line of their own.
  void markRows(const ShownLine &shown, std::vector<Mark> marks) {
    std::sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
      return std::tie(a.begin, a.end, b.primary, a.label) < std::tie(b.begin, b.end, a.primary, b.label);
    });
    Row row;
    for (bool primary : {false, true}) {
      for (const Mark &mark : marks) {
        uint32_t begin = shown.column(mark.begin);
        uint32_t end = std::max(shown.column(mark.end), begin + 1);
        for (uint32_t c = begin; mark.primary == primary && c < end; ++c) {
          row.put(c, primary ? '^' : '-', primary ? severity_ : Style::Secondary);
        }
      }
    }
    std::vector<const Mark *> hanging;
    for (const Mark &mark : marks) {
      if (!mark.label.empty()) {
        hanging.push_back(&mark);
      }
    }
    std::string rendered = row.render(options_);
    if (!hanging.empty() &&
        std::max(shown.column(hanging.back()->end), shown.column(hanging.back()->begin) + 1) == row.width()) {
      rendered += " " + styled(Style::Secondary, oneLine(hanging.back()->label), options_);
      hanging.pop_back();
    }
    emit("", "|", rendered);
    if (!hanging.empty()) {
      emit("", "|", stems(shown, hanging).render(options_));
    }
    while (!hanging.empty()) {
      const Mark &mark = *hanging.back();
      hanging.pop_back();
      Row before;
      for (const Mark *other : hanging) {
        if (shown.column(other->begin) < shown.column(mark.begin)) {
          before.put(shown.column(other->begin), '|', Style::Secondary);
        }
      }
      std::string pad(shown.column(mark.begin) - before.width(), ' ');
      emit("", "|", before.render(options_) + pad + styled(Style::Secondary, oneLine(mark.label), options_));
    }
  }

  static Row stems(const ShownLine &shown, const std::vector<const Mark *> &marks) {
    Row row;
    for (const Mark *mark : marks) {
      row.put(shown.column(mark->begin), '|', Style::Secondary);
    }
    return row;
  }

  static std::string oneLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  /// The line as it would read after a fix, for edits that stay on one line.
  void edited(const Fix &fix) {
    std::map<std::pair<std::string, uint32_t>, std::vector<const Edit *>> byLine;
    for (const Edit &edit : fix.edits) {
      source::SourcePtr source = lookup_ ? lookup_(edit.at.path) : nullptr;
      if (!source || edit.newText.find('\n') != std::string::npos) {
        return;
      }
      source::LineColumn begin = source->lines.lineColumn(edit.at.range.begin);
      if (source->lines.lineColumn(edit.at.range.end).line != begin.line) {
        return;
      }
      byLine[{edit.at.path, begin.line}].push_back(&edit);
    }
    for (auto &[where, edits] : byLine) {
      source::SourcePtr source = lookup_(where.first);
      std::sort(edits.begin(), edits.end(),
                [](const Edit *a, const Edit *b) { return a->at.range.begin > b->at.range.begin; });
      std::string line(source->lines.line(source->text, where.second));
      uint32_t start = source->lines.offset(source::LineColumn{where.second, 0});
      for (const Edit *edit : edits) {
        size_t at = std::min<size_t>(edit->at.range.begin - start, line.size());
        line.replace(at, edit->at.range.end - edit->at.range.begin, edit->newText);
      }
      emit(std::to_string(where.second + 1), "~", ShownLine(line, {}, options_.tabWidth).text());
    }
  }

  void trailer(std::string_view word, const std::string &text) {
    std::string indent(gutter_ + 3 + word.size() + 2, ' ');
    std::string body;
    for (char c : sanitize(text)) {
      body += c;
      if (c == '\n') {
        body += indent;
      }
    }
    out_ += std::string(gutter_, ' ') + styled(Style::Gutter, " = ", options_) +
            styled(Style::Bold, std::string(word) + ": ", options_) + body + "\n";
  }

  void emit(const std::string &number, std::string_view separator, const std::string &text) {
    std::string head = std::string(gutter_ - number.size(), ' ') + number + " " + std::string(separator);
    out_ += styled(Style::Gutter, head, options_) + (text.empty() ? "" : " ") + text + "\n";
  }

  const Diagnostic &diagnostic_;
  const SourceLookup &lookup_;
  RenderOptions options_;
  Style severity_;
  std::string out_;
  std::vector<Snippet> snippets_;
  std::vector<std::string> unplaced_; ///< Related messages without a line to stand under.
  size_t gutter_ = 1;
};

std::string counted(uint32_t n, std::string_view noun) {
  return std::to_string(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

} // namespace

std::string renderText(const Diagnostic &diagnostic, const SourceLookup &lookup, const RenderOptions &options) {
  return Renderer(diagnostic, lookup, options).run();
}

std::string renderSummary(const Totals &totals, std::span<const Diagnostic> diagnostics, const RenderOptions &options) {
  std::string scope = counted(totals.kernels, "kernel") + " in " + counted(totals.files, "file");
  if (totals.errors == 0 && totals.warnings == 0) {
    return styled(Style::Hint, "ok", options) + ": " + scope + ", nothing to report\n";
  }
  Style style = totals.errors > 0 ? Style::Error : Style::Warning;
  std::string out = totals.errors > 0 ? counted(totals.errors, "error") : "";
  if (totals.warnings > 0) {
    out += (out.empty() ? "" : ", ") + counted(totals.warnings, "warning");
  }
  out = styled(style, out, options) + " (" + scope + ")";
  for (const Diagnostic &diagnostic : diagnostics) {
    if ((totals.errors > 0) == (diagnostic.severity == Severity::Error)) {
      return out + "; `placid explain " + codeName(diagnostic.code) + "` tells more\n";
    }
  }
  return out + "\n";
}

} // namespace placid::diag
