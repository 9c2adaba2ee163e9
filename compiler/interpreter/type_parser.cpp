// SPDX-License-Identifier: Apache-2.0
// The types of PTO IR text. Apart from the statement parser because types have their own small grammar.
#include "compiler/interpreter/parser.h"

#include <charconv>

namespace placid::interp {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == separator && depth == 0)) {
      if (i > from || separator == ',') {
        out.push_back(trimmed(text.substr(from, i - from)));
      }
      from = i + 1;
    } else {
      depth += text[i] == '<' || text[i] == '(' ? 1 : text[i] == '>' || text[i] == ')' ? -1 : 0;
    }
  }
  return out;
}

std::optional<int64_t> extent(std::string_view text) {
  if (text == "?") {
    return kDynamic;
  }
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

/// "16x?xf16" to extents and an element type.
bool shaped(std::string_view text, std::vector<int64_t> &shape, DType &dtype) {
  std::vector<std::string_view> parts = split(text, 'x');
  // An element type may hold an x of its own only in kinds that are not modelled.
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    std::optional<int64_t> value = extent(parts[i]);
    if (!value) {
      return false;
    }
    shape.push_back(*value);
  }
  if (parts.empty()) {
    return false;
  }
  if (parts.back() == "inde") { // "index" was split at its x
    dtype = DType::Index;
    return true;
  }
  std::optional<DType> element = parseDType(parts.back());
  dtype = element.value_or(DType::I8);
  return element.has_value();
}

bool space(std::string_view text, Space &out) {
  constexpr std::pair<std::string_view, Space> kSpaces[] = {
      {"vec", Space::Vec}, {"mat", Space::Mat},   {"left", Space::Left},      {"right", Space::Right},
      {"acc", Space::Acc}, {"bias", Space::Bias}, {"scaling", Space::Scaling}};
  for (const auto &[name, value] : kSpaces) {
    if (name == text) {
      out = value;
      return true;
    }
  }
  return false;
}

/// One `key=value`, or a bare word of the compact form.
bool tileField(std::string_view key, std::string_view value, TileType &tile) {
  auto number = [&](int64_t &out) {
    std::optional<int64_t> parsed = extent(value);
    out = parsed.value_or(0);
    return parsed.has_value();
  };
  if (key == "loc") {
    return space(value, tile.space);
  }
  if (key == "dtype") {
    std::optional<DType> element = parseDType(value);
    tile.dtype = element.value_or(DType::I8);
    return element.has_value();
  }
  if (key == "rows") {
    return number(tile.rows);
  }
  if (key == "cols") {
    return number(tile.cols);
  }
  if (key == "v_row") {
    return number(tile.validRows);
  }
  if (key == "v_col") {
    return number(tile.validCols);
  }
  if (key == "valid") {
    std::vector<std::string_view> parts = split(value, 'x');
    std::optional<int64_t> rows = parts.size() == 2 ? extent(parts[0]) : std::nullopt;
    std::optional<int64_t> cols = parts.size() == 2 ? extent(parts[1]) : std::nullopt;
    tile.validRows = rows.value_or(0);
    tile.validCols = cols.value_or(0);
    return rows && cols;
  }
  if (key == "blayout") {
    tile.blockColMajor = value == "col_major";
    return value == "col_major" || value == "row_major";
  }
  if (key == "slayout") {
    tile.boxed = value != "none_box";
    tile.boxColMajor = value == "col_major";
    return value == "none_box" || value == "col_major" || value == "row_major";
  }
  if (key == "fractal") {
    return number(tile.fractal);
  }
  if (key == "pad") {
    return number(tile.pad);
  }
  return key == "compact";
}

bool tile(std::string_view inner, TileType &out) {
  bool first = true;
  for (std::string_view part : split(inner, ',')) {
    size_t equals = part.find('=');
    if (equals != std::string_view::npos) {
      if (!tileField(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)), out)) {
        return false;
      }
    } else if (first) {
      if (!space(part, out.space)) {
        return false;
      }
    } else {
      std::vector<int64_t> shape;
      if (!shaped(part, shape, out.dtype) || shape.size() != 2) {
        return false;
      }
      out.rows = out.validRows = shape[0];
      out.cols = out.validCols = shape[1];
      out.boxed = out.space != Space::Vec && out.space != Space::Bias && out.space != Space::Scaling;
      out.blockColMajor = out.space == Space::Mat || out.space == Space::Left || out.space == Space::Acc;
      out.boxColMajor = out.space == Space::Right;
      out.fractal = out.space == Space::Acc ? 1024 : 512;
    }
    first = false;
  }
  constexpr int64_t kScales = 32;
  if (out.space == Space::Scaling && out.boxed && out.fractal == kScales) {
    out.space = out.blockColMajor ? Space::RightScale : Space::LeftScale;
  }
  return out.rows > 0 && out.cols > 0;
}

} // namespace

Type parseType(const std::string &text) {
  Type type;
  type.text = text;
  type.kind = Type::Kind::Other;
  if (std::optional<DType> scalar = parseDType(text)) {
    type.kind = Type::Kind::Scalar;
    type.dtype = *scalar;
    return type;
  }
  size_t open = text.find('<');
  if (open == std::string::npos || text.back() != '>') {
    return type;
  }
  std::string_view head = std::string_view(text).substr(0, open);
  std::string_view inner = trimmed(std::string_view(text).substr(open + 1, text.size() - open - 2));
  if (head == "!pto.ptr") {
    std::optional<DType> element = parseDType(trimmed(split(inner, ',').front()));
    type.kind = element ? Type::Kind::Ptr : Type::Kind::Other;
    type.dtype = element.value_or(DType::I8);
  } else if (head == "!pto.tensor_view" || head == "!pto.partition_tensor_view") {
    bool known = shaped(inner, type.shape, type.dtype);
    type.kind = !known ? Type::Kind::Other : head == "!pto.tensor_view" ? Type::Kind::View : Type::Kind::Partition;
  } else if (head == "!pto.tile_buf") {
    type.kind = tile(inner, type.tile) ? Type::Kind::Tile : Type::Kind::Other;
    type.dtype = type.tile.dtype;
  }
  return type;
}

} // namespace placid::interp
