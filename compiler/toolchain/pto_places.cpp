// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain/pto_places.h"

#include <algorithm>
#include <charconv>

namespace placid::toolchain {

namespace {

constexpr std::string_view kLoc = "loc(";

bool isName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '.' || c == '-';
}

/// A quoted string with MLIR's escapes; false when `text[at]` begins none.
bool quoted(std::string_view text, size_t &at, std::string &out) {
  if (at >= text.size() || text[at] != '"') {
    return false;
  }
  out.clear();
  auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"') {
      ++at;
      return true;
    }
    if (text[at] != '\\' || at + 1 >= text.size()) {
      out += text[at];
    } else if (at + 2 < text.size() && digit(text[at + 1]) >= 0 && digit(text[at + 2]) >= 0) {
      out += static_cast<char>(digit(text[at + 1]) * 16 + digit(text[at + 2]));
      at += 2;
    } else {
      out += text[++at];
    }
  }
  return false;
}

bool number(std::string_view text, size_t &at, uint32_t &out) {
  if (at >= text.size() || text[at] != ':') {
    return false;
  }
  auto [end, wrong] = std::from_chars(text.data() + at + 1, text.data() + text.size(), out);
  at = static_cast<size_t>(end - text.data());
  return wrong == std::errc();
}

} // namespace

Place parseLocation(std::string_view text, size_t &length) {
  Place place;
  size_t at = kLoc.size();
  std::string word;
  if (!text.starts_with(kLoc) || !quoted(text, at, word)) {
    return {};
  }
  bool named = at < text.size() && text[at] == '(';
  if (named && !quoted(text, ++at, word)) {
    return {};
  }
  place.file = word;
  if (!number(text, at, place.line) || !number(text, at, place.column)) {
    return {};
  }
  for (int close = 0; close < (named ? 2 : 1); ++close) {
    if (at >= text.size() || text[at++] != ')') {
      return {};
    }
  }
  length = at;
  return place;
}

PtoPlaces::PtoPlaces(std::string_view pto) {
  uint32_t number = 0;
  bool inFunction = false;
  for (size_t at = 0; at < pto.size();) {
    size_t end = std::min(pto.find('\n', at), pto.size());
    std::string_view line = pto.substr(at, end - at);
    at = end + 1;
    ++number;
    Place place;
    if (size_t loc = line.rfind(" loc("); loc != std::string_view::npos) {
      size_t length = 0;
      place = parseLocation(line.substr(loc + 1), length);
    }
    size_t first = std::min(line.find_first_not_of(' '), line.size());
    std::string_view code = line.substr(first);
    constexpr std::string_view kFunction = "func.func @";
    if (code.starts_with(kFunction)) {
      inFunction = true;
      size_t nameEnd = kFunction.size();
      while (nameEnd < code.size() && isName(code[nameEnd])) {
        ++nameEnd;
      }
      bool cube = code.find("kernel_kind<cube>") != std::string_view::npos;
      functions_.push_back({std::string(code.substr(kFunction.size(), nameEnd - kFunction.size())), number, cube});
    } else if (inFunction && code.starts_with("}") && place.line != 0) {
      function_ = place; // the last brace with a location is the function's
    }
    std::string op;
    if (code.starts_with("%")) {
      size_t nameEnd = 1;
      while (nameEnd < code.size() && isName(code[nameEnd])) {
        ++nameEnd;
      }
      definitions_[std::string(code.substr(1, nameEnd - 1))].push_back(number);
      size_t equals = code.find(" = ");
      code = equals == std::string_view::npos ? std::string_view() : code.substr(equals + 3);
    }
    if (code.starts_with("pto.")) {
      size_t opEnd = 4;
      while (opEnd < code.size() && isName(code[opEnd])) {
        ++opEnd;
      }
      op = code.substr(4, opEnd - 4);
    }
    places_.push_back(std::move(place));
    ops_.push_back(std::move(op));
  }
}

Place PtoPlaces::source(uint32_t line) const {
  for (size_t at = std::min<size_t>(line, places_.size()); at > 0; --at) {
    if (places_[at - 1].line != 0) {
      return places_[at - 1];
    }
  }
  return function_;
}

uint32_t PtoPlaces::definition(std::string_view name, uint32_t after) const {
  auto found = definitions_.find(name);
  if (found == definitions_.end()) {
    return 0;
  }
  auto line = std::upper_bound(found->second.begin(), found->second.end(), after);
  return line == found->second.end() ? 0 : *line;
}

uint32_t PtoPlaces::operation(std::string_view op, uint32_t after) const {
  for (size_t at = after; at < ops_.size(); ++at) {
    if (ops_[at] == op) {
      return static_cast<uint32_t>(at + 1);
    }
  }
  return 0;
}

} // namespace placid::toolchain
