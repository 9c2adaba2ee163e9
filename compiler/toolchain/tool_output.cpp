// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/tool_output.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace placid::toolchain {

namespace {

constexpr size_t kMaxText = 2000;
constexpr size_t kMaxNotes = 16;

std::string clipped(std::string_view text) {
  return text.size() <= kMaxText ? std::string(text) : std::string(text.substr(0, kMaxText)) + " …";
}

struct Word {
  std::string_view text;
  ToolSeverity severity;
};
constexpr Word kWords[] = {{"fatal error: ", ToolSeverity::Error},
                           {"error: ", ToolSeverity::Error},
                           {"warning: ", ToolSeverity::Warning},
                           {"note: ", ToolSeverity::Note},
                           {"remark: ", ToolSeverity::Note}};

bool takeSeverity(std::string_view rest, ToolMessage &out) {
  for (const Word &word : kWords) {
    if (rest.starts_with(word.text)) {
      out.severity = word.severity;
      out.text = clipped(rest.substr(word.text.size()));
      return true;
    }
  }
  return false;
}

std::optional<ToolMessage> mlirForm(std::string_view line) {
  size_t length = 0;
  ToolMessage out;
  out.place = parseLocation(line, length);
  if (out.place.line == 0 || !line.substr(length).starts_with(": ") || !takeSeverity(line.substr(length + 2), out)) {
    return std::nullopt;
  }
  return out;
}

/// The last ":line:column" or ":line" of `text`.
Place filePlace(std::string_view text) {
  Place place;
  uint32_t numbers[2] = {};
  int count = 0;
  while (count < 2) {
    size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) {
      break;
    }
    uint32_t value = 0;
    auto [end, wrong] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), value);
    if (wrong != std::errc() || end != text.data() + text.size()) {
      break;
    }
    numbers[count++] = value;
    text = text.substr(0, colon);
  }
  if (count == 0 || text.empty()) {
    return {};
  }
  place.file = text;
  place.line = numbers[count - 1];
  place.column = count == 2 ? numbers[0] : 1;
  return place;
}

std::optional<ToolMessage> clangForm(std::string_view line) {
  for (const Word &word : kWords) {
    size_t at = line.find(": " + std::string(word.text));
    if (at == std::string_view::npos) {
      continue;
    }
    ToolMessage out;
    out.place = filePlace(line.substr(0, at));
    if (out.place.line != 0 && takeSeverity(line.substr(at + 2), out)) {
      return out;
    }
  }
  return std::nullopt;
}

/// "In file included from k.cpp:3:" and "k.cpp:3:5:   required from here" say how the place of the next, or of the last
/// message was reached.
std::optional<ToolMessage> wayForm(std::string_view line, bool &before) {
  ToolMessage out;
  out.severity = ToolSeverity::Note;
  constexpr std::string_view kIncluded = "In file included from ";
  if (line.starts_with(kIncluded) && (line.ends_with(":") || line.ends_with(","))) {
    out.place = filePlace(line.substr(kIncluded.size(), line.size() - kIncluded.size() - 1));
    out.text = "included from here";
    before = true;
    return out.place.line ? std::optional(out) : std::nullopt;
  }
  if (size_t at = line.find(":   required from"); at != std::string_view::npos) {
    out.place = filePlace(line.substr(0, at));
    out.text = "required from here";
    before = true;
    return out.place.line ? std::optional(out) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::vector<ToolMessage> parseToolOutput(std::string_view output) {
  std::vector<ToolMessage> out;
  std::vector<ToolMessage> before; // leads to the next message
  std::vector<std::string> bare;
  for (size_t at = 0; at < output.size() && out.size() < kMaxToolMessages;) {
    size_t end = std::min(output.find('\n', at), output.size());
    std::string_view line = output.substr(at, end - at);
    at = end + 1;
    if (line.ends_with("\r")) {
      line.remove_suffix(1);
    }
    bool leads = false;
    if (std::optional<ToolMessage> way = wayForm(line, leads)) {
      if (before.size() < kMaxNotes) {
        before.push_back(std::move(*way));
      }
      continue;
    }
    std::optional<ToolMessage> message = mlirForm(line);
    message = message ? message : clangForm(line);
    if (!message) {
      bool says = line.starts_with("Error: ") || line.starts_with("error: ") ||
                  line.find(": error: ") != std::string_view::npos ||
                  line.find("Unknown command line argument") != std::string_view::npos;
      if (says && bare.size() < kMaxToolMessages) {
        bare.push_back(clipped(line));
      }
      continue;
    }
    if (message->severity == ToolSeverity::Note) {
      if (!out.empty() && out.back().notes.size() < kMaxNotes) {
        out.back().notes.push_back(std::move(*message));
      }
      continue;
    }
    message->notes = std::move(before);
    before.clear();
    out.push_back(std::move(*message));
  }
  bool hasError = std::any_of(out.begin(), out.end(),
                              [](const ToolMessage &message) { return message.severity == ToolSeverity::Error; });
  for (size_t i = 0; !hasError && i < bare.size() && out.size() < kMaxToolMessages; ++i) {
    std::string_view text = bare[i];
    for (std::string_view prefix : {"Error: ", "error: "}) {
      text = text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }
    out.push_back({ToolSeverity::Error, {}, std::string(text), {}});
  }
  return out;
}

Place placeInUnit(const ToolMessage &message, std::string_view unit) {
  if (message.place.file == unit) {
    return message.place;
  }
  for (const ToolMessage &note : message.notes) {
    if (note.place.file == unit) {
      return note.place;
    }
  }
  return {};
}

} // namespace placid::toolchain
